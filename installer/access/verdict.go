package access

import (
	"fmt"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/facts"
	"github.com/cfwizard/cfwizard/installer/text"
)

// nothing is the verdict of a rule that does not apply to a site: it is left
// out.
var nothing = Verdict{}

func pass(format string, args ...any) Verdict {
	return Verdict{Status: check.Pass, Title: fmt.Sprintf(format, args...)}
}

func fail(format string, args ...any) Verdict {
	return Verdict{Status: check.Fail, Title: fmt.Sprintf(format, args...)}
}

func warn(format string, args ...any) Verdict {
	return Verdict{Status: check.Warn, Title: fmt.Sprintf(format, args...)}
}

func skip(format string, args ...any) Verdict {
	return Verdict{Status: check.Skip, Title: fmt.Sprintf(format, args...)}
}

func (v Verdict) why(format string, args ...any) Verdict {
	v.Why = fmt.Sprintf(format, args...)
	return v
}

func (v Verdict) fix(format string, args ...any) Verdict {
	v.Fix = fmt.Sprintf(format, args...)
	return v
}

func (v Verdict) evidence(format string, args ...any) Verdict {
	v.Evidence = fmt.Sprintf(format, args...)
	return v
}

// repaired offers a change to an object. Where somebody takes care of the
// object, the change is theirs to make and is printed instead. What carries the
// runtime's traffic carries that of others too, so that each change is asked for.
func (v Verdict) repaired(owner facts.Owner, change Change) Verdict {
	if owner.Kind != "" {
		v.Fix = change.forOwner(owner)
		return v
	}
	repair := change.Repair
	repair.Asked = true
	v.Repair = &repair
	v.Fix = repair.Command()
	return v
}

// advised says what to do where nothing is changed for the person: the owner's
// own change, or else the advice.
func (v Verdict) advised(owner facts.Owner, change Change, advice string) Verdict {
	v.Fix = advice
	if owner.Kind != "" {
		v.Fix = change.forOwner(owner)
	}
	return v
}

// unread is the verdict where the facts are missing: never a pass.
func unread(u facts.Unread) Verdict { return skip("%s", u.String()) }

// check gives the verdict its name. Flags, labels and annotations are words from
// elsewhere, so that all of it is made safe to show.
func (v Verdict) check(id, field string) check.Check {
	return check.Check{ID: id, Scope: "access", Field: field, Status: v.Status, Title: text.Line(v.Title), Why: text.Block(v.Why),
		Fix: text.Block(v.Fix), Evidence: text.Block(v.Evidence), Repair: v.Repair}
}
