package answers

import (
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/cfwizard/cfwizard/installer/git"
	"github.com/cfwizard/cfwizard/installer/problem"
)

// Verdict is what validation says: problems stop, warnings are told.
type Verdict struct{ Problems, Warnings problem.List }

func (v *Verdict) problem(field, what, why, fix string) {
	v.Problems = append(v.Problems, &problem.Problem{Kind: problem.Invalid, Cause: "invalid-answer", Field: field, What: what, Why: why, Fix: fix})
}

func (v *Verdict) warn(field, what, why, fix string) {
	v.Warnings = append(v.Warnings, &problem.Problem{Kind: problem.WarningsOnly, Cause: "doubtful-answer", Field: field, What: what, Why: why, Fix: fix})
}

// Validate judges the answers as a whole. It reads nothing but them.
func (a Answers) Validate() Verdict {
	var v Verdict
	a.validateChoices(&v)
	a.validateRuntime(&v)
	a.validateCodefresh(&v)
	a.validateAccess(&v)
	a.validateGit(&v)
	a.validateArgoCD(&v)
	a.validateFiles(&v)
	return v
}

var (
	runtimeName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	dnsLabel    = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
	dnsName     = regexp.MustCompile(`^(\*\.)?([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)*[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)
)

const (
	maxRuntimeName = 38
	maxReleaseName = 53
	maxHostName    = 253
)

// validateChoices holds every field with a list of values to that list.
func (a Answers) validateChoices(v *Verdict) {
	for _, field := range Fields {
		value := a.Get(field.Path)
		if len(field.Choices) == 0 || slices.ContainsFunc(field.Choices, func(c Choice) bool { return c.Value == value }) {
			continue
		}
		var known []string
		for _, choice := range field.Choices {
			if choice.Value != "" {
				known = append(known, choice.Value)
			}
		}
		v.problem(field.Path, fmt.Sprintf("%q is not one of its values", value), "", "Choose one of "+strings.Join(known, ", ")+".")
	}
}

func (a Answers) validateRuntime(v *Verdict) {
	name := a.Runtime.Name
	switch {
	case !runtimeName.MatchString(name) || strings.HasSuffix(name, "-"):
		v.problem("runtime.name", fmt.Sprintf("%q is not a runtime name", name), "Codefresh makes it part of a DNS name.",
			"Start with a lower-case letter and use only lower-case letters and digits.")
	case len(name) > maxRuntimeName:
		v.problem("runtime.name", fmt.Sprintf("the name has %d characters", len(name)), "With the account ID it must fit into one DNS label.",
			fmt.Sprintf("Use at most %d.", maxRuntimeName))
	case strings.Contains(name, "-"):
		v.warn("runtime.name", "the name holds a hyphen", "The documentation allows only letters and digits, though its own example has one.", "Leave the hyphen out if you can.")
	}
	if !dnsLabel.MatchString(a.Runtime.Namespace) {
		v.problem("runtime.namespace", fmt.Sprintf("%q is not a namespace name", a.Runtime.Namespace), "", "Use lower-case letters, digits and inner hyphens, at most 63.")
	}
	if !dnsName.MatchString(a.Runtime.Release) || len(a.Runtime.Release) > maxReleaseName || strings.HasPrefix(a.Runtime.Release, "*") {
		v.problem("runtime.release", fmt.Sprintf("%q is not a Helm release name", a.Runtime.Release), "", fmt.Sprintf("Use lower-case letters, digits, hyphens and dots, at most %d.", maxReleaseName))
	}
	if a.Runtime.Chart == "" {
		v.problem("runtime.chart", "no chart is named", "", "Use "+Default().Runtime.Chart+", a .tgz file or a folder.")
	}
}

func (a Answers) validateCodefresh(v *Verdict) {
	u, err := url.Parse(a.Codefresh.URL)
	if err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Hostname() == "" || u.User != nil || u.RawQuery != "" {
		v.problem("codefresh.url", "this is not the address of a Codefresh platform", "", "Use https://g.codefresh.io, or the address of your own platform.")
		return
	}
	if a.Codefresh.AccountID == "" {
		v.problem("codefresh.accountId", "the account ID is missing", "Today's chart needs it in every access mode, whatever the documentation says.",
			"Give the API key and let the wizard read it, or copy it from Account Settings in Codefresh.")
	}
	if a.Codefresh.APIKey.IsZero() {
		v.problem("codefresh.apiKey", "there is no reference to the API key", "", "Set it to {env: CF_API_KEY} and export that variable.")
	}
	if a.Access.Mode == Tunnel && a.OnPremises() {
		v.problem("access.mode", "the tunnel works only with Codefresh's own platform", a.Codefresh.URL+" is an on-premises platform.", "Choose ingress, mesh or gateway.")
	}
}

// OnPremises tells a platform of one's own from Codefresh's. A platform on a
// loopback address is a stand-in for Codefresh's.
func (a Answers) OnPremises() bool {
	name := a.platform()
	ip := net.ParseIP(name)
	return a.PrivatePlatform() && name != "localhost" && (ip == nil || !ip.IsLoopback())
}

// PrivatePlatform reports whether the platform is anywhere but at Codefresh's,
// and so may be where no public address is needed.
func (a Answers) PrivatePlatform() bool {
	name := a.platform()
	return name != "" && name != "codefresh.io" && !strings.HasSuffix(name, ".codefresh.io")
}

// platform is the host of the platform.
func (a Answers) platform() string {
	u, err := url.Parse(a.Codefresh.URL)
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

func (a Answers) validateAccess(v *Verdict) {
	switch a.Access.Mode {
	case IngressMode:
		checkHost(v, "access.ingress.host", a.Access.Ingress.Host)
		a.validateController(v)
	case MeshMode:
		checkMeshURL(v, a.Access.Mesh.URL)
		checkNamespacedName(v, "access.mesh.gateway", a.Access.Mesh.Gateway, false)
	case GatewayMode:
		checkHost(v, "access.gateway.host", a.Access.Gateway.Host)
		checkNamespacedName(v, "access.gateway.parent", a.Access.Gateway.Parent, true)
	}
}

func checkHost(v *Verdict, field, host string) {
	const fix = "Use a DNS name such as runtime.example.com."
	switch {
	case host == "":
		v.problem(field, "the host is missing", "", fix)
	case net.ParseIP(strings.Trim(host, "[]")) != nil:
		v.problem(field, host+" is an IP address", "Kubernetes takes only DNS names as hosts.", "Use a DNS name that points to it.")
	case len(host) > maxHostName || !dnsName.MatchString(host) || strings.HasPrefix(host, "*"):
		v.problem(field, fmt.Sprintf("%q is not a DNS name", host), "Only lower-case letters, digits, hyphens and dots count; no scheme, port or path.", fix)
	}
}

func checkMeshURL(v *Verdict, text string) {
	const fix = "Use https:// and a host, such as https://runtime.example.com."
	u, err := url.Parse(text)
	switch {
	case err != nil || (u.Scheme != "https" && u.Scheme != "http") || u.Hostname() == "" || u.User != nil:
		v.problem("access.mesh.url", "this is not the runtime's address", "", fix)
	case strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.Fragment != "":
		v.problem("access.mesh.url", "the runtime's address has a part after the host", "The runtime's own paths, such as /app-proxy, follow the host.", fix)
	}
}

func checkNamespacedName(v *Verdict, field, text string, needed bool) {
	if text == "" && !needed {
		return
	}
	namespace, name, found := strings.Cut(text, "/")
	if !found || !dnsLabel.MatchString(namespace) || !dnsName.MatchString(name) {
		v.problem(field, fmt.Sprintf("%q does not name a Gateway", text), "", "Write NAMESPACE/NAME, such as infra/public.")
	}
}

// validateGit judges the shared configuration only when it is given: an
// account that has one already needs none.
func (a Answers) validateGit(v *Verdict) {
	a.validateAPIURL(v)
	if a.Git.SharedConfigRepo == "" {
		return
	}
	repo, notes, err := git.ParseSharedConfig(a.Git.SharedConfigRepo, a.Git.Provider)
	if err != nil {
		v.problem("git.sharedConfigRepo", "this is not the URL of a repository", err.Error(), "Write it as https://host/owner/repo.git[/path][?ref=branch].")
		return
	}
	if len(notes) > 0 {
		v.warn("git.sharedConfigRepo", "it is used as "+repo.String(), strings.Join(notes, "; ")+".", "Nothing to do if that is right.")
	}
	a.validateProvider(v, repo)
}

func (a Answers) validateProvider(v *Verdict, repo git.Repo) {
	found, sure := git.Recognise(repo)
	given, known := git.ProviderByID(a.Git.Provider)
	switch {
	case a.Git.Provider == "" && found.ID == "":
		v.problem("git.provider", "the provider cannot be told from the URL", repo.Host+" is not one of the public services.", "Say which product runs there.")
	case known && sure && found.Cloud() && given.ID != found.ID:
		v.problem("git.provider", given.Name+" does not fit the URL", repo.Host+" is "+found.Name+".", "Choose "+found.ID+", or leave it empty.")
	case known && given.Cloud() && !slices.Contains(given.Hosts, repo.Host):
		v.problem("git.provider", given.Name+" does not fit the URL", repo.Host+" is not "+given.Hosts[0]+".", "Choose the server variant of "+given.Name+".")
	case a.Git.Provider == "" && !sure:
		v.warn("git.provider", "the provider is a guess: "+found.Name, "Its host or its path suggests it.", "Set git.provider if that is wrong.")
	}
}

// SharedConfig is the repository and provider as they will be used: given or
// recognised. It is meant for answers that passed validation.
func (a Answers) SharedConfig() (repo git.Repo, provider git.Provider, apiURL string) {
	repo, _, err := git.ParseSharedConfig(a.Git.SharedConfigRepo, a.Git.Provider)
	if err != nil {
		return git.Repo{}, git.Provider{}, ""
	}
	provider, known := git.ProviderByID(a.Git.Provider)
	if !known {
		provider, _ = git.Recognise(repo)
	}
	if a.Git.APIURL != "" {
		return repo, provider, provider.NormalAPIURL(a.Git.APIURL)
	}
	return repo, provider, provider.APIURL(repo)
}
