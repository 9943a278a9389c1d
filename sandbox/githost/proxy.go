package githost

import (
	"fmt"
	"io"
	"net"
	"net/http"
)

// proxy leads the names of the providers to the common port, so that a client
// with HTTPS_PROXY reaches github.com here. It leads nowhere else.
type proxy struct {
	host   *Host
	common string
}

func (p proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	at, known := placesByName[hostname(r)]
	switch {
	case r.Method != http.MethodConnect || !known:
		http.Error(w, "this proxy leads to the sandbox's Git providers only", http.StatusForbidden)
	case p.host.isOn(at.provider, switchUnreachable):
		http.Error(w, "the provider cannot be reached", http.StatusBadGateway)
	default:
		p.connect(w)
	}
}

func (p proxy) connect(w http.ResponseWriter) {
	server, err := net.Dial("tcp", p.common)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer server.Close()
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	defer client.Close()
	fmt.Fprint(client, "HTTP/1.1 200 Connection established\r\n\r\n")
	go func() {
		_, _ = io.Copy(server, buffered)
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server)
}
