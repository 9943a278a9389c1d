package githost

import (
	"encoding/json"
	"net/http"
)

const jsonType = "application/json; charset=utf-8"

// object is a JSON object.
type object map[string]any

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", jsonType)
	w.WriteHeader(status)
	// The client has gone when writing fails; nobody is left to tell.
	_ = json.NewEncoder(w).Encode(body)
}

// readJSON gives an empty object for a body that is empty or no object.
func readJSON(r *http.Request) object {
	body := object{}
	if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
		return object{}
	}
	return body
}

func (o object) text(name string) string {
	text, _ := o[name].(string)
	return text
}
