package main

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/cfwizard/cfwizard"

// rooms are the folders in the order in which imports may run: a room may use
// those before it.
var rooms = []string{"assets", "installer", "steps", "ui", "cli"}

func TestImportsRunOneWay(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
		importer, imports, _ := strings.Cut(line, " ")
		from := roomOf(importer)
		if from < 0 {
			t.Errorf("%s is in none of the rooms %v", importer, rooms)
			continue
		}
		for imported := range strings.FieldsSeq(imports) {
			if to := roomOf(imported); to > from {
				t.Errorf("%s imports %s: %s must not know %s", importer, imported, rooms[from], rooms[to])
			}
			seen++
		}
	}
	if seen < 100 {
		t.Fatalf("only %d imports were looked at", seen)
	}
}

// roomOf is the place of a package in the order; main is above all rooms, and
// what is not ours is below.
func roomOf(path string) int {
	rest, ours := strings.CutPrefix(path, module+"/")
	if path == module {
		return len(rooms)
	}
	if !ours {
		return -1
	}
	first, _, _ := strings.Cut(rest, "/")
	return slices.Index(rooms, first)
}

// make soak fuzzes whatever can be fuzzed.
func TestEveryFuzzerIsSoaked(t *testing.T) {
	out, err := exec.Command("sh", "scripts/fuzzers").Output()
	if err != nil {
		t.Fatal(err)
	}
	listed, found := strings.Fields(string(out)), []string{}
	eachGoFile(t, func(path string) bool { return strings.HasSuffix(path, "_test.go") }, func(path string, file *ast.File, _ *token.FileSet) {
		for _, declared := range file.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Fuzz") {
				found = append(found, "./"+filepath.ToSlash(filepath.Dir(path))+":"+f.Name.Name)
			}
		}
	})
	slices.Sort(listed)
	slices.Sort(found)
	if len(found) < 15 || !slices.Equal(listed, found) {
		t.Errorf("scripts/fuzzers lists %v, there are %v", listed, found)
	}
}

// What a room must never know, by the package paths that would betray it.
func TestRoomsKeepToThemselves(t *testing.T) {
	for room, forbidden := range map[string][]string{
		"./installer/...": {"github.com/charmbracelet/bubbletea"},
		"./steps/...":     {"github.com/charmbracelet/bubbletea"},
		"./...":           {"k8s.io/kubernetes", module + "/sandbox"},
	} {
		out, err := exec.Command("go", "list", "-deps", room).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range forbidden {
			for dependency := range strings.SplitSeq(string(out), "\n") {
				if dependency == path || strings.HasPrefix(dependency, path+"/") {
					t.Errorf("%s reaches %s", room, dependency)
				}
			}
		}
	}
	goMod, err := os.ReadFile("go.mod")
	if err != nil || strings.Contains(string(goMod), "k8s.io/kubernetes ") {
		t.Errorf("go.mod names k8s.io/kubernetes (%v)", err)
	}
}

// The front must not talk to clusters or networks by itself, and nothing below
// the commands may read flags.
func TestNoRoomUsesWhatIsNotItsOwn(t *testing.T) {
	never := map[string][]string{
		"assets":    {"os", "net/http"},
		"steps":     {"net/http", "k8s.io/client-go/kubernetes", "helm.sh/helm/v3/pkg/action"},
		"ui":        {"net/http", "k8s.io/client-go/kubernetes", "helm.sh/helm/v3/pkg/action", "github.com/spf13/cobra"},
		"installer": {"flag", "github.com/spf13/cobra", "github.com/charmbracelet/lipgloss"},
	}
	forEachFile(t, func(path string, file *ast.File, _ *token.FileSet) {
		room, _, _ := strings.Cut(filepath.ToSlash(path), "/")
		for _, spec := range file.Imports {
			if name := strings.Trim(spec.Path.Value, `"`); slices.Contains(never[room], name) {
				t.Errorf("%s imports %s", path, name)
			}
		}
	})
}

const (
	maxLines      = 300
	maxStatements = 60
)

func TestFilesAndFunctionsCanBeTakenIn(t *testing.T) {
	forEachFile(t, func(path string, file *ast.File, set *token.FileSet) {
		if lines := set.File(file.Pos()).LineCount(); lines > maxLines {
			t.Errorf("%s has %d lines, at most %d are wanted", path, lines, maxLines)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncDecl); ok && f.Body != nil && statements(f.Body) > maxStatements {
				t.Errorf("%s: %s has %d statements, at most %d are wanted", path, f.Name.Name, statements(f.Body), maxStatements)
			}
			return true
		})
	})
}

func statements(body *ast.BlockStmt) int {
	count := 0
	ast.Inspect(body, func(n ast.Node) bool {
		if _, ok := n.(ast.Stmt); ok {
			if _, block := n.(*ast.BlockStmt); !block {
				count++
			}
		}
		return true
	})
	return count
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	described := map[string]bool{}
	forEachFile(t, func(path string, file *ast.File, _ *token.FileSet) {
		dir := filepath.Dir(path)
		described[dir] = described[dir] || file.Doc != nil
	})
	for dir, has := range described {
		if !has {
			t.Errorf("no file of %s has a package comment", dir)
		}
	}
}

// forEachFile parses the Go files of both modules, but for tests.
func forEachFile(t *testing.T, see func(path string, file *ast.File, set *token.FileSet)) {
	t.Helper()
	eachGoFile(t, func(path string) bool { return !strings.HasSuffix(path, "_test.go") }, see)
}

// eachGoFile parses the Go files that are wanted.
func eachGoFile(t *testing.T, wanted func(path string) bool, see func(path string, file *ast.File, set *token.FileSet)) {
	t.Helper()
	seen := 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || !wanted(path) {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
		if err != nil {
			return fmt.Errorf("parsing %s: %w", path, err)
		}
		seen++
		see(path, file, set)
		return nil
	})
	if err != nil || seen < 50 {
		t.Fatalf("looked at %d files: %v", seen, err)
	}
}

// The linked Helm is the one that the bench and the tests compare with, and
// the tools are pinned.
func TestVersionsArePinned(t *testing.T) {
	for file, want := range map[string]string{
		"go.mod": "tool helm.sh/helm/v3/cmd/helm", "tools/go.mod": "honnef.co/go/tools v", "sandbox/go.mod": "k8s.io/kubernetes v",
	} {
		if !hasLine(t, file, want) {
			t.Errorf("%s does not say %q", file, want)
		}
	}
}

func hasLine(t *testing.T, name, part string) bool {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		if strings.Contains(lines.Text(), part) {
			return true
		}
	}
	return false
}
