package cluster

import "testing"

func TestBlocksOfPortsAreOnesOwn(t *testing.T) {
	taken := map[int]bool{}
	for range 50 {
		ports, guard, err := reserve(6)
		if err != nil {
			t.Fatal(err)
		}
		defer guard.Close()
		for _, port := range ports {
			if taken[port] || port < firstPort || port > lastPort {
				t.Fatalf("port %d is given twice, or out of range", port)
			}
			taken[port] = true
		}
	}
	if _, _, err := reserve(blockSize); err == nil {
		t.Error("a block is larger than it is")
	}
}
