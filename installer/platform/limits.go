package platform

import "context"

// Limits is how many clusters the account's plan allows, and how many it has.
type Limits struct {
	Known         bool // false where the platform does not tell
	Limited       bool // false where the plan sets no limit
	ClustersUsed  int
	ClustersLimit int
}

// Reached reports whether the plan has no room for one more cluster.
func (l Limits) Reached() bool { return l.Known && l.Limited && l.ClustersUsed >= l.ClustersLimit }

// Limits asks for them. A platform that does not tell is no error.
func (c *Client) Limits(ctx context.Context) (Limits, error) {
	type amounts struct{ Clusters *int }
	var data struct {
		LimitsStatus *struct{ Usage, Limits *amounts }
	}
	const query = `query LimitsStatus { limitsStatus { usage { clusters } limits { clusters } } }`
	if err := c.query(ctx, query, nil, &data); err != nil {
		return Limits{}, unlessUntold(err)
	}
	status := data.LimitsStatus
	if status == nil {
		return Limits{}, nil
	}
	var l Limits
	if status.Usage != nil && status.Usage.Clusters != nil {
		l.Known, l.ClustersUsed = true, *status.Usage.Clusters
	}
	if status.Limits != nil && status.Limits.Clusters != nil {
		l.Limited, l.ClustersLimit = true, *status.Limits.Clusters
	}
	l.Known = l.Known || !l.Limited
	return l, nil
}
