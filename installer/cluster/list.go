package cluster

import (
	"context"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// pageSize keeps the memory of one answer small.
const pageSize = 500

// listFunc is the List method of a typed client.
type listFunc[L any] func(context.Context, metav1.ListOptions) (L, error)

// readList reads a list page by page and hands each item to take, under the
// lock. The pages are let go as soon as they are taken.
func readList[L runtime.Object, T any](r *reader, ctx context.Context, what string, list listFunc[L], take func(T)) {
	r.read(what, func() (func(), error) {
		err := pages(ctx, list, func(page L) {
			r.mu.Lock()
			defer r.mu.Unlock()
			_ = meta.EachListItem(page, func(item runtime.Object) error {
				if typed, ok := any(item).(*T); ok {
					take(*typed)
				}
				return nil
			})
		})
		return func() {}, err
	})
}

// pages follows the continue token. A token that has grown too old is rare
// and short reading is worse than none, so that it is an error.
func pages[L runtime.Object](ctx context.Context, list listFunc[L], page func(L)) error {
	options := metav1.ListOptions{Limit: pageSize}
	for {
		got, err := list(ctx, options)
		if err != nil {
			return ignoreAbsent(err)
		}
		page(got)
		listed, err := meta.ListAccessor(got)
		if err != nil {
			return err
		}
		options.Continue = listed.GetContinue()
		if options.Continue == "" {
			return nil
		}
	}
}

// ignoreAbsent takes a kind that the API server does not serve as an empty
// list.
func ignoreAbsent(err error) error {
	if apierrors.IsNotFound(err) {
		return nil
	}
	return err
}

// running leaves out the pods that have ended: they ask for nothing.
func running[L any](list listFunc[L]) listFunc[L] {
	return func(ctx context.Context, options metav1.ListOptions) (L, error) {
		options.FieldSelector = "status.phase!=Succeeded,status.phase!=Failed"
		return list(ctx, options)
	}
}

// named lists the objects of one name in all namespaces.
func named[L any](name string, list listFunc[L]) listFunc[L] {
	return func(ctx context.Context, options metav1.ListOptions) (L, error) {
		options.FieldSelector = "metadata.name=" + name
		return list(ctx, options)
	}
}
