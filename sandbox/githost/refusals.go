package githost

import (
	"net/http"
	"strconv"
)

// Every word with which a provider refuses is in this file.

// Documented: the providers say these words.
const (
	gitHubBadCredentials = "Bad credentials"
	gitHubNotAccessible  = "Resource not accessible by personal access token"
	gitLabUnauthorized   = "401 Unauthorized"
)

// Invented: for what follows a status is known at most. The words
// are written from general knowledge, so a client must not depend on them. The
// same goes for the envelopes around them, but for GitLab's field message.
const (
	gitHubNeedsLogin      = "Requires authentication"
	gitHubPrivateMode     = "Must authenticate to access this API."
	gitHubOldVersion      = "The X-GitHub-Api-Version header is not supported."
	gitHubNotFound        = "Not Found"
	gitHubMoved           = "Moved Permanently"
	gitHubSAML            = "Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization."
	gitHubNoBranch        = "Branch not found"
	gitHubNoContents      = "This repository is empty."
	gitHubNoRef           = "No commit found for the ref "
	gitHubNoPush          = "Must have push access to the repository."
	gitHubArchived        = "Repository was archived so is read-only."
	gitHubEmptyRepo       = "Git Repository is empty."
	gitHubBadRefName      = "Reference name must start with 'refs/heads/'."
	gitHubNoObject        = "Object does not exist"
	gitHubRefExists       = "Reference already exists"
	gitHubNameMissing     = "Repository creation failed: name is missing."
	gitHubNameTaken       = "Repository creation failed: name already exists on this account."
	gitLabNotFound        = "404 Not Found"
	gitLabNoProject       = "404 Project Not Found"
	gitLabNoNamespace     = "404 Namespace Not Found"
	gitLabNoBranch        = "404 Branch Not Found"
	gitLabNoTree          = "404 Tree Not Found"
	gitLabNoPath          = "404 invalid revision or path Not Found"
	gitLabForbidden       = "403 Forbidden"
	gitLabExpired         = "Token is expired. You can either do re-authorization or token refresh."
	gitLabRevoked         = "Token was revoked. You have to re-authorize from the user."
	gitLabFewScopes       = "The request requires higher privileges than provided by the access token."
	gitLabNameMissing     = "name, path are missing, at least one parameter must be provided"
	gitLabNameTaken       = "has already been taken"
	gitLabBranchMissing   = "branch is missing, ref is missing"
	gitLabBranchExists    = "Branch already exists"
	gitLabBadRef          = "Invalid reference name: "
	bitbucketNotFound     = "Resource not found"
	bitbucketGone         = "CHANGE-2770 - Functionality has been deprecated"
	bitbucketBadToken     = "Token is invalid, expired, or not supported for this endpoint."
	bitbucketFewScopes    = "Your credentials lack one or more required privilege scopes."
	bitbucketNoCreate     = "You do not have access to create repositories in this workspace."
	bitbucketNameTaken    = "Repository with this Slug and Owner already exists."
	bitbucketNoPush       = "You do not have write access to this repository."
	bitbucketNoAdmin      = "Admin access is required."
	bitbucketBranchTaken  = "The branch has no name or exists already."
	bitbucketNoTarget     = "target.hash is not a commit of the repository."
	dataCenterBadToken    = "Authentication failed. Please check your credentials and try again."
	dataCenterForbidden   = "You are not permitted to access this resource"
	dataCenterNotFound    = "Not found"
	dataCenterNoDefault   = "The repository has no default branch."
	dataCenterBadName     = "Repository names are limited to 128 characters and must start with a letter or number."
	dataCenterNameTaken   = "This repository name is already taken."
	dataCenterRefTaken    = "This branch already exists."
	dataCenterNoStart     = "The start point does not exist."
	dataCenterFromBrowser = "XSRF check failed"
	commitRefused         = "The branch takes no commit."
	gitOldClient          = "Please upgrade your git client."
	gitBadCredentials     = "Authentication failed."
	rateLimitExceeded     = "Rate limit exceeded"
	signInPage            = "<!DOCTYPE html>\n<html><head><title>Sign in</title></head><body>Please sign in.</body></html>\n"
)

// doesNotExist is invented too.
func doesNotExist(kind, name string) string { return kind + " " + name + " does not exist." }

func gitHubError(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, object{"message": message, "status": strconv.Itoa(status),
		"documentation_url": "https://docs.github.com/rest"})
}

func gitLabError(w http.ResponseWriter, status int, message any) {
	writeJSON(w, status, object{"message": message})
}

// gitLabOAuthError is what GitLab says about the token itself.
func gitLabOAuthError(w http.ResponseWriter, status int, code, description, scope string) {
	body := object{"error": code, "error_description": description}
	if scope != "" {
		body["scope"] = scope
	}
	writeJSON(w, status, body)
}

func bitbucketError(w http.ResponseWriter, status int, message string) {
	writeJSON(w, status, object{"type": "error", "error": object{"message": message}})
}

func dataCenterError(w http.ResponseWriter, status int, message, exception string) {
	writeJSON(w, status, object{"errors": []object{{"context": nil, "message": message,
		"exceptionName": "com.atlassian.bitbucket." + exception}}})
}

// refuse says no in a provider's envelope.
func refuse(provider Provider, w http.ResponseWriter, status int, message string) {
	switch provider {
	case GitHub, GitHubEnterprise:
		gitHubError(w, status, message)
	case Bitbucket:
		bitbucketError(w, status, message)
	case BitbucketServer:
		dataCenterError(w, status, message, "ServiceException")
	default:
		gitLabError(w, status, message)
	}
}
