package git

import (
	"encoding/base64"
	"net/url"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/secret"
)

// inspection gathers the verdicts about one question.
type inspection struct {
	Question
	client   *client
	base     *url.URL // the root of the API
	name     string   // the repository, as the API calls it
	now      time.Time
	secret   secret.Value // the token, also where it is not sent
	verdicts map[string]verdict
	unasked  string // why what has no verdict was not looked at
	report   Report
}

func newInspection(q Question, now time.Time) *inspection {
	q = q.completed()
	return &inspection{Question: q, now: now, secret: q.Token, verdicts: map[string]verdict{}}
}

// hider takes the token out of texts, alone and with the users that it was
// sent with: some servers repeat what they were sent.
func hider(token secret.Value, users ...string) *strings.Replacer {
	if token.Empty() {
		return strings.NewReplacer()
	}
	plain, dots := token.Reveal(), token.String()
	pairs := []string{plain, dots}
	for _, user := range append(users, gitHubAnyUser, bitbucketTokenUser, bitbucketAccessUser) {
		pairs = append(pairs, base64.StdEncoding.EncodeToString([]byte(user+":"+plain)), dots)
	}
	return strings.NewReplacer(pairs...)
}

// askable settles what has to be right before anything is sent. A token that
// cannot be one of this provider is judged here and never leaves the machine.
func (in *inspection) askable() bool {
	if in.Provider.dialect == nil {
		in.judge(idReach, fail("the Git provider is not known").because("The URL of the repository does not tell it.").
			fixedBy("Set git.provider to the product that runs on the host.").about("git.provider"))
		in.unasked = "The Git provider is not known."
		return false
	}
	base, err := in.apiBase()
	if err != nil {
		in.judge(idReach, fail("the address of the Git API cannot be used").because("%s.", err).
			fixedBy("Write it as https://host[:port][/path], or leave it empty.").about(fieldAPI))
		in.unasked = "The address of the Git API cannot be used."
		return false
	}
	in.base, in.name = base, in.repoName(base)
	if in.Token.Empty() {
		in.unasked = "There is no token yet."
	} else if fault, bad := tokenFault(in.Question); bad {
		in.judge(idToken, fault)
		in.unasked = "The token cannot be one of " + in.Provider.Name + ", and was not sent."
		in.Token = secret.Value{}
	}
	return true
}

// arrived judges the host by the first answer.
func (in *inspection) arrived(hello answer) bool {
	t := hello.trouble
	if t == nil && hello.missing() && in.Token.Empty() {
		in.noAPI(hello)
		return false
	}
	if t != nil {
		in.unasked = "Because " + t.title + "."
	}
	switch {
	case t == nil:
		in.judge(idReach, pass("%s answers", hello.host).seen("It answered %d.", hello.status))
		in.judge(idTLS, in.trusted(hello.host))
		return true
	case t.kind == unreachable:
		in.judge(idReach, t.verdict())
		return false
	case t.kind == untrusted:
		in.judge(idReach, pass("%s answers", hello.host))
		in.judge(idTLS, t.verdict())
		return false
	case t.kind == rateLimited && in.client.requests.Load() == 0:
		in.judge(idReach, t.verdict())
		return false
	case t.kind == rateLimited:
		in.judge(idReach, pass("%s answers", hello.host))
		in.judge(idToken, t.verdict())
	default:
		in.judge(idReach, t.verdict())
	}
	in.judge(idTLS, in.trusted(hello.host))
	return false
}

// trusted is the verdict about TLS once an answer came through it.
func (in *inspection) trusted(host string) verdict {
	if in.base.Scheme == "http" || in.Repo.Scheme == "http" {
		return warn("%s is spoken to without TLS", in.Repo.Host).because("The token goes over the network in clear.").
			fixedBy("Use https:// in git.sharedConfigRepo and git.apiUrl.").about(fieldRepo)
	}
	return pass("the certificate of %s is trusted", host)
}

// noAPI is for a first answer that only another product gives.
func (in *inspection) noAPI(hello answer) {
	in.judge(idReach, fail("there is no API of %s at %s", in.Provider.Name, in.base).
		because("It answers %d: %s.", hello.status, hello.words()).
		fixedBy("Correct git.apiUrl or git.provider.").about(fieldAPI))
	in.judge(idTLS, in.trusted(hello.host))
	in.unasked = "The API was not found."
}

func (in *inspection) judge(id string, v verdict) { in.verdicts[id] = v }

// failed reports whether one of the checks has failed already.
func (in *inspection) failed(ids ...string) bool {
	for _, id := range ids {
		if in.verdicts[id].status == check.Fail {
			return true
		}
	}
	return false
}

// result puts the verdicts in order. What was not looked at is skipped.
func (in *inspection) result() Report {
	report, hide := in.report, hider(in.secret, in.Username, in.report.User)
	for _, question := range questions {
		v, judged := in.verdicts[question.id]
		if !judged {
			v = skip("not looked at: %s", question.subject).because("%s", in.unasked)
		}
		if v.field == "" {
			v.field = in.fieldOf(question.id)
		}
		report.Checks = append(report.Checks, check.Check{ID: question.id, Scope: "git", Status: v.status, Field: v.field,
			Title: hide.Replace(v.title), Why: hide.Replace(v.why), Fix: hide.Replace(v.fix), Evidence: hide.Replace(v.evidence)})
	}
	report.User, report.DefaultBranch = hide.Replace(report.User), hide.Replace(report.DefaultBranch)
	if in.client != nil {
		report.Requests = int(in.client.requests.Load())
	}
	return report
}

func (in *inspection) fieldOf(id string) string {
	switch id {
	case idReach:
		if in.base != nil && !strings.EqualFold(in.base.Host, in.Repo.Host) {
			return fieldAPI
		}
		return fieldRepo
	case idTLS:
		return fieldCA
	case idRepo, idBranch, idProtection:
		return fieldRepo
	case idValidator:
		return fieldSkip
	}
	return in.Field
}
