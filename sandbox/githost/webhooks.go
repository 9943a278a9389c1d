package githost

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// Webhook is a call that a push to a repository makes.
type Webhook struct {
	ID         int
	URL        string
	Deliveries []Delivery // the newest first, as GitHub lists them
}

// Delivery is one call, with what it was answered.
type Delivery struct {
	At   time.Time
	Code int
}

// hookKey names a repository.
type hookKey struct {
	provider Provider
	repo     string
}

// DeliverWith says how webhooks are called; without it they fail with 502.
func (h *Host) DeliverWith(call func(url string) (status int)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.call = call
}

// AddWebhook makes a webhook, unless there is one to the same address.
func (h *Host) AddWebhook(provider Provider, repo, url string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := hookKey{provider, repo}
	if !slices.ContainsFunc(h.webhooks[key], func(w *Webhook) bool { return w.URL == url }) {
		h.webhooks[key] = append(h.webhooks[key], &Webhook{ID: len(h.webhooks[key]) + 1, URL: url})
	}
}

func (h *Host) webhooksOf(repo Repo) []Webhook {
	h.mu.Lock()
	defer h.mu.Unlock()
	var all []Webhook
	for _, hook := range h.webhooks[hookKey{repo.Provider, repo.FullName}] {
		copied := *hook
		copied.Deliveries = slices.Clone(hook.Deliveries)
		all = append(all, copied)
	}
	return all
}

// pushed calls the webhooks of a repository, in the background as a provider
// does.
func (h *Host) pushed(repo Repo) {
	h.mu.Lock()
	call, hooks := h.call, slices.Clone(h.webhooks[hookKey{repo.Provider, repo.FullName}])
	h.mu.Unlock()
	go func() {
		for _, hook := range hooks {
			code := http.StatusBadGateway
			if call != nil {
				code = call(hook.URL)
			}
			h.mu.Lock()
			hook.Deliveries = slices.Insert(hook.Deliveries, 0, Delivery{At: h.now(), Code: code})
			h.mu.Unlock()
		}
	}()
}

func gitHubHook(hook Webhook) object {
	last := object{"code": nil, "status": "unused"}
	if len(hook.Deliveries) > 0 {
		last = object{"code": hook.Deliveries[0].Code, "status": "active"}
	}
	return object{"id": hook.ID, "type": "Repository", "active": true, "events": []string{"push"}, "config": object{"url": hook.URL}, "last_response": last}
}

func (g gitHub) deliveries(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	if g.refuseRead(w, who, "repository_hooks") {
		return
	}
	for _, hook := range g.host.webhooksOf(repo) {
		if strconv.Itoa(hook.ID) != r.PathValue("hook") {
			continue
		}
		all := []object{}
		for i, delivery := range hook.Deliveries {
			all = append(all, object{"id": len(hook.Deliveries) - i, "event": "push", "delivered_at": delivery.At.UTC().Format(time.RFC3339), "status_code": delivery.Code})
		}
		writeJSON(w, http.StatusOK, all)
		return
	}
	g.notFound(w, r, who)
}

func (g gitHub) deleteRef(w http.ResponseWriter, r *http.Request, who Token, repo Repo) {
	if g.refuseWrite(w, who, repo, "contents=write") {
		return
	}
	if !repo.hasBranch(r.PathValue("branch")) {
		gitHubError(w, http.StatusUnprocessableEntity, gitHubNoBranch)
		return
	}
	g.host.removeBranch(repo, r.PathValue("branch"))
	w.WriteHeader(http.StatusNoContent)
}
