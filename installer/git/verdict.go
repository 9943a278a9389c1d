package git

import (
	"fmt"

	"github.com/cfwizard/cfwizard/installer/check"
)

// The checks, by their names in reports.
const (
	idReach      = "git.reach"
	idTLS        = "git.tls"
	idToken      = "git.token"
	idScopes     = "git.scopes"
	idExpiry     = "git.expiry"
	idRepo       = "git.repo"
	idWrite      = "git.write"
	idBranch     = "git.branch"
	idProtection = "git.protection"
	idValidator  = "git.validator"
)

// The answers fields that the checks are about, beside the token's own.
const (
	fieldRepo     = "git.sharedConfigRepo"
	fieldAPI      = "git.apiUrl"
	fieldUsername = "git.username"
	fieldCA       = "tls.gitCA"
	fieldSkip     = "options.skipValidation"
)

// questions lists the checks in the order of a report, with what each asks.
var questions = []struct{ id, subject string }{
	{idReach, "whether the Git host answers"},
	{idTLS, "the certificate of the Git host"},
	{idToken, "the token"},
	{idScopes, "the scopes of the token"},
	{idExpiry, "the end of the token"},
	{idRepo, "the repository"},
	{idWrite, "the right to push"},
	{idBranch, "the branch"},
	{idProtection, "the protection of the branch"},
	{idValidator, "what the chart's own validation would say"},
}

// verdict is the answer to one of the questions.
type verdict struct {
	status                           check.Status
	title, why, fix, evidence, field string
}

func pass(format string, args ...any) verdict {
	return verdict{status: check.Pass, title: fmt.Sprintf(format, args...)}
}

func warn(format string, args ...any) verdict {
	return verdict{status: check.Warn, title: fmt.Sprintf(format, args...)}
}

func fail(format string, args ...any) verdict {
	return verdict{status: check.Fail, title: fmt.Sprintf(format, args...)}
}

func skip(format string, args ...any) verdict {
	return verdict{status: check.Skip, title: fmt.Sprintf(format, args...)}
}

func (v verdict) because(format string, args ...any) verdict {
	v.why = fmt.Sprintf(format, args...)
	return v
}

func (v verdict) fixedBy(format string, args ...any) verdict {
	v.fix = fmt.Sprintf(format, args...)
	return v
}

func (v verdict) seen(format string, args ...any) verdict {
	v.evidence = fmt.Sprintf(format, args...)
	return v
}

// about names another field than the one that the check is about by itself.
func (v verdict) about(field string) verdict {
	v.field = field
	return v
}
