package reach

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/cfwizard/cfwizard/installer/check"
	"github.com/cfwizard/cfwizard/installer/text"
)

// What Windows says instead of ENETUNREACH, ECONNRESET and ECONNREFUSED.
const (
	windowsNoRoute = syscall.Errno(10051)
	windowsReset   = syscall.Errno(10054)
	windowsRefused = syscall.Errno(10061)
)

func (a Answer) judgeTCP() check.Check {
	c := check.Check{ID: "access.tcp", Evidence: a.attempts()}
	_, connected := a.connected()
	silent := a.silent()
	switch {
	case len(a.Dials) == 0:
		c.Status, c.Title, c.Why = check.Skip, "no connection was tried", "No address of "+a.subject()+" is known yet."
	case !connected:
		return a.fromHere(a.unconnected(c))
	case len(silent) > 0:
		c.Status, c.Title = check.Warn, "not every address of "+a.name()+" takes connections"
		c.Why = "Requests that go to " + strings.Join(silent, ", ") + " fail."
		c.Fix = "Remove the addresses that do not answer from the DNS, or see to what is behind them."
	default:
		c.Status, c.Title = check.Pass, a.place()+" takes connections"
	}
	return c
}

func (a Answer) subject() string {
	if a.name() == "" {
		return "the host"
	}
	return a.name() + " or its controller"
}

// attempts is what each address did, for the evidence.
func (a Answer) attempts() string {
	var lines []string
	for _, d := range a.Dials {
		lines = append(lines, d.Address.String()+" "+howDialed(d.Err))
	}
	return strings.Join(lines, "; ")
}

// silent are the addresses that fail while others of their family connect. A
// machine without IPv6 says nothing about the host's IPv6 addresses.
func (a Answer) silent() []string {
	works := map[bool]bool{}
	for _, d := range a.Dials {
		if d.Err == nil {
			works[d.Address.Addr().Is4()] = true
		}
	}
	var silent []string
	for _, d := range a.Dials {
		if d.Err != nil && works[d.Address.Addr().Is4()] {
			silent = append(silent, d.Address.String())
		}
	}
	return silent
}

func (a Answer) unconnected(c check.Check) check.Check {
	c.Status = check.Fail
	switch err := a.Dials[0].Err; {
	case isRefused(err):
		c.Title = a.dialed() + " refuses connections"
		c.Why = "Nothing listens there: the controller has no listener for port " + a.port() + ", or its load balancer has no healthy target."
		c.Fix = "See whether the controller's pods run and its Service has port " + a.port() + ": kubectl get service,pod -A. "
	case isTimeout(err):
		c.Title = a.dialed() + " does not answer"
		c.Why = "A firewall or security group drops the packets, or the address is not the controller's."
		c.Fix = "Open TCP port " + a.port() + " for Codefresh. "
	case isNoRoute(err):
		c.Status, c.Title = check.Warn, "this machine has no way to "+a.dialed()
		c.Why = "It has no route to such addresses, which says nothing about others; often only IPv6 is missing."
		c.Fix = "Connect this machine to a network that has one. "
	default:
		c.Title = a.dialed() + " cannot be reached"
		c.Why = text.Line(err.Error()) + "."
		c.Fix = "Check this machine's network and the host's address. "
	}
	c.Fix += "Try it from another network too: " + a.curl()
	return c
}

// dialed is the place that was tried, as a person would write it.
func (a Answer) dialed() string {
	if a.direct() {
		return a.Dials[0].Address.String()
	}
	return net.JoinHostPort(a.name(), a.port())
}

// curl is the command that asks as Look does.
func (a Answer) curl() string {
	command := "curl -sv -o /dev/null --connect-timeout 5 "
	if a.direct() && len(a.Dials) > 0 {
		command += "--connect-to ::" + a.Dials[0].Address.String() + " "
	}
	return command + a.url()
}

func howDialed(err error) string {
	switch {
	case err == nil:
		return "connects"
	case isRefused(err):
		return "refuses"
	case isTimeout(err):
		return "does not answer"
	}
	return "fails (" + text.Line(err.Error()) + ")"
}

func isRefused(err error) bool {
	return errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, windowsRefused)
}

func isClosed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, windowsReset)
}

func isNoRoute(err error) bool {
	return errors.Is(err, syscall.ENETUNREACH) || errors.Is(err, syscall.EADDRNOTAVAIL) || errors.Is(err, windowsNoRoute)
}

func isTimeout(err error) bool {
	var network net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) || errors.As(err, &network) && network.Timeout()
}
