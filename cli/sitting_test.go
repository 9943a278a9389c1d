package cli

import (
	"testing"
	"time"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/session"
)

func TestASittingHoldsOneSession(t *testing.T) {
	store := session.Store{Dir: t.TempDir()}
	first, second := session.New(answers.Default(), time.Now()), session.New(answers.Default(), time.Now())
	second.Stage = session.Installed
	for _, s := range []session.Session{first, second} {
		if err := store.Save(s); err != nil {
			t.Fatal(err)
		}
	}
	mine, theirs := sitting{store: store}, sitting{store: store}
	if err := mine.hold(first.ID); err != nil {
		t.Fatal(err)
	}
	if err := theirs.hold(first.ID); problem.All(err)[0].Cause != "session-open" {
		t.Errorf("both have it open: %v", err)
	}
	if err := mine.hold(second.ID); err != nil {
		t.Fatal(err)
	}
	if err := theirs.hold(first.ID); err != nil {
		t.Errorf("the one that was left is not free: %v", err)
	}
	mine.release()
	theirs.release()
	if others := mine.others(first.ID); len(others) != 1 || others[0].ID != second.ID || len(unfinished(others)) != 0 {
		t.Errorf("others: %v", others)
	}
}
