package githost

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The switches act on every provider. They are turned off with "off" or "".
const (
	switchSlow        = "slow"         // value: a duration that every answer waits
	switchHTTPStatus  = "http-status"  // value: a status from 400
	switchRateLimited = "rate-limited" // value: the seconds of Retry-After
	switchHTMLBody    = "html-body"    // value: on
	switchRedirect    = "redirect"     // value: the base URL of another host
)

var switchChecks = map[string]func(string) bool{
	switchSlow: func(value string) bool {
		_, err := time.ParseDuration(value)
		return err == nil
	},
	switchHTTPStatus: func(value string) bool {
		status, err := strconv.Atoi(value)
		return err == nil && status >= 400 && http.StatusText(status) != ""
	},
	switchRateLimited: func(value string) bool {
		seconds, err := strconv.Atoi(value)
		return err == nil && seconds >= 0
	},
	switchHTMLBody: func(value string) bool { return value == "on" || value == "true" },
	switchRedirect: func(value string) bool {
		target, err := url.Parse(value)
		return err == nil && target.Host != "" && strings.HasPrefix(target.Scheme, "http")
	},
}

// SetSwitch turns a switch on with its value, or off with "off" or "".
func (h *Host) SetSwitch(name, value string) error {
	check, known := switchChecks[name]
	if !known {
		return fmt.Errorf("unknown switch %q, known are: %s",
			name, strings.Join(slices.Sorted(maps.Keys(switchChecks)), ", "))
	}
	off := value == "" || value == "off"
	if !off && !check(value) {
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

// Switches tells which switches are on, with their values.
func (h *Host) Switches() map[string]string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.switches)
}

// fault answers in place of the provider where a switch says so.
func (h *Host) fault(provider Provider, w http.ResponseWriter, r *http.Request) bool {
	on := h.Switches()
	if !wait(r.Context(), on[switchSlow]) {
		return true
	}
	switch {
	case on[switchRedirect] != "":
		target := strings.TrimSuffix(on[switchRedirect], "/") + r.URL.RequestURI()
		http.Redirect(w, r, target, http.StatusFound)
	case on[switchRateLimited] != "":
		h.limitRate(provider, w, on[switchRateLimited])
	case on[switchHTTPStatus] != "":
		status, _ := strconv.Atoi(on[switchHTTPStatus])
		writeJSON(w, status, object{"message": http.StatusText(status)})
	case on[switchHTMLBody] != "":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in.</body></html>\n")
	default:
		return false
	}
	return true
}

// limitRate answers 429. GitHub names the limit in headers of its own.
func (h *Host) limitRate(provider Provider, w http.ResponseWriter, retryAfter string) {
	w.Header().Set("Retry-After", retryAfter)
	message := "Rate limit exceeded"
	if provider == GitHub || provider == GitHubEnterprise {
		seconds, _ := strconv.Atoi(retryAfter)
		reset := h.now().Add(time.Duration(seconds) * time.Second)
		gitHubRate(w, 0, reset)
		message = "API rate limit exceeded for user ID 1."
	}
	writeJSON(w, http.StatusTooManyRequests, object{"message": message})
}

// wait reports whether the caller is still there after the pause.
func wait(ctx context.Context, pause string) bool {
	length, err := time.ParseDuration(pause)
	if err != nil {
		return true
	}
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// object is a JSON object.
type object map[string]any

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	// The client has gone when writing fails; nobody is left to tell.
	_ = json.NewEncoder(w).Encode(body)
}

// readJSON gives an empty object for a body that is empty or no object.
func readJSON(r *http.Request) object {
	body := object{}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return object{}
	}
	return body
}

func (o object) text(name string) string {
	text, _ := o[name].(string)
	return text
}
