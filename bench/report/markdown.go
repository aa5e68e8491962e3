package report

import (
	"fmt"
	"strconv"
	"strings"

	"helpdesk/bench/measure"
)

// none stands where a server does not take part in a figure.
const none = "–"

// Markdown renders the environment, the ratios to the tight floor, the ratios
// to this project's server, and the measured values themselves.
func (r *Report) Markdown() string {
	var b strings.Builder
	e := r.Environment
	fmt.Fprintf(&b, "%s, %d cores (load on core %d, servers on core %d), %s, %s", e.CPU, e.Cores, r.Settings.LoadCore, r.Settings.ServerCore, e.OS, e.Go)
	if e.Node != "" {
		fmt.Fprintf(&b, ", Node %s", e.Node)
	}
	fmt.Fprintf(&b, ". %d rounds of %d slices, each at most %d calls or about %g s.\n\n",
		r.Settings.Rounds, r.Settings.Slices, r.Settings.Calls, r.Settings.SliceSeconds)

	b.WriteString("| Server | What it is | Version | Requests |\n|---|---|---|---|\n")
	for _, s := range r.Servers {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", s.Name, s.About, orNone(s.Version), s.Form)
	}
	for _, base := range []string{measure.BaseFloor, measure.BaseOurs} {
		if r.has(base) || base == measure.BaseOurs && r.has(measure.LibraryServer) {
			unity := base
			if base == measure.BaseOurs && r.has(measure.LibraryServer) {
				unity += ", or " + measure.LibraryServer + " where it does not take part,"
			}
			fmt.Fprintf(&b, "\nRatios, %s = 1 (less is better, except for throughput):\n\n", unity)
			r.table(&b, func(f measure.Figure, server string) string { return r.ratio(f, server, base) })
		}
	}
	b.WriteString("\nThe medians themselves, which hold for this machine and this run only:\n\n")
	r.table(&b, r.absolute)
	for _, note := range r.Notes {
		fmt.Fprintf(&b, "\n%s\n", note)
	}
	return b.String()
}

// has says whether a server took part.
func (r *Report) has(server string) bool {
	for _, s := range r.Servers {
		if s.Name == server {
			return true
		}
	}
	return false
}

func orNone(text string) string {
	if text == "" {
		return none
	}
	return text
}

// table writes one row for each figure that at least one server has.
func (r *Report) table(b *strings.Builder, cell func(f measure.Figure, server string) string) {
	b.WriteString("| |")
	for _, s := range r.Servers {
		fmt.Fprintf(b, " %s |", s.Name)
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(r.Servers)) + "\n")
	for _, f := range measure.Figures() {
		var cells []string
		empty := true
		for _, s := range r.Servers {
			text := cell(f, s.Name)
			empty = empty && text == none
			cells = append(cells, text)
		}
		if !empty {
			fmt.Fprintf(b, "| %s | %s |\n", f.Title, strings.Join(cells, " | "))
		}
	}
}

func (r *Report) value(figure, server string) (float64, bool) {
	for _, v := range r.Values {
		if v.Figure == figure && v.Server == server {
			return v.Median, true
		}
	}
	return 0, false
}

// ratio compares one figure of two servers. The product's own tool list is
// fixed, so where it does not take part the library server stands in for it as
// the base.
func (r *Report) ratio(f measure.Figure, server, base string) string {
	below, ok := r.value(f.ID, base)
	if !ok && base == measure.BaseOurs {
		below, ok = r.value(f.ID, measure.LibraryServer)
	}
	value, found := r.value(f.ID, server)
	if !ok || !found || below == 0 {
		return none
	}
	return significant(value / below)
}

func (r *Report) absolute(f measure.Figure, server string) string {
	value, found := r.value(f.ID, server)
	if !found {
		return none
	}
	switch f.Unit {
	case measure.Nanoseconds:
		if value >= 1e6 {
			return significant(value/1e6) + " ms"
		}
		return significant(value/1e3) + " µs"
	case measure.PerSecond:
		return significant(value/1e3) + " k/s"
	case measure.Bytes:
		return significant(value/(1<<20)) + " MiB"
	case measure.Instructions:
		return significant(value/1e3) + " k"
	}
	return significant(value)
}

// significant writes a number with three significant digits and no exponent.
func significant(value float64) string {
	decimals := 0
	switch {
	case value < 0.995:
		decimals = 3
	case value < 9.995:
		decimals = 2
	case value < 99.95:
		decimals = 1
	}
	return strconv.FormatFloat(value, 'f', decimals, 64)
}
