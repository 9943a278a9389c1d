package release

import "errors"

// ErrDetach is the cause of a context that ends because the person leaves: what
// was applied goes on in the cluster, and a later run takes it up again.
var ErrDetach = errors.New("detached")
