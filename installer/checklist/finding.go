package checklist

import (
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/text"
)

func done(format string, args ...any) Finding {
	return Finding{State: Done, Detail: fmt.Sprintf(format, args...)}
}

func todo(format string, args ...any) Finding {
	return Finding{State: ToDo, Detail: fmt.Sprintf(format, args...)}
}

func waiting(format string, args ...any) Finding {
	return Finding{State: Waiting, Detail: fmt.Sprintf(format, args...)}
}

func failed(fix, format string, args ...any) Finding {
	return Finding{State: Failed, Detail: fmt.Sprintf(format, args...), Fix: fix}
}

func notNeeded(format string, args ...any) Finding {
	return Finding{State: NotNeeded, Detail: fmt.Sprintf(format, args...)}
}

// final are the refusals that do not go away by waiting.
var final = []string{"codefresh-unauthorized", "codefresh-forbidden", "codefresh-unknown-ca", "codefresh-certificate", "no-account"}

// unknown is what an item is while it cannot be looked at. A platform that is
// down or slow is waited for; one that refuses is not.
func unknown(err error) Finding {
	switch {
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return failed("Look with a user who may read it: --context NAME.", "%s", text.Line(err.Error()))
	case apierrors.ReasonForError(err) != "":
		return waiting("%s", text.Line(err.Error()))
	}
	p := problem.All(err)[0]
	f := Finding{State: Waiting, Detail: strings.TrimSuffix(text.Line(p.What), "."), Fix: text.Line(p.Fix)}
	if p.Kind == problem.Internal {
		f.Fix = ""
	}
	if p.Kind == problem.Invalid || slices.Contains(final, p.Cause) {
		f.State = Failed
	}
	return f
}

// list names a few of many.
func list(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
