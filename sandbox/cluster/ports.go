package cluster

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
)

// Sandboxes take their ports in blocks below the range from which the system
// takes those of outgoing connections: there, a port that is free now may be
// taken before a program of ours opens it.
const (
	firstPort = 18_000
	lastPort  = 32_000
	blockSize = 8
)

// reserve finds a block of free ports of loopback. Its first port is the
// guard's: while that is open, no other sandbox takes the block.
func reserve(n int) (ports []int, guard net.Listener, err error) {
	if n >= blockSize {
		return nil, nil, fmt.Errorf("a block has no room for %d ports", n)
	}
	for _, block := range rand.Perm((lastPort - firstPort) / blockSize) {
		first := firstPort + block*blockSize
		guard, err := listen(first)
		if err != nil {
			continue
		}
		if ports := freeAfter(first, n); len(ports) == n {
			return ports, guard, nil
		}
		guard.Close()
	}
	return nil, nil, errors.New("no free ports")
}

func freeAfter(first, n int) (ports []int) {
	for port := first + 1; port <= first+n; port++ {
		listener, err := listen(port)
		if err != nil {
			return nil
		}
		listener.Close()
		ports = append(ports, port)
	}
	return ports
}

func listen(port int) (net.Listener, error) {
	return net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
}
