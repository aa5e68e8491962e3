package jsonscan

import (
	"encoding/binary"
	"math/bits"
)

// plain marks the bytes that stand for themselves in a string: ASCII from the
// space on, but not the quote and the backslash.
var plain = func() (table [256]bool) {
	for b := 0x20; b < 0x80; b++ {
		table[b] = b != '"' && b != '\\'
	}
	return table
}()

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// plainRun returns the index of the first byte at or after i that is not
// plain, or len(data). It looks at eight bytes at a time: a byte below 0x20
// borrows when 0x20 is taken from it, a quote or a backslash becomes zero when
// it is xored away and then borrows when one is taken, and everything beyond
// ASCII has its high bit set already. A borrow can only mark bytes behind the
// first one found, and only the first one counts.
func plainRun(data []byte, i int) int {
	for i+8 <= len(data) {
		w := binary.LittleEndian.Uint64(data[i:])
		quote := w ^ (lowBits * '"')
		slash := w ^ (lowBits * '\\')
		marks := (w | (w - lowBits*0x20) | (quote - lowBits) | (slash - lowBits)) & highBits
		if marks != 0 {
			return i + bits.TrailingZeros64(marks)/8
		}
		i += 8
	}
	for i < len(data) && plain[data[i]] {
		i++
	}
	return i
}
