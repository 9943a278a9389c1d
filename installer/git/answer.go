package git

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cfwizard/cfwizard/installer/text"
)

// answer is what came back: a status with a body that can be read, or trouble.
type answer struct {
	host    string // that was asked
	status  int
	header  http.Header
	body    []byte
	trouble *trouble
}

// read takes an answer in, as far as it can be trusted to be what was asked for.
func (a *answer) read(asked *url.URL, response *http.Response, raw string, limit time.Duration) {
	a.status, a.header = response.StatusCode, response.Header
	if a.trouble = refusesToServe(asked.Host, response); a.trouble != nil {
		return
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	if err != nil {
		a.trouble = fromError(asked, err, limit)
		return
	}
	a.body = body[:min(len(body), maxAnswer)]
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	if why := a.unfit(kind, raw, len(body) > maxAnswer); why != "" {
		a.body, a.trouble = nil, notJSON(asked.Host, why)
	}
}

// unfit tells why a body is not what was asked for. Errors of git's own
// protocol are plain text or web pages; there the status says it all.
func (a *answer) unfit(kind, raw string, tooLong bool) string {
	switch {
	case raw != "" && (!a.ok() || kind == raw):
		return ""
	case kind == "text/html" || bytes.HasPrefix(bytes.TrimSpace(a.body), []byte("<")):
		return "A web page answered, such as one to sign in."
	case raw != "":
		return "It does not speak git's protocol there."
	case tooLong:
		return "The answer is longer than 1 MiB."
	case len(a.body) == 0 && a.status != http.StatusOK:
		return ""
	case !utf8.Valid(a.body):
		return "The answer is not valid UTF-8."
	case !json.Valid(a.body):
		return fmt.Sprintf("The answer (%d) is not JSON.", a.status)
	}
	return ""
}

func (a answer) ok() bool { return a.trouble == nil && a.status >= 200 && a.status < 300 }

func (a answer) missing() bool { return a.trouble == nil && a.status == http.StatusNotFound }

// refused reports whether the credentials were not taken, or not for this.
func (a answer) refused() bool {
	return a.trouble == nil && (a.status == http.StatusUnauthorized || a.status == http.StatusForbidden)
}

// into decodes the body. A body of another shape leaves v as far as it came,
// so that what is missing in it counts as not said.
func (a answer) into(v any) bool {
	return a.ok() && json.Unmarshal(a.body, v) == nil
}

// words are what the provider says of an error, in any of the shapes that the
// six providers use.
func (a answer) words() string {
	var said struct {
		Message     any    `json:"message"`
		Description string `json:"error_description"`
		Error       any    `json:"error"`
		Errors      []struct {
			Message string `json:"message"`
		} `json:"errors"`
	}
	// Words that cannot be read are none; the status stands in for them.
	_ = json.Unmarshal(a.body, &said)
	words := said.Description
	for _, field := range []any{said.Message, said.Error} {
		if inner, ok := field.(map[string]any); ok {
			field = inner["message"]
		}
		if sentence, ok := field.(string); ok && words == "" {
			words = sentence
		}
	}
	if words == "" && len(said.Errors) > 0 {
		words = said.Errors[0].Message
	}
	if words == "" {
		words = http.StatusText(a.status)
	}
	return text.Shorten(strings.TrimRight(text.Line(words), "."), 200)
}

// unexpected is the verdict for an answer that none of the known cases fits.
func (a answer) unexpected(subject string) verdict {
	if a.trouble != nil {
		return a.trouble.verdict()
	}
	return warn("%s could not be looked at", subject).
		because("%s answers %d: %s.", a.host, a.status, a.words()).
		fixedBy("Try again; if it stays, look at it on the provider's page.")
}
