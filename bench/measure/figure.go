package measure

// Figure is one kind of measurement.
type Figure struct {
	ID    string
	Title string
	Unit  string
	// Group is what the flag -only names; one run yields all of a group.
	Group string
	// HigherIsBetter holds for rates only.
	HigherIsBetter bool
}

// The units of figures.
const (
	Nanoseconds  = "ns"
	PerSecond    = "1/s"
	Instructions = "instructions"
	Bytes        = "bytes"
)

// Figures lists everything that is measured, in the order of the report.
func Figures() []Figure {
	return []Figure{
		{"latency_p50", "One at a time, p50", Nanoseconds, "latency", false},
		{"latency_p99", "One at a time, p99", Nanoseconds, "latency", false},
		{"throughput", "Throughput, 64 in flight", PerSecond, "load", true},
		{"cpu", "CPU per call, 64 in flight", Nanoseconds, "load", false},
		{"instructions", "User instructions per call", Instructions, "instructions", false},
		{"bad_cpu", "CPU per call, `#2318`", Nanoseconds, "bad", false},
		{"list_1_cpu", "CPU per tools/list, 1 tool", Nanoseconds, "list", false},
		{"list_100_cpu", "CPU per tools/list, 100 tools", Nanoseconds, "list", false},
		{"list_1000_cpu", "CPU per tools/list, 1,000 tools", Nanoseconds, "list", false},
		{"big_cpu", "CPU per call, 1 MiB result", Nanoseconds, "big", false},
		{"cold_start", "Spawn to first answer", Nanoseconds, "cold", false},
		{"rss", "Memory after 10,000 calls (VmRSS)", Bytes, "rss", false},
		{"hwm", "Most memory until then (VmHWM)", Bytes, "rss", false},
	}
}

// Groups lists the values of the flag -only.
func Groups() []string {
	var groups []string
	for _, f := range Figures() {
		if len(groups) == 0 || groups[len(groups)-1] != f.Group {
			groups = append(groups, f.Group)
		}
	}
	return groups
}

// Value is one figure of one server.
type Value struct {
	Figure string `json:"figure"`
	Server string `json:"server"`
	Unit   string `json:"unit"`
	// Rounds holds the median of each round.
	Rounds []float64 `json:"rounds"`
	// Median is the median over the rounds.
	Median float64 `json:"median"`
}
