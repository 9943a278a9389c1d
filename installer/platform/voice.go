package platform

// voice is whom a client speaks to, in the words of what goes wrong.
type voice struct {
	name    string // who does not answer
	place   string // what somebody runs there
	field   string // the answer that the address comes from
	network string // what to do where nobody answers
	address string // what to do where somebody else answers
	old     string // what to do where it lacks something
	runtime bool   // it is a part of the runtime, at the runtime's own address
}

var platformVoice = voice{
	name: "Codefresh", place: "the platform", field: "codefresh.url", address: addressFix,
	network: "Check the network. Behind a proxy, set HTTPS_PROXY, and NO_PROXY for hosts inside.",
	old:     "Check the address; a platform of your own may be too old for GitOps runtimes.",
}

// appProxyVoice: what is wrong there lies on the way into the cluster.
var appProxyVoice = voice{
	name: "app-proxy", place: "the runtime", field: "access.mode", runtime: true,
	network: "See whether the runtime's host leads to the cluster, and what is left to do: cfwizard checklist",
	address: "See where the runtime's host leads to, and what is left to do: cfwizard checklist",
	old:     "See whether the runtime is up: kubectl -n NAMESPACE get pods; a newer chart may be needed: cfwizard upgrade",
}
