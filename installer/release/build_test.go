package release

import (
	"fmt"
	"strings"
	"testing"
)

func TestALargeManifestIsCutBetweenDocuments(t *testing.T) {
	document := func(number, size int) string {
		return fmt.Sprintf("---\n# Source: %d\ntext: |\n%s", number, strings.Repeat("  line --- of text\n", size/18))
	}
	var large strings.Builder
	for i := range 20 {
		large.WriteString(document(i, 40_000))
	}
	for name, c := range map[string]struct {
		manifest string
		parts    int
	}{
		"small":                     {document(0, 100) + document(1, 100), 1},
		"large":                     {large.String(), 2},
		"one document":              {document(0, 600_000), 1},
		"the first one is too long": {document(0, 600_000) + document(1, 10_000), 1},
	} {
		parts := halves(c.manifest)
		if len(parts) != c.parts {
			t.Errorf("%s: %d parts, want %d", name, len(parts), c.parts)
		}
		if strings.Join(parts, "") != c.manifest {
			t.Errorf("%s: the parts are not the whole", name)
		}
		for _, part := range parts {
			if !strings.HasPrefix(part, "---\n") {
				t.Errorf("%s: a part begins with %.20q", name, part)
			}
		}
	}
}
