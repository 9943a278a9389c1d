package codefresh

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
)

// ValidateInstall does what the chart's hook validate-values asks of the
// platform, and returns the texts of the official validator. Only the body
// that follows `API error: <status>: ` is invented.
func (p *Platform) ValidateInstall(userToken, accountID, runtimeName string) error {
	if _, err := p.validatorCaller(userToken); err != nil {
		return fmt.Errorf("failed getting current user: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	active := p.activeAccountID()
	switch {
	case !p.userIsAdmin():
		return fmt.Errorf("user %q does not have Admin role in account %q", p.options.UserName, p.options.AccountName)
	case accountID != "" && accountID != active:
		return fmt.Errorf("account mismatch - userToken is for accountId %s (%q), while \"global.codefresh.accountId\" is %s",
			active, p.options.AccountName, accountID)
	case p.find(runtimeName) != nil:
		return fmt.Errorf("runtime %q already exists", runtimeName)
	}
	return nil
}

// ValidateUsage does what the chart's hook validate-usage does: it fails when
// the clusters of the account have reached their limit. The hook is skipped
// once the runtime has its own token.
func (p *Platform) ValidateUsage(userToken, runtimeName string) error {
	caller, err := p.validatorCaller(userToken)
	if caller.runtimeName != "" && caller.runtimeName == runtimeName {
		return nil
	}
	if err != nil {
		return fmt.Errorf("failed validating usage: failed getting current user: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	limits, limited := p.limits()
	if !p.enforcesPlan() || !limited {
		return nil
	}
	if err := checkReached("clusters", p.usage().clusters, limits.clusters); err != nil {
		return fmt.Errorf("failed validating usage: usage validation error: %w", err)
	}
	return nil
}

func checkReached(subject string, usage, limit any) error {
	used, counted := usage.(int)
	allowed, limited := limit.(int)
	switch {
	case !counted:
		return fmt.Errorf("%s usage is missing", subject)
	case !limited || used < allowed:
		return nil
	case used > allowed:
		return fmt.Errorf("%s limit exceeded: usage=%d, limit=%d", subject, used, allowed)
	default:
		return fmt.Errorf("%s limit reached: usage=%d, limit=%d", subject, used, allowed)
	}
}

// ValidateRuntime is what is left of validate-values where the namespace holds
// a runtime's own token: it looks for the runtime with it, and for nothing else.
func (p *Platform) ValidateRuntime(runtimeToken, name string) error {
	if _, err := p.validatorCaller(runtimeToken); err != nil {
		return fmt.Errorf("failed getting runtime from platform: %w", err)
	}
	if _, found := p.Runtime(name); !found {
		return fmt.Errorf("failed getting runtime from platform: runtime '%s' does not exist", name)
	}
	return nil
}

// validatorCaller asks the platform who a token belongs to, as the official
// client does and with its errors. It is not counted as a call, so that
// counts speak of the program under test only.
func (p *Platform) validatorCaller(token string) (caller, error) {
	if err := p.validatorFault(); err != nil {
		return caller{}, err
	}
	who, known := p.callerWith(token)
	if !known {
		return caller{}, apiError(http.StatusUnauthorized)
	}
	return who, nil
}

func (p *Platform) validatorFault() error {
	if status, err := strconv.Atoi(p.switchValue(switchHTTPStatus)); err == nil {
		return apiError(status)
	}
	if p.switchValue(switchHTMLBody) != "" {
		var discarded any
		err := json.Unmarshal([]byte(htmlBody), &discarded)
		return fmt.Errorf("failed to unmarshal response Body: %w", err)
	}
	if message := p.switchValue(switchGraphQLErrors); message != "" {
		return refusal(message)
	}
	return nil
}

func apiError(status int) error {
	return fmt.Errorf("API error: %d %s: %s", status, http.StatusText(status), statusBody(status))
}
