package answers

import (
	"encoding/json"
	"reflect"
)

// Schema is the JSON Schema of the answers file, for editors. It says what
// the reader and the validation of single fields say; rules between a URL and
// a provider, or what is in a file, are beyond it.
func Schema() ([]byte, error) {
	schema := structSchema(reflect.TypeFor[Answers](), "")
	properties := schema["properties"].(map[string]any)
	properties["apiVersion"] = map[string]any{"const": APIVersion}
	properties["kind"] = map[string]any{"const": Kind}
	schema["required"] = []string{"apiVersion", "kind"}
	schema["type"] = "object"
	schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	schema["title"] = "cfwizard answers"
	schema["allOf"] = modeRules()
	return json.MarshalIndent(schema, "", "  ")
}

func structSchema(t reflect.Type, path string) map[string]any {
	properties := map[string]any{}
	for i := range t.NumField() {
		name := yamlName(t.Field(i))
		full := name
		if path != "" {
			full = path + "." + name
		}
		properties[name] = typeSchema(t.Field(i).Type, full)
	}
	return map[string]any{"type": []string{"object", "null"}, "properties": properties, "additionalProperties": false}
}

func typeSchema(t reflect.Type, path string) map[string]any {
	if t.Kind() == reflect.Struct && t != reflect.TypeFor[SecretRef]() {
		return structSchema(t, path)
	}
	schema := leafSchema(t, path)
	if field, known := FieldAt(path); known {
		schema["title"], schema["description"] = field.Title, field.Meaning
	}
	return schema
}

var scalarTypes = []string{"string", "number", "boolean", "null"}

func leafSchema(t reflect.Type, path string) map[string]any {
	switch t {
	case reflect.TypeFor[SecretRef]():
		return secretSchema()
	case reflect.TypeFor[bool]():
		return map[string]any{"enum": []any{true, false, nil, "true", "false"}}
	case reflect.TypeFor[Duration]():
		return map[string]any{"type": []string{"string", "null"}, "pattern": `^\+?([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h)(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|ms|s|m|h))*$`,
			"not": map[string]any{"pattern": `^[^1-9]*$`, "type": "string"}}
	case reflect.TypeFor[[]string]():
		return map[string]any{"type": []string{"array", "null"}, "items": map[string]any{"type": scalarTypes}}
	case reflect.TypeFor[map[string]string]():
		return map[string]any{"type": []string{"object", "null"}, "additionalProperties": map[string]any{"type": scalarTypes}}
	}
	return textSchema(path)
}

// patterns are the rules of single texts, from the same expressions that the
// validation uses.
var patterns = map[string]map[string]any{
	"runtime.name":      {"pattern": `^[a-z]([a-z0-9-]*[a-z0-9])?$`, "maxLength": maxRuntimeName},
	"runtime.namespace": {"pattern": dnsLabel.String()},
	"runtime.release":   {"pattern": `^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?\.)*[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`, "maxLength": maxReleaseName},
	"runtime.chart":     {"minLength": 1},
}

func textSchema(path string) map[string]any {
	schema := map[string]any{"type": scalarTypes}
	for key, value := range patterns[path] {
		schema[key] = value
	}
	field, known := FieldAt(path)
	if known && len(field.Choices) > 0 {
		values := []any{nil}
		for _, choice := range field.Choices {
			values = append(values, choice.Value)
		}
		return map[string]any{"enum": values}
	}
	return schema
}

// secretSchema is a reference to exactly one source, or none.
func secretSchema() map[string]any {
	text := map[string]any{"type": "string", "minLength": 1}
	return map[string]any{
		"type": []string{"object", "null"}, "maxProperties": 1, "additionalProperties": false,
		"properties": map[string]any{
			"env": map[string]any{"type": "string", "pattern": variableName.String()}, "file": text, "keyring": text,
			"secretRef": map[string]any{"type": "object", "required": []string{"name", "key"}, "additionalProperties": false,
				"properties": map[string]any{"name": text, "key": text}},
		},
	}
}

// modeRules say which fields an access mode needs.
func modeRules() []any {
	needs := func(mode Mode, part string, fields ...string) any {
		required := map[string]any{}
		for _, f := range fields {
			required[f] = map[string]any{"type": "string", "minLength": 1}
		}
		inMode := object("access", object("mode", map[string]any{"const": string(mode)}, "mode"), "access")
		return map[string]any{"if": inMode, "then": object("access", object(part, map[string]any{"type": "object", "required": fields, "properties": required}, part))}
	}
	return []any{needs(IngressMode, "ingress", "host", "class"), needs(MeshMode, "mesh", "url"), needs(GatewayMode, "gateway", "parent", "host")}
}

// object is the schema of an object with one property.
func object(name string, property map[string]any, required ...string) map[string]any {
	schema := map[string]any{"properties": map[string]any{name: property}}
	if len(required) > 0 {
		schema["required"] = required
	}
	return schema
}
