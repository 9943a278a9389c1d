package release

import (
	"testing"
	"time"
)

// clock is a time that a test moves.
type clock struct{ now time.Time }

func (c *clock) tick(d time.Duration) { c.now = c.now.Add(d) }

func newClock() *clock { return &clock{time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)} }

var (
	slow    = cause{ID: "slow", Reasons: []string{"Slow"}, Named: 2 * time.Second}
	deadly  = cause{ID: "deadly", Reasons: []string{"Deadly"}, Named: time.Second, Fatal: true, Grace: 5 * time.Second}
	lonely  = cause{ID: "lonely", Reasons: []string{"Lonely"}, Named: time.Second, Fatal: true, Grace: 5 * time.Second, Alone: true}
	crashes = cause{ID: "crashes", Reasons: []string{"Crash"}, Named: time.Second, Fatal: true, Grace: time.Second, Restarts: 3, Alone: true, Again: true}
	pulling = cause{ID: "pull", Reasons: []string{"Pull"}, Named: time.Second, Fatal: true, Grace: 20 * time.Second, Backoff: true}
)

// step is a look at a time, and what the judge must think of it.
type step struct {
	after    time.Duration
	symptoms []symptom
	moving   bool
	fatal    string
	named    string
}

func of(reason string) symptom {
	return symptom{Object: Object{Kind: "Deployment", Name: "a"}, Pod: "a-1", Reason: reason}
}

func with(s symptom, change func(*symptom)) symptom { change(&s); return s }

func TestJudge(t *testing.T) {
	crashed := func(restarts int32) symptom { return with(of("Crash"), func(s *symptom) { s.Restarts = restarts }) }
	for name, steps := range map[string][]step{
		"a cause that waiting mends is told once": {
			{symptoms: []symptom{of("Slow")}},
			{after: 2 * time.Second, symptoms: []symptom{of("Slow")}, named: "slow"},
			{after: time.Hour, symptoms: []symptom{of("Slow")}},
		},
		"and again when it comes again": {
			{symptoms: []symptom{of("Slow")}},
			{after: 2 * time.Second, symptoms: []symptom{of("Slow")}, named: "slow"},
			{after: time.Second},
			{after: time.Second, symptoms: []symptom{of("Slow")}},
			{after: 2 * time.Second, symptoms: []symptom{of("Slow")}, named: "slow"},
		},
		"a deadly one ends it after its grace": {
			{symptoms: []symptom{of("Deadly")}},
			{after: time.Second, symptoms: []symptom{of("Deadly")}, named: "deadly"},
			{after: 3 * time.Second, symptoms: []symptom{of("Deadly")}},
			{after: time.Second, symptoms: []symptom{of("Deadly")}, fatal: "deadly"},
		},
		"what passes in time ends nothing": {
			{symptoms: []symptom{of("Deadly")}},
			{after: 4 * time.Second, symptoms: []symptom{of("Deadly")}, named: "deadly"},
			{after: time.Second},
			{after: time.Second, symptoms: []symptom{of("Deadly")}},
			{after: 4 * time.Second, symptoms: []symptom{of("Deadly")}, named: "deadly"},
		},
		"what others may bring is waited for": {
			{symptoms: []symptom{of("Lonely")}, moving: true},
			{after: time.Hour, symptoms: []symptom{of("Lonely")}, moving: true, named: "lonely"},
			{after: time.Second, symptoms: []symptom{of("Lonely")}},
			{after: 4 * time.Second, symptoms: []symptom{of("Lonely")}},
			{after: time.Second, symptoms: []symptom{of("Lonely")}, fatal: "lonely"},
		},
		"a crash counts when it happened after all else was well": {
			{symptoms: []symptom{crashed(9)}, moving: true},
			{after: time.Minute, symptoms: []symptom{crashed(9)}, named: "crashes"},
			{after: time.Minute, symptoms: []symptom{crashed(9)}},
			{after: time.Minute, symptoms: []symptom{crashed(10)}, fatal: "crashes"},
		},
		"a few crashes are forgiven": {
			{symptoms: []symptom{crashed(1)}},
			{after: time.Minute, symptoms: []symptom{crashed(2)}, named: "crashes"},
			{after: time.Minute, symptoms: []symptom{crashed(3)}, fatal: "crashes"},
		},
		"a second failed pull is enough": {
			{symptoms: []symptom{of("Pull")}},
			{after: 3 * time.Second, symptoms: []symptom{with(of("Pull"), func(s *symptom) { s.Pulls = 1 })}, named: "pull"},
			{after: 7 * time.Second, symptoms: []symptom{with(of("Pull"), func(s *symptom) { s.Pulls = 2 })}, fatal: "pull"},
		},
		"while an image is pulled again nothing is said": {
			{symptoms: []symptom{of("Pull")}},
			{after: time.Hour, symptoms: []symptom{with(of("Pull"), func(s *symptom) { s.Pulling = true })}},
		},
		"a pod from before may be mended already": {
			{symptoms: []symptom{with(of("Pull"), func(s *symptom) { s.Stale = true })}},
			{after: 5 * time.Minute, symptoms: []symptom{with(of("Pull"), func(s *symptom) { s.Stale = true })}, named: "pull"},
			{after: time.Minute, symptoms: []symptom{with(of("Pull"), func(s *symptom) { s.Stale = true })}, fatal: "pull"},
		},
		"a node that is coming is waited for": {
			{symptoms: []symptom{with(of("Deadly"), func(s *symptom) { s.ScalesUp = true })}},
			{after: time.Hour, symptoms: []symptom{with(of("Deadly"), func(s *symptom) { s.ScalesUp = true })}, named: "deadly"},
		},
		"nothing is said before the log is read": {
			{symptoms: []symptom{with(of("Deadly"), func(s *symptom) { s.WantsLog = true })}},
			{after: time.Hour, symptoms: []symptom{with(of("Deadly"), func(s *symptom) { s.WantsLog = true })}},
		},
		"the first cause of the list goes before": {
			{symptoms: []symptom{of("Lonely"), with(of("Deadly"), func(s *symptom) { s.Pod = "b" })}},
			{after: time.Minute, symptoms: []symptom{of("Lonely"), with(of("Deadly"), func(s *symptom) { s.Pod = "b" })}, fatal: "deadly"},
		},
		"what is not known is not judged": {
			{symptoms: []symptom{of("Strange")}},
			{after: time.Hour, symptoms: []symptom{of("Strange")}},
		},
	} {
		t.Run(name, func(t *testing.T) { play(t, steps) })
	}
}

func play(t *testing.T, steps []step) {
	t.Helper()
	at := newClock()
	j := newJudge([]cause{slow, deadly, lonely, crashes, pulling}, func() time.Time { return at.now })
	for i, s := range steps {
		at.tick(s.after)
		got := j.look(s.symptoms, s.moving)
		fatal, named := "", ""
		if got.fatal != nil {
			fatal = got.fatal.cause.ID
		}
		for _, f := range got.waiting {
			named += f.cause.ID
		}
		if fatal != s.fatal || named != s.named {
			t.Errorf("step %d: fatal %q and named %q, want %q and %q", i, fatal, named, s.fatal, s.named)
		}
		if soon := got.again <= judgePause; soon != (len(s.symptoms) > 0) {
			t.Errorf("step %d: looks again after %s", i, got.again)
		}
	}
}

// One problem is told for many pods, and says how many.
func TestJudgeCountsOthers(t *testing.T) {
	at := newClock()
	j := newJudge([]cause{slow}, func() time.Time { return at.now })
	var list []symptom
	for _, name := range []string{"c", "a", "b", "a"} {
		list = append(list, symptom{Object: Object{Kind: "Deployment", Name: name}, Reason: "Slow"})
	}
	j.look(list, false)
	at.tick(time.Minute)
	got := j.look(list, false).waiting
	if len(got) != 1 || got[0].symptom.Object.Name != "a" || got[0].more != 2 {
		t.Errorf("told %+v", got)
	}
}
