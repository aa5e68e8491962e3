package schema

import (
	"bytes"
	"math/big"
	"math/bits"
	"strconv"
)

// decimal is an exact number: its digits as an integer, times ten to the power
// of exp. It has neither leading nor trailing zeros, so that every value has
// one form; zero has no digits. Floating point is not used because 0.3 is no
// multiple of 0.1 there, and 9007199254740993 is not itself.
type decimal struct {
	neg    bool
	digits []byte
	exp    int64
}

// exponentBound is where exponents stop growing while they are read. No text
// that fits in memory has enough digits to bring such a number back.
const exponentBound = int64(1) << 40

// roomForDigits is how many digits of an instance's number fit on the stack.
const roomForDigits = 40

// readDecimal reads a checked JSON number. The digits are appended to buf,
// which the caller keeps on its stack so that usual numbers cost no memory.
func readDecimal(text, buf []byte) decimal {
	d := decimal{digits: buf[:0]}
	i := 0
	if i < len(text) && text[i] == '-' {
		d.neg = true
		i++
	}
	afterPoint := false
	for ; i < len(text); i++ {
		b := text[i]
		if b == '.' {
			afterPoint = true
			continue
		}
		if b < '0' || b > '9' {
			break
		}
		if afterPoint {
			d.exp--
		}
		if b != '0' || len(d.digits) > 0 {
			d.digits = append(d.digits, b)
		}
	}
	if i < len(text) && (text[i] == 'e' || text[i] == 'E') {
		d.exp += readExponent(text[i+1:])
	}
	for n := len(d.digits); n > 0 && d.digits[n-1] == '0'; n-- {
		d.digits = d.digits[:n-1]
		d.exp++
	}
	if len(d.digits) == 0 {
		d.neg, d.exp = false, 0
	}
	return d
}

func readExponent(text []byte) int64 {
	neg := false
	var e int64
	for _, b := range text {
		switch {
		case b == '-':
			neg = true
		case '0' <= b && b <= '9' && e < exponentBound:
			e = e*10 + int64(b-'0')
		}
	}
	e = min(e, exponentBound)
	if neg {
		return -e
	}
	return e
}

// isInteger reports whether the value has no fractional part, however it is
// written: 1.0 and 1e2 are integers (JSON Schema core, section 4.2.3).
func (d decimal) isInteger() bool { return d.exp >= 0 }

// compare returns -1, 0 or +1.
func (d decimal) compare(o decimal) int {
	if len(d.digits) == 0 || len(o.digits) == 0 || d.neg != o.neg {
		return d.sign() - o.sign()
	}
	size := 0
	switch dm, om := int64(len(d.digits))+d.exp, int64(len(o.digits))+o.exp; {
	case dm < om:
		size = -1
	case dm > om:
		size = 1
	default:
		// Without trailing zeros the shorter of two equal beginnings is
		// also the smaller number.
		size = bytes.Compare(d.digits, o.digits)
	}
	if d.neg {
		return -size
	}
	return size
}

func (d decimal) sign() int {
	switch {
	case len(d.digits) == 0:
		return 0
	case d.neg:
		return -1
	default:
		return 1
	}
}

// shortDivisor is how many digits of a divisor fit in 64 bits.
const shortDivisor = 18

// isMultipleOf reports whether d divided by m is an integer.
func (d decimal) isMultipleOf(m decimal) bool {
	if len(d.digits) == 0 {
		return true
	}
	shift := d.exp - m.exp
	if shift < 0 {
		// The quotient would need d's digits to be a multiple of ten, but
		// they do not end with a zero.
		return false
	}
	if len(m.digits) <= shortDivisor {
		divisor := remainder(m.digits, 1<<63)
		rest := remainder(d.digits, divisor)
		rest = mulMod(rest, powerOfTen(shift, divisor), divisor)
		return rest == 0
	}
	divisor, _ := new(big.Int).SetString(string(m.digits), 10)
	rest := new(big.Int)
	for chunk := d.digits; len(chunk) > 0; {
		n := min(len(chunk), shortDivisor)
		rest.Mul(rest, new(big.Int).SetUint64(pow10(n)))
		rest.Add(rest, new(big.Int).SetUint64(remainder(chunk[:n], 1<<63)))
		rest.Mod(rest, divisor)
		chunk = chunk[n:]
	}
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(shift), divisor)
	return rest.Mul(rest, power).Mod(rest, divisor).Sign() == 0
}

// remainder is the integer written as digits, modulo m.
func remainder(digits []byte, m uint64) uint64 {
	var r uint64
	for _, b := range digits {
		hi, lo := bits.Mul64(r, 10)
		lo, carry := bits.Add64(lo, uint64(b-'0'), 0)
		r = bits.Rem64(hi+carry, lo, m)
	}
	return r
}

func mulMod(a, b, m uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return bits.Rem64(hi, lo, m)
}

// powerOfTen is ten to the power of n, modulo m.
func powerOfTen(n int64, m uint64) uint64 {
	result, base := 1%m, 10%m
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result = mulMod(result, base, m)
		}
		base = mulMod(base, base, m)
	}
	return result
}

func pow10(n int) uint64 {
	p := uint64(1)
	for range n {
		p *= 10
	}
	return p
}

// count reads a non-negative integer keyword such as minLength. A value beyond
// what an int holds is false: no instance is that long.
func (d decimal) count() (n int, ok bool) {
	if d.neg || d.exp < 0 || int64(len(d.digits))+d.exp > shortDivisor {
		return 0, false
	}
	return int(remainder(d.digits, 1<<63) * pow10(int(d.exp))), true
}

// appendTo writes the one form of the value: digits, then the exponent.
func (d decimal) appendTo(dst []byte) []byte {
	if len(d.digits) == 0 {
		return append(dst, '0')
	}
	if d.neg {
		dst = append(dst, '-')
	}
	dst = append(dst, d.digits...)
	dst = append(dst, 'e')
	return strconv.AppendInt(dst, d.exp, 10)
}
