package siteconf

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"schedsweep/harness/store"
	"schedsweep/sim/platform"
	"schedsweep/sim/policy/backfill"
	"schedsweep/sweep/text"
)

// Options name further files about a site, and say which parts of it to take.
type Options struct {
	Associations   string // file of sacctmgr show assoc tree -P; "" for none
	QOS            string // file of sacctmgr show qos -P; "" for none
	WithoutNetwork bool   // of SimGrid the hosts alone
}

// maxBytes is the most that is read of a file.
const maxBytes = 16 << 20

// Convert reads a slurm.conf, with the files below its folder that it includes and a topology.conf beside it, or a SimGrid platform.
// It returns sections of a manifest, with comments that name the settings that are not carried over. decide counts the ones that may
// change decisions.
func Convert(path string, o Options) (sections []byte, decide int, err error) {
	var texts [3][]byte
	for i, name := range []string{path, o.Associations, o.QOS} {
		if name == "" {
			continue
		}
		if texts[i], err = store.ReadRegular(name); err == nil && len(texts[i]) > maxBytes {
			err = fmt.Errorf("%s: %w", name, tooLarge(int64(len(texts[i]))))
		}
		if err != nil {
			return nil, 0, err
		}
	}
	if trimmed := bytes.TrimSpace(bytes.TrimPrefix(texts[0], []byte(text.ByteOrderMark))); bytes.HasPrefix(trimmed, []byte("<")) {
		p, err := platform.FromSimGrid(path, texts[0], !o.WithoutNetwork)
		if err == nil && o.Associations+o.QOS != "" {
			err = fmt.Errorf("%s is a SimGrid platform, which has no associations and no QOS: drop these options", path)
		}
		if err != nil {
			return nil, 0, err
		}
		return appendFields([]byte("platform:\n"), 1, p), 0, nil
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	return convert(path, texts, o, func(name string) ([]byte, error) {
		info, err := root.Stat(name)
		switch {
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular():
			return nil, errors.New("it is no regular file")
		case info.Size() > maxBytes:
			return nil, tooLarge(info.Size())
		}
		return root.ReadFile(name)
	})
}

func tooLarge(n int64) error {
	return fmt.Errorf("it has %d B, and at most %d B are read: drop what describes no site", n, maxBytes)
}

// convert reads a configuration, the table of associations and that of QOS.
func convert(name string, texts [3][]byte, o Options, read func(string) ([]byte, error)) (sections []byte, decide int, err error) {
	c := newConf(read)
	c.file(name, texts[0])
	memory, whole := c.selection()
	tree := c.topology()
	p := c.nodes(memory, whole, tree)
	s := c.scheduling()
	if whole {
		s.planning.WholeNodes = false
	}
	var limits []backfill.Limit
	enforced := c.enforced()
	if o.Associations != "" {
		a := c.associations(o.Associations, texts[1], enforced)
		limits = a.limits
		if s.order != nil {
			s.order.Accounts = a.accounts
		}
	} else if s.order != nil && s.order.Weights.FairShare > 0 {
		c.drop(c.options["priorityweightfairshare"], "without --associations all users have equal shares")
	}
	if o.QOS != "" {
		levels, more := c.qos(o.QOS, texts[2], enforced)
		limits = append(limits, more...)
		if s.order != nil {
			s.order.QOS = levels
		}
	} else if s.order != nil && s.order.Weights.QOS > 0 {
		c.drop(c.options["priorityweightqos"], "without --qos no QOS has a priority")
	}
	c.partitionRules(&s, o.QOS != "")
	c.rest()
	if len(p.Nodes) > 0 {
		p.Validate(func(field, message string) { c.out.Add(c.start, "", "platform.%s: %s", field, message) })
	}
	if err := c.out.Err(); err != nil {
		return nil, 0, err
	}
	b := appendFields([]byte("# Sections of a manifest, from "+oneLine(filepath.Base(name))+".\nplatform:\n"), 1, p)
	b = append(b, "policy:\n  kind: conservative\n"...)
	if s.order != nil {
		b = appendFields(append(b, "  order:\n"...), 2, *s.order)
	}
	b = appendFields(append(b, "  planning:\n"...), 2, s.planning)
	b = appendFields(b, 1, backfill.Bounded{Limits: limits})
	notes, decide := c.comments()
	return append(append(b, c.advice(&p)...), notes...), decide, nil
}

// enforced reports whether the site holds limits.
func (c *conf) enforced() bool {
	p, _ := c.option("AccountingStorageEnforce")
	for _, item := range p.items() {
		switch item.item() {
		case "limits", "safe", "all":
			return true
		}
	}
	return false
}

// partitionRules reads the priorities and limits of partitions.
func (c *conf) partitionRules(s *scheduler, qos bool) {
	for _, line := range c.parts {
		if p, ok := line.of("priorityjobfactor", "priority"); ok {
			n := c.whole(p, 0, 65533)
			if s.order != nil {
				s.order.Partitions = append(s.order.Partitions, backfill.Level{Name: line.first.value, Priority: float64(n)})
			}
		}
		if p, ok := line.of("qos"); ok && !qos {
			c.drop(p, "without --qos its limits are not known")
		}
	}
	if p, ok := c.option("EnforcePartLimits"); ok && strings.EqualFold(p.value, "no") {
		c.drop(p, "a job beyond the walltime of its partition is rejected")
	}
	p, _ := c.option("GresTypes")
	for _, item := range p.items() {
		if item.item() != "gpu" {
			c.drop(item, "of generic resources, node classes have GPUs alone")
		}
	}
}

// advice returns the mapping of a log's jobs to the partitions, and the resources that the nodes of p have for them.
func (c *conf) advice(p *platform.Params) string {
	to := ""
	for i, line := range c.parts {
		if i > 0 {
			to += ", "
		}
		to += line.first.value + ": " + line.first.value
	}
	requests := [4]string{"nodes"}
	for i := range p.Nodes {
		e := &p.Nodes[i].Each
		if e.Memory > 0 {
			requests[1] = ", memory"
		}
		if e.Requestable > 0 {
			requests[2] = ", gpus"
		}
		if len(e.Features) > 0 {
			requests[3] = ", features"
		}
	}
	return "#\n# Jobs of a log: workload: {partition: {" + to + "}, requests: [" + strings.Join(requests[:], "") + "]}\n"
}
