package check

import (
	"encoding/json"
	"testing"

	jsonpatch "github.com/evanphx/json-patch"
)

// Whatever the map holds, the entries are set and nothing else is lost: a map
// that somebody filled meanwhile is left alone.
func TestSetting(t *testing.T) {
	const name = `{"metadata":{"name":"edge"`
	for title, test := range map[string]struct {
		entries map[string]string // as they were seen
		object  string
		want    string // empty: the patch is refused
	}{
		"no map":                       {nil, name + `}}`, name + `,"annotations":{"a":"1"}}}`},
		"beside others":                {map[string]string{"b": "2"}, name + `,"annotations":{"b":"2"}}}`, name + `,"annotations":{"a":"1","b":"2"}}}`},
		"in place of another":          {map[string]string{"a": "0"}, name + `,"annotations":{"a":"0"}}}`, name + `,"annotations":{"a":"1"}}}`},
		"a map that came meanwhile":    {nil, name + `,"annotations":{"b":"2"}}}`, ""},
		"an entry that came meanwhile": {map[string]string{"a": "0"}, name + `,"annotations":{"a":"9"}}}`, ""},
	} {
		t.Run(title, func(t *testing.T) {
			repair := Repair{Name: "edge"}.Setting("/metadata/annotations", test.entries, map[string]string{"a": "1"})
			got, err := patched(t, test.object, repair.Patch)
			if (err != nil) != (test.want == "") || err == nil && !jsonpatch.Equal(got, []byte(test.want)) {
				t.Errorf("became %s, %v", got, err)
			}
		})
	}
}

func TestTurnOfNothingIsGuarded(t *testing.T) {
	patch := Turn("/args", nil, []string{"--a"})
	if got, err := patched(t, `{}`, patch); err != nil || !jsonpatch.Equal(got, []byte(`{"args":["--a"]}`)) {
		t.Errorf("became %s, %v", got, err)
	}
	if got, err := patched(t, `{"args":["--b"]}`, patch); err == nil {
		t.Errorf("arguments that came meanwhile were lost: %s", got)
	}
}

func patched(t *testing.T, object string, operations []Operation) ([]byte, error) {
	t.Helper()
	body, err := json.Marshal(operations)
	if err != nil {
		t.Fatal(err)
	}
	patch, err := jsonpatch.DecodePatch(body)
	if err != nil {
		t.Fatal(err)
	}
	return patch.Apply([]byte(object))
}
