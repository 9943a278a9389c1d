// Package chart holds the stand-in chart and packs it as helm package does.
package chart

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"sigs.k8s.io/yaml"
)

//go:embed all:gitops-runtime
var files embed.FS

// Name is the chart's name.
const Name = "gitops-runtime"

// Option changes the chart's files before they are packed, by their paths.
type Option func(files map[string][]byte)

// Pack gives the chart as a .tgz and its metadata as JSON. With a version,
// Chart.yaml says that version instead of its own.
func Pack(version string, options ...Option) (metadata, archive []byte, err error) {
	content, err := read()
	if err != nil {
		return nil, nil, fmt.Errorf("reading the chart: %w", err)
	}
	for _, option := range options {
		option(content)
	}
	about := Name + "/Chart.yaml"
	if content[about], metadata, err = describe(content[about], version); err != nil {
		return nil, nil, fmt.Errorf("describing the chart: %w", err)
	}
	archive, err = pack(content)
	if err != nil {
		return nil, nil, fmt.Errorf("packing the chart: %w", err)
	}
	return metadata, archive, nil
}

func read() (map[string][]byte, error) {
	content := map[string][]byte{}
	err := fs.WalkDir(files, Name, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content[path], err = files.ReadFile(path)
		return err
	})
	return content, err
}

func pack(content map[string][]byte) ([]byte, error) {
	var out bytes.Buffer
	zipped := gzip.NewWriter(&out)
	packed := tar.NewWriter(zipped)
	for _, path := range slices.Sorted(maps.Keys(content)) {
		if err := add(packed, path, content[path]); err != nil {
			return nil, err
		}
	}
	err := errors.Join(packed.Close(), zipped.Close())
	return out.Bytes(), err
}

func describe(chartYAML []byte, version string) (content, metadata []byte, err error) {
	fields := map[string]any{}
	if err := yaml.Unmarshal(chartYAML, &fields); err != nil {
		return nil, nil, err
	}
	if version != "" {
		fields["version"] = version
	}
	content, err = yaml.Marshal(fields)
	if err != nil {
		return nil, nil, err
	}
	metadata, err = yaml.YAMLToJSON(content)
	return content, metadata, err
}

// add writes a file with a fixed time, so that the same chart packs to the
// same bytes.
func add(packed *tar.Writer, path string, content []byte) error {
	header := &tar.Header{Name: path, Mode: 0o644, Size: int64(len(content)), ModTime: time.Unix(0, 0), Typeflag: tar.TypeReg}
	if err := packed.WriteHeader(header); err != nil {
		return err
	}
	_, err := packed.Write(content)
	return err
}
