package release

import (
	"bytes"
	"io"
	"strings"
	"sync"

	"helm.sh/helm/v3/pkg/kube"
)

// largeManifest is where reading and validating in two parts pays.
const largeManifest = 256 << 10

// Build reads manifests and validates them, as Helm does, but a large release
// in two parts at once: most of it is CRDs, and a validation is slow.
func (k *kubeClient) Build(manifests io.Reader, validate bool) (kube.ResourceList, error) {
	content, err := io.ReadAll(manifests)
	if err != nil {
		return nil, err
	}
	var (
		group sync.WaitGroup
		built [2]kube.ResourceList
		errs  [2]error
	)
	for i, half := range halves(string(content)) {
		group.Go(func() { built[i], errs[i] = k.Client.Build(strings.NewReader(half), validate) })
	}
	group.Wait()
	if err := firstError(errs[:]); err != nil {
		// Helm's own words are about the whole.
		return k.Client.Build(bytes.NewReader(content), validate)
	}
	return append(built[0], built[1]...), nil
}

// halves cuts a large manifest between two documents, near the middle.
func halves(manifest string) []string {
	if len(manifest) < largeManifest {
		return []string{manifest}
	}
	const between = "\n---\n"
	middle := len(manifest) / 2
	if at := strings.LastIndex(manifest[:middle], between); at >= 0 {
		return []string{manifest[:at+1], manifest[at+1:]}
	}
	return []string{manifest}
}
