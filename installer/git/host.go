package git

import (
	"errors"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
)

// checkHost holds the host of a URL to what can be asked without a surprise:
// an ASCII name, an IPv4 address or an IPv6 address in brackets.
func checkHost(u *url.URL) error {
	name := u.Hostname()
	if strings.HasSuffix(u.Host, ":") || u.Port() != "" && !isPort(u.Port()) {
		return errors.New("its port is not a number from 1 to 65535")
	}
	if strings.HasPrefix(u.Host, "[") {
		return checkIPv6(name)
	}
	if ascii, isASCII := asciiHost(name); !isASCII {
		return foreignHost(ascii)
	}
	return checkLabels(name)
}

func isPort(text string) bool {
	port, err := strconv.ParseUint(text, 10, 16)
	return err == nil && port > 0
}

// checkIPv6 refuses a zone: it names a network card of this machine, which
// means nothing to the cluster.
func checkIPv6(name string) error {
	address, err := netip.ParseAddr(name)
	if err != nil || !address.Is6() || address.Zone() != "" {
		return errors.New("what stands in the brackets is not an IPv6 address without a zone")
	}
	return nil
}

// foreignHost shows the name as it goes over the wire, so that letters which
// only look like others are seen for what they are.
func foreignHost(ascii string) error {
	if ascii == "" {
		return errors.New("its host has letters that no host name has; write it in ASCII (xn--…)")
	}
	return errors.New("its host has letters outside ASCII; if you mean it, write " + ascii)
}

func checkLabels(name string) error {
	for label := range strings.SplitSeq(name, ".") {
		switch {
		case label == "" || len(label) > 63 || len(name) > 253:
			return errors.New("its host has a part that is empty or too long")
		case strings.HasPrefix(label, "-"), strings.HasSuffix(label, "-"), strings.Trim(strings.ToLower(label), hostLetters) != "":
			return errors.New("its host has a character that no host name has")
		}
	}
	return nil
}

// hostLetters has the underscore too, which some company networks use.
const hostLetters = "abcdefghijklmnopqrstuvwxyz0123456789-_"

// asciiHost is the name as DNS knows it, or nothing where that is not certain
// without the tables of IDNA: a combining mark may belong to its letter.
func asciiHost(name string) (ascii string, same bool) {
	labels := strings.Split(strings.ToLower(name), ".")
	same = true
	for i, label := range labels {
		if isASCII(label) {
			continue
		}
		same = false
		encoded, ok := punycode(label)
		if !ok || strings.ContainsFunc(label, notInNames) {
			return "", false
		}
		labels[i] = "xn--" + encoded
	}
	return strings.Join(labels, "."), same
}

func isASCII(label string) bool {
	return !strings.ContainsFunc(label, func(r rune) bool { return r > unicode.MaxASCII })
}

func notInNames(r rune) bool {
	return r > unicode.MaxASCII && !unicode.IsLetter(r) && !unicode.IsDigit(r)
}
