package codefresh

import (
	"maps"
	"slices"
	"strings"
)

// inputTypes are the objects that operations take.
var inputTypes = map[string]map[string]string{
	"AddGitIntegrationArgs": {"name": "String", "provider": "GitProviders!", "apiUrl": "String",
		"sharingPolicy": "SharingPolicy!"},
	"EditGitIntegrationArgs": {"name": "String", "apiUrl": "String", "sharingPolicy": "SharingPolicy!"},
	"RegisterToGitIntegrationArgs": {"name": "String", "token": "String!", "username": "String",
		"refreshToken": "String", "tokenType": "GitTokenTypes"},
	"CreateGitSourceInput": {"appName": "String!", "appSpecifier": "String!", "destServer": "String!",
		"destNamespace": "String", "labels": "JSON", "include": "String", "exclude": "String",
		"isInternal": "Boolean", "createRepo": "Boolean"},
	"EditGitSourceInput": {"appName": "String!", "appSpecifier": "String!", "include": "String",
		"exclude": "String"},
	"DeleteApplicationInput":  {"appName": "String!"},
	"CreateArgoRolloutsInput": {"destServer": "String!", "destNamespace": "String!"},
	"RuntimeInstallationArgs": {"runtimeName": "String!", "runtimeNamespace": "String", "componentNames": "[String]",
		"isExternalArgoCd": "Boolean", "chartVersion": "String", "cluster": "String", "ingressClass": "String",
		"ingressController": "String", "ingressHost": "String", "internalIngressHost": "String",
		"installationType": "InstallationType", "accessMode": "AccessMode", "managed": "Boolean",
		"runtimeVersion": "String"},
	"SlicePaginationArgs": {"after": "String", "before": "String", "first": "Int", "last": "Int"},
}

// enums are the words that a value may be.
var enums = map[string]string{
	"GitProviders":     "BITBUCKET BITBUCKET_SERVER GERRIT GITHUB GITLAB",
	"SharingPolicy":    "ALL_USERS_IN_ACCOUNT ACCOUNT_ADMINS",
	"GitTokenTypes":    "USER_TOKEN RUNTIME_TOKEN",
	"InstallationType": "HELM HELM_HOSTED",
	"AccessMode":       "INGRESS TUNNEL",
}

// checkInput holds a value to the type an operation takes. The names of the
// types that no public text records (JSON, ApplicationsFilterArgs) take
// anything.
func checkInput(typeText string, value any) error {
	base, required := strings.CutSuffix(typeText, "!")
	switch {
	case value == nil && required:
		return refuse("Expected non-nullable type %q not to be null.", typeText)
	case value == nil:
		return nil
	case strings.HasPrefix(base, "["):
		return checkList(strings.Trim(base, "[]"), value)
	case inputTypes[base] != nil:
		return checkInputObject(base, value)
	case enums[base] != "":
		return checkEnum(base, value)
	default:
		return checkScalar(base, value)
	}
}

func checkList(elementType string, value any) error {
	elements, ok := value.([]any)
	if !ok {
		return checkInput(elementType, value)
	}
	for _, element := range elements {
		if err := checkInput(elementType, element); err != nil {
			return err
		}
	}
	return nil
}

func checkInputObject(typeName string, value any) error {
	values, ok := value.(map[string]any)
	if !ok {
		return refuse("Expected type %q to be an object.", typeName)
	}
	known := inputTypes[typeName]
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, ok := known[name]; !ok {
			return refuse("Field %q is not defined by type %q.", name, typeName)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if err := checkInput(known[name], values[name]); err != nil {
			return refuse("Field %q of type %q: %s", name, typeName, err)
		}
	}
	return nil
}

func checkEnum(typeName string, value any) error {
	word, ok := value.(string)
	if !ok || !slices.Contains(strings.Fields(enums[typeName]), word) {
		return refuse("Value \"%v\" does not exist in %q enum.", value, typeName)
	}
	return nil
}

func checkScalar(typeName string, value any) error {
	ok := true
	switch typeName {
	case "String":
		_, ok = value.(string)
	case "Boolean":
		_, ok = value.(bool)
	case "Int":
		_, ok = value.(float64)
	}
	if !ok {
		return refuse("%s cannot represent value: %v", typeName, value)
	}
	return nil
}
