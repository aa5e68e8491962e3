package desk

// DemoTickets are the tickets of the demo company, which sells booking
// software to gyms and yoga studios.
func DemoTickets() []Ticket {
	return []Ticket{
		{Number: "2318", Subject: "Charged twice for October", Status: Open, CustomerID: "cus_1042"},
		{Number: "2319", Subject: "Class schedule not syncing to calendar", Status: Pending, CustomerID: "cus_0877"},
		{Number: "2320", Subject: "How do I add a second instructor?", Status: Closed, CustomerID: "cus_1310"},
	}
}
