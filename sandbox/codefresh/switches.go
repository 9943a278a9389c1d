package codefresh

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The switches. A switch that takes no value is turned on with "on"; every
// switch is turned off with "off" or an empty value.
const (
	switchNonAdmin        = "non-admin"
	switchAccountMismatch = "account-mismatch"
	switchFreshAccount    = "fresh-account"    // no Git provider, no shared configuration repository
	switchNameTaken       = "name-taken"       // value: the name of a runtime that exists elsewhere
	switchLimitReached    = "limit-reached"    // 3 of 3 clusters are used
	switchLimitsNull      = "limits-null"      // limits are enforced, and there are none
	switchISCLocked       = "isc-locked"       // the shared configuration repository cannot be changed
	switchNeverCompletes  = "never-completes"  // Complete leaves the runtime IN_PROGRESS
	switchRuntimeFailed   = "runtime-failed"   // Complete makes the runtime FAILED
	switchGitSourceStuck  = "git-source-stuck" // git sources keep `self: null`
	switchDeaf            = "deaf"             // mutations claim success and change nothing
	switchMissingField    = "missing-field"    // value: Type.field[,Type.field] that an older platform lacks

	switchAppProxyStarting = "app-proxy-starting" // value: a duration from now, or "always"

	// These four exist twice: as they stand for the platform, and with
	// appProxyPrefix for the app-proxy.
	switchHTTPStatus    = "http-status"    // value: 401, 403, 500 or another status from 400
	switchGraphQLErrors = "graphql-errors" // value: the message, answered with status 200
	switchHTMLBody      = "html-body"      // a page in place of JSON, status 200
	switchSlow          = "slow"           // value: a duration that every answer waits

	appProxyPrefix = "app-proxy-"
)

// switchSetting remembers since when a switch is on, for those that pass.
type switchSetting struct {
	value string
	since time.Time
}

// switchChecks says for every switch which values it takes.
var switchChecks = map[string]func(string) error{
	switchNonAdmin:         onlyOn,
	switchAccountMismatch:  onlyOn,
	switchFreshAccount:     onlyOn,
	switchNameTaken:        anyText,
	switchLimitReached:     onlyOn,
	switchLimitsNull:       onlyOn,
	switchISCLocked:        onlyOn,
	switchNeverCompletes:   onlyOn,
	switchRuntimeFailed:    onlyOn,
	switchGitSourceStuck:   onlyOn,
	switchDeaf:             onlyOn,
	switchMissingField:     knownFields,
	switchAppProxyStarting: durationOrAlways,

	switchHTTPStatus:    httpFailure,
	switchGraphQLErrors: anyText,
	switchHTMLBody:      onlyOn,
	switchSlow:          duration,

	appProxyPrefix + switchHTTPStatus:    httpFailure,
	appProxyPrefix + switchGraphQLErrors: anyText,
	appProxyPrefix + switchHTMLBody:      onlyOn,
	appProxyPrefix + switchSlow:          duration,
}

// SetSwitch turns a switch on with its value, or off with "off" or "".
func (p *Platform) SetSwitch(name, value string) error {
	check, known := switchChecks[name]
	if !known {
		return fmt.Errorf("unknown switch %q, known are: %s",
			name, strings.Join(slices.Sorted(maps.Keys(switchChecks)), ", "))
	}
	if value == "" || value == "off" {
		p.turnOff(name)
		return nil
	}
	if err := check(value); err != nil {
		return fmt.Errorf("switch %q: %w", name, err)
	}
	p.turnOff(name)
	p.turnOn(name, value)
	return nil
}

// Switches tells which switches are on, with their values.
func (p *Platform) Switches() map[string]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	values := map[string]string{}
	for name, setting := range p.state.switches {
		values[name] = setting.value
	}
	return values
}

// turnOn also changes the account where a switch describes a starting point
// that later requests may move away from.
func (p *Platform) turnOn(name, value string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.state.switches[name] = switchSetting{value: value, since: p.options.Now()}
	switch name {
	case switchFreshAccount:
		p.state.settings = AccountSettings{}
	case switchNameTaken:
		p.addForeignRuntime(value)
	}
}

func (p *Platform) turnOff(name string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	previous, wasOn := p.state.switches[name]
	if !wasOn {
		return
	}
	delete(p.state.switches, name)
	switch name {
	case switchFreshAccount:
		p.state.settings = p.options.settings()
	case switchNameTaken:
		p.removeForeignRuntime(previous.value)
	}
}

func (p *Platform) switchValue(name string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.state.switches[name].value
}

// isOn is for resolvers, which hold the lock.
func (p *Platform) isOn(name string) bool {
	_, on := p.state.switches[name]
	return on
}

func anyText(string) error { return nil }

func onlyOn(value string) error {
	if value != "on" && value != "true" {
		return fmt.Errorf("value %q is neither on nor off", value)
	}
	return nil
}

func duration(value string) error {
	_, err := time.ParseDuration(value)
	return err
}

func durationOrAlways(value string) error {
	if value == "always" {
		return nil
	}
	return duration(value)
}

func httpFailure(value string) error {
	status, err := strconv.Atoi(value)
	if err != nil || status < 400 || http.StatusText(status) == "" {
		return fmt.Errorf("value %q is no HTTP status from 400", value)
	}
	return nil
}

func knownFields(value string) error {
	for entry := range strings.SplitSeq(value, ",") {
		typeName, field, _ := strings.Cut(entry, ".")
		_, inModel := objectTypes[typeName][field]
		_, isRoot := platformFields[field]
		if !inModel && !(isRoot && (typeName == "Query" || typeName == "Mutation")) {
			return fmt.Errorf("value %q names no field of the model", entry)
		}
	}
	return nil
}
