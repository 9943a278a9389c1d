package chart

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path"
	"strings"
	"testing"
)

// unpacked reads a packed chart.
func unpacked(t *testing.T, options ...Option) map[string]string {
	t.Helper()
	_, archive, err := Pack("1.2.3", options...)
	if err != nil {
		t.Fatal(err)
	}
	zipped, err := gzip.NewReader(bytes.NewReader(archive))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for packed := tar.NewReader(zipped); ; {
		header, err := packed.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(packed)
		if err != nil {
			t.Fatal(err)
		}
		files[header.Name] = string(content)
	}
}

func TestTheLargeChartHasTheRealOnesSizes(t *testing.T) {
	copied, read, crds := 0, 0, 0
	for name, content := range unpacked(t, Large) {
		switch {
		case strings.HasSuffix(name, "_schemas.tpl"):
			crds += len(content)
		case strings.Contains(name, "/templates/"):
			copied += strings.Count(content, "deepCopy . }}")
		case path.Ext(name) == ".md" || path.Ext(name) == ".json":
			read += len(content)
		}
	}
	for what, size := range map[string]struct{ got, least, most int }{
		"deep copies": {copied, 119, 119}, "bytes of files": {read, 460_000, 480_000}, "bytes of CRDs": {crds, 1_900_000, 2_100_000},
	} {
		if size.got < size.least || size.got > size.most {
			t.Errorf("%d %s, want %d to %d", size.got, what, size.least, size.most)
		}
	}
}

func TestTheSameChartPacksToTheSameBytes(t *testing.T) {
	for _, options := range [][]Option{nil, {Large}} {
		_, first, err := Pack("1.2.3", options...)
		if err != nil {
			t.Fatal(err)
		}
		_, second, err := Pack("1.2.3", options...)
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("the second time it is another archive (%v)", err)
		}
	}
}

func TestTheVersionIsInTheChart(t *testing.T) {
	if about := unpacked(t)[Name+"/Chart.yaml"]; !strings.Contains(about, "version: 1.2.3\n") {
		t.Errorf("Chart.yaml says\n%s", about)
	}
}
