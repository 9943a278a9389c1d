package platform

import (
	"context"
	"net/url"
	"strings"
)

// DeleteRuntime takes a runtime out of the account's list. What runs in a
// cluster is not touched.
func (c *Client) DeleteRuntime(ctx context.Context, name string) error {
	const mutation = `mutation deleteRuntime($name: String!) { deleteRuntime(name: $name) }`
	var data struct{ DeleteRuntime any }
	err := c.mutate(ctx, mutation, map[string]any{"name": name}, &data)
	if saysAbsent(err, name) {
		return nil
	}
	return err
}

// RuntimesLink leads to the page that lists the account's runtimes.
func RuntimesLink(address, accountID string) string {
	return strings.TrimRight(address, "/") + "/2.0/account-settings/runtimes/info/list?activeAccountId=" + url.QueryEscape(accountID)
}
