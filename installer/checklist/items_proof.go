package checklist

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

var proofTasks = []task{{
	id: "first-green-proof", title: "First green proof", why: "A push that arrives shows that Git, the way in and Codefresh work together.",
	when: "always; optional", manual: "Push to any branch of the shared configuration repository, and look at its webhook's deliveries.", optional: true,
	applies: func(Traits) bool { return true },
	look:    lookProof, do: proveRoundTrip,
}}

// lookProof asks the Git provider what became of its last call to the runtime.
func lookProof(ctx context.Context, s *Scene) Finding {
	question, host, f := s.proofQuestion(ctx)
	if f.State != "" {
		return f
	}
	hooks, err := s.Git.Webhooks(ctx, question, host)
	if err != nil {
		return unknown(err)
	}
	switch {
	case len(hooks) == 0:
		f = todo("no webhook of %s leads to %s yet", question.Repo.CloneURL(), host)
		f.Fix = "The runtime makes it once its Git token is verified."
		return f
	case hooks[0].Good():
		return done("the webhook's last delivery arrived")
	case hooks[0].LastCode == 0:
		f = todo("the webhook has not delivered anything yet")
	default:
		f = todo("the webhook's last delivery was answered with %d", hooks[0].LastCode)
	}
	f.Does = "makes a temporary branch in " + question.Repo.CloneURL() + ", waits until webhook and platform have seen it, and deletes the branch again"
	f.Preview = []string{"+ branch " + proofBranch + "…", "- branch " + proofBranch + "…"}
	return f
}

const proofBranch = "cfwizard-proof-"

// proofQuestion is about the repository, with the runtime's token; else the
// finding says what is missing for it.
func (s *Scene) proofQuestion(ctx context.Context) (git.Question, string, Finding) {
	runtime, found, err := s.runtime()
	switch {
	case err != nil:
		return git.Question{}, "", unknown(err)
	case !found:
		return git.Question{}, "", unknown(errNotRegistered)
	}
	address, err := url.Parse(runtimeAddress(s, runtime))
	if err != nil {
		return git.Question{}, "", todo("the runtime's address cannot be read")
	}
	question, known := s.Question()
	question.Token = s.secret(ctx, "git.runtimeToken")
	by := todo("on wish; by hand, since cfwizard cannot see it here")
	switch {
	case !known:
		by.Detail = "on wish, once there is a shared configuration repository"
		return question, "", by
	case !git.Witnesses(question.Provider):
		by.Detail = question.Provider.Name + " does not tell what became of its webhooks"
		return question, "", by
	case question.Token.Empty():
		by.Detail = "on wish; it takes the runtime's Git token"
		by.Fix = "Give it: --git.runtimeToken env:GIT_RUNTIME_TOKEN"
		return question, "", by
	}
	return question, address.Host, Finding{}
}

// How long a push may take to arrive, and the branch to be made or deleted.
const (
	proofWait  = 2 * time.Minute
	branchWait = 20 * time.Second
)

// proveRoundTrip pushes, waits and cleans up, whatever came of it.
func proveRoundTrip(ctx context.Context, s *Scene, _ Given) (told string, err error) {
	question, host, f := s.proofQuestion(ctx)
	if f.State != "" {
		return "", &problem.Problem{Kind: problem.Invalid, Cause: "proof-impossible", Field: "first-green-proof", What: f.Detail, Fix: f.Fix}
	}
	hooks, err := s.Git.Webhooks(ctx, question, host)
	if err != nil {
		return "", err
	}
	if len(hooks) == 0 {
		return "", &problem.Problem{Kind: problem.InstallFailed, Cause: "no-webhook", Field: "first-green-proof", What: "no webhook of the repository leads to the runtime",
			Fix: "Give the runtime its Git token first: cfwizard checklist --do git-runtime-token"}
	}
	ctx, cancel := context.WithTimeout(ctx, proofWait)
	defer cancel()
	question.Repo.Ref = proofBranch + strings.ToLower(rand.Text()[:8])
	began := s.now()
	making, made := context.WithTimeout(context.WithoutCancel(ctx), branchWait) // it must be known whether it is there
	defer made()
	if err := s.Git.CreateBranch(making, question); err != nil {
		return "", err
	}
	defer func() {
		cleaning, cancel := context.WithTimeout(context.WithoutCancel(ctx), branchWait)
		defer cancel()
		if left := s.Git.DeleteBranch(cleaning, question); left != nil {
			err = &problem.Problem{Kind: problem.InstallFailed, Cause: "proof-branch-left", Field: "first-green-proof", What: "the branch " + question.Repo.Ref + " could not be deleted again",
				Why: left.Error(), Fix: "Delete it: git push " + text.Quote(question.Repo.CloneURL()) + " --delete " + text.Quote(question.Repo.Ref), Err: errors.Join(err, left)}
		}
	}()
	return s.awaitPush(ctx, question, hooks[0], began)
}

// awaitPush waits until the webhook has delivered and the platform has heard
// of the runtime since. Clocks differ, so that a little is forgiven.
func (s *Scene) awaitPush(ctx context.Context, question git.Question, hook git.Webhook, began time.Time) (string, error) {
	since := began.Add(-2 * time.Second).Truncate(time.Second)
	seen := "nothing"
	for {
		delivery, delivered, err := s.Git.Delivered(ctx, question, hook, since)
		if err == nil && delivered && delivery.Code/100 != 2 {
			return "", &problem.Problem{Kind: problem.InstallFailed, Cause: "webhook-refused", Field: "first-green-proof",
				What: fmt.Sprintf("the runtime answered the webhook with %d", delivery.Code), Fix: "See that the way in leads /webhooks to the runtime: cfwizard checklist"}
		}
		if err == nil && delivered {
			seen = "the webhook only"
			lights, err := s.askLights(ctx)
			if err == nil && (lights.LastUpdated.IsZero() || !lights.LastUpdated.Before(since)) {
				return fmt.Sprintf("a push to %s was seen by the webhook and by Codefresh; round trip %s", question.Repo.CloneURL(), s.now().Sub(began).Round(100*time.Millisecond)), nil
			}
		}
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.Canceled) {
				return "", &problem.Problem{Kind: problem.Interrupted, Cause: "proof-stopped", Field: "first-green-proof", What: "the proof was stopped before the push arrived",
					Fix: "Do it again: cfwizard checklist --do first-green-proof"}
			}
			return "", &problem.Problem{Kind: problem.TimedOut, Cause: "proof-timed-out", Field: "first-green-proof", What: "the push did not arrive in time; seen by: " + seen,
				Fix: "Look at the deliveries on the provider's page of the webhook."}
		case <-time.After(s.pause()):
		}
	}
}

// pause is how long to wait between two looks.
func (s *Scene) pause() time.Duration {
	if s.Pause > 0 {
		return s.Pause
	}
	return time.Second
}
