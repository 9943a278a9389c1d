package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cfwizard/cfwizard/installer/answers"
	"github.com/cfwizard/cfwizard/installer/journal"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/installer/text"
)

// runLog is the log of this run, where one is asked for.
type runLog struct {
	wanted  bool
	began   time.Time
	journal *journal.Journal
}

// addTo gives every command the flag. Before any of them begins, the log does.
func (l *runLog) addTo(root *cobra.Command) {
	root.PersistentFlags().BoolVarP(&l.wanted, "verbose", "v", false, "log to a file, and say where; secrets are left out")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		if !l.wanted {
			return nil
		}
		l.began = time.Now()
		dir, err := session.StateDir()
		if err == nil {
			l.journal, err = journal.Open(filepath.Join(dir, "logs"), l.began)
		}
		if err != nil { // the command is worth more than its log
			fmt.Fprintf(cmd.ErrOrStderr(), "! No log is written: %s. Name a folder that you can write: export XDG_STATE_HOME=/path/to/folder\n", text.Line(err.Error()))
			return nil
		}
		journal.Note("begin", "command", cmd.CommandPath(), "answers", givenFlags(cmd), "version", root.Version)
		return nil
	}
}

// givenFlags names the answers that flags give; what they say may be private.
func givenFlags(cmd *cobra.Command) string {
	var names []string
	for _, field := range answers.Fields {
		if cmd.Flags().Changed(field.Path) {
			names = append(names, field.Path)
		}
	}
	return strings.Join(names, " ")
}

// endJournal closes the log and says where it is, when the screen is given
// back.
func (a *app) endJournal(code int) {
	if a.log.journal == nil {
		return
	}
	journal.Note("end", "exitCode", code, "took", time.Since(a.log.began).Round(time.Millisecond))
	_ = a.log.journal.Close()
	fmt.Fprintf(a.Err, "The log, without secrets, is in %s\n", a.log.journal.Path())
}
