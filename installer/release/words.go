package release

// Notable reports whether an event about an object is worth a line where
// nothing is redrawn.
func (e Event) Notable() bool {
	if e.Object == nil {
		return false
	}
	switch e.Object.Kind {
	case "Deployment", "StatefulSet", "Job", "Namespace":
		return e.Message != "created" && e.Message != "starting"
	}
	return e.State == Failed
}

// Words are what an event about an object says.
func (e Event) Words() string {
	if e.Message == "" {
		return string(e.State)
	}
	return e.Message
}
