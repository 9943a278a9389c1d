package plan

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"
)

// Terraform gives the plan for version 3 of Terraform's Helm provider.
func (p Plan) Terraform() ([]byte, error) { return p.terraform(3), nil }

// TerraformV2 gives the plan for version 2, which writes its Kubernetes
// settings as a block.
func (p Plan) TerraformV2() ([]byte, error) { return p.terraform(2), nil }

func (p Plan) terraform(provider int) []byte {
	file := hclwrite.NewEmptyFile()
	body := file.Body()
	comment(body, fmt.Sprintf("Written by cfwizard for version %d of the Helm provider. It holds no secret: set TF_VAR_… for its variables.", provider))
	if len(p.crds) > 0 {
		comment(body, adoptFirst)
	}
	p.terraformProviders(body, provider)
	p.terraformVariables(body)
	p.terraformObjects(body)
	p.terraformRelease(body)
	return hclwrite.Format(file.Bytes())
}

func comment(body *hclwrite.Body, text string) {
	body.AppendUnstructuredTokens(hclwrite.Tokens{{Type: hclsyntax.TokenComment, Bytes: []byte("# " + text + "\n")}})
}

func (p Plan) terraformProviders(body *hclwrite.Body, provider int) {
	required := body.AppendNewBlock("terraform", nil).Body().AppendNewBlock("required_providers", nil).Body()
	version := "~> 3.0"
	if provider == 2 {
		version = "~> 2.17"
	}
	required.SetAttributeValue("helm", cty.ObjectVal(map[string]cty.Value{"source": cty.StringVal("hashicorp/helm"), "version": cty.StringVal(version)}))
	required.SetAttributeValue("kubernetes", cty.ObjectVal(map[string]cty.Value{"source": cty.StringVal("hashicorp/kubernetes"), "version": cty.StringVal(">= 2.30")}))
	body.AppendNewline()
	settings := p.kubernetesSettings()
	helm := body.AppendNewBlock("provider", []string{"helm"}).Body()
	if provider == 2 {
		setAll(helm.AppendNewBlock("kubernetes", nil).Body(), settings)
	} else {
		helm.SetAttributeValue("kubernetes", cty.ObjectVal(settings))
	}
	body.AppendNewline()
	setAll(body.AppendNewBlock("provider", []string{"kubernetes"}).Body(), settings)
	body.AppendNewline()
}

func (p Plan) kubernetesSettings() map[string]cty.Value {
	path := p.answers.Cluster.Kubeconfig
	if path == "" {
		path = "~/.kube/config"
	}
	settings := map[string]cty.Value{"config_path": cty.StringVal(path)}
	if context := p.answers.Cluster.Context; context != "" {
		settings["config_context"] = cty.StringVal(context)
	}
	return settings
}

func setAll(body *hclwrite.Body, values map[string]cty.Value) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		body.SetAttributeValue(name, values[name])
	}
}

// variableOf is the Terraform variable that stands for a key of our Secret.
func variableOf(key string) string { return strings.ReplaceAll(key, "-", "_") }

func (p Plan) terraformVariables(body *hclwrite.Body) {
	for _, t := range p.tokens {
		variable := body.AppendNewBlock("variable", []string{variableOf(t.Key)}).Body()
		variable.SetAttributeTraversal("type", hcl.Traversal{hcl.TraverseRoot{Name: "string"}})
		variable.SetAttributeValue("sensitive", cty.True)
		body.AppendNewline()
	}
}

func (p Plan) terraformObjects(body *hclwrite.Body) {
	namespace := body.AppendNewBlock("resource", []string{"kubernetes_namespace_v1", "runtime"}).Body()
	namespace.AppendNewBlock("metadata", nil).Body().SetAttributeValue("name", cty.StringVal(p.Namespace))
	body.AppendNewline()
	if len(p.tokens) == 0 {
		return
	}
	secret := body.AppendNewBlock("resource", []string{"kubernetes_secret_v1", "tokens"}).Body()
	metadata := secret.AppendNewBlock("metadata", nil).Body()
	metadata.SetAttributeValue("name", cty.StringVal(SecretName))
	metadata.SetAttributeRaw("namespace", namespaceReference())
	labels := map[string]cty.Value{}
	for key, value := range Labels(p.answers.Runtime.Name) {
		labels[key] = cty.StringVal(value)
	}
	metadata.SetAttributeValue("labels", cty.ObjectVal(labels))
	var items []hclwrite.ObjectAttrTokens
	for _, t := range p.tokens {
		items = append(items, hclwrite.ObjectAttrTokens{
			Name:  hclwrite.TokensForValue(cty.StringVal(t.Key)),
			Value: hclwrite.TokensForTraversal(hcl.Traversal{hcl.TraverseRoot{Name: "var"}, hcl.TraverseAttr{Name: variableOf(t.Key)}}),
		})
	}
	secret.SetAttributeRaw("data", hclwrite.TokensForObject(items))
	body.AppendNewline()
}

// namespaceReference is the name of the namespace that Terraform made.
func namespaceReference() hclwrite.Tokens {
	return hclwrite.TokensForTraversal(hcl.Traversal{hcl.TraverseRoot{Name: "kubernetes_namespace_v1"}, hcl.TraverseAttr{Name: "runtime"},
		hcl.TraverseAttr{Name: "metadata"}, hcl.TraverseIndex{Key: cty.NumberIntVal(0)}, hcl.TraverseAttr{Name: "name"}})
}

func (p Plan) terraformRelease(body *hclwrite.Body) {
	release := body.AppendNewBlock("resource", []string{"helm_release", "runtime"}).Body()
	release.SetAttributeValue("name", cty.StringVal(p.Release))
	release.SetAttributeRaw("namespace", namespaceReference())
	if p.isOCI() {
		repository, name := p.chartPlace()
		release.SetAttributeValue("repository", cty.StringVal("oci://"+repository))
		release.SetAttributeValue("chart", cty.StringVal(name))
	} else {
		release.SetAttributeValue("chart", cty.StringVal(p.Chart))
	}
	if p.Version != "" {
		release.SetAttributeValue("version", cty.StringVal(p.Version))
	}
	release.SetAttributeValue("timeout", cty.NumberIntVal(int64(time.Duration(p.answers.Options.Timeout).Seconds())))
	release.SetAttributeValue("wait", cty.BoolVal(p.answers.Options.Wait))
	if p.SkipCRDs() {
		release.SetAttributeValue("skip_crds", cty.True)
	}
	release.SetAttributeRaw("values", encodedValues(ctyOf(p.Merged())))
	if len(p.tokens) > 0 {
		release.SetAttributeRaw("depends_on", hclwrite.TokensForTuple([]hclwrite.Tokens{hclwrite.TokensForTraversal(
			hcl.Traversal{hcl.TraverseRoot{Name: "kubernetes_secret_v1"}, hcl.TraverseAttr{Name: "tokens"}})}))
	}
}

// encodedValues writes values = [yamlencode({…})], which both versions of the
// provider read and which needs no escaping of its own.
func encodedValues(values cty.Value) hclwrite.Tokens {
	return hclwrite.TokensForTuple([]hclwrite.Tokens{hclwrite.TokensForFunctionCall("yamlencode", hclwrite.TokensForValue(values))})
}

// ctyOf is a Helm value as Terraform's.
func ctyOf(value any) cty.Value {
	switch v := value.(type) {
	case map[string]any:
		fields := map[string]cty.Value{}
		for key, child := range v {
			fields[key] = ctyOf(child)
		}
		return cty.ObjectVal(fields)
	case []any:
		items := make([]cty.Value, len(v))
		for i, item := range v {
			items[i] = ctyOf(item)
		}
		return cty.TupleVal(items)
	case bool:
		return cty.BoolVal(v)
	case int64:
		return cty.NumberIntVal(v)
	case float64:
		return cty.NumberFloatVal(v)
	case nil:
		return cty.NullVal(cty.DynamicPseudoType)
	}
	return cty.StringVal(fmt.Sprint(value))
}
