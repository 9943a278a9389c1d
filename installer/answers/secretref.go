package answers

import (
	"errors"
	"regexp"
	"strings"
)

// variableName is what a shell takes for a variable. Anything else may be the
// secret itself, and would be read as more than a name in a printed command.
var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// SecretRef says where a secret is, never what it is. At most one of its
// sources is set; none means that the secret is not given.
type SecretRef struct {
	Env       string       `yaml:"env,omitempty"`
	File      string       `yaml:"file,omitempty"`
	SecretRef *KeyInSecret `yaml:"secretRef,omitempty"`
	Keyring   string       `yaml:"keyring,omitempty"`
}

// KeyInSecret is one key of a Secret in the runtime's namespace.
type KeyInSecret struct {
	Name string `yaml:"name"`
	Key  string `yaml:"key"`
}

// IsZero reports whether no source is named.
func (r SecretRef) IsZero() bool { return r.sources() == 0 }

func (r SecretRef) sources() int {
	count := 0
	for _, set := range []bool{r.Env != "", r.File != "", r.SecretRef != nil, r.Keyring != ""} {
		if set {
			count++
		}
	}
	return count
}

// String is the reference as a flag takes it: env:NAME, file:PATH,
// keyring:NAME or secretRef:NAME/KEY.
func (r SecretRef) String() string {
	switch {
	case r.Env != "":
		return "env:" + r.Env
	case r.File != "":
		return "file:" + r.File
	case r.Keyring != "":
		return "keyring:" + r.Keyring
	case r.SecretRef != nil:
		return "secretRef:" + r.SecretRef.Name + "/" + r.SecretRef.Key
	}
	return ""
}

// ParseSecretRef reads the form that String writes. The error never repeats
// the text: it may be the secret itself.
func ParseSecretRef(text string) (SecretRef, error) {
	source, rest, found := strings.Cut(text, ":")
	switch {
	case text == "":
		return SecretRef{}, nil
	case source == "env" && variableName.MatchString(rest):
		return SecretRef{Env: rest}, nil
	case found && rest != "" && source == "file":
		return SecretRef{File: rest}, nil
	case found && rest != "" && source == "keyring":
		return SecretRef{Keyring: rest}, nil
	case found && source == "secretRef":
		name, key, ok := strings.Cut(rest, "/")
		if ok && name != "" && key != "" {
			return SecretRef{SecretRef: &KeyInSecret{Name: name, Key: key}}, nil
		}
	}
	return SecretRef{}, errors.New("a secret is given as env:NAME, file:PATH, keyring:NAME or secretRef:NAME/KEY, never as its text")
}
