package answers

import (
	"bytes"

	"go.yaml.in/yaml/v3"
)

// Write gives the answers as the file that Read reads.
func (a Answers) Write() ([]byte, error) {
	node, err := a.Node()
	if err != nil {
		return nil, err
	}
	header := []*yaml.Node{scalarNode("apiVersion"), scalarNode(APIVersion), scalarNode("kind"), scalarNode(Kind)}
	node.Content = append(header, node.Content...)
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(node); err != nil {
		return nil, err
	}
	return out.Bytes(), encoder.Close()
}

// Node gives the answers as a YAML mapping without its header.
func (a Answers) Node() (*yaml.Node, error) {
	var node yaml.Node
	if err := node.Encode(a); err != nil {
		return nil, err
	}
	return &node, nil
}

func scalarNode(value string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Value: value}
}
