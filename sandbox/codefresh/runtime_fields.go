package codefresh

import "time"

// runtime answers null, and no error, for a name that is free.
func (p *Platform) runtime(c call) (any, error) {
	found := p.find(c.text("name"))
	if found == nil {
		return nil, nil
	}
	return p.runtimeObject(found), nil
}

func (p *Platform) runtimes(call) (any, error) {
	var nodes []object
	for _, runtime := range p.state.runtimes {
		nodes = append(nodes, p.runtimeObject(runtime))
	}
	return sliceOf(nodes), nil
}

func (p *Platform) createRuntime(c call) (any, error) {
	installation := c.input("installationArgs")
	token, err := p.register(RuntimeRecord{
		Name:                installation.text("runtimeName"),
		Namespace:           installation.text("runtimeNamespace"),
		Cluster:             installation.text("cluster"),
		IngressHost:         installation.text("ingressHost"),
		InternalIngressHost: installation.text("internalIngressHost"),
		IngressClass:        installation.text("ingressClass"),
		IngressController:   installation.text("ingressController"),
		RuntimeVersion:      installation.text("runtimeVersion"),
		ChartVersion:        installation.text("chartVersion"),
		InstallationType:    installation.text("installationType"),
		AccessMode:          installation.text("accessMode"),
		ExternalArgoCD:      installation.flag("isExternalArgoCd"),
		Managed:             installation.flag("managed"),
		ComponentNames:      texts(installation["componentNames"]),
	})
	if err != nil {
		return nil, err
	}
	return object{"name": installation.text("runtimeName"), "newAccessToken": token}, nil
}

func texts(list any) []string {
	values, _ := list.([]any)
	var all []string
	for _, value := range values {
		if text, ok := value.(string); ok {
			all = append(all, text)
		}
	}
	return all
}

// deleteRuntime answers how many runtimes it deleted.
func (p *Platform) deleteRuntime(c call) (any, error) {
	if p.find(c.text("name")) == nil {
		return 0, nil
	}
	p.remove(c.text("name"))
	return 1, nil
}

func (p *Platform) runtimeObject(r *RuntimeRecord) object {
	return object{
		"metadata": object{"name": r.Name, "namespace": textOrNull(r.Namespace),
			"account": p.options.AccountID, "runtime": r.Name},
		"self":       object{"syncStatus": r.SyncStatus, "healthStatus": textOrNull(r.HealthStatus), "healthMessage": textOrNull(r.HealthMessage)},
		"syncStatus": r.SyncStatus, "healthStatus": textOrNull(r.HealthStatus), "healthMessage": textOrNull(r.HealthMessage),
		"cluster": textOrNull(r.Cluster), "managed": r.Managed, "isRemoteClusterConnected": false,
		"ingressHost": textOrNull(r.IngressHost), "internalIngressHost": textOrNull(r.InternalIngressHost),
		"ingressClass": textOrNull(r.IngressClass), "ingressController": textOrNull(r.IngressController),
		"runtimeVersion": textOrNull(r.RuntimeVersion), "chartVersion": textOrNull(r.ChartVersion),
		"installationStatus": r.InstallationStatus, "installationType": r.InstallationType,
		"repo": textOrNull(p.state.settings.SharedConfigRepo), "gitProvider": textOrNull(p.state.settings.GitProvider),
		"managedClustersNum": 1, "accessMode": r.AccessMode,
		"available": r.Available, "lastUpdated": p.options.Now().UTC().Format(time.RFC3339),
		"iscInitialized": p.state.settings.Validated, "isConfigurationRuntime": false,
		"isExternalArgoCd": r.ExternalArgoCD, "isNamespacedRuntime": false, "isSkippedConfiguringAsArgoApp": false,
		"runtimeRelease": object{"version": textOrNull(r.RuntimeVersion), "chartVersion": textOrNull(r.ChartVersion),
			"upgradeAvailable": false, "hasSecurityVulnerabilities": false},
		"status": p.runtimeStatus(r),
	}
}

// runtimeStatus derives the small lights of the runtime from the account.
func (p *Platform) runtimeStatus(r *RuntimeRecord) object {
	return object{
		"appProxyStarted":          light(r.Available),
		"gitSourceConfigured":      light(p.hasGitSource(r.Name)),
		"defaultGitIntegration":    light(p.integrationNamed(defaultIntegration) != nil),
		"encryptionKey":            light(true),
		"encryptionIv":             light(true),
		"eventReporterArgoCDToken": light(true),
		"isc":                      light(p.state.settings.SharedConfigRepo != ""),
		"runtimeGitToken":          gitTokenLight(r),
		"syncMode":                 r.SyncMode,
		"argoCdState":              "CONNECTED",
	}
}

func light(successful bool) object {
	if successful {
		return object{"status": "SUCCESSFUL"}
	}
	return object{"status": "UNKNOWN"}
}

// components are listed only once the runtime is an Argo CD application.
func (p *Platform) components(c call) (any, error) {
	runtime := p.find(c.text("runtime"))
	if runtime == nil || runtime.SyncMode != "GITOPS" {
		return sliceOf(nil), nil
	}
	var nodes []object
	for _, name := range runtime.ComponentNames {
		nodes = append(nodes, object{
			"metadata": object{"name": name, "runtime": runtime.Name},
			"version":  textOrNull(runtime.RuntimeVersion),
			"self":     object{"status": synced(), "errors": []object{}},
		})
	}
	return sliceOf(nodes), nil
}

func synced() object {
	return object{"syncStatus": "SYNCED", "healthStatus": "HEALTHY"}
}

// clusters holds the cluster that each runtime lives in.
func (p *Platform) clusters(c call) (any, error) {
	var nodes []object
	for _, runtime := range p.state.runtimes {
		if wanted := c.text("runtime"); wanted != "" && wanted != runtime.Name {
			continue
		}
		nodes = append(nodes, object{
			"metadata":   object{"name": "in-cluster", "runtime": runtime.Name},
			"server":     inClusterServer,
			"namespaces": []string{},
			"info": object{
				"connectionState": light(runtime.InstallationStatus == StatusCompleted),
				"serverVersion":   nil,
				"cacheInfo":       object{"resourcesCount": 0, "apisCount": 0},
			},
		})
	}
	return sliceOf(nodes), nil
}
