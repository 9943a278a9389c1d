package githost

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The switches.
const (
	switchSlow           = "slow"
	switchDrip           = "drip"
	switchUnreachable    = "unreachable"
	switchWrongName      = "wrong-name"
	switchExpiredCert    = "expired-cert"
	switchHTTPStatus     = "http-status"
	switchRateLimited    = "rate-limited"
	switchRedirect       = "redirect"
	switchHTMLBody       = "html-body"
	switchHugeBody       = "huge-body"
	switchInvalidUTF8    = "invalid-utf8"
	switchOldServer      = "old-server"
	switchPrivateMode    = "private-mode"
	switchNoScopesHeader = "no-scopes-header"
)

// switchKind is a way to misbehave that can be turned on while the host runs.
type switchKind struct {
	name    string
	value   string // what it takes, in the words of the documentation
	meaning string
	takes   func(string) bool
}

var switchKinds = []switchKind{
	{switchSlow, "a duration", "every answer waits so long", isDuration},
	{switchDrip, "a duration, or `on` for 1s", "answers come one byte at a time, so far apart", isOnOrDuration},
	{switchUnreachable, "`on`", "connections are reset at once; the proxy answers 502", isOn},
	{switchWrongName, "`on`", "the certificate is for another name", isOn},
	{switchExpiredCert, "`on`", "the certificate has expired", isOn},
	{switchHTTPStatus, "a status from 400", "every answer has this status", isFailure},
	{switchRateLimited, "seconds", "429 with Retry-After", isSeconds},
	{switchRedirect, "the base URL of another host", "302 to the same path there", isBaseURL},
	{switchHTMLBody, "`on`", "a sign-in page with status 200", isOn},
	{switchHugeBody, "`on`", "64 MiB of JSON, or of refs, with status 200", isOn},
	{switchInvalidUTF8, "`on`", "every text field of an answer begins with the bytes ff fe, and one branch is called so", isOn},
	{switchOldServer, "`on`", "GitHub Enterprise refuses the X-GitHub-Api-Version header, GitLab Server has no `/personal_access_tokens/self`, Bitbucket Server has no `/default-branch`", isOn},
	{switchPrivateMode, "`on`", "GitHub Enterprise answers strangers with 401 everywhere", isOn},
	{switchNoScopesHeader, "`on`", "GitHub and Bitbucket Cloud do not tell the scopes of tokens", isOn},
}

func isOn(value string) bool { return value == "on" || value == "true" }

func isDuration(value string) bool {
	_, err := time.ParseDuration(value)
	return err == nil
}

func isOnOrDuration(value string) bool { return isOn(value) || isDuration(value) }

func isFailure(value string) bool {
	status, err := strconv.Atoi(value)
	return err == nil && status >= 400 && http.StatusText(status) != ""
}

func isSeconds(value string) bool {
	seconds, err := strconv.Atoi(value)
	return err == nil && seconds >= 0
}

func isBaseURL(value string) bool {
	target, err := url.Parse(value)
	return err == nil && target.Host != "" && strings.HasPrefix(target.Scheme, "http")
}

// setting is the value of a switch, and the provider that it is for.
type setting struct {
	value string
	only  Provider // everyone: all of them
}

// parseSetting reads VALUE, PROVIDER:VALUE or *:VALUE. A provider or * alone
// means on.
func parseSetting(text string) setting {
	whom, value, scoped := strings.Cut(text, ":")
	isProvider := slices.Contains(Providers(), Provider(whom))
	switch {
	case !isProvider && whom != "*":
		return setting{value: text}
	case !scoped:
		value = "on"
	}
	if !isProvider {
		return setting{value: value}
	}
	return setting{value: value, only: Provider(whom)}
}

// SetSwitch turns a switch on with its value, for one provider or for all, or
// off with "off" or "".
func (h *Host) SetSwitch(name, value string) error {
	index := slices.IndexFunc(switchKinds, func(kind switchKind) bool { return kind.name == name })
	if index < 0 {
		return fmt.Errorf("unknown switch %q, known are: %s", name, strings.Join(switchNames(), ", "))
	}
	off := value == "" || value == "off"
	if !off && !switchKinds[index].takes(parseSetting(value).value) {
		return fmt.Errorf("switch %q does not take the value %q", name, value)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.switches, name)
	if !off {
		h.switches[name] = value
	}
	return nil
}

func switchNames() []string {
	var names []string
	for _, kind := range switchKinds {
		names = append(names, kind.name)
	}
	return slices.Sorted(slices.Values(names))
}

// Switches tells which switches are on, with their values.
func (h *Host) Switches() map[string]string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.switches)
}

// switchesFor are the switches that are on for a provider, with their values.
func (h *Host) switchesFor(provider Provider) map[string]string {
	on := map[string]string{}
	for name, text := range h.Switches() {
		if set := parseSetting(text); set.only == everyone || set.only == provider {
			on[name] = set.value
		}
	}
	return on
}

func (h *Host) isOn(provider Provider, name string) bool { return h.switchesFor(provider)[name] != "" }
