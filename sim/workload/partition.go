package workload

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"schedsweep/sim"
	"schedsweep/sim/workload/swf"
)

// into returns the partition of the platform for each partition of the log; nil where the platform is not divided.
func (p *LogRules) into(log *swf.Log, on *sim.Platform) (*swf.Partitions, error) {
	if on == nil {
		if len(p.Partition) > 0 {
			return nil, fmt.Errorf("workload.partition.%s: the platform has no partitions; define platform.nodes and platform.partitions, or drop "+
				"workload.partition", p.Partition[0].Log)
		}
		return nil, nil
	}
	all := make([]swf.Partition, len(on.Partitions))
	for i, q := range on.Partitions {
		all[i] = swf.Partition{Number: int32(i + 1), Name: q.Name, Largest: on.Largest(int32(i + 1)), Default: q.Default}
	}
	for _, e := range p.Partition {
		n, err := partitionOf(log, e.Log)
		if err != nil && len(log.Names.Partitions) > 0 && e.Log == e.To {
			n, err = nobodys, nil // a partition of the site that no job of this log names
		}
		to := int32(0)
		if err == nil {
			to, err = partitionNamed(on, e.To)
		}
		if err != nil {
			return nil, fmt.Errorf("workload.partition.%s: %w", e.Log, err)
		}
		all[to-1].Of = append(all[to-1].Of, n)
		slices.Sort(all[to-1].Of)
	}
	for _, q := range all {
		if len(q.Of) == 0 && !q.Default {
			return nil, unused(q.Name)
		}
	}
	return log.Partitions(all), nil
}

// nobodys is the number of a partition that no job of a log has.
const nobodys = math.MinInt32

// partitionNamed returns the number of a partition of the platform, and 0 for no name where jobs may have none.
func partitionNamed(on *sim.Platform, name string) (int32, error) {
	var names []string
	byDefault := on == nil
	if on != nil {
		for i, q := range on.Partitions {
			if names = append(names, q.Name); q.Name == name {
				return int32(i + 1), nil
			}
			byDefault = byDefault || q.Default
		}
	}
	switch {
	case name == "" && byDefault:
		return 0, nil
	case name == "":
		return 0, fmt.Errorf("the job names no partition, and platform.partitions has no default one; name one of %s, or mark one as the default",
			strings.Join(names, ", "))
	case on == nil:
		return 0, fmt.Errorf("the platform has no partitions, and %q is named; define platform.nodes and platform.partitions, or drop it", name)
	}
	return 0, fmt.Errorf("platform.partitions has no partition %q; it has %s", name, strings.Join(names, ", "))
}

// partitionOf is the number of a partition of the log, which may have a name.
func partitionOf(log *swf.Log, name string) (int32, error) {
	if n := slices.Index(log.Names.Partitions, name); n >= 0 {
		return int32(n), nil
	}
	n, err := strconv.ParseInt(name, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("the log has no partition of the name %q; write a number (field 16), or one of its names", name)
	}
	if of := log.InPartitions(); of != nil && !slices.Contains(of, int32(n)) {
		return 0, fmt.Errorf("no job of the log is in partition %s; its jobs are in %s: correct the number (field 16), or drop the entry", name,
			strings.ReplaceAll(strings.Trim(fmt.Sprint(of), "[]"), " ", ", "))
	}
	return int32(n), nil
}

func unused(name string) error {
	return fmt.Errorf("platform.partitions.%s: no job can use this partition, because it is not the default and workload.partition leads no "+
		"job there; give it an entry, mark it as the default, or drop it", name)
}

// UsedByDefault reports a partition that jobs without one cannot use, for workloads whose jobs name none.
func UsedByDefault(on *sim.Platform) error {
	for _, q := range on.Partitions {
		if !q.Default {
			return unused(q.Name)
		}
	}
	return nil
}
