package release

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/metadata"
)

const crdPause = 5 * time.Second

// waitForCRDs waits until each CRD is served. They are large, so that only
// what is new of them is heard, and only their status is decoded.
func (k *kubeClient) waitForCRDs(ctx context.Context, infos []*resource.Info) error {
	if len(infos) == 0 {
		return nil
	}
	client, err := metadata.NewForConfig(k.config)
	if err != nil {
		return err
	}
	var work sync.WaitGroup
	errs := make([]error, len(infos))
	for i, info := range infos {
		work.Go(func() { errs[i] = k.waitForCRD(ctx, client, info) })
	}
	work.Wait()
	return firstError(errs)
}

func (k *kubeClient) waitForCRD(ctx context.Context, client metadata.Interface, info *resource.Info) error {
	for {
		status, err := readCRD(ctx, info)
		if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) {
			return err
		}
		if err == nil {
			served, refused := status.served()
			if refused != "" {
				k.note(info.Name, symptom{Object: objectOf(info), Reason: namesRefused, Message: refused})
			}
			if served {
				return nil
			}
		}
		if err := waitForChange(ctx, client, info, status.Metadata.ResourceVersion); err != nil {
			return err
		}
	}
}

// crdStatus is what is read of a CRD.
type crdStatus struct {
	Metadata struct {
		ResourceVersion string `json:"resourceVersion"`
	} `json:"metadata"`
	Status struct {
		Conditions []apiextensionsv1.CustomResourceDefinitionCondition `json:"conditions"`
	} `json:"status"`
}

func readCRD(ctx context.Context, info *resource.Info) (crdStatus, error) {
	var status crdStatus
	body, err := info.Client.Get().Resource(info.Mapping.Resource.Resource).Name(info.Name).Do(ctx).Raw()
	if err != nil {
		return status, err
	}
	return status, json.Unmarshal(body, &status)
}

// served follows Helm, for whom a CRD whose names are taken is done too.
func (s crdStatus) served() (done bool, refused string) {
	for _, condition := range s.Status.Conditions {
		switch {
		case condition.Type == apiextensionsv1.Established && condition.Status == apiextensionsv1.ConditionTrue:
			done = true
		case condition.Type == apiextensionsv1.NamesAccepted && condition.Status == apiextensionsv1.ConditionFalse:
			done, refused = true, condition.Message
		}
	}
	return done, refused
}

// waitForChange returns when a CRD has changed, or after a while: whatever
// ends the watch, it is looked again.
func waitForChange(ctx context.Context, client metadata.Interface, info *resource.Info, from string) error {
	pause := time.NewTimer(crdPause)
	defer pause.Stop()
	changes, err := client.Resource(info.Mapping.Resource).Watch(ctx, metav1.ListOptions{ResourceVersion: from,
		FieldSelector: fields.OneTermEqualSelector(metav1.ObjectNameField, info.Name).String()})
	if err != nil {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(heartbeat / 10):
			return nil
		}
	}
	defer changes.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-pause.C:
	case <-changes.ResultChan():
	}
	return nil
}
