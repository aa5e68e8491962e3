package stats_test

import (
	"math"
	"testing"

	"helpdesk/bench/stats"
)

func TestMedian(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{[]float64{3}, 3},
		{[]float64{9, 1, 5}, 5},
		{[]float64{4, 1, 2, 3}, 2.5},
	} {
		before := append([]float64(nil), c.values...)
		if got := stats.Median(c.values); got != c.want {
			t.Errorf("Median(%v) = %v, want %v", c.values, got, c.want)
		}
		for i := range before {
			if before[i] != c.values[i] {
				t.Errorf("Median changed its argument from %v to %v", before, c.values)
				break
			}
		}
	}
	if got := stats.Median(nil); !math.IsNaN(got) {
		t.Errorf("Median(nil) = %v, want NaN", got)
	}
}

func TestPercentile(t *testing.T) {
	t.Parallel()
	hundred := make([]float64, 100)
	for i := range hundred {
		hundred[i] = float64(100 - i)
	}
	for _, c := range []struct {
		values  []float64
		p, want float64
	}{
		{hundred, 50, 50},
		{hundred, 99, 99},
		{hundred, 100, 100},
		{hundred, 0, 1},
		{hundred, 250, 100},
		{[]float64{7, 8}, 50, 7},
		{[]float64{7, 8}, 51, 8},
	} {
		if got := stats.Percentile(c.values, c.p); got != c.want {
			t.Errorf("Percentile of %d values at %v = %v, want %v", len(c.values), c.p, got, c.want)
		}
	}
	if got := stats.Percentile(nil, 50); !math.IsNaN(got) {
		t.Errorf("Percentile(nil) = %v, want NaN", got)
	}
}
