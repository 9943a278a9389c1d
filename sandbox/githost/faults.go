package githost

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// fault answers in place of the provider where a switch says so. Otherwise it
// gives the writer that the provider has to use.
func (h *Host) fault(provider Provider, w http.ResponseWriter, r *http.Request) (http.ResponseWriter, bool) {
	on := h.switchesFor(provider)
	if on[switchUnreachable] != "" {
		// The connection was open before the switch, or is shared by all providers.
		panic(http.ErrAbortHandler)
	}
	if !wait(r.Context(), pauseOf(on[switchSlow])) {
		return nil, false
	}
	switch {
	case on[switchRedirect] != "":
		target := strings.TrimSuffix(on[switchRedirect], "/") + r.URL.RequestURI()
		http.Redirect(w, r, target, http.StatusFound)
	case on[switchRateLimited] != "":
		h.limitRate(provider, w, on[switchRateLimited])
	case on[switchHTTPStatus] != "":
		status, _ := strconv.Atoi(on[switchHTTPStatus])
		refuse(provider, w, status, http.StatusText(status))
	case on[switchHTMLBody] != "":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, signInPage)
	case on[switchHugeBody] != "":
		writeHuge(w, r)
	default:
		return distorted(w, r, on), true
	}
	return nil, false
}

// limitRate answers 429. GitHub names the limit in headers of its own.
func (h *Host) limitRate(provider Provider, w http.ResponseWriter, retryAfter string) {
	w.Header().Set("Retry-After", retryAfter)
	if provider == GitHub || provider == GitHubEnterprise {
		seconds, _ := strconv.Atoi(retryAfter)
		gitHubRate(w, 0, h.now().Add(time.Duration(seconds)*time.Second))
	}
	refuse(provider, w, http.StatusTooManyRequests, rateLimitExceeded)
}

const hugeSize = 64 << 20

// writeHuge writes more than anybody should read, in the shape that was asked
// for, until the caller has had enough.
func writeHuge(w http.ResponseWriter, r *http.Request) {
	kind, head, chunk, tail := jsonType, `{"message":"`, strings.Repeat("x", 1<<16), `"}`
	if strings.HasSuffix(r.URL.Path, "/info/refs") {
		service := r.URL.Query().Get("service")
		kind, head = "application/x-"+service+"-advertisement", pktLine("# service="+service+"\n")+flushPkt
		chunk, tail = strings.Repeat(pktLine(noCommit+" refs/heads/huge\n"), 1<<10), flushPkt
	}
	w.Header().Set("Content-Type", kind)
	fmt.Fprint(w, head)
	for written := 0; written < hugeSize; written += len(chunk) {
		if _, err := fmt.Fprint(w, chunk); err != nil {
			return
		}
	}
	fmt.Fprint(w, tail)
}

// distorted is a writer that spoils right answers.
func distorted(w http.ResponseWriter, r *http.Request, on map[string]string) http.ResponseWriter {
	if on[switchDrip] != "" {
		w = dripping{w, r.Context(), pauseOf(on[switchDrip])}
	}
	if on[switchInvalidUTF8] != "" {
		w = garbling{w}
	}
	return w
}

// dripping lets an answer out byte by byte.
type dripping struct {
	http.ResponseWriter
	caller context.Context
	pause  time.Duration
}

func (d dripping) Write(text []byte) (int, error) {
	for i := range text {
		if !wait(d.caller, d.pause) {
			return i, d.caller.Err()
		}
		if _, err := d.ResponseWriter.Write(text[i : i+1]); err != nil {
			return i, err
		}
		if err := http.NewResponseController(d.ResponseWriter).Flush(); err != nil {
			return i, err
		}
	}
	return len(text), nil
}

const notUTF8 = "\xff\xfe"

// garbling puts bytes that are no UTF-8 before every text of a JSON object. It
// counts on writeJSON, which writes without blanks and in one piece.
type garbling struct{ http.ResponseWriter }

func (g garbling) Write(text []byte) (int, error) {
	garbled := bytes.ReplaceAll(text, []byte(`":"`), []byte(`":"`+notUTF8))
	if _, err := g.ResponseWriter.Write(garbled); err != nil {
		return 0, err
	}
	return len(text), nil
}

// pauseOf reads the value of a switch that takes a duration.
func pauseOf(value string) time.Duration {
	if isOn(value) {
		return time.Second
	}
	length, _ := time.ParseDuration(value)
	return length
}

// wait reports whether the caller is still there after the pause.
func wait(ctx context.Context, pause time.Duration) bool {
	if pause <= 0 {
		return true
	}
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
