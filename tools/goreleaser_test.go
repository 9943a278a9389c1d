// Package tools holds the project's release configuration to goreleaser's own
// reader.
package tools

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goreleaser/goreleaser/v2/pkg/config"
)

const file = "../.goreleaser.yaml"

func TestReleaseConfigIsRead(t *testing.T) {
	project, err := config.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(project.Builds) != 1 {
		t.Fatalf("%d builds, want 1", len(project.Builds))
	}
	build := project.Builds[0]
	slices.Sort(build.Goos)
	slices.Sort(build.Goarch)
	if !slices.Equal(build.Goos, []string{"darwin", "linux", "windows"}) || !slices.Equal(build.Goarch, []string{"amd64", "arm64"}) {
		t.Errorf("builds for %v on %v", build.Goos, build.Goarch)
	}
	if !strings.Contains(strings.Join(build.Ldflags, " "), "-X main.version={{ .Version }}") {
		t.Errorf("the version is not stamped: %v", build.Ldflags)
	}
}

// The reader is strict, so that the test above means something.
func TestTheReaderRefusesWhatItDoesNotKnow(t *testing.T) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	wrong := filepath.Join(t.TempDir(), "goreleaser.yaml")
	if err := os.WriteFile(wrong, []byte(strings.Replace(string(data), "builds:", "buidls:", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(wrong); err == nil {
		t.Error("a misspelt key was accepted")
	}
}
