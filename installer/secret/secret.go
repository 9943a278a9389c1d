// Package secret keeps tokens and keys from being printed. A Value shows as
// three dots wherever it ends up: logs, JSON, YAML, goldens and panics.
package secret

import "log/slog"

const hidden = "•••"

// Value is a secret in memory.
type Value struct{ plain string }

// New wraps a plain text.
func New(plain string) Value { return Value{plain: plain} }

// Reveal gives the plain text. Call it only where the secret is used.
func (v Value) Reveal() string { return v.plain }

// Empty reports whether there is nothing in it.
func (v Value) Empty() bool { return v.plain == "" }

// String gives the dots, as do all other ways to print it below.
func (v Value) String() string {
	if v.Empty() {
		return ""
	}
	return hidden
}

// GoString keeps %#v from showing the text.
func (v Value) GoString() string { return "secret.Value{" + v.String() + "}" }

// LogValue keeps structured logs from showing the text.
func (v Value) LogValue() slog.Value { return slog.StringValue(v.String()) }

// MarshalText keeps JSON and YAML from showing the text.
func (v Value) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// MarshalYAML keeps YAML writers that ask for it from showing the text.
func (v Value) MarshalYAML() (any, error) { return v.String(), nil }
