package git

import (
	"crypto/sha256"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/cfwizard/cfwizard/installer/secret"
)

// limits remembers until when a host wants to be left alone, for each token.
type limits struct {
	mu    sync.Mutex
	until map[limited]time.Time
}

// limited is a host and a token, which is kept as a fingerprint.
type limited struct {
	host  string
	token [sha256.Size]byte
}

func limitedBy(host string, token secret.Value) limited {
	return limited{host, sha256.Sum256([]byte(token.Reveal()))}
}

func (l *limits) set(who limited, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.until == nil {
		l.until = map[limited]time.Time{}
	}
	l.until[who] = until
}

// active tells the end of a limit that still holds.
func (l *limits) active(who limited, now time.Time) (time.Time, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	until, found := l.until[who]
	return until, found && now.Before(until)
}

// limitOf reads a rate limit from an answer. GitHub also says 403 when none of
// the requests of the hour remain, or when they came too fast.
func limitOf(response *http.Response, now time.Time) (until time.Time, isLimited bool) {
	header := response.Header
	exhausted := header.Get("X-RateLimit-Remaining") == "0"
	switch {
	case response.StatusCode == http.StatusTooManyRequests:
	case response.StatusCode == http.StatusForbidden && (exhausted || header.Get("Retry-After") != ""):
	default:
		return time.Time{}, false
	}
	if until, ok := retryAfter(header.Get("Retry-After"), now); ok {
		return until, true
	}
	for _, name := range []string{"X-RateLimit-Reset", "RateLimit-Reset"} {
		if seconds, err := strconv.ParseInt(header.Get(name), 10, 64); err == nil && seconds > now.Unix() {
			return time.Unix(seconds, 0), true
		}
	}
	return now.Add(unnamedLimit), true
}

// unnamedLimit is how long to wait for a host that does not say.
const unnamedLimit = time.Minute

// retryAfter reads both forms of the header: seconds and a date.
func retryAfter(value string, now time.Time) (time.Time, bool) {
	if seconds, err := strconv.ParseUint(value, 10, 31); err == nil {
		return now.Add(time.Duration(seconds) * time.Second), true
	}
	date, err := http.ParseTime(value)
	return date, err == nil
}
