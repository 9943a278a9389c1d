package git

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// hookPages is how many pages of webhooks are read at most, of a hundred each.
const hookPages = 10

func (g gitHubAPI) webhooks(ctx context.Context, w *work) ([]Webhook, error) {
	var hooks []Webhook
	for page := 1; page <= hookPages; page++ {
		var told []struct {
			ID           int
			Config       struct{ URL string }
			LastResponse struct{ Code int } `json:"last_response"`
		}
		got := w.client.send(ctx, g.call(w.Question, gitHubPath(w.name)+"/hooks?per_page=100&page="+strconv.Itoa(page)))
		if err := w.settle(got, &told); err != nil {
			return nil, err
		}
		for _, one := range told {
			hooks = append(hooks, Webhook{ID: strconv.Itoa(one.ID), Address: one.Config.URL, LastCode: one.LastResponse.Code})
		}
		if !strings.Contains(got.header.Get("Link"), `rel="next"`) {
			break
		}
	}
	return hooks, nil
}

func (g gitHubAPI) deliveries(ctx context.Context, w *work, hook Webhook) ([]Delivery, error) {
	var told []struct {
		DeliveredAt time.Time `json:"delivered_at"`
		StatusCode  int       `json:"status_code"`
	}
	if err := w.read(ctx, g.call(w.Question, gitHubPath(w.name)+"/hooks/"+hook.ID+"/deliveries"), &told); err != nil {
		return nil, err
	}
	var deliveries []Delivery
	for _, one := range told {
		deliveries = append(deliveries, Delivery{At: one.DeliveredAt, Code: one.StatusCode})
	}
	return deliveries, nil
}

func (g gitHubAPI) deleteBranch(ctx context.Context, w *work) error {
	one := g.call(w.Question, gitHubPath(w.name)+"/git/refs/heads/"+escapePath(w.Repo.Ref))
	one.method = http.MethodDelete
	return w.settle(w.client.send(ctx, one), nil)
}
