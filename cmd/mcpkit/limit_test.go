//go:build !race

package main

// memoryLimit is the most memory that a tap may hold, in bytes.
const memoryLimit = 64 << 20

// longLine is the length of the longest line of these tests, in bytes.
const longLine = 100 << 20
