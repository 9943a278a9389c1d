package githost

// Role is what a user is in a repository: an administrator unless said
// otherwise.
type Role string

// The lesser roles.
const (
	Writer Role = "writer"
	Reader Role = "reader"
)

// access is what somebody may do with a repository.
type access int

const (
	noAccess access = iota
	readAccess
	writeAccess
	adminAccess
)

func (r Role) access() access {
	switch r {
	case Reader:
		return readAccess
	case Writer:
		return writeAccess
	default:
		return adminAccess
	}
}

// roleIn is what the user may do, whatever the scopes of the token. The empty
// Repo asks for the user's role in general.
func roleIn(token Token, repo Repo) access { return min(token.Role.access(), repo.Role.access()) }

// accessTo joins what the scopes allow with what the user may do.
func accessTo(token Token, repo Repo) access { return min(scopeAccess(token), roleIn(token, repo)) }

func scopeAccess(token Token) access {
	switch token.Provider {
	case GitHub, GitHubEnterprise:
		return gitHubAccess(token)
	case GitLab, GitLabServer:
		return gitLabAccess(token)
	case Bitbucket:
		return bitbucketAccess(token)
	case BitbucketServer:
		return dataCenterAccess(token)
	default:
		return noAccess
	}
}
