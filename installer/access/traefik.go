package access

var traefik = Controller{ID: "traefik", Name: "Traefik", Classes: []string{"traefik.io/ingress-controller"}}
