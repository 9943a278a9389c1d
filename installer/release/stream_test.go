package release

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/cfwizard/cfwizard/installer/secret"
)

const manyEvents = 100_000

// A reader that does not read slows nothing and costs no memory: of objects
// the newest state is kept, of logs the newest lines, of the rest everything.
func TestASlowReaderCostsNothing(t *testing.T) {
	open := make(chan struct{})
	var read []Event
	s := newStream(func(e Event) { <-open; read = append(read, e) })
	before := heap()
	for i := range manyEvents {
		s.add(Event{Type: ObjectEvent, Object: &Object{Kind: "Deployment", Name: fmt.Sprint(i % 100)}, Message: fmt.Sprint("state ", i)})
		s.add(Event{Type: LogEvent, Object: &Object{Kind: "Job", Name: "a"}, Message: fmt.Sprint("line ", i)})
		if i%10_000 == 0 {
			s.add(Event{Type: PhaseEvent, Phase: Wait, Message: fmt.Sprint(i)})
			s.add(Event{Type: ProblemEvent, Cause: fmt.Sprint(i)})
		}
	}
	if grown := heap() - before; grown > 4<<20 {
		t.Errorf("%d bytes more are held after %d events", grown, 2*manyEvents)
	}
	close(open)
	s.close()
	counts := map[Type]int{}
	newest := map[string]string{}
	for _, e := range read {
		counts[e.Type]++
		if e.Type == ObjectEvent {
			newest[e.Object.Name] = e.Message
		}
	}
	if counts[PhaseEvent] != 10 || counts[ProblemEvent] != 10 {
		t.Errorf("%d phases and %d problems were read, want 10 each", counts[PhaseEvent], counts[ProblemEvent])
	}
	if counts[LogEvent] > waitingLines+1 || read[len(read)-1].Message != fmt.Sprint("line ", manyEvents-1) {
		t.Errorf("%d lines were read, the last is %q", counts[LogEvent], read[len(read)-1].Message)
	}
	for i := manyEvents - 100; i < manyEvents; i++ {
		if got, want := newest[fmt.Sprint(i%100)], fmt.Sprint("state ", i); got != want {
			t.Fatalf("the last state of object %d is %q, want %q", i%100, got, want)
		}
	}
}

func TestObjectsThatWaitAreBounded(t *testing.T) {
	open := make(chan struct{})
	read := 0
	s := newStream(func(Event) { <-open; read++ })
	for i := range 3 * waitingObjects {
		s.add(Event{Type: ObjectEvent, Object: &Object{Name: fmt.Sprint(i)}})
	}
	close(open)
	s.close()
	if read > waitingObjects+1 || read < waitingObjects {
		t.Errorf("%d states were read, want about %d", read, waitingObjects)
	}
}

// The order of what is told stays, and after the end nothing is taken.
func TestStreamKeepsTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var read []string
		s := newStream(func(e Event) { read = append(read, e.Message) })
		for _, words := range []string{"a", "b", "c"} {
			s.add(Event{Type: PhaseEvent, Message: words})
		}
		synctest.Wait()
		s.add(Event{Type: ObjectEvent, Object: &Object{Name: "x"}, Message: "d"})
		s.close()
		s.add(Event{Type: PhaseEvent, Message: "late"})
		if got := strings.Join(read, ""); got != "abcd" {
			t.Errorf("read %q", got)
		}
	})
}

func TestTokensAreNeverTold(t *testing.T) {
	var read []Event
	tell := newTeller(Request{Sink: func(e Event) { read = append(read, e) }, Tokens: map[string]secret.Value{"codefresh": secret.New("64f0.cafe")}})
	tell.enter(Hooks, "")
	tell.tell(Event{Type: LogEvent, Object: &Object{Kind: "Job", Name: "validate-values"}, Message: "using \x1b[31mtoken 64f0.cafe"})
	tell.close()
	if last := read[len(read)-1]; last.Message != "using token •••" || last.Phase != Hooks || last.Time.IsZero() {
		t.Errorf("told %+v", last)
	}
}

func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
