package codefresh

import "fmt"

// GiveGitToken tells what became of the Git token that a runtime was given:
// its Git provider takes it, or does not.
func (p *Platform) GiveGitToken(name string, good bool) error {
	status := "FAILED"
	if good {
		status = "SUCCESSFUL"
	}
	return p.UpdateRuntime(name, func(r *RuntimeRecord) { r.GitToken = status })
}

// gitTokenLight is UNKNOWN until the runtime was given a token. The words of
// the description are invented.
func gitTokenLight(r *RuntimeRecord) object {
	switch r.GitToken {
	case "SUCCESSFUL":
		return object{"status": r.GitToken}
	case "FAILED":
		return object{"status": r.GitToken, "description": fmt.Sprintf("the Git provider refuses the token of runtime %s", r.Name)}
	}
	return object{"status": "UNKNOWN"}
}
