package installer

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/cfwizard/cfwizard/installer/secret"
	"github.com/cfwizard/cfwizard/installer/session"
	"github.com/cfwizard/cfwizard/installer/text"
)

// CrashReport keeps what is known of a defect of this program in a file that
// only its owner can read. Secrets that this run has used are taken out.
func (e *Engine) CrashReport(what, stack string) (path string, err error) {
	dir, err := session.StateDir()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, "crashes")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("making the folder: %w", err)
	}
	file, err := os.CreateTemp(dir, time.Now().Format("20060102-150405-")+"*.txt")
	if err != nil {
		return "", fmt.Errorf("creating the report: %w", err)
	}
	report := fmt.Sprintf("cfwizard %s, %s %s/%s\n\npanic: %s\n\n%s\n", e.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, what, stack)
	if _, err = file.WriteString(secret.Redact(text.Block(report), e.Vault.used()...)); err != nil {
		_ = file.Close()
		return "", err
	}
	return file.Name(), file.Close()
}
