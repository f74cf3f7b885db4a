package siteconf

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// watts are properties of SimGrid's energy plugins.
var watts = regexp.MustCompile(`<prop\s[^>]*\bid=["'](watt[a-z_]*)["']`)

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
		sections := appendFields([]byte("platform:\n"), 1, p)
		var props []string
		for _, m := range watts.FindAllSubmatch(texts[0], -1) {
			props = text.Once(props, string(m[1]))
		}
		if len(props) > 0 {
			sections = fmt.Appendf(sections, "#\n# Not carried over: %s. Clusters have no power; write platform.nodes with power for energy.\n",
				strings.Join(slices.Sorted(slices.Values(props)), ", "))
		}
		return sections, 0, nil
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	return convert(path, texts, o, func(name string) ([]byte, error) {
		if dir, err := filepath.Abs(filepath.Dir(path)); err == nil && filepath.IsAbs(name) {
			if below, err := filepath.Rel(dir, name); err == nil {
				name = below
			}
		}
		info, err := root.Stat(name)
		switch {
		case !filepath.IsLocal(name):
			return nil, errors.New("it is in another folder")
		case err != nil:
			if _, there := os.Stat(filepath.Join(filepath.Dir(path), name)); there == nil {
				return nil, errors.New("a link leads to another folder")
			}
			return nil, cause(err)
		case !info.Mode().IsRegular():
			return nil, errors.New("it is no regular file")
		case info.Size() > maxBytes:
			return nil, tooLarge(info.Size())
		}
		return root.ReadFile(name)
	})
}

// cause is an error of a file without the call that failed and the name.
func cause(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}

func tooLarge(n int64) error {
	return fmt.Errorf("it has %d B, and at most %d B are read: drop what describes no site", n, maxBytes)
}

// site holds the parts of a manifest and the lines that they come from.
type site struct {
	platform platform.Params
	order    *backfill.MultifactorParams // nil: first come first served
	planning backfill.Planning
	limits   backfill.Bounded
	all      []*node
	named    map[string][]*node // nodes and node sets by name
	parts    []statement        // lines of the partitions
	rows     []row              // associations, where the site holds limits
	apart    []string           // users of associations of one partition, which are left out
}

// convert reads a configuration, the table of associations and that of QOS.
func convert(name string, texts [3][]byte, o Options, read func(string) ([]byte, error)) (sections []byte, decide int, err error) {
	c := newConf(read)
	c.file(name, texts[0])
	memory, whole := c.selection()
	tree := c.topology()
	c.scheduling(whole)
	c.nodes(memory, tree)
	c.partitions(whole, o.QOS != "")
	c.classes()
	c.licences()
	c.list("GresTypes", nil, reasons{{"", "gpu"}, {gpusAlone, "*"}})
	enforced := c.enforced()
	order := cmp.Or(c.order, &backfill.MultifactorParams{}) // the tables are read, and first come first served needs neither
	if o.Associations != "" {
		order.Accounts = c.associations(o.Associations, texts[1], enforced)
	} else if order.Weights.FairShare > 0 {
		c.drop(c.options["priorityweightfairshare"], "without --associations all users have equal shares")
	}
	if o.QOS != "" {
		order.QOS = c.qos(o.QOS, texts[2], enforced)
	} else if order.Weights.QOS > 0 {
		c.drop(c.options["priorityweightqos"], "without --qos no QOS has a priority")
	}
	c.rest()
	if len(c.platform.Nodes) > 0 {
		c.platform.Validate(func(field, message string) { c.out.Add(c.start, "", "platform.%s %s", field, message) })
	}
	if err := c.out.Err(); err != nil {
		return nil, 0, err
	}
	b := appendFields([]byte("# Sections of a manifest, from "+oneLine(filepath.Base(name))+".\nplatform:\n"), 1, c.platform)
	b = append(b, "policy:\n  kind: conservative\n"...)
	if c.order != nil {
		b = appendFields(append(b, "  order:\n"...), 2, *order)
	}
	b = appendFields(append(b, "  planning:\n"...), 2, c.planning)
	b = appendFields(b, 1, c.limits)
	notes, decide := c.comments()
	return append(b, c.advice()+notes...), decide, nil
}
