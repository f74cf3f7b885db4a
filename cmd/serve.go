package cmd

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"schedsweep/cmd/serve"
)

func serveCommand(env environment) *cli.Command {
	return verb(cli.Command{
		Name:      "serve",
		Usage:     "show run folders in a browser, while they grow",
		ArgsUsage: "FOLDER | MANIFEST [MORE ...]",
		Description: `Starts a server for browsers and prints its address. The pages show how far a
run is, draw any figure of its rows, list claims with their verdicts, compare
two folders, and show the schedule of a single instance. They are made by the
code of status, analyze, claims, report, compare and gantt. The server reads
only the folders given, and writes nothing.

Other processes may write to the folders meanwhile, on other machines too. A
new part file is on the page within two seconds.

The server answers this machine only, unless --host names an address, and only
requests that know the token in the printed address. All links are relative:
the pages also work through ssh -L and through ports that an editor forwards.
Stop the server with Ctrl-C.

` + example(`schedsweep serve results/runs/quickstart
schedsweep serve manifests/quickstart.yaml --port 8321 --open`),
		Flags: manifestFlags(outFlag(), commandsFlag(),
			&cli.IntFlag{Name: "port", Usage: "listen at `PORT`; 0 chooses a free one"},
			&cli.StringFlag{Name: "host", Usage: "listen at `ADDRESS`; others than a loopback address let other machines in", Value: "127.0.0.1"},
			&cli.BoolFlag{Name: "open", Usage: "open the address in the browser"},
			&cli.StringFlag{Name: "memory-limit", Usage: "end a re-run of an instance that takes more memory than `SIZE`", Value: "1GB"},
		),
		Action: func(c *cli.Context) error { return serveFolders(env, c) },
	})
}

func serveFolders(env environment, c *cli.Context) error {
	s, err := newSite(env, c)
	if err != nil {
		return err
	}
	host := c.String("host")
	listener, err := net.Listen("tcp", net.JoinHostPort(host, strconv.Itoa(c.Int("port"))))
	if err != nil {
		return misuse("serve: %w; choose another --host or --port", err)
	}
	addr := listener.Addr().(*net.TCPAddr)
	guard := &serve.Guard{Token: rand.Text(), Loopback: addr.IP.IsLoopback(), Next: s}
	shown := addr.String()
	if c.IsSet("host") && net.ParseIP(host) == nil {
		guard.Names = []string{strings.ToLower(host)}
		shown = net.JoinHostPort(host, strconv.Itoa(addr.Port))
	}
	s.limitHeap()
	ctx, stop := abortable(env)
	defer stop()
	server := &http.Server{Handler: guard, MaxHeaderBytes: serve.MostHeader, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		BaseContext: func(net.Listener) context.Context { return ctx }}
	url := "http://" + shown + "/?token=" + guard.Token
	if err := env.printf("%s\n", url); err != nil {
		return errors.Join(err, listener.Close())
	}
	if !guard.Loopback {
		env.note("other machines can reach this server. The address is not encrypted: whoever reads it on the network can read the pages")
	}
	if c.Bool("open") {
		opener := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
		if opener == nil {
			opener = []string{"xdg-open"}
		}
		if err := exec.Command(opener[0], append(opener[1:], url)...).Start(); err != nil {
			env.note(fmt.Sprintf("no browser could be opened: %v", err))
		}
	}
	context.AfterFunc(ctx, func() { _ = server.Close() }) // streams of events never end by themselves
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}
