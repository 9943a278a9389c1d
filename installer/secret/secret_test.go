package secret

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

func TestValueNeverPrints(t *testing.T) {
	v := New("hunter2")
	holder := struct{ Key Value }{v}
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", v, "holder", holder)
	asJSON, _ := json.Marshal(holder)
	asYAML, _ := yaml.Marshal(holder)
	for name, printed := range map[string]string{
		"%v": fmt.Sprintf("%v", holder), "%+v": fmt.Sprintf("%+v", holder), "%#v": fmt.Sprintf("%#v", holder),
		"String": v.String(), "%q": fmt.Sprintf("%q", v), "json": string(asJSON), "yaml": string(asYAML), "slog": log.String(),
		"panic": recovered(v),
	} {
		if strings.Contains(printed, "hunter2") {
			t.Errorf("%s shows the secret: %s", name, printed)
		}
	}
	if v.Reveal() != "hunter2" {
		t.Error("Reveal does not give the text back")
	}
}

func recovered(v Value) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	panic(v)
}
