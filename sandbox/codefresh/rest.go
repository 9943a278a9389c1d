package codefresh

import (
	"encoding/json"
	"net/http"
)

func (p *Platform) servePing(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }

// serveUser is the REST twin of `me`. The account id is found by its name.
func (p *Platform) serveUser(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	accountID := p.activeAccountID()
	p.mu.Unlock()
	writeJSON(w, http.StatusOK, map[string]any{
		"_id":               p.options.UserID,
		"userName":          p.options.UserName,
		"email":             p.options.UserEmail,
		"account":           []map[string]string{{"name": p.options.AccountName, "_id": accountID}},
		"activeAccountName": p.options.AccountName,
		"roles":             []string{"User"},
		"user_data":         map[string]string{"image": ""},
	})
}

// serveEvents swallows what reporters send. The answer is invented.
func (p *Platform) serveEvents(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]any{})
}

// serveRuntimeToken gives a runtime a token for the REST interface.
func (p *Platform) serveRuntimeToken(w http.ResponseWriter, r *http.Request) {
	var body struct {
		Name string `json:"name"`
	}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil || body.Name == "" {
		writeStatus(w, http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	writeJSON(w, http.StatusOK, map[string]string{"token": p.issueToken(body.Name)})
}

func (p *Platform) serveStoreKey(w http.ResponseWriter, r *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"storeKey": "sandbox-store-key-" + r.PathValue("name")})
}
