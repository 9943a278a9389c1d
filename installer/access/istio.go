package access

var istio = Controller{ID: "istio", Name: "Istio", Classes: []string{"istio.io/ingress-controller"}}
