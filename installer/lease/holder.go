package lease

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/cfwizard/cfwizard/installer/text"
)

// Me names this run for others to read. What stands in brackets tells runs
// apart that share user, machine name and process number, as containers do.
func Me() string {
	host, err := os.Hostname()
	if err != nil {
		host = "a machine without a name"
	}
	name := "somebody"
	if me, err := user.Current(); err == nil {
		name = me.Username
	}
	return text.Line(fmt.Sprintf("%s on %s, process %d (%s-%s)", name, host, os.Getpid(), processSpace(), thisRun()))
}

// thisRun is a word that no other run has.
var thisRun = sync.OnceValue(func() string { return strings.ToLower(rand.Text()[:6]) })

// processSpace tells where process numbers mean the same: containers of one
// machine each count their own.
var processSpace = sync.OnceValue(func() string {
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		space = "the only one"
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(space)))[:4]
})

// holderParts takes the name of a run apart.
func holderParts(holder string) (place string, pid int, space string, ok bool) {
	place, rest, _ := strings.Cut(holder, ", process ")
	number, rest, _ := strings.Cut(rest, " (")
	space, _, found := strings.Cut(rest, "-")
	pid, err := strconv.Atoi(number)
	return place, pid, space, found && err == nil
}

// diedHere reports whether a holder is a process of this machine and user that
// is no more.
func diedHere(holder string) bool {
	here, _, hereSpace, _ := holderParts(Me())
	place, pid, space, ok := holderParts(holder)
	if !ok || place != here || space != hereSpace {
		return false
	}
	process, err := os.FindProcess(pid)
	if err != nil {
		return true
	}
	err = process.Signal(syscall.Signal(0))
	return errors.Is(err, os.ErrProcessDone) || errors.Is(err, syscall.ESRCH)
}
