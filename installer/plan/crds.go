package plan

import "slices"

// crdNames are the custom resource definitions of each part of the chart.
var crdNames = map[string][]string{
	"argo-cd": {"applications.argoproj.io", "applicationsets.argoproj.io", "appprojects.argoproj.io"},
	"argo-workflows": {"clusterworkflowtemplates.argoproj.io", "cronworkflows.argoproj.io", "workflowartifactgctasks.argoproj.io",
		"workfloweventbindings.argoproj.io", "workflows.argoproj.io", "workflowtaskresults.argoproj.io", "workflowtasksets.argoproj.io", "workflowtemplates.argoproj.io"},
	"gitops-operator": {"products.codefresh.io", "promotionflows.codefresh.io", "promotionpolicies.codefresh.io", "promotiontasks.codefresh.io",
		"promotiontemplates.codefresh.io", "restrictedgitsources.codefresh.io"},
	"argo-rollouts": {"analysisruns.argoproj.io", "analysistemplates.argoproj.io", "clusteranalysistemplates.argoproj.io", "experiments.argoproj.io", "rollouts.argoproj.io"},
	"argo-events":   {"eventbus.argoproj.io", "eventsources.argoproj.io", "sensors.argoproj.io"},
}

// CRDsOf are the CRDs that parts of the chart bring.
func CRDsOf(projects []string) []string {
	var names []string
	for _, project := range projects {
		names = append(names, crdNames[project]...)
	}
	slices.Sort(names)
	return names
}
