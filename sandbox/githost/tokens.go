package githost

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Token is a credential for one provider.
type Token struct {
	Name     string // of a seeded one: what it is good for in a test
	Meaning  string
	Value    string
	Provider Provider
	Login    string   // the user it speaks for: ada unless said otherwise
	Email    string   // <Login>@sandbox.test unless said otherwise
	Scopes   []string // or the permissions of a fine-grained token

	ExpiresAt   time.Time // zero: never
	FineGrained bool      // GitHub: permissions in place of scopes
	Role        Role      // what the user is in every repository
	Revoked     bool
	Bot         bool // GitLab: group or project token; Data Center: project or repository token
	SSORequired bool // GitHub: not authorised for the organisation
}

type tokenKey struct {
	provider Provider
	value    string
}

// AddToken makes a token known, or replaces the one of that value.
func (h *Host) AddToken(token Token) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.tokens[tokenKey{token.Provider, token.Value}] = token.completed()
}

func (t Token) completed() Token {
	t.Login = cmp.Or(t.Login, "ada")
	t.Email = cmp.Or(t.Email, t.Login+"@sandbox.test")
	return t
}

func (t Token) hasAny(scopes ...string) bool {
	return slices.ContainsFunc(scopes, func(scope string) bool { return slices.Contains(t.Scopes, scope) })
}

// standing is what a provider makes of a credential.
type standing int

const (
	absent standing = iota
	unknown
	revoked
	expired
	valid
)

// credential is what a request carries. A user is there with Basic only.
type credential struct {
	user   string
	secret string
	basic  bool
}

// credentialOf reads every form that a provider may take; the providers
// refuse the forms that they do not.
func credentialOf(r *http.Request) credential {
	if user, secret, ok := r.BasicAuth(); ok {
		return credential{user, secret, true}
	}
	scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") || strings.EqualFold(scheme, "token") {
		return credential{secret: secret}
	}
	return credential{secret: r.Header.Get("PRIVATE-TOKEN")}
}

func (h *Host) judge(provider Provider, secret string) (Token, standing) {
	if secret == "" {
		return Token{}, absent
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	token, known := h.tokens[tokenKey{provider, secret}]
	switch {
	case !known:
		return Token{}, unknown
	case token.Revoked:
		return Token{}, revoked
	case !token.ExpiresAt.IsZero() && !h.now().Before(token.ExpiresAt):
		return Token{}, expired
	default:
		return token, valid
	}
}
