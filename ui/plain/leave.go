package plain

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/release"
	"github.com/cfwizard/cfwizard/ui"
)

// ways are what can become of a running install.
var ways = []answers.Choice{
	{Value: "stay", Meaning: "go on watching"},
	{Value: "stop", Meaning: "end it after what Helm is doing now; what is in the cluster stays, and you can retry"},
	{Value: "detach", Meaning: "leave now, at a safe point; what was applied goes on in the cluster, and `cfwizard resume` comes back to it"},
}

// interrupt asks what shall become of the install. A second ctrl+c means to
// stop it, and of one that stops to leave it.
func (i *installation) interrupt() {
	switch {
	case i.asking && i.stopping:
		i.say("")
		i.detach(ui.DetachLimit)
	case i.asking:
		i.say("")
		i.stop()
	default:
		i.asking = true
		i.say("", "Leave the installation?")
		if i.stopping {
			i.say("It is stopping already, and ends after what Helm is doing now.")
		}
		i.list(i.ways())
		i.askWay()
	}
}

// ways are what can become of the install: one that stops cannot be stopped.
func (i *installation) ways() []answers.Choice {
	if i.stopping {
		return slices.DeleteFunc(slices.Clone(ways), func(c answers.Choice) bool { return c.Value == "stop" })
	}
	return ways
}

func (i *installation) askWay() {
	i.keys.want(false)
	fmt.Fprint(i.terminal.Out, "Choice [1]: ")
}

// decide takes the line that says what shall become of it.
func (i *installation) decide(t typed) {
	if !i.asking {
		return
	}
	switch way, wrong := pick(i.ways(), t.text, 0); {
	case wrong != nil:
		i.say(problemLines(wrong)...)
		i.askWay()
	case way == "stop":
		i.stop()
	case way == "detach":
		i.detach(ui.DetachLimit)
	default:
		i.say("It goes on.")
		i.stay()
	}
}

func (i *installation) stop() {
	i.stopping = true
	i.cancel(context.Canceled)
	i.say("Stopping after what Helm is doing now.")
	i.stay()
}

// detach ends the installation at the next safe point, and then the program.
func (i *installation) detach(limit time.Duration) {
	i.overdue = time.After(limit)
	i.cancel(release.ErrDetach)
	i.say("Leaving at the next safe point.")
	i.stay()
}

// detached leaves an installation that goes on in the cluster.
func (i *installation) detached() error {
	i.outcome.Err = nil
	return leaving{how: ui.Detached}
}

// stay goes on, and says what was held back.
func (i *installation) stay() {
	i.asking = false
	for _, line := range i.held {
		i.tell(line)
	}
	i.held = nil
}
