package installer

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/zalando/go-keyring"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/cluster"
	"github.com/cfwizard/cfwizard/installer/journal"
	"github.com/cfwizard/cfwizard/installer/problem"
	"github.com/cfwizard/cfwizard/installer/secret"
)

const (
	keyringService = "cfwizard"
	maxSecretBytes = 64 << 10
)

// Vault finds secrets: those that were typed, which live only here, and those
// that the answers refer to.
type Vault struct {
	mu    sync.Mutex
	typed map[string]secret.Value // by answers field
	found []secret.Value          // all that were looked up
}

// Keep holds a typed secret for a field until the program ends.
func (v *Vault) Keep(field string, value secret.Value) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.typed == nil {
		v.typed = map[string]secret.Value{}
	}
	v.typed[field] = value
	journal.Hide(value)
}

// Find gives a field's secret, or says why it is not to be had. A secret that
// is not given at all is empty, without an error.
func (v *Vault) Find(ctx context.Context, a answers.Answers, field string, ref answers.SecretRef) (secret.Value, error) {
	v.mu.Lock()
	typed, ok := v.typed[field]
	v.mu.Unlock()
	if ok && !typed.Empty() {
		return typed, nil
	}
	plain, err := read(ctx, a, ref)
	if err != nil && problem.KindOf(err) == problem.Unreachable {
		return secret.Value{}, err
	}
	if err != nil {
		return secret.Value{}, &problem.Problem{Kind: problem.Invalid, Cause: "secret-missing", Field: field,
			What: "the secret is not to be had", Why: err.Error(), Fix: fixFor(ref), Err: err}
	}
	value := secret.New(plain)
	v.remember(value)
	journal.Hide(value)
	return value, nil
}

func (v *Vault) remember(value secret.Value) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if !value.Empty() && !slices.ContainsFunc(v.found, func(known secret.Value) bool { return known.Reveal() == value.Reveal() }) {
		v.found = append(v.found, value)
	}
}

// used are all secrets of this run, to be taken out of texts.
func (v *Vault) used() []secret.Value {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.AppendSeq(slices.Clone(v.found), maps.Values(v.typed))
}

func read(ctx context.Context, a answers.Answers, ref answers.SecretRef) (string, error) {
	switch {
	case ref.Env != "":
		value := os.Getenv(ref.Env)
		if value == "" {
			return "", fmt.Errorf("the environment variable %s is empty", ref.Env)
		}
		return value, nil
	case ref.File != "":
		return readFile(ref.File)
	case ref.Keyring != "":
		value, err := keyring.Get(keyringService, ref.Keyring)
		if err != nil {
			return "", fmt.Errorf("the keyring has no %s for %s: %w", ref.Keyring, keyringService, err)
		}
		return value, nil
	case ref.SecretRef != nil:
		return readFromCluster(ctx, a, *ref.SecretRef)
	}
	return "", nil
}

func readFile(path string) (string, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", fmt.Errorf("the file %s cannot be read", path)
	case info.IsDir():
		return "", fmt.Errorf("%s is a folder", path)
	case info.Size() > maxSecretBytes:
		return "", fmt.Errorf("%s is too large for a secret", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("the file %s cannot be read", path)
	}
	value := strings.TrimRight(string(data), "\r\n")
	if value == "" {
		return "", fmt.Errorf("the file %s is empty", path)
	}
	return value, nil
}

func readFromCluster(ctx context.Context, a answers.Answers, ref answers.KeyInSecret) (string, error) {
	connection, err := cluster.Connect(a.Cluster, a.Runtime.Namespace)
	if err != nil {
		return "", err
	}
	found, err := connection.Client.CoreV1().Secrets(a.Runtime.Namespace).Get(ctx, ref.Name, metav1.GetOptions{})
	if err != nil {
		if silent := connection.Ping(ctx); silent != nil {
			return "", silent
		}
		return "", fmt.Errorf("the Secret %s in namespace %s cannot be read: %w", ref.Name, a.Runtime.Namespace, err)
	}
	value, ok := found.Data[ref.Key]
	if !ok {
		return "", errors.New("the Secret " + ref.Name + " has no key " + ref.Key)
	}
	return string(value), nil
}

func fixFor(ref answers.SecretRef) string {
	switch {
	case ref.Env != "":
		return "Set it: export " + ref.Env + "=…, or refer to another source."
	case ref.File != "":
		return "Put the secret into " + ref.File + ", readable only by you."
	case ref.Keyring != "":
		return "Store it in the keyring as user " + ref.Keyring + " of service " + keyringService + "."
	}
	return "Create the Secret in the runtime's namespace, or refer to another source."
}
