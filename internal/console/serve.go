package console

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os/exec"
	"runtime"
	"strconv"

	"skein/internal/web"
)

const (
	serveArguments = ""
	serveHelp      = `Serves a page for analysis and play to the browsers of this machine, until
interrupted. The page can use up to --threads threads and --hash MiB; several tabs
share the engine in turns.

With --listen on an address beyond the loopback, other machines can open the page,
but only with the token in the address that is printed, as whoever has it can use
the processors of this machine. The connection is not encrypted.
`
	defaultPort = 8960
)

// serving holds the arguments of serve.
type serving struct {
	listen string
	port   int
	open   bool
	effort *effort
}

func serve(c *call) func([]string) error {
	a := serving{effort: &effort{}}
	c.flags.Group("Page")
	c.flags.IntVar(&a.port, "port", defaultPort, "listen on port `N`; 0 is any that is free")
	c.flags.BoolVar(&a.open, "open", false, "open the page in the browser")
	c.flags.StringVar(&a.listen, "listen", "127.0.0.1", "listen on the IP `ADDRESS`")
	c.engineFlags(a.effort, defaultThreads(), 256)
	return func(args []string) error {
		if len(args) > 0 {
			return usagef("unexpected argument %q", args[0])
		}
		if err := a.effort.check(c.flags); err != nil {
			return err
		}
		if a.port < 0 || a.port > 65535 {
			return usagef("--port %d is not between 0 and 65535", a.port)
		}
		ip, err := netip.ParseAddr(a.listen)
		if err != nil {
			return usagef("--listen %q is not an IP address", a.listen)
		}
		return a.run(c, netip.AddrPortFrom(ip, uint16(a.port)))
	}
}

// run serves the page until the command is interrupted.
func (a *serving) run(c *call, address netip.AddrPort) error {
	listener, err := (&net.ListenConfig{}).Listen(c.ctx, "tcp", address.String())
	if err != nil {
		return fmt.Errorf("%w; --listen and --port choose another address", err)
	}
	engine, err := c.newEngine(a.effort)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	config := web.Config{Name: c.Name, Engine: engine.Engine, Threads: a.effort.threads, Hash: a.effort.hash,
		Tables: engine.tables, Log: func(err error) { c.warn("%v", err) }}
	if !address.Addr().IsLoopback() {
		config.Token = rand.Text()
	}
	url := pageAddress(listener.Addr().String(), config.Token)
	if _, err := fmt.Fprintln(c.Out, url); err != nil {
		return errors.Join(err, listener.Close(), engine.Close())
	}
	if config.Token != "" {
		c.warn("whoever has this address can use the engine; the connection is not encrypted")
	}
	if a.open {
		if err := openBrowser(url); err != nil {
			c.warn("--open: %v", err)
		}
	}
	err = web.New(config).Serve(c.ctx, listener)
	if err = errors.Join(err, engine.Close()); err == nil {
		err = context.Cause(c.ctx)
	}
	return err
}

// pageAddress returns the address of the page for a browser. In place of all
// interfaces it names one that this machine has.
func pageAddress(bound, token string) string {
	at, err := netip.ParseAddrPort(bound)
	if err == nil && at.Addr().IsUnspecified() {
		bound = net.JoinHostPort(outwardIP(), strconv.Itoa(int(at.Port())))
	}
	url := "http://" + bound + "/"
	if token != "" {
		url += "?token=" + token
	}
	return url
}

// outwardIP returns an address under which other machines may reach this one, that of
// the loopback if there is none.
func outwardIP() string {
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		return "127.0.0.1"
	}
	for _, a := range addresses {
		if network, ok := a.(*net.IPNet); ok && network.IP.IsGlobalUnicast() {
			return network.IP.String()
		}
	}
	return "127.0.0.1"
}

// openBrowser starts the browser of the desktop.
func openBrowser(url string) error {
	var cmd *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		cmd = exec.Command("open", url)
	case "windows":
		cmd = exec.Command("rundll32", "url.dll,FileProtocolHandler", url)
	default:
		cmd = exec.Command("xdg-open", url)
	}
	detach(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	go cmd.Wait() // or it would remain as a zombie; it may be the browser itself, which outlives this command
	return nil
}
