package access

var ambassador = Controller{ID: "ambassador", Name: "Ambassador", Classes: []string{"getambassador.io/ingress-controller"}}
