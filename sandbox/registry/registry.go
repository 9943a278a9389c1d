// Package registry is the sandbox's OCI registry on loopback, with the
// stand-in chart in it.
package registry

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/distribution/distribution/v3/configuration"
	"github.com/distribution/distribution/v3/registry/handlers"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/inmemory" // where the images are kept
	"github.com/sirupsen/logrus"
)

// New is a registry that keeps everything in memory.
func New(ctx context.Context) http.Handler {
	logrus.SetLevel(logrus.ErrorLevel)
	config := &configuration.Configuration{Storage: configuration.Storage{"inmemory": {}, "delete": {"enabled": true}}}
	config.Log.Level, config.Log.AccessLog.Disabled = "error", true
	config.Catalog.MaxEntries = 100
	config.HTTP.Secret = "sandbox"
	return handlers.NewApp(ctx, config)
}

const (
	configType   = "application/vnd.cncf.helm.config.v1+json"
	chartType    = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
	manifestType = "application/vnd.oci.image.manifest.v1+json"
)

type descriptor struct {
	MediaType string `json:"mediaType"`
	Digest    string `json:"digest"`
	Size      int    `json:"size"`
}

// Push puts a packed chart into a registry as helm push does. Metadata is
// Chart.yaml as JSON.
func Push(registry http.Handler, repository, tag string, metadata, archive []byte) error {
	config, err := pushBlob(registry, repository, configType, metadata)
	if err != nil {
		return err
	}
	layer, err := pushBlob(registry, repository, chartType, archive)
	if err != nil {
		return err
	}
	manifest, err := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": manifestType, "config": config, "layers": []descriptor{layer}})
	if err != nil {
		return err
	}
	return send(registry, http.MethodPut, "/v2/"+repository+"/manifests/"+tag, manifestType, manifest, http.StatusCreated).err
}

func pushBlob(registry http.Handler, repository, mediaType string, content []byte) (descriptor, error) {
	d := descriptor{MediaType: mediaType, Digest: fmt.Sprintf("sha256:%x", sha256.Sum256(content)), Size: len(content)}
	begun := send(registry, http.MethodPost, "/v2/"+repository+"/blobs/uploads/", "", nil, http.StatusAccepted)
	if begun.err != nil {
		return d, begun.err
	}
	location := begun.Header().Get("Location")
	separator := "?"
	if strings.Contains(location, "?") {
		separator = "&"
	}
	return d, send(registry, http.MethodPut, location+separator+"digest="+d.Digest, "application/octet-stream", content, http.StatusCreated).err
}

type answer struct {
	*httptest.ResponseRecorder
	err error
}

// send calls the registry without a network.
func send(registry http.Handler, method, url, contentType string, body []byte, want int) answer {
	request := httptest.NewRequest(method, url, bytes.NewReader(body))
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	a := answer{ResponseRecorder: httptest.NewRecorder()}
	registry.ServeHTTP(a, request)
	if a.Code != want {
		a.err = fmt.Errorf("%s %s: the registry answers %d: %s", method, url, a.Code, a.Body.String())
	}
	return a
}
