package release

import (
	"cmp"
	"slices"
	"time"
)

const (
	// staleGrace is for pods that have not changed since before this run: what
	// ails them may be mended already, and the kubelet not have noticed.
	staleGrace = time.Minute
	// backoffGrace covers the longest time between two tries of the kubelet.
	backoffGrace = 330 * time.Second
	// pullTries is how often a pull must fail to be given up.
	pullTries = 2
	// judgePause is how soon it is looked again while something is not well.
	judgePause = time.Second
)

// judge decides what of the symptoms ends an installation. It remembers since
// when each has held.
type judge struct {
	known []cause
	now   func() time.Time
	held  map[heldKey]held
	told  map[string]bool
	still time.Time // since when nothing else is on its way; zero: something is
}

type heldKey struct {
	object    Object
	pod       string
	container string
	cause     string
}

type held struct {
	since    time.Time
	restarts int32 // when everything else had come to rest
}

// opinion is what the judge thinks at one moment.
type opinion struct {
	fatal   *finding
	waiting []finding // named for the first time
	again   time.Duration
}

func newJudge(known []cause, now func() time.Time) *judge {
	return &judge{known: known, now: now, held: map[heldKey]held{}, told: map[string]bool{}}
}

// look judges what is there now.
func (j *judge) look(symptoms []symptom, moving bool) opinion {
	now := j.now()
	j.rest(now, moving)
	holds := map[heldKey]held{}
	found := map[int][]finding{}
	for _, s := range symptoms {
		index, known := causeOf(j.known, s)
		if !known {
			continue
		}
		c := j.known[index]
		key := heldKey{s.Object, s.Pod, s.Container, c.ID}
		holds[key] = j.holding(key, s, now)
		if fatal := j.isFatal(c, s, holds[key], now); fatal || j.isClear(c, s, holds[key], now) {
			found[index] = append(found[index], finding{cause: c, symptom: s, fatal: fatal})
		}
	}
	j.held = holds
	return j.opinion(found, len(symptoms) > 0)
}

// rest notices when everything else has come to rest.
func (j *judge) rest(now time.Time, moving bool) {
	switch {
	case moving:
		j.still = time.Time{}
	case j.still.IsZero():
		j.still = now
	}
}

// holding is since when a symptom holds.
func (j *judge) holding(key heldKey, s symptom, now time.Time) held {
	h, before := j.held[key]
	if !before {
		h = held{since: now, restarts: s.Restarts}
	}
	if j.still.IsZero() {
		h.restarts = s.Restarts
	}
	return h
}

// isClear reports whether a cause has shown long enough to be told.
func (j *judge) isClear(c cause, s symptom, h held, now time.Time) bool {
	return !s.WantsLog && !s.Pulling && now.Sub(h.since) >= c.Named
}

// isFatal reports whether no waiting will mend it.
func (j *judge) isFatal(c cause, s symptom, h held, now time.Time) bool {
	since, grace := h.since, c.Grace
	if s.Stale {
		grace += staleGrace
		if c.Backoff {
			grace += backoffGrace - staleGrace
		}
	}
	if c.Alone {
		since = later(since, j.still)
	}
	if s.Pulls >= pullTries {
		grace = c.Named
	}
	switch {
	case !c.Fatal, s.WantsLog, s.Pulling, s.ScalesUp:
		return false
	case c.Alone && j.still.IsZero():
		return false
	case s.Restarts < c.Restarts, c.Again && s.Restarts <= h.restarts:
		return false
	}
	return now.Sub(since) >= grace
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// opinion picks the first fatal cause, and tells each other cause once.
func (j *judge) opinion(found map[int][]finding, ill bool) opinion {
	o := opinion{again: time.Hour}
	if ill {
		o.again = judgePause
	}
	named := map[string]bool{}
	for index, c := range j.known {
		if len(found[index]) == 0 {
			continue
		}
		first := slices.MinFunc(found[index], worseFirst)
		first.more = others(found[index], first.symptom.Object)
		if first.fatal && o.fatal == nil {
			o.fatal = &first
		}
		if named[c.ID] = true; !first.fatal && !j.told[c.ID] {
			o.waiting = append(o.waiting, first)
		}
	}
	j.told = named
	return o
}

func worseFirst(a, b finding) int {
	if a.fatal != b.fatal {
		if a.fatal {
			return -1
		}
		return 1
	}
	return cmp.Compare(a.symptom.Object.Name, b.symptom.Object.Name)
}

// others counts the objects beside the first.
func others(found []finding, first Object) int {
	seen := map[Object]bool{first: true}
	for _, f := range found {
		seen[f.symptom.Object] = true
	}
	return len(seen) - 1
}
