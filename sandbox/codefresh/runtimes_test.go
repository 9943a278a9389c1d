package codefresh

import (
	"strings"
	"testing"
)

func statusOf(t *testing.T, p *Platform, name string) string {
	t.Helper()
	return ask(t, p, `query($n: String!) { runtime(name: $n) { installationStatus } }`, vars{"n": name})
}

func TestLifeOfARuntime(t *testing.T) {
	p := New(Options{})
	expect(t, ask(t, p, runtimeQuery, vars{"name": "one"}), `{"data":{"runtime":null}}`)
	register(t, p, "one")
	expect(t, statusOf(t, p, "one"), `{"data":{"runtime":{"installationStatus":"IN_PROGRESS"}}}`)
	if err := p.Complete("one"); err != nil {
		t.Fatal(err)
	}
	expect(t, ask(t, p, runtimeQuery, vars{"name": "one"}), `{"data":{"runtime":{"metadata":{"name":"one","namespace":"codefresh"},`+
		`"self":{"syncStatus":"SYNCED","healthMessage":null,"healthStatus":"HEALTHY"},"syncStatus":"SYNCED","healthStatus":"HEALTHY","healthMessage":null,`+
		`"cluster":"https://kubernetes.default.svc","managed":false,"isRemoteClusterConnected":false,"ingressHost":"https://runtime.sandbox.test",`+
		`"internalIngressHost":null,"ingressClass":null,"ingressController":null,"runtimeVersion":"0.1.71","installationStatus":"COMPLETED",`+
		`"installationType":"HELM","repo":"https://github.com/acme/isc.git","managedClustersNum":1,"gitProvider":"GITHUB","accessMode":"TUNNEL"}}}`)
	expectContains(t, ask(t, p, runtimesQuery, nil), `{"data":{"runtimes":{"edges":[{"node":{"metadata":{"name":"one","namespace":"codefresh"}`)

	expect(t, ask(t, p, deleteQuery, vars{"name": "one"}), `{"data":{"deleteRuntime":1}}`)
	expect(t, ask(t, p, deleteQuery, vars{"name": "one"}), `{"data":{"deleteRuntime":0}}`)
	expect(t, statusOf(t, p, "one"), `{"data":{"runtime":null}}`)
}

func TestCompleteUnderSwitches(t *testing.T) {
	tests := map[string]string{switchNeverCompletes: StatusInProgress, switchRuntimeFailed: StatusFailed}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			p := New(Options{})
			register(t, p, "one")
			for _, value := range []string{"on", "off"} {
				turnOn(t, p, name, value)
				if err := p.Complete("one"); err != nil {
					t.Fatal(err)
				}
				if value == "off" {
					want = StatusCompleted
				}
				expect(t, statusOf(t, p, "one"), `{"data":{"runtime":{"installationStatus":"`+want+`"}}}`)
			}
		})
	}
}

func TestCompleteNeedsARuntime(t *testing.T) {
	if err := New(Options{}).Complete("ghost"); err == nil {
		t.Error("a runtime that nobody registered was completed")
	}
}

func TestCreateRuntime(t *testing.T) {
	create := `mutation CreateRuntime($installationArgs: RuntimeInstallationArgs!) { createRuntime(installationArgs: $installationArgs) { newAccessToken } }`
	installation := vars{"installationArgs": vars{"runtimeName": "one", "runtimeNamespace": "codefresh", "componentNames": []string{"argo-cd"},
		"isExternalArgoCd": false, "chartVersion": "0.19.0", "cluster": "https://kubernetes.default.svc", "ingressClass": "nginx",
		"ingressController": "nginx", "ingressHost": "http://runtime.test", "installationType": "HELM", "managed": false, "runtimeVersion": "0.1.71"}}
	p := New(Options{})
	first := ask(t, p, create, installation)
	if !strings.HasPrefix(first, `{"data":{"createRuntime":{"newAccessToken":"`) {
		t.Errorf("got %s, want a token", first)
	}
	expectContains(t, ask(t, p, create, installation), `runtime \"one\" already exists`)
	got, _ := p.Runtime("one")
	if got.IngressClass != "nginx" || got.ChartVersion != "0.19.0" || got.InstallationStatus != StatusInProgress {
		t.Errorf("got %+v", got)
	}
	if _, err := p.Register(RuntimeRecord{Name: "one"}); err == nil {
		t.Error("a taken name was registered")
	}
}

func TestDeletedRuntimeLosesItsToken(t *testing.T) {
	p := New(Options{})
	token := register(t, p, "one")
	ask(t, p, deleteQuery, vars{"name": "one"})
	if got := get(p.Handler(), "/api/user", token).Code; got != 401 {
		t.Errorf("got status %d, want 401", got)
	}
}

func TestNameTakenSwitch(t *testing.T) {
	p := New(Options{})
	register(t, p, "mine")
	turnOn(t, p, switchNameTaken, "theirs")
	expect(t, statusOf(t, p, "theirs"), `{"data":{"runtime":{"installationStatus":"COMPLETED"}}}`)
	turnOn(t, p, switchNameTaken, "mine")
	expect(t, statusOf(t, p, "theirs"), `{"data":{"runtime":null}}`)
	turnOn(t, p, switchNameTaken, "off")
	if _, found := p.Runtime("mine"); !found {
		t.Error("turning the switch off removed a runtime of the sandbox")
	}
}

func TestComponentsNeedAnArgoCDApplication(t *testing.T) {
	components := `query Components($runtime: String!) { components(runtime: $runtime) { edges { node { metadata { name runtime } version self { status { syncStatus healthStatus } errors { ...on SyncError { title message suggestion level } } } } } } }`
	p := New(Options{})
	if _, err := p.Register(RuntimeRecord{Name: "one", RuntimeVersion: "1", ComponentNames: []string{"argo-cd"}}); err != nil {
		t.Fatal(err)
	}
	expect(t, ask(t, p, components, vars{"runtime": "one"}), `{"data":{"components":{"edges":[]}}}`)
	if err := p.UpdateRuntime("one", func(r *RuntimeRecord) { r.SyncMode = "GITOPS" }); err != nil {
		t.Fatal(err)
	}
	expect(t, ask(t, p, components, vars{"runtime": "one"}), `{"data":{"components":{"edges":[{"node":{"metadata":{"name":"argo-cd","runtime":"one"},`+
		`"version":"1","self":{"status":{"syncStatus":"SYNCED","healthStatus":"HEALTHY"},"errors":[]}}}]}}}`)
}

func TestClustersOfOneRuntime(t *testing.T) {
	p := New(Options{})
	register(t, p, "one")
	register(t, p, "two")
	expect(t, ask(t, p, `query($runtime: String) { clusters(runtime: $runtime) { edges { node { metadata { name runtime } info { connectionState { status } } } } } }`,
		vars{"runtime": "two"}),
		`{"data":{"clusters":{"edges":[{"node":{"metadata":{"name":"in-cluster","runtime":"two"},"info":{"connectionState":{"status":"UNKNOWN"}}}}]}}}`)
}
