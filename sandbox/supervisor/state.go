// Package supervisor runs one sandbox: the control plane, the registry, the
// stand-ins and the simulated kubelet, and a control port to steer them.
package supervisor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// State is what others need to know about a running sandbox. It is a file in
// the sandbox's folder, so that any later command finds it.
type State struct {
	PID          int               `json:"pid"`
	Control      string            `json:"control"`
	ControlToken string            `json:"controlToken"`
	Env          map[string]string `json:"env"`
}

func stateFile(dir string) string { return filepath.Join(dir, "state.json") }

// ReadState finds the sandbox that runs in a folder.
func ReadState(dir string) (State, error) {
	var s State
	data, err := os.ReadFile(stateFile(dir))
	if err != nil {
		return s, fmt.Errorf("no sandbox runs in %s: start one with `sandbox up --dir %s`", dir, dir)
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, fmt.Errorf("reading %s: %w", stateFile(dir), err)
	}
	return s, nil
}

func (s State) write(dir string) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	temporary := stateFile(dir) + ".new"
	if err := os.WriteFile(temporary, data, 0o600); err != nil {
		return fmt.Errorf("writing the state: %w", err)
	}
	return os.Rename(temporary, stateFile(dir))
}

// Ask sends a request to the sandbox's control port.
func (s State) Ask(path string, body any) (string, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return "", err
	}
	request, err := http.NewRequest(http.MethodPost, s.Control+path, bytes.NewReader(data))
	if err != nil {
		return "", err
	}
	request.Header.Set("Authorization", s.ControlToken)
	client := http.Client{Timeout: time.Minute}
	response, err := client.Do(request)
	if err != nil {
		return "", fmt.Errorf("the sandbox does not answer: %w", err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s", strings.TrimSpace(string(answer)))
	}
	return string(answer), err
}
