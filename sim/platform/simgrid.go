package platform

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// FromSimGrid reads a SimGrid platform (XML, versions 4 and 4.1): clusters of one
// switch, hosts, and what joins clusters as far as a platform here has a place for it.
// With network false only hosts count: their number, cores and speed. name is for
// messages. All that cannot be expressed is an error with the element and its line.
//
// A route between two clusters is one link for all pairs (central), or a link of each cluster (uplink), or both, with
// the central link between the two uplinks. Hosts outside of a cluster have no links. Hosts on which Batsim runs no jobs
// are left out: the one called master_host, and hosts and clusters with the property role=master or role=storage.
// Processors are numbered in the order of the file. Of several speeds (power states) the one of the attribute pstate
// counts, by default the first.
func FromSimGrid(name string, text []byte, network bool) (Params, error) {
	root, err := parseXML(text)
	if err != nil {
		return Params{}, fmt.Errorf("%s: %w", name, err)
	}
	r := &simgrid{network: network, links: map[string]*element{}, ends: map[string][]int{}}
	if root.name != "platform" {
		err = root.fault("the first element must be platform")
	} else if err = r.zone(root, nil); err == nil && len(r.p.Clusters) == 0 {
		err = root.fault("there are no hosts")
	} else if err == nil && network {
		err = r.join()
	}
	if err != nil {
		return Params{}, fmt.Errorf("%s:%w", name, err)
	}
	return r.p, nil
}

// simgrid is a platform that is being read.
type simgrid struct {
	network bool
	p       Params
	links   map[string]*element
	routes  []*element
	ends    map[string][]int // the clusters of a zone or cluster by its id
	loose   bool             // the last cluster is of single hosts, which others may join
}

// zone reads what lies in a zone, which itself lies in those of outer.
func (r *simgrid) zone(z *element, outer []string) error {
	within := append(slices.Clip(outer), z.attrs["id"])
	r.loose = false
	for _, e := range z.children {
		from := len(r.p.Clusters)
		var err error
		switch e.name {
		case "zone", "AS":
			r.ends[e.attrs["id"]] = nil
			if err = r.zone(e, within); err == nil && r.network {
				err = e.only("id routing")
			}
			r.loose = false
			if err != nil {
				return err
			}
			continue
		case "cluster":
			err, r.loose = r.cluster(e), false
		case "host":
			err = r.host(e)
		case "prop", "router":
		case "link":
			r.links[e.attrs["id"]] = e
		case "zoneRoute", "ASroute":
			r.routes = append(r.routes, e)
		default:
			switch known := slices.Contains([]string{"route", "bypassRoute", "bypassZoneRoute", "bypassASroute", "config", "backbone"}, e.name); {
			case known && r.network:
				err = e.fault("it cannot be expressed, only links with zoneRoutes between clusters can; --without-network takes the hosts alone")
			case !known:
				err = e.fault("it cannot be expressed; hosts, clusters and links can")
			}
		}
		if err != nil {
			return err
		}
		for i := from; i < len(r.p.Clusters); i++ {
			for _, id := range append(within, e.attrs["id"]) {
				r.ends[id] = append(r.ends[id], i)
			}
		}
	}
	return nil
}

func (r *simgrid) cluster(e *element) error {
	if r.network {
		if err := e.only("id prefix suffix radical speed core bw lat sharing_policy bb_bw bb_lat bb_sharing_policy loopback_bw loopback_lat " +
			"router_id topology"); err != nil {
			return err
		}
	}
	if t := e.attrs["topology"]; t != "" && t != "FLAT" {
		return e.fault("the topology %s cannot be expressed, only one switch (FLAT)", t)
	}
	if e.apart() {
		r.ends[e.attrs["id"]] = nil
		return nil
	}
	c := Cluster{Name: e.attrs["id"]}
	var err error
	if c.Nodes, err = radical(e.attrs["radical"]); err != nil {
		return e.fault("radical: %w", err)
	}
	if err := e.compute(&c); err != nil {
		return err
	}
	if r.network {
		if err := e.link("bw", "lat", "sharing_policy", "SPLITDUPLEX", &c.Link); err != nil {
			return err
		}
		if err := e.link("bb_bw", "bb_lat", "bb_sharing_policy", "SHARED", &c.Backbone); err != nil {
			return err
		}
		var loop Link
		if err := e.link("loopback_bw", "loopback_lat", "", "", &loop); err != nil {
			return err
		}
		if c.Loopback = loop.Bandwidth; loop.Latency != 0 {
			return e.fault("a loopback with a latency cannot be expressed")
		}
	}
	return r.add(e, c)
}

// add enters a cluster under a name that no other has.
func (r *simgrid) add(e *element, c Cluster) error {
	if c.Name == "" {
		return e.fault("it has no id")
	}
	for _, o := range r.p.Clusters {
		if o.Name == c.Name {
			return e.fault("there is one of that id already")
		}
	}
	r.p.Clusters = append(r.p.Clusters, c)
	return nil
}

// host adds a host, to the cluster of those before it where they are alike.
func (r *simgrid) host(e *element) error {
	if err := e.only("id speed core pstate coordinates"); err != nil {
		return err
	}
	for _, p := range e.children {
		if p.name != "prop" {
			return p.fault("it cannot be expressed")
		}
	}
	if e.attrs["id"] == "master_host" || e.apart() {
		return nil
	}
	c := Cluster{Name: e.attrs["id"], Nodes: 1}
	if err := e.compute(&c); err != nil {
		return err
	}
	if r.loose {
		last := &r.p.Clusters[len(r.p.Clusters)-1]
		if last.Speed == c.Speed && last.Cores == c.Cores {
			last.Nodes++
			return nil
		}
	}
	r.loose = true
	return r.add(e, c)
}

// apart reports whether a host or cluster has a role in which it runs no jobs.
func (e *element) apart() bool {
	return slices.ContainsFunc(e.children, func(p *element) bool {
		return p.name == "prop" && p.attrs["id"] == "role" && (p.attrs["value"] == "master" || p.attrs["value"] == "storage")
	})
}

// compute reads speed and cores.
func (e *element) compute(c *Cluster) error {
	speeds := strings.Split(e.attrs["speed"], ",")
	state := 0
	if text, given := e.attrs["pstate"]; given {
		var err error
		if state, err = strconv.Atoi(text); err != nil || state < 0 || state >= len(speeds) {
			return e.fault("pstate %q: the number of speeds is %d", text, len(speeds))
		}
	}
	speed, err := quantity(speeds[state], flopUnits)
	if err != nil || speed == 0 {
		return e.fault("speed %q: a number with a unit such as 1Gf is needed, above 0", speeds[state])
	}
	c.Speed = speed
	if text, given := e.attrs["core"]; given {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > math.MaxInt32 {
			return e.fault("core %q: a number of at least 1 is needed", text)
		}
		if n > 1 {
			c.Cores = n
		}
	}
	return nil
}

var sharings = map[string]string{"SHARED": "shared", "SPLITDUPLEX": "split-duplex", "FATPIPE": "fat-pipe"}

// link reads a link from these attributes; what it would be without the third is not
// said again.
func (e *element) link(bandwidth, latency, sharing, otherwise string, to *Link) error {
	for _, q := range []struct {
		name  string
		units map[string]float64
		to    *float64
	}{{bandwidth, byteUnits, &to.Bandwidth}, {latency, timeUnits, &to.Latency}} {
		text, given := e.attrs[q.name]
		if !given {
			continue
		}
		v, err := quantity(text, q.units)
		if err != nil {
			return e.fault("%s %q: %w", q.name, text, err)
		}
		*q.to = v
	}
	if text, given := e.attrs[sharing]; given && text != otherwise {
		ours, known := sharings[text]
		if !known {
			return e.fault("%s %q cannot be expressed: SHARED, SPLITDUPLEX and FATPIPE can", sharing, text)
		}
		to.Sharing = ours
	}
	return nil
}

// join finds the uplinks and the central link in the routes between clusters.
func (r *simgrid) join() error {
	n := len(r.p.Clusters)
	uplinks, center, kind := make([]string, n), "", -1
	joined := map[[2]int]bool{}
	for _, e := range r.routes {
		if err := e.only("src dst gw_src gw_dst symmetrical"); err != nil {
			return err
		}
		ends, over, err := r.route(e)
		if err != nil {
			return err
		}
		if len(ends[0]) == 0 || len(ends[1]) == 0 {
			continue // to a zone without hosts that compute
		}
		from, to := ends[0][0], ends[1][0]
		joined[[2]int{min(from, to), max(from, to)}] = true
		claims := map[*string]string{}
		switch len(over) {
		case 1:
			claims[&center] = over[0]
		case 3:
			claims[&center] = over[1]
			fallthrough
		case 2:
			claims[&uplinks[from]], claims[&uplinks[to]] = over[0], over[len(over)-1]
		}
		fits := from != to && len(over) <= 3 && (kind < 0 || kind == len(over))
		for place, link := range claims {
			fits = fits && (*place == "" || *place == link)
			*place = link
		}
		if kind = len(over); !fits {
			return e.fault("routes that are not alike cannot be expressed: one link for all pairs of clusters, or one of each cluster's own, or " +
				"such with one for all between them")
		}
	}
	if pairs := n * (n - 1) / 2; n > 1 && (len(joined) > 0 || r.linked()) && len(joined) < pairs {
		return fmt.Errorf("1: %d of %d pairs of clusters have no zoneRoute; --without-network takes the hosts alone", pairs-len(joined), pairs)
	}
	for i := range uplinks {
		if j := slices.Index(uplinks, uplinks[i]); uplinks[i] != "" && (j < i || uplinks[i] == center) {
			return r.links[uplinks[i]].fault("a link that several clusters share beside others cannot be expressed")
		}
		if err := r.take(uplinks[i], &r.p.Clusters[i].Uplink); err != nil {
			return err
		}
	}
	return r.take(center, &r.p.Central)
}

// route reads a route: the cluster at each end, if any, and the links between them.
func (r *simgrid) route(e *element) (ends [2][]int, over []string, err error) {
	for i, name := range []string{"src", "dst"} {
		at, known := r.ends[e.attrs[name]]
		if !known {
			return ends, nil, e.fault("%s: there is no zone %q", name, e.attrs[name])
		}
		if len(at) > 1 {
			return ends, nil, e.fault("%s: the zone %q has several clusters, which cannot be joined by one route", name, e.attrs[name])
		}
		ends[i] = at
	}
	if len(ends[0]) == 0 || len(ends[1]) == 0 {
		return ends, nil, nil
	}
	for _, c := range e.children {
		if d := c.attrs["direction"]; c.name != "link_ctn" || d != "" && d != "NONE" {
			return ends, nil, c.fault("only a link_ctn without direction can be expressed in a route")
		}
		if r.links[c.attrs["id"]] == nil {
			return ends, nil, c.fault("there is no such link")
		}
		over = append(over, c.attrs["id"])
	}
	return ends, over, nil
}

// linked reports whether a cluster has links at all.
func (r *simgrid) linked() bool {
	return slices.ContainsFunc(r.p.Clusters, func(c Cluster) bool { return c.Link != (Link{}) || c.Backbone != (Link{}) })
}

// take reads the link of that id, if any.
func (r *simgrid) take(id string, to *Link) error {
	e := r.links[id]
	if e == nil {
		return nil
	}
	if err := e.only("id bandwidth latency sharing_policy"); err != nil {
		return err
	}
	if e.attrs["sharing_policy"] == "SPLITDUPLEX" {
		return e.fault("a link between clusters that is split in two directions cannot be expressed")
	}
	return e.link("bandwidth", "latency", "sharing_policy", "SHARED", to)
}
