package platform

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A platform of Batsim's manner: two clusters, a backbone between them, a zone for
// the master; and hosts without links, of two speeds and cores.
const griffonXML = `<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="AS0" routing="Full">
    <cluster id="a" prefix="a-" suffix=".grid" radical="0-15" speed="286.097kf" bw="125MBps" lat="24us" bb_bw="1.25GBps" bb_lat="0ms"/>
    <cluster id="b" prefix="b-" suffix="" radical="0-6,8" speed="1Gf,.5Gf" core="2" bw="1Gbps" lat="50us" sharing_policy="FATPIPE" loopback_bw="1GiBps"/>
    <zone id="masters" routing="None">
      <host id="master_host" speed="100Mf"/>
      <host id="other" speed="100Mf"><prop id="role" value="master"/></host>
      <host id="files" speed="0f"><prop id="role" value="storage"/></host>
    </zone>
    <cluster id="disks" prefix="d" suffix="" radical="0-3" speed="1Gf" bw="1MBps" lat="9us"><prop id="role" value="storage"/></cluster>
    <link id="backbone" bandwidth="1.25GBps" latency="24us" sharing_policy="SHARED"/>
    <zoneRoute src="a" dst="b" gw_src="a-a_router" gw_dst="b-b_router"><link_ctn id="backbone"/></zoneRoute>
    <zoneRoute src="a" dst="disks" gw_src="a-a_router" gw_dst="ddisks_router"><link_ctn id="backbone"/></zoneRoute>
    <zoneRoute src="a" dst="masters" gw_src="a-a_router" gw_dst="master_host"><link_ctn id="backbone"/></zoneRoute>
  </zone>
</platform>`

func TestFromSimGrid(t *testing.T) {
	got, err := FromSimGrid("g.xml", []byte(griffonXML), true)
	want := Params{Clusters: []Cluster{
		{Name: "a", Nodes: 16, Speed: 286097, Link: Link{Bandwidth: 125e6, Latency: 24e-6}, Backbone: Link{Bandwidth: 1.25e9}},
		{Name: "b", Nodes: 8, Cores: 2, Speed: 1e9, Link: Link{Bandwidth: 125e6, Latency: 50e-6, Sharing: "fat-pipe"}, Loopback: 1 << 30},
	}, Central: Link{Bandwidth: 1.25e9, Latency: 24e-6}}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("error %v, %s", err, d)
	}
	got, err = FromSimGrid("g.xml", []byte(griffonXML), false)
	for i := range want.Clusters {
		c := want.Clusters[i]
		want.Clusters[i] = Cluster{Name: c.Name, Nodes: c.Nodes, Cores: c.Cores, Speed: c.Speed}
	}
	want.Central = Link{}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("without network: error %v, %s", err, d)
	}
}

func TestSimGridHosts(t *testing.T) {
	text := `<platform version="4.1"><zone id="z" routing="Full">
<host id="h0" speed="1Gf"/><host id="h1" speed="1Gf"><prop id="watt_per_state" value="1:2"/></host><host id="h2" speed="2Gf" core="4"/>
<host id="h3" speed="4Gf,3Gf,2Gf" pstate="2" core="4"/><host id="h4" speed="1000000"/><host id="h5" speed="1E6flops"/>` +
		`<host id="h6" speed="0.000001teraflops"/>%s</zone></platform>`
	got, err := FromSimGrid("h.xml", fmt.Appendf(nil, text, ""), true)
	want := Params{Clusters: []Cluster{{Name: "h0", Nodes: 2, Speed: 1e9}, {Name: "h2", Nodes: 2, Cores: 4, Speed: 2e9},
		{Name: "h4", Nodes: 3, Speed: 1e6}}}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("error %v, %s", err, d)
	}
	route := "<link id='l' bandwidth='1' latency='1'/>\n<route src='h0' dst='h1'><link_ctn id='l'/></route>"
	if _, err := FromSimGrid("h.xml", fmt.Appendf(nil, text, route), true); err == nil ||
		!strings.Contains(err.Error(), "h.xml:4: element route: it cannot be expressed, only links with zoneRoutes between clusters can; "+
			"--without-network") {
		t.Errorf("error %v", err)
	}
	if got, err := FromSimGrid("h.xml", fmt.Appendf(nil, text, route), false); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("error %v", err)
	}
}

func TestWhatSimGridPlatformsCannotSay(t *testing.T) {
	cluster := func(id string) string {
		return "<cluster id='" + id + "' radical='0-3' speed='1Gf' bw='1MBps' lat='1us'/>"
	}
	short := strings.NewReplacer("@a", cluster("a"), "@b", cluster("b"), "@c", cluster("c"), "@l",
		"<link id='x' bandwidth='1MBps' latency='1us'/><link id='y' bandwidth='1MBps' latency='1us'/>")
	for what, want := range map[string]string{
		"":                             "0 elements at the top",
		"<platform>":                   "XML syntax error on line 1: unexpected EOF",
		"<html></html>":                "x.xml:1: element html: the first element must be platform",
		"<platform><zone/></platform>": "x.xml:1: element platform: there are no hosts",
		"\n<peer id='p'/>":             `x.xml:2: element peer "p": it cannot be expressed; hosts, clusters and links can`,
		"<cluster id='c' radical='0-3' speed='1Gf' topology='FAT_TREE' " +
			"topo_parameters='2'/>": `the attribute topo_parameters="2" cannot be expressed`,
		"<cluster id='c' radical='0-3' speed='1Gf' topology='TORUS'/>":                       "the topology TORUS cannot be expressed",
		"<cluster id='c' radical='3-0' speed='1Gf'/>":                                        `radical: "3-0" is no set of numbers such as 0-15`,
		"<cluster id='c' radical='0-3' speed='fast'/>":                                       `speed "fast": a number with a unit`,
		"<cluster id='c' radical='0-3' speed='1Gf' bw='1parsec'/>":                           `bw "1parsec": the unit "parsec" is not known`,
		"<cluster id='c' radical='0-3' speed='1Gf' bw='1MBps' sharing_policy='WIFI'/>":       `sharing_policy "WIFI" cannot be expressed`,
		"<cluster id='c' radical='0-3' speed='1Gf' loopback_bw='1MBps' loopback_lat='1us'/>": "a loopback with a latency cannot be expressed",
		"<cluster id='c' radical='0-3' speed='1Gf' " +
			"limiter_link='1MBps'/>": `the attribute limiter_link="1MBps" cannot be expressed`,
		"<cluster radical='0-3' speed='1Gf'/>":                                                   "element cluster: it has no id",
		"<cluster id='c' radical='0-3' speed='1Gf'/><cluster id='c' radical='0-3' speed='1Gf'/>": "there is one of that id already",
		"<host id='h' speed='1Gf' speed_file='s'/>":                                              `the attribute speed_file="s" cannot be expressed`,
		"<host id='h' speed='1Gf' pstate='1'/>":                                                  `pstate "1": the number of speeds is 1`,
		"<host id='h' speed='1Gf' core='0'/>":                                                    `core "0": a number of at least 1`,
		"<host id='h' speed='1Gf'>\n<disk id='d'/></host>":                                       `x.xml:2: element disk "d": it cannot be expressed`,
		"@a @b":                              "1 of 1 pairs of clusters have no zoneRoute",
		"@a @b <zoneRoute src='a' dst='q'/>": `dst: there is no zone "q"`,
		"@a @b <zoneRoute src='a' dst='b'><link_ctn " +
			"id='y'/></zoneRoute>": `element link_ctn "y": there is no such link`,
		"@a @b @l <zoneRoute src='a' dst='b'><link_ctn id='x' " +
			"direction='UP'/></zoneRoute>": "only a link_ctn without direction",
		"@a @b @l <zoneRoute src='a' dst='b'><link_ctn id='x'/><link_ctn " +
			"id='x'/></zoneRoute>": "a link that several clusters share",
		"@a @b @c @l <zoneRoute src='a' dst='b'><link_ctn id='x'/></zoneRoute><zoneRoute src='a' " +
			"dst='c'/>": "routes that are not alike cannot be expressed",
		"@a @b @c @l <zoneRoute src='a' dst='b'><link_ctn id='x'/></zoneRoute><zoneRoute src='a' dst='c'><link_ctn " +
			"id='y'/></zoneRoute>": "routes that are not alike cannot be expressed",
		"<zone id='two'>@a @b</zone>@c @l <zoneRoute src='two' dst='c'><link_ctn " +
			"id='x'/></zoneRoute>": `the zone "two" has several clusters`,
		"@a @b <link id='x' bandwidth='1' latency='1' sharing_policy='SPLITDUPLEX'/><zoneRoute src='a' dst='b'><link_ctn " +
			"id='x'/></zoneRoute>": "a link between clusters that is split in two directions cannot be expressed",
		"<?xml version='1.0' encoding='latin1'?><platform>\xe9</platform>": "x.xml: XML syntax error on line 1: invalid UTF-8",
		strings.Repeat("<zone>", 200) + strings.Repeat("</zone>",
			200): "elements lie more than 100 deep",
	} {
		text := short.Replace(what)
		if what != "" && !strings.HasPrefix(what, "<?xml") && !strings.HasPrefix(what, "<platform") && !strings.HasPrefix(what, "<html") {
			text = "<platform version='4.1'><zone id='z' routing='Full'>" + text + "</zone></platform>"
		}
		if _, err := FromSimGrid("x.xml", []byte(text), true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", what, err, want)
		}
	}
}

// TestSimGridComesBack: a platform written as XML is read back unchanged.
func TestSimGridComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string) float64 { return rapid.Float64Range(1e-3, 1e12).Draw(t, name) }
		link := func(name string) Link {
			return Link{Bandwidth: number(name), Latency: rapid.Float64Range(0, 1).Draw(t, name+" latency"),
				Sharing: rapid.SampledFrom([]string{"", "fat-pipe"}).Draw(t, name+" sharing")}
		}
		var p Params
		kind := rapid.IntRange(0, 3).Draw(t, "links of a route")
		n := rapid.IntRange(2, 5).Draw(t, "clusters")
		text := "<platform version='4.1'><zone id='z' routing='Full'>"
		f := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
		xmlLink := func(id string, l Link) {
			text += fmt.Sprintf("<link id='%s' bandwidth='%sBps' latency='%ss' sharing_policy='%s'/>", id, f(l.Bandwidth), f(l.Latency),
				map[string]string{"": "SHARED", "fat-pipe": "FATPIPE"}[l.Sharing])
		}
		for i := range n {
			c := Cluster{Name: fmt.Sprint("c", i), Nodes: rapid.IntRange(1, 100).Draw(t, "nodes"), Speed: number("speed"), Link: link("link"),
				Backbone: link("backbone"), Loopback: number("loopback")}
			sharing := map[string]string{"": "SPLITDUPLEX", "fat-pipe": "FATPIPE"}[c.Link.Sharing]
			text += fmt.Sprintf("<cluster id='%s' radical='1-%d' speed='%sf' bw='%s' lat='%s' sharing_policy='%s' bb_bw='%s' bb_lat='%s' "+
				"bb_sharing_policy='%s' loopback_bw='%sBps'/>", c.Name, c.Nodes,
				f(c.Speed), f(c.Link.Bandwidth), f(c.Link.Latency), sharing, f(c.Backbone.Bandwidth), f(c.Backbone.Latency),
				map[string]string{"": "SHARED", "fat-pipe": "FATPIPE"}[c.Backbone.Sharing], f(c.Loopback))
			if kind >= 2 {
				c.Uplink = link("uplink")
				xmlLink("up"+c.Name, c.Uplink)
			}
			p.Clusters = append(p.Clusters, c)
		}
		if kind%2 == 1 {
			p.Central = link("central")
			xmlLink("central", p.Central)
		}
		for i := range n {
			for j := range i {
				text += fmt.Sprintf("<zoneRoute src='c%d' dst='c%d'>", i, j)
				text += map[int]string{0: "", 1: "<link_ctn id='central'/>", 2: fmt.Sprintf("<link_ctn id='upc%d'/><link_ctn id='upc%d'/>", i, j),
					3: fmt.Sprintf("<link_ctn id='upc%d'/><link_ctn id='central'/><link_ctn id='upc%d'/>", i, j)}[kind] + "</zoneRoute>"
			}
		}
		got, err := FromSimGrid("x", []byte(text+"</zone></platform>"), true)
		if d := cmp.Diff(p, got); err != nil || d != "" {
			t.Fatalf("error %v, %s\n%s", err, d, text)
		}
	})
}

func FuzzSimGrid(f *testing.F) {
	f.Add([]byte(griffonXML), true)
	f.Add([]byte("<platform><host id='h' speed='1Gf' core='2'/></platform>"), false)
	f.Fuzz(func(t *testing.T, text []byte, network bool) {
		p, err := FromSimGrid("x.xml", text, network)
		if err != nil {
			return
		}
		for _, c := range p.Clusters {
			for _, l := range []Link{c.Link, c.Backbone, c.Uplink, p.Central} {
				if !(l.Bandwidth >= 0 && l.Latency >= 0) || math.IsInf(l.Bandwidth+l.Latency, 1) {
					t.Errorf("link %+v", l)
				}
			}
			if !(c.Speed > 0) || math.IsInf(c.Speed, 1) || c.Nodes < 1 || c.Cores < 0 || !(c.Loopback >= 0) {
				t.Errorf("cluster %+v", c)
			}
		}
		if _, err := Build(p, 0); err != nil && len(p.Clusters) < 100 {
			for _, c := range p.Clusters {
				if c.Nodes*max(c.Cores, 1) > math.MaxInt32 {
					return // the engine's own bound, with its own message
				}
			}
			t.Error(err)
		}
	})
}
