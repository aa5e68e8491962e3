// Package stats holds the few sums the benchmark needs. None of them changes
// its argument.
package stats

import (
	"math"
	"slices"
)

// Median returns the middle value, or the mean of the two middle values. It is
// NaN when there are no values.
func Median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// Percentile returns the smallest value that at least p percent of the values
// do not exceed (the nearest-rank definition). p outside 0 to 100 is taken as
// the nearer end. It is NaN when there are no values.
func Percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}
