package facts

// Namespace is what there is to know of the namespace the runtime goes into.
type Namespace struct {
	Name        string
	Exists      bool
	Terminating bool
	Labels      map[string]string
	Quotas      []Quota
	Limits      []Limit
	Unread      []Unread
}

// Quota is one limit of a ResourceQuota, with what is used of it.
type Quota struct {
	Name, Resource     string
	Hard, Used         int64  // in thousandths
	HardText, UsedText string // as they are written
}

// Limit is a LimitRange's largest or default value for containers.
type Limit struct {
	Name, Resource string
	Max, Default   string
}
