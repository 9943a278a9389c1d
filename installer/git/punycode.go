package git

import "strings"

// The parameters of Punycode, from RFC 3492 section 5.
const (
	punyBase        = 36
	punyMin         = 1
	punyMax         = 26
	punySkew        = 38
	punyDamp        = 700
	punyInitialBias = 72
	punyInitialCode = 128
	punyMostRunes   = 63 // no label of DNS is longer
)

// punycode writes a label of a host name in ASCII, without the xn-- before it.
func punycode(label string) (string, bool) {
	runes := []rune(label)
	var out strings.Builder
	for _, r := range runes {
		if r < punyInitialCode {
			out.WriteRune(r)
		}
	}
	basic := out.Len()
	if basic > 0 {
		out.WriteByte('-')
	}
	if len(runes) > punyMostRunes {
		return "", false
	}
	writeForeign(&out, runes, basic)
	return out.String(), true
}

// writeForeign inserts the other letters in the order of their code points,
// each as its distance from the one before.
func writeForeign(out *strings.Builder, runes []rune, handled int) {
	basic, delta, bias, reached := handled, 0, punyInitialBias, rune(punyInitialCode)
	for handled < len(runes) {
		next := smallestFrom(runes, reached)
		delta += int(next-reached) * (handled + 1)
		for _, r := range runes {
			if r < next {
				delta++
			}
			if r == next {
				writeNumber(out, delta, bias)
				bias = adapted(delta, handled+1, handled == basic)
				delta = 0
				handled++
			}
		}
		delta++
		reached = next + 1
	}
}

func smallestFrom(runes []rune, least rune) rune {
	smallest := rune(-1)
	for _, r := range runes {
		if r >= least && (smallest < 0 || r < smallest) {
			smallest = r
		}
	}
	return smallest
}

// writeNumber writes a number with digits whose weight depends on the bias.
func writeNumber(out *strings.Builder, number, bias int) {
	const digits = "abcdefghijklmnopqrstuvwxyz0123456789"
	for k := punyBase; ; k += punyBase {
		threshold := min(max(k-bias, punyMin), punyMax)
		if number < threshold {
			out.WriteByte(digits[number])
			return
		}
		out.WriteByte(digits[threshold+(number-threshold)%(punyBase-threshold)])
		number = (number - threshold) / (punyBase - threshold)
	}
}

func adapted(delta, count int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / count
	k := 0
	for ; delta > (punyBase-punyMin)*punyMax/2; k += punyBase {
		delta /= punyBase - punyMin
	}
	return k + (punyBase-punyMin+1)*delta/(delta+punySkew)
}
