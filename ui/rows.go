package ui

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/cfwizard/cfwizard/installer/release"
)

// settleTime is how long a line stays after its object is ready.
const settleTime = 3 * time.Second

// rows are the objects of the install screen in the order of their lines. A
// line never moves: when its object is ready and others wait out of sight, one
// of those takes its place. Once the person has chosen a line, nothing changes
// but its words.
type rows struct {
	keys     []string
	top      int
	selected string
	held     bool // the person has chosen
}

// after is the rows with what is known now, where room lines can be seen.
func (r rows) after(group map[string]objectState, now time.Time, room int) rows {
	r.keys = slices.DeleteFunc(slices.Clone(r.keys), func(key string) bool { _, is := group[key]; return !is })
	if len(r.keys) == 0 {
		r = rows{}
	}
	var fresh []string
	for key := range maps.Keys(group) {
		if !slices.Contains(r.keys, key) {
			fresh = append(fresh, key)
		}
	}
	slices.SortFunc(fresh, func(a, b string) int {
		return cmp.Or(rank(group[a].state)-rank(group[b].state), group[a].order-group[b].order, cmp.Compare(a, b))
	})
	r.keys = append(r.keys, fresh...)
	if !r.held {
		r.replaceSettled(group, now, room)
	}
	return r.choose(group, now).scrolled(room)
}

// rank puts what is in trouble first, then what waits.
func rank(s release.State) int {
	switch s {
	case release.Failed:
		return 0
	case release.Waiting, release.Started:
		return 1
	case release.Ahead:
		return 2
	}
	return 3
}

// replaceSettled gives the lines of settled objects to those out of sight that
// are not ready.
func (r *rows) replaceSettled(group map[string]objectState, now time.Time, room int) {
	hidden := room
	for i := 0; i < min(room, len(r.keys)); i++ {
		if !settled(group[r.keys[i]], now) {
			continue
		}
		for hidden < len(r.keys) && group[r.keys[hidden]].state == release.Ready {
			hidden++
		}
		if hidden >= len(r.keys) {
			return
		}
		r.keys[i], r.keys[hidden] = r.keys[hidden], r.keys[i]
	}
}

func settled(o objectState, now time.Time) bool {
	return o.state == release.Ready && now.Sub(o.since) >= settleTime
}

// choose keeps the selection, but for one that nobody made and that has
// nothing more to tell.
func (r rows) choose(group map[string]objectState, now time.Time) rows {
	current, known := group[r.selected]
	if known && (r.held || !settled(current, now)) || len(r.keys) == 0 {
		return r
	}
	waiting := slices.IndexFunc(r.keys, func(key string) bool { return rank(group[key].state) <= rank(release.Waiting) })
	if waiting >= 0 || !known {
		r.selected = r.keys[max(waiting, 0)]
	}
	return r
}

// move selects another line.
func (r rows) move(by, room int) rows {
	if len(r.keys) == 0 {
		return r
	}
	at := slices.Index(r.keys, r.selected)
	return r.pick(min(max(at+by, 0), len(r.keys)-1), room)
}

func (r rows) pick(index, room int) rows {
	r.selected, r.held = r.keys[index], true
	return r.scrolled(room)
}

// scrolled keeps the selection in sight, and moves as little as it can.
func (r rows) scrolled(room int) rows {
	at := max(slices.Index(r.keys, r.selected), 0)
	r.top = min(max(r.top, at-room+1), at, max(len(r.keys)-room, 0))
	r.top = max(r.top, 0)
	return r
}

// visible are the keys that have a line.
func (r rows) visible(room int) []string {
	r = r.scrolled(room)
	return r.keys[r.top:min(r.top+max(room, 0), len(r.keys))]
}
