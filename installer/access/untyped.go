package access

import "github.com/cfwizard/cfwizard/installer/text"

// dig follows keys into an object that has no Go type here. What is absent, or
// of another type than asked for, is the zero value.
func dig[T any](object any, keys ...string) T {
	for _, key := range keys {
		fields, _ := object.(map[string]any)
		object = fields[key]
	}
	found, _ := object.(T)
	return found
}

// digText is a string, safe to show.
func digText(object any, keys ...string) string { return text.Line(dig[string](object, keys...)) }

// digTexts is a list of strings, safe to show.
func digTexts(object any, keys ...string) []string {
	var texts []string
	for _, item := range dig[[]any](object, keys...) {
		if word, ok := item.(string); ok {
			texts = append(texts, text.Line(word))
		}
	}
	return texts
}

// digLabels is a map of strings.
func digLabels(object any, keys ...string) map[string]string {
	labels := map[string]string{}
	for key, value := range dig[map[string]any](object, keys...) {
		if word, ok := value.(string); ok {
			labels[text.Line(key)] = text.Line(word)
		}
	}
	return labels
}

// digList is a list of objects. What is no object is kept as an empty one, so
// that every object stands at the place that a patch counts.
func digList(object any, keys ...string) []map[string]any {
	var list []map[string]any
	for _, item := range dig[[]any](object, keys...) {
		fields, _ := item.(map[string]any)
		list = append(list, fields)
	}
	return list
}

// digNumber is a number, of either form that JSON decodes to.
func digNumber(object any, keys ...string) int64 {
	if number, ok := dig[any](object, keys...).(float64); ok {
		return int64(number)
	}
	return dig[int64](object, keys...)
}

// condition is one of those that an object's status lists.
type condition struct{ Status, Reason, Message string }

// conditionOf finds a condition in a status.
func conditionOf(status map[string]any, kind string) (condition, bool) {
	for _, c := range digList(status, "conditions") {
		if digText(c, "type") == kind {
			return condition{digText(c, "status"), digText(c, "reason"), digText(c, "message")}, true
		}
	}
	return condition{}, false
}

// words says what the condition says, for evidence.
func (c condition) words(kind string) string {
	said := kind + " is " + c.Status
	for _, part := range []string{c.Reason, c.Message} {
		if part != "" {
			said += ", " + part
		}
	}
	return said
}
