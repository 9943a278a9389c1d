package lease

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/fake"
)

func TestTheLeaseIsTakenAndGivenBack(t *testing.T) {
	client := fake.NewClientset()
	held, err := Acquire(t.Context(), client, "codefresh", "rt", func() { t.Error("nobody took it away") })
	if err != nil {
		t.Fatal(err)
	}
	held.Release(t.Context())
	list, err := client.CoordinationV1().Leases("codefresh").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(list.Items) != 0 {
		t.Errorf("left behind: %v, %v", list.Items, err)
	}
}

// Another run is named while it is alive, and taken over from once it is not.
func TestALeaseOfAnotherRun(t *testing.T) {
	for _, test := range []struct {
		name    string
		renewed time.Duration
		refused bool
	}{{"alive", time.Second, true}, {"dead", time.Minute, false}} {
		client := fake.NewClientset()
		other := &Held{leases: client.CoordinationV1().Leases("codefresh"), name: Name("rt"), holder: "ada on laptop, process 1"}
		if err := other.take(t.Context(), "rt"); err != nil {
			t.Fatal(err)
		}
		found, err := other.leases.Get(t.Context(), other.name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		renewed := metav1.NewMicroTime(time.Now().Add(-test.renewed))
		found.Spec.RenewTime = &renewed
		if _, err := other.leases.Update(t.Context(), found, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		held, err := Acquire(t.Context(), client, "codefresh", "rt", func() {})
		if refused := err != nil; refused != test.refused || refused && !strings.Contains(err.Error(), "ada on laptop") {
			t.Errorf("%s: %v", test.name, err)
		}
		if held != nil {
			held.Release(t.Context())
		}
	}
}

func TestAProcessOfThisMachineThatIsGone(t *testing.T) {
	gone := exec.Command(os.Args[0], "-test.run", "^$")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	here, _, space, _ := holderParts(Me())
	dead := gone.Process.Pid
	for holder, want := range map[string]bool{
		Me(): false, fmt.Sprintf("%s, process %d (%s-other)", here, dead, space): true,
		fmt.Sprintf("ada on laptop, process %d (%s-other)", dead, space): false,
		fmt.Sprintf("%s, process %d (container-other)", here, dead):      false,
		fmt.Sprintf("%s, process %d", here, dead):                        false, "nonsense": false,
	} {
		if got := diedHere(holder); got != want {
			t.Errorf("%s: dead here is %v, want %v", holder, got, want)
		}
	}
}

func TestALostLeaseIsNoticed(t *testing.T) {
	client := fake.NewClientset()
	held, err := Acquire(t.Context(), client, "codefresh", "rt", func() {})
	if err != nil {
		t.Fatal(err)
	}
	found, err := held.leases.Get(t.Context(), held.name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	thief := "somebody else"
	found.Spec.HolderIdentity = &thief
	if _, err := held.leases.Update(t.Context(), found, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := held.touch(t.Context()); err != errTaken {
		t.Errorf("touch said %v", err)
	}
	held.Release(t.Context())
	if _, err := held.leases.Get(t.Context(), held.name, metav1.GetOptions{}); err != nil {
		t.Errorf("the thief's lease was removed: %v", err)
	}
}
