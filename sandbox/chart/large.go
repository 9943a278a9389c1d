package chart

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Large packs the chart in the real one's size and shape, for measurements. It
// renders the same objects: the CRDs get schemas, the charts get the files that
// charts carry, and the umbrella's templates copy their whole context as often.
func Large(files map[string][]byte) {
	addReadmes(files)
	addSchemas(files)
	copyContexts(files)
	for path, content := range unusedTemplates {
		files[Name+"/"+path] = []byte(content)
	}
}

// readmes are the sizes of the longest file of each chart, in bytes.
var readmes = map[string]int{
	"README.md":                                70_000,
	"charts/argo-cd/README.md":                 190_000,
	"charts/argo-workflows/README.md":          62_000,
	"charts/redis-ha/README.md":                55_000,
	"charts/sealed-secrets/README.md":          60_000,
	"charts/sealed-secrets/dashboards/ss.json": 15_000,
	"charts/codefresh-tunnel-client/README.md": 18_000,
}

func addReadmes(files map[string][]byte) {
	for i, path := range slices.Sorted(maps.Keys(readmes)) {
		var out bytes.Buffer
		for say := newSpeaker(uint64(i)); out.Len() < readmes[path]; {
			fmt.Fprintf(&out, "| %s | %s | %s |\n", say.name(), say.name(), say.sentence())
		}
		files[Name+"/"+path] = out.Bytes()
	}
}

// schemas are the sizes of the CRDs, in bytes, and the charts they are in.
var schemas = map[string]map[string]int{
	"charts/argo-cd": {"applications": 401_000, "applicationsets": 1_386_000, "appprojects": 17_000},
	"charts/argo-workflows": {"clusterworkflowtemplates": 14_000, "cronworkflows": 14_000, "workflowartifactgctasks": 14_000, "workfloweventbindings": 14_000,
		"workflows": 14_000, "workflowtaskresults": 14_000, "workflowtasksets": 14_000, "workflowtemplates": 14_000},
	".": {"promotionflows": 9_000, "promotiontemplates": 9_000, "products": 9_000, "promotionpolicies": 9_000, "promotiontasks": 9_000, "restrictedgitsources": 9_000},
}

const anySchema = "          x-kubernetes-preserve-unknown-fields: true\n"

func addSchemas(files map[string][]byte) {
	objects := Name + "/templates/_objects.tpl"
	files[objects] = bytes.Replace(files[objects], []byte(anySchema),
		[]byte(anySchema+"{{ include (printf \"gitops-runtime.schema.%s\" .plural) . }}\n"), 1)
	for _, chart := range slices.Sorted(maps.Keys(schemas)) {
		var out bytes.Buffer
		for _, plural := range slices.Sorted(maps.Keys(schemas[chart])) {
			fmt.Fprintf(&out, "{{- define \"gitops-runtime.schema.%s\" }}\n%s{{- end }}\n", plural, schema(plural, schemas[chart][plural]))
		}
		path := strings.ReplaceAll(Name+"/"+chart+"/templates/_schemas.tpl", "/./", "/")
		files[path] = out.Bytes()
	}
}

// schema is the properties of a CRD. As in real ones, many fields come again
// in other places.
func schema(plural string, size int) []byte {
	say := newSpeaker(uint64(len(plural)))
	fields := make([]string, 40)
	for i := range fields {
		fields[i] = say.field()
	}
	var out bytes.Buffer
	out.WriteString("          properties:\n")
	for out.Len() < size {
		fmt.Fprintf(&out, "            %s:\n              description: %s\n              type: object\n              properties:\n", say.name(), say.sentence())
		for i := range fields {
			if i%5 == 0 {
				fields[i] = say.field()
			}
			out.WriteString(fields[i])
		}
	}
	return out.Bytes()
}

// The umbrella's templates name deepCopy this often; a plain install takes the
// branches of some of them. Rendering with helm then takes as long as that of
// the real chart.
const copies, copiesMade = 119, 34

const (
	copyContext   = `{{- $context := deepCopy . }}{{- $_ := set $context "Values" (get .Values "app-proxy") -}}` + "\n"
	copyElsewhere = `{{- if .Values.global.everything }}{{- $context := deepCopy . }}{{- $_ := set $context "Values" (get .Values "redis") }}{{- end -}}` + "\n"
)

// copyContexts deals the copies out to the umbrella's templates in turn.
func copyContexts(files map[string][]byte) {
	var templates []string
	for _, path := range slices.Sorted(maps.Keys(files)) {
		if strings.HasPrefix(path, Name+"/templates/") && strings.HasSuffix(path, ".yaml") {
			templates = append(templates, path)
		}
	}
	for i := range copies {
		line, path := copyElsewhere, templates[i%len(templates)]
		if i < copiesMade {
			line = copyContext
		}
		files[path] = append([]byte(line), files[path]...)
	}
}

// unusedTemplates read chart files, as two of the real subcharts can, but are
// switched off.
var unusedTemplates = map[string]string{
	"charts/sealed-secrets/templates/dashboards.yaml": `{{- if (.Values.metrics | default dict).dashboards }}
{{- $files := .Files.Glob "dashboards/*.json" }}
{{- range $path, $_ := $files }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ base $path | trimSuffix ".json" }}}
data:
  dashboard.json: |
    {{- $.Files.Get $path | nindent 4 }}
{{- end }}
{{- end }}
`,
	"charts/redis-ha/templates/certs.yaml": `{{- if (.Values.tls | default dict).certs }}
apiVersion: v1
kind: Secret
metadata: {name: redis-ha-certs}
data: {{- (.Files.Glob "certs/*").AsSecrets | nindent 2 }}
{{- end }}
`,
}

// speaker makes the same words every time, about as varied as prose.
type speaker struct {
	*rand.Rand
	names int
}

func newSpeaker(seed uint64) *speaker { return &speaker{Rand: rand.New(rand.NewPCG(seed, 1))} }

var words = strings.Fields(`the a runtime controller server of in to for and cluster namespace value default image tag registry secret name label
annotation pod service account when enabled if set override resource limit request node selector toleration affinity volume mount probe ready live
config map key token user host path port ingress class metrics replica update strategy rollout application project repository source sync policy`)

func (s *speaker) field() string {
	return fmt.Sprintf("                %s:\n                  description: %s\n                  type: string\n", s.name(), s.sentence())
}

func (s *speaker) sentence() string {
	var out []string
	for range 6 + s.IntN(14) {
		out = append(out, words[s.IntN(len(words))])
	}
	return strings.Join(out, " ")
}

// name is a field's name; no two are the same.
func (s *speaker) name() string {
	s.names++
	return fmt.Sprintf("%s%s%d", words[2+s.IntN(40)], words[2+s.IntN(40)], s.names)
}
