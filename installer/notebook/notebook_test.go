package notebook

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/cfwizard/cfwizard/installer/answers"
)

func TestWhatOneWritesAnotherReads(t *testing.T) {
	client := fake.NewClientset()
	given := answers.Default()
	given.Runtime.Name = "payments"
	if err := Change(t.Context(), client, "codefresh", "cf", func(b *Notebook) { b.Answers = &given }); err != nil {
		t.Fatal(err)
	}
	if err := Change(t.Context(), client, "codefresh", "cf", func(b *Notebook) { b.Choices["git-source"] = "skipped" }); err != nil {
		t.Fatal(err)
	}
	book, err := Read(t.Context(), client, "codefresh", "cf")
	if err != nil {
		t.Fatal(err)
	}
	if book.Answers == nil || book.Answers.Runtime.Name != "payments" || book.Choices["git-source"] != "skipped" {
		t.Errorf("read %+v", book)
	}
	all, err := All(t.Context(), client, "")
	if err != nil || len(all) != 1 || all[0].Release != "cf" || all[0].Namespace != "codefresh" {
		t.Errorf("found %+v, %v", all, err)
	}
}

func TestNothingWrittenIsEmpty(t *testing.T) {
	book, err := Read(t.Context(), fake.NewClientset(), "codefresh", "cf")
	if err != nil || book.Answers != nil || book.Choices == nil || book.Release != "cf" {
		t.Errorf("got %+v, %v", book, err)
	}
}

func TestForeignContentIsTold(t *testing.T) {
	for key, content := range map[string]string{answersKey: "runtime: {nmae: x}", choicesKey: "[1]"} {
		client := fake.NewClientset(&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: Name("cf"), Namespace: "codefresh"}, Data: map[string]string{key: content}})
		_, err := Read(t.Context(), client, "codefresh", "cf")
		if err == nil || !strings.Contains(err.Error(), "ConfigMap codefresh/cfwizard-cf") {
			t.Errorf("%s: %v", key, err)
		}
		err = Change(t.Context(), client, "codefresh", "cf", func(*Notebook) {})
		if err == nil {
			t.Errorf("%s was overwritten", key)
		}
	}
}
