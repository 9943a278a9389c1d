package git

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
)

// The two services of git over HTTP. Asking for the refs of one of them writes
// nothing, and tells whether the credentials are good for it.
const (
	fetchService = "git-upload-pack"
	pushService  = "git-receive-pack"
)

// refsCall asks as git itself does: Basic, with a user name that some
// providers care about.
func refsCall(q Question, service, user string) call {
	return call{
		address: q.Repo.CloneURL() + "/info/refs?service=" + service,
		sign:    func(r *http.Request) { r.SetBasicAuth(user, q.Token.Reveal()) },
		raw:     "application/x-" + service + "-advertisement",
	}
}

// refs are the branches that git advertises.
type refs struct {
	branches      map[string]bool
	defaultBranch string
	complete      bool // false: there was more than is read
}

const (
	headRef    = "symref=HEAD:refs/heads/"
	branchRef  = "refs/heads/"
	pktLength  = 4 // hexadecimal digits before each line
	hashLength = 40
)

// parseRefs reads the lines of git's protocol, each of which begins with its
// own length. It stops at what it does not understand.
func parseRefs(body []byte) refs {
	found := refs{branches: map[string]bool{}}
	for flushes := 0; flushes < 2; {
		line, rest, ok := nextLine(body)
		if !ok {
			return found
		}
		if line == nil {
			flushes++
		}
		found.take(line)
		body = rest
	}
	found.complete = true
	return found
}

// nextLine cuts off one line; nil stands for the mark that ends a section.
func nextLine(body []byte) (line, rest []byte, ok bool) {
	if len(body) < pktLength {
		return nil, nil, false
	}
	size, err := strconv.ParseUint(string(body[:pktLength]), 16, 16)
	switch {
	case err != nil || int(size) > len(body) || size > 0 && size < pktLength:
		return nil, nil, false
	case size == 0:
		return nil, body[pktLength:], true
	}
	return body[pktLength:size], body[size:], true
}

// take reads a line such as "<hash> refs/heads/main", the first of which
// carries what the server can do behind a zero byte.
func (r *refs) take(line []byte) {
	line, capabilities, _ := bytes.Cut(line, []byte{0})
	if _, after, told := strings.Cut(string(capabilities), headRef); told {
		r.defaultBranch, _, _ = strings.Cut(strings.TrimSpace(after), " ")
	}
	if len(line) <= hashLength {
		return
	}
	_, ref, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
	if branch, isBranch := strings.CutPrefix(ref, branchRef); isBranch {
		r.branches[branch] = true
	}
}
