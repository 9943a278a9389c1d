package codefresh

import "strings"

// objectTypes is the model: for each type its fields, and for each field the
// type it leads to, empty for a scalar. The fields are those of the public
// query texts and models; the names of the types are partly invented.
var objectTypes = map[string]map[string]string{
	"User": fields("id name email isAdmin runtimeName",
		leads{"accounts": "Account", "activeAccount": "Account"}),
	"Account": fields("id name gitProvider gitApiUrl sharedConfigRepo csdpValidated admins",
		leads{"features": "AccountFeatures"}),
	"AccountFeatures": fields("gitopsPlanEnforcement", nil),

	"Runtime": fields(`syncStatus healthStatus healthMessage cluster managed isRemoteClusterConnected
		ingressHost internalIngressHost ingressClass ingressController runtimeVersion installationStatus
		installationType repo managedClustersNum gitProvider accessMode
		available lastUpdated chartVersion iscInitialized isConfigurationRuntime isExternalArgoCd
		isNamespacedRuntime isSkippedConfiguringAsArgoApp runtimeApplicationName inClusterApplicationName
		internalSharedConfigAppName`,
		leads{"metadata": "ObjectMeta", "self": "RuntimeSelf", "status": "RuntimeStatus", "runtimeRelease": "RuntimeRelease"}),
	"RuntimeSelf":    fields("syncStatus healthMessage healthStatus", nil),
	"RuntimeRelease": fields("version chartVersion channel upgradeAvailable hasSecurityVulnerabilities", nil),
	"RuntimeStatus": fields("syncMode argoCdState", leads{
		"appProxyStarted": "StatusItem", "gitSourceConfigured": "StatusItem", "defaultGitIntegration": "StatusItem",
		"encryptionKey": "StatusItem", "encryptionIv": "StatusItem", "eventReporterArgoCDToken": "StatusItem",
		"isc": "StatusItem", "runtimeGitToken": "StatusItem",
	}),
	"StatusItem": fields("status description", nil),
	"ObjectMeta": fields("account runtime group version kind name namespace", nil),

	"RuntimeSlice":     slice("RuntimeEdge"),
	"RuntimeEdge":      edge("Runtime"),
	"GitSourceSlice":   slice("GitSourceEdge"),
	"GitSourceEdge":    edge("GitSource"),
	"ComponentSlice":   slice("ComponentEdge"),
	"ComponentEdge":    edge("Component"),
	"ClusterSlice":     slice("ClusterEdge"),
	"ClusterEdge":      edge("Cluster"),
	"ApplicationSlice": slice("ApplicationEdge"),
	"ApplicationEdge":  edge("Application"),
	"PageInfo":         fields("startCursor endCursor hasNextPage hasPrevPage", nil),

	"LimitsStatus": fields("status planType", leads{"usage": "GitOpsAmounts", "limits": "GitOpsAmounts"}),
	// GitOpsAmounts serves both usage and limits, which hold the same numbers.
	"GitOpsAmounts": fields("clusters applications", nil),

	"RuntimeCreationResponse": fields("name newAccessToken", nil),

	"GitSource": fields("", leads{"metadata": "ObjectMeta", "self": "GitSourceSelf",
		"permissions": "GitSourcePermission"}),
	"GitSourceSelf":       fields("path repoURL revision", leads{"status": "ArgoStatus"}),
	"GitSourcePermission": fields("userId read write", nil),
	"ArgoStatus":          fields("syncStatus healthStatus", nil),

	"Component":     fields("version", leads{"metadata": "ObjectMeta", "self": "ComponentSelf"}),
	"ComponentSelf": fields("", leads{"status": "ArgoStatus", "errors": "SyncError"}),
	"SyncError":     fields("title message suggestion level", nil),
	"Application":   fields("", leads{"metadata": "ObjectMeta"}),

	"Cluster":         fields("server namespaces", leads{"metadata": "ObjectMeta", "info": "ClusterInfo"}),
	"ClusterInfo":     fields("serverVersion", leads{"connectionState": "ConnectionState", "cacheInfo": "ClusterCacheInfo"}),
	"ConnectionState": fields("status message", nil),

	"ClusterCacheInfo": fields("resourcesCount apisCount", nil),

	"GitIntegration":      fields("name sharingPolicy provider apiUrl registeredUsers", leads{"users": "GitIntegrationUsers"}),
	"GitIntegrationUsers": fields("userId isValid", nil),
}

// leads are the fields of a type that lead to another type.
type leads map[string]string

func fields(scalars string, objects leads) map[string]string {
	all := map[string]string{}
	for name := range strings.FieldsSeq(scalars) {
		all[name] = ""
	}
	for name, typeName := range objects {
		all[name] = typeName
	}
	return all
}

func slice(edgeType string) map[string]string {
	return fields("", leads{"edges": edgeType, "pageInfo": "PageInfo"})
}

func edge(nodeType string) map[string]string {
	return fields("cursor", leads{"node": nodeType})
}

// object is an answer before the selection of the query is applied to it.
type object map[string]any

// sliceOf wraps nodes as one page that holds them all.
func sliceOf(nodes []object) object {
	edges := make([]object, len(nodes))
	for i, node := range nodes {
		edges[i] = object{"node": node}
	}
	return object{
		"edges":    edges,
		"pageInfo": object{"hasNextPage": false, "hasPrevPage": false},
	}
}

// textOrNull answers an empty text as null, as the platform does for what is not set.
func textOrNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}
