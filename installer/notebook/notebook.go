// Package notebook keeps in the cluster what a colleague on another machine
// needs to go on: the answers, which hold no secret, and the choices made on the
// checklist. It is a ConfigMap of ours beside the release.
package notebook

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"

	"github.com/cfwizard/cfwizard/installer/answers"
)

// Label marks a notebook, with the release that it is about.
const Label = "cfwizard.io/notebook"

const (
	answersKey = "answers.yaml"
	choicesKey = "choices.json"
)

// Notebook is what was written down about one release.
type Notebook struct {
	Namespace, Release string
	Answers            *answers.Answers // nil when the release was installed by other means
	Choices            map[string]string
}

// Name is the ConfigMap of a release.
func Name(release string) string { return "cfwizard-" + release }

// Read gives the notebook of a release, empty when there is none.
func Read(ctx context.Context, client kubernetes.Interface, namespace, release string) (Notebook, error) {
	found, err := client.CoreV1().ConfigMaps(namespace).Get(ctx, Name(release), metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return Notebook{Namespace: namespace, Release: release, Choices: map[string]string{}}, nil
	}
	if err != nil {
		return Notebook{}, fmt.Errorf("reading what was written down about release %s: %w", release, err)
	}
	return parse(*found)
}

// All gives the notebooks of a namespace, or of the cluster when it is empty.
func All(ctx context.Context, client kubernetes.Interface, namespace string) ([]Notebook, error) {
	list, err := client.CoreV1().ConfigMaps(namespace).List(ctx, metav1.ListOptions{LabelSelector: Label})
	if err != nil {
		return nil, fmt.Errorf("looking for installs in the cluster: %w", err)
	}
	var all []Notebook
	for _, found := range list.Items {
		book, err := parse(found)
		if err != nil {
			return nil, err
		}
		all = append(all, book)
	}
	return all, nil
}

// Change writes into the notebook of a release, whoever else writes too.
func Change(ctx context.Context, client kubernetes.Interface, namespace, release string, edit func(*Notebook)) error {
	maps := client.CoreV1().ConfigMaps(namespace)
	return retry.OnError(retry.DefaultBackoff, contested, func() error {
		found, err := maps.Get(ctx, Name(release), metav1.GetOptions{})
		missing := apierrors.IsNotFound(err)
		if err != nil && !missing {
			return err
		}
		if missing {
			found = &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: Name(release), Namespace: namespace}}
		}
		if err := rewrite(found, release, edit); err != nil {
			return err
		}
		if missing {
			_, err = maps.Create(ctx, found, metav1.CreateOptions{})
		} else {
			_, err = maps.Update(ctx, found, metav1.UpdateOptions{})
		}
		return err
	})
}

func contested(err error) bool { return apierrors.IsConflict(err) || apierrors.IsAlreadyExists(err) }

func rewrite(into *corev1.ConfigMap, release string, edit func(*Notebook)) error {
	book, err := parse(*into)
	if err != nil {
		return err
	}
	book.Release = release
	edit(&book)
	into.Data = map[string]string{}
	if book.Answers != nil {
		written, err := book.Answers.Write()
		if err != nil {
			return err
		}
		into.Data[answersKey] = string(written)
	}
	choices, err := json.Marshal(book.Choices)
	if err != nil {
		return err
	}
	into.Data[choicesKey] = string(choices)
	if into.Labels == nil {
		into.Labels = map[string]string{}
	}
	maps.Copy(into.Labels, map[string]string{"app.kubernetes.io/managed-by": "cfwizard", Label: release})
	return nil
}

// parse reads strictly: what somebody else has put there is told, not guessed.
func parse(from corev1.ConfigMap) (Notebook, error) {
	book := Notebook{Namespace: from.Namespace, Release: from.Labels[Label], Choices: map[string]string{}}
	place := "ConfigMap " + from.Namespace + "/" + from.Name
	if written, ok := from.Data[answersKey]; ok {
		given, _, err := answers.Read(place, []byte(written), answers.Default())
		if err != nil {
			return book, err
		}
		book.Answers = &given
	}
	if written, ok := from.Data[choicesKey]; ok {
		if err := json.Unmarshal([]byte(written), &book.Choices); err != nil {
			return book, fmt.Errorf("%s: %s: %w", place, choicesKey, err)
		}
	}
	if book.Choices == nil {
		book.Choices = map[string]string{}
	}
	return book, nil
}
