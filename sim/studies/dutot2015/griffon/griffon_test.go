package griffon

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"schedsweep/sim/platform"
)

// The homogeneous platform of Dutot 2015, which is checked against SimGrid itself
// (package ptask), is the one that its XML gives.
func TestSimGridPreset(t *testing.T) {
	var b strings.Builder
	b.WriteString("<platform version='4'><AS id='all' routing='Full'>")
	for i := range 8 {
		fmt.Fprintf(&b, "<cluster id='c%d' radical='1-16' speed='286.097kf' bw='125MBps' lat='24us' bb_bw='1.25GBps' "+
			"sharing_policy='SPLITDUPLEX'/>", i)
	}
	b.WriteString("<link id='x' bandwidth='1.25GBps' latency='24us'/>")
	for i := range 8 {
		for j := range i {
			fmt.Fprintf(&b, "<ASroute src='c%d' dst='c%d'><link_ctn id='x'/></ASroute>", j, i)
		}
	}
	b.WriteString("</AS></platform>")
	p, err := platform.FromSimGrid("x", []byte(b.String()), true)
	if err != nil {
		t.Fatal(err)
	}
	got, err := platform.Build(p, 0)
	want, err2 := platform.Build(platform.Params{Preset: "griffon-8x16"}, 0)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for i := range got.Clusters {
		got.Clusters[i].Name = "c"
	}
	if d := cmp.Diff(want.Clusters, got.Clusters); d != "" || want.Central != got.Central {
		t.Errorf("%s%+v, %+v", d, want.Central, got.Central)
	}
}

// TestTable1: speeds and backbones of the clusters are the factors of table 1 times Griffon's 286.097 kflop/s and 1.25 GB/s.
func TestTable1(t *testing.T) {
	p, err := platform.Build(platform.Params{Preset: "griffon-high"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int][2]float64{0: {1, 2}, 3: {2.02, 4}, 6: {2.94, 1}} {
		if c := p.Clusters[i]; c.Speed != want[0]*286.097e3 || c.Backbone.Bandwidth != want[1]*1.25e9 {
			t.Errorf("cluster %d has %g flop/s and a backbone of %g B/s", i, c.Speed, c.Backbone.Bandwidth)
		}
	}
}
