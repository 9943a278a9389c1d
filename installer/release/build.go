package release

import (
	"io"
	"strconv"
	"strings"

	"helm.sh/helm/v3/pkg/kube"
	"k8s.io/apimachinery/pkg/version"
)

// validatesFields is the minor version since which API servers validate fields
// themselves, and clients leave it to them.
const validatesFields = 27

// Build reads manifests. To find out that the API server validates them, Helm
// would read the description of the whole API, which takes longer than all else
// here; the server's version tells it too.
func (k *kubeClient) Build(manifests io.Reader, validate bool) (kube.ResourceList, error) {
	return k.Client.Build(manifests, validate && !k.serverValidates())
}

func checksFields(v *version.Info) bool {
	major, err := strconv.Atoi(v.Major)
	if err != nil {
		return false
	}
	minor, err := strconv.Atoi(strings.TrimRight(v.Minor, "+"))
	return err == nil && (major > 1 || major == 1 && minor >= validatesFields)
}
