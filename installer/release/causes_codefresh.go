package release

import (
	"slices"
	"time"
)

// registers is for app-proxy itself, and for those that wait for the Secret
// that it makes when it has registered the runtime. The log is app-proxy's.
func registers(s symptom) bool {
	return s.waitsForToken() || s.Object.Name == appProxy && s.Reason != configError
}

var registration = []string{configError, crashLoop, endedBadly, probeFails}

// networkTroubles are what programs say when they cannot get out.
var networkTroubles = []string{"enotfound", "eai_again", "econnrefused", "etimedout", "econnreset", "no such host", "dial tcp", "i/o timeout",
	"connection refused", "network is unreachable", "getaddrinfo", "socket hang up", "proxyconnect", "tunneling socket"}

var certificateTroubles = []string{"x509", "self signed certificate", "self-signed certificate", "unable to verify the first certificate", "unable to get local issuer certificate", "cert_has_expired"}

var keyTroubles = []string{"401 unauthorized", "status code 401", "status 401", "error: 401", "unauthorized", "unauthenticated", "invalid api key", "invalid token"}

var accountTroubles = []string{"403 forbidden", "status code 403", "forbidden", "already exists", "limit reached", "limit exceeded", "account mismatch", "admin role", "not allowed", "plan does not"}

// app-proxy also speaks with Argo CD, with Git and with Kubernetes. A line that
// names none of the two is taken to be about Codefresh, but for those about the
// network, which name whom they could not reach.
var (
	aboutCodefresh = []string{"codefresh", "/2.0/", "register", "registration", "platform"}
	aboutOthers    = []string{"argo", "git", "bitbucket", "redis", "kubernetes", "serviceaccount", ".svc"}
)

// registersNot is for a log with a line about Codefresh that tells of one of
// the troubles.
func registersNot(troubles []string) func(symptom) bool {
	network := says(networkTroubles[0], troubles)
	return func(s symptom) bool {
		return registers(s) && slices.ContainsFunc(s.Log, func(line string) bool {
			return says(line, troubles) && (says(line, aboutCodefresh) || !network && !says(line, aboutOthers))
		})
	}
}

var codefreshCauses = []cause{
	{ID: "registration-certificate", Reasons: registration, Only: registersNot(certificateTroubles), LogSays: certificateTroubles,
		Named: 3 * time.Second, Fatal: true, Grace: 6 * time.Second, Alone: true, Field: "tls.platformCA",
		What: "app-proxy could not register the runtime: it does not trust Codefresh's certificate",
		Fix:  "Give the CA of your Codefresh, or of the proxy on the way, in tls.platformCA."},
	{ID: "registration-key", Reasons: registration, Only: registersNot(keyTroubles), LogSays: keyTroubles,
		Named: 3 * time.Second, Fatal: true, Grace: 6 * time.Second, Alone: true, Field: "codefresh.apiKey",
		What: "app-proxy could not register the runtime: Codefresh refuses the API key",
		Fix:  "Create a new key under User Settings, API Keys, in Codefresh, and use it for codefresh.apiKey."},
	{ID: "registration-account", Reasons: registration, Only: registersNot(accountTroubles), LogSays: accountTroubles,
		Named: 3 * time.Second, Fatal: true, Grace: 6 * time.Second, Alone: true, Field: "codefresh.accountId",
		What: "app-proxy could not register the runtime: the Codefresh account does not allow it",
		Fix:  "Correct in the account what app-proxy's log says: `kubectl logs deployment/cap-app-proxy --namespace {namespace}`."},
	{ID: "registration-egress", Reasons: registration, Only: registersNot(networkTroubles), LogSays: networkTroubles,
		Named: 3 * time.Second, Fatal: true, Grace: 11 * time.Second, Alone: true, Field: "codefresh.url",
		What: "app-proxy could not register the runtime: the cluster does not reach Codefresh",
		Fix:  "Let pods out to the host of codefresh.url, or set global.httpsProxy in a values file. Try it: `kubectl run egress --rm --stdin --image curlimages/curl --namespace {namespace} -- curl -sSI https://g.codefresh.io`."},
	{ID: "registration-awaited", Reasons: []string{configError}, Only: symptom.waitsForToken,
		Named: 12 * time.Second,
		What:  "pod {pod} waits until app-proxy has registered the runtime with Codefresh",
		Fix:   "Waiting goes on. See how it fares: `kubectl logs deployment/cap-app-proxy --namespace {namespace}`."},
}
