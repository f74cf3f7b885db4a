//go:build unix

package external

import (
	"context"
	"strings"
	"testing"
)

// BenchmarkRoundTrip is a message to another process and its answer, of the size of
// those of one submission, with a module that only sends them back. Targets: lines
// under 30 us (a bare echo over a Unix domain socket costs 17), ZeroMQ under 60 us.
func BenchmarkRoundTrip(b *testing.B) {
	for protocol, manner := range map[string]string{"lines": "good", "zeromq": "rep"} {
		b.Run(protocol, func(b *testing.B) {
			b.Setenv("TMPDIR", b.TempDir())
			module := moduleOf(manner, 30)
			module.Protocol = protocol
			var all Modules
			defer all.EndRun()
			talk, err := all.Start(context.Background(), module, "")
			if err != nil {
				b.Fatal(err)
			}
			message := []byte(strings.Repeat("m", 200))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := talk.Ask(message); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
