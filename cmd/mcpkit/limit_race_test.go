//go:build race

package main

// memoryLimit allows for the race detector, which keeps notes on each byte.
const memoryLimit = 640 << 20

// longLine is the length of the longest line of these tests, in bytes.
const longLine = 16 << 20
