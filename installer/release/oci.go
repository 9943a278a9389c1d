package release

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"time"

	"helm.sh/helm/v3/pkg/registry"

	"github.com/cfwizard/cfwizard/installer/plan"
	"github.com/cfwizard/cfwizard/installer/text"
)

// The bounds of a pull.
const (
	maxChartBytes    = 20 << 20
	maxManifestBytes = 1 << 20
	pullTimeout      = 2 * time.Minute
	answerTimeout    = 10 * time.Second // for the registry to begin to answer
)

// archive is a chart as it is packed.
type archive struct {
	content []byte
	digest  string
	note    string // what is to be known about where it came from
}

// ociSource pulls charts, each once.
type ociSource struct {
	cache chartCache
	pulls shared[archive]
	base  http.RoundTripper
}

func newOCISource(c chartCache) *ociSource {
	base := http.DefaultTransport.(*http.Transport).Clone()
	base.DialContext = (&net.Dialer{Timeout: answerTimeout}).DialContext
	base.ResponseHeaderTimeout = answerTimeout
	return &ociSource{cache: c, base: base}
}

// get gives a chart of a registry. It is pulled once; all who ask share it.
func (s *ociSource) get(ctx context.Context, reference, version string) (archive, error) {
	return s.pulls.get(ctx, reference+"\n"+version, func(ctx context.Context) (archive, error) {
		ctx, cancel := context.WithTimeout(ctx, pullTimeout)
		defer cancel()
		return s.fetch(ctx, reference, version)
	})
}

// PullAhead begins to pull a plan's chart, for whoever asks for it next. It is
// given up with the context, unless somebody waits for it.
func PullAhead(ctx context.Context, p plan.Plan) {
	if registry.IsOCI(p.Chart) {
		go func() { _, _ = charts.get(ctx, p.Chart, p.Version) }() // whoever needs it is told what is wrong with it
	}
}

// fetch asks the registry what the version is, and pulls it unless it is in
// the cache. A registry that does not answer leaves what it said before.
func (s *ociSource) fetch(ctx context.Context, reference, version string) (archive, error) {
	bound := &leash{ctx: ctx, base: s.base}
	found, err := s.ask(bound, reference, version)
	if err == nil {
		return found, nil
	}
	if !bound.silent.Load() || errors.Is(ctx.Err(), context.Canceled) {
		return archive{}, err
	}
	known, missing := s.cache.recall(reference, version)
	if missing != nil {
		return archive{}, err
	}
	content, missing := s.cache.chart(known.Manifest)
	if missing != nil {
		return archive{}, err
	}
	return archive{content: content, digest: digestOf(content), note: fmt.Sprintf("The registry does not answer (%s). Version %s is used, which was asked for on %s.",
		text.Line(err.Error()), text.Line(known.Tag), known.Time.Local().Format("2 January 2006 15:04"))}, nil
}

func (s *ociSource) ask(bound *leash, reference, version string) (archive, error) {
	client, err := newRegistryClient(bound, reference)
	if err != nil {
		return archive{}, err
	}
	repository := strings.TrimPrefix(reference, registry.OCIScheme+"://")
	tag, err := findTag(client, repository, version)
	if err != nil {
		return archive{}, err
	}
	manifest, err := client.Resolve(repository + ":" + tag)
	if err != nil {
		return archive{}, err
	}
	digest := manifest.Digest.String()
	content, err := s.cache.chart(digest)
	if err != nil {
		pulled, err := client.Pull(repository + ":" + tag)
		if err != nil {
			return archive{}, err
		}
		digest, content = pulled.Manifest.Digest, pulled.Chart.Data
		_ = s.cache.keep(pulled.Manifest.Data, content) // without a cache it is pulled again next time
	}
	_ = s.cache.remember(resolution{Reference: reference, Asked: version, Tag: tag, Manifest: digest, Time: time.Now()})
	return archive{content: content, digest: digestOf(content)}, nil
}

func newRegistryClient(bound *leash, reference string) (*registry.Client, error) {
	options := []registry.ClientOption{registry.ClientOptWriter(io.Discard), registry.ClientOptEnableCache(true),
		registry.ClientOptHTTPClient(&http.Client{Transport: bound})}
	if plan.PlainHTTP(reference) {
		options = append(options, registry.ClientOptPlainHTTP())
	}
	client, err := registry.NewClient(options...)
	if err != nil {
		return nil, fmt.Errorf("preparing the registry client: %w", err)
	}
	return client, nil
}

// exactVersion is a version that is a tag by itself.
var exactVersion = regexp.MustCompile(`^\d+\.\d+\.\d+([-+][0-9A-Za-z.+-]+)?$`)

func findTag(client *registry.Client, repository, version string) (string, error) {
	if exactVersion.MatchString(version) {
		return version, nil
	}
	tags, err := client.Tags(repository)
	if err != nil {
		return "", err
	}
	return registry.GetTagMatchingVersionOrConstraint(tags, version)
}

// chartLayer is the digest of the chart that a manifest names.
func chartLayer(manifest []byte) (string, error) {
	var parsed struct {
		Layers []struct {
			MediaType string `json:"mediaType"`
			Digest    string `json:"digest"`
		} `json:"layers"`
	}
	if err := json.Unmarshal(manifest, &parsed); err != nil {
		return "", fmt.Errorf("reading the manifest: %w", err)
	}
	for _, layer := range parsed.Layers {
		if layer.MediaType == registry.ChartLayerMediaType || layer.MediaType == registry.LegacyChartLayerMediaType {
			return layer.Digest, nil
		}
	}
	return "", errors.New("the manifest names no chart")
}
