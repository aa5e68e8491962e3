package server

import (
	"bytes"
	"math/big"

	"helpdesk/jsonscan"
)

// maxIntegral is how long a number may be to be respelled.
const maxIntegral = 40

// respellIntegers writes numbers such as 1.0 and 1e2, which JSON Schema counts
// as integers, the way Go's decoder reads integers. Everything else stays as it
// is. The arguments were checked before.
func respellIntegers(dst, value []byte) []byte {
	switch jsonscan.KindOf(value) {
	case jsonscan.Object, jsonscan.Array:
		open, end := value[0], value[len(value)-1]
		dst = append(dst, open)
		first := true
		for it := jsonscan.Iterate(value); it.Next(); first = false {
			if !first {
				dst = append(dst, ',')
			}
			if open == '{' {
				dst = append(append(append(dst, '"'), it.Name()...), `":`...)
			}
			dst = respellIntegers(dst, it.Value())
		}
		return append(dst, end)
	case jsonscan.Number:
		if len(value) <= maxIntegral && bytes.ContainsAny(value, ".eE") {
			if exponent := bytes.IndexAny(value, "eE"); exponent >= 0 && len(value)-exponent > 4 {
				break // Far beyond what an integer type holds.
			}
			if r, ok := new(big.Rat).SetString(string(value)); ok && r.IsInt() {
				return r.Num().Append(dst, 10)
			}
		}
	}
	return append(dst, value...)
}
