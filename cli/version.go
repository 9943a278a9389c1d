package cli

import (
	"encoding/json"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/cfwizard/cfwizard/installer/problem"
)

type versionInfo struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Helm     string `json:"helm"`
	Platform string `json:"platform"`
}

func (a *app) printVersion(output string) error {
	info := versionInfo{Version: a.Version, Go: runtime.Version(), Helm: helmVersion(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	switch output {
	case "text":
		_, err := fmt.Fprintf(a.Out, "cfwizard %s (helm %s, %s, %s)\n", info.Version, info.Helm, info.Go, info.Platform)
		return err
	case "json":
		return json.NewEncoder(a.Out).Encode(info)
	}
	return unknownOutput(output, "text, json")
}

// helmVersion is the version of the Helm module that is built in.
func helmVersion() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, module := range build.Deps {
		if module.Path == "helm.sh/helm/v3" {
			return module.Version
		}
	}
	return "unknown"
}

func unknownOutput(given, known string) error {
	return &problem.Problem{Kind: problem.Invalid, Cause: "usage", Field: "-o", What: fmt.Sprintf("there is no output %q", given), Fix: "Choose one of " + known + "."}
}
