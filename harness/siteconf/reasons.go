package siteconf

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"schedsweep/sweep/text"
)

// note is a line that is not carried over.
type note struct {
	file    string
	line    int
	what    string
	why     string
	decides bool // it may change decisions of the scheduler
}

// reason is the reason for which an option is not carried over.
type reason struct {
	why     string
	decides bool
}

// operations are options that no decision depends on, by reason. A * at the end matches any letters.
var operations = []struct{ why, keys string }{
	{"access and daemons", `auth* cred* crypto* jobcredential* slurmuser slurmduser slurmctldhost slurmctldaddr slurmctldport slurmdport
		controlmachine controladdr backupcontroller backupaddr disablerootjobs slurmctldparameters slurmdparameters communicationparameters
		messagetimeout slurmctldtimeout slurmdtimeout tcptimeout batchstarttimeout treewidth srunportrange plugindir plugstackconfig
		slurmctldpidfile slurmdpidfile statesavelocation slurmdspooldir returntoservice dataparserparameters mailprog maildomain
		sbcastparameters slurmsched* usepam clustername eiotimeout keepalivetime grouptime groupupdateforce groupupdatetime privatedata
		jobcontainertype clifilterplugins x11parameters hashplugin ssh* url*`},
	{"logs and accounting", `slurmctldlogfile slurmdlogfile slurmctlddebug slurmddebug slurmctldsyslogdebug slurmdsyslogdebug debugflags
		logtimeformat jobcomp* jobacctgather* acctgather* accountingstoragetype accountingstoragehost accountingstorageport
		accountingstorageuser accountingstoragepass accountingstorageloc accountingstoragebackuphost accountingstoragetres
		accountingstorageexternalhost accountingstorageparameters accountingstoreflags accountingstoragejobcomment storage* defaultstorage*
		trackwckey`},
	{"how processes start and end on nodes", `proctracktype taskplugin taskpluginparam taskprolog taskepilog srunprolog srunepilog switchtype
		switchparameters mpidefault mpiparams launch* propagate* vsizefactor killonbadexit tmpfs checkpointtype jobfileappend
		unkillablesteptimeout unkillablestepprogram inactivelimit waittime minjobage firstjobid maxjobid maxstepcount maxtaskspernode
		corespecplugin epilogmsgtime getenvtimeout healthcheck* interactivestepoptions prologepilogtimeout jobdefaults extsensors*`},
	{"without effect under the fair tree", "fairsharedampeningfactor"},
}

// decisions are options that may change decisions, with the reason why they are not carried over.
var decisions = map[string]string{
	"preempttype":              "jobs are not preempted",
	"preemptmode":              "jobs are not preempted",
	"preemptexempttime":        "jobs are not preempted",
	"preemptparameters":        "jobs are not preempted",
	"jobrequeue":               "jobs of nodes that go down end, unless the manifest has engine: {requeue: {after: node_fail}}",
	"jobsubmitplugins":         "jobs are submitted as the log has them",
	"killwait":                 "a job ends at its walltime",
	"overtimelimit":            "a job ends at its walltime",
	"prologflags":              "jobs start at once",
	"completewait":             "nodes are free as soon as a job has ended",
	"resumetimeout":            asleep,
	"suspendtime":              asleep,
	"suspendprogram":           asleep,
	"resumeprogram":            asleep,
	"rebootprogram":            "nodes do not restart",
	"schedulertimeslice":       "jobs do not share processors in time",
	"defmempercpu":             "give jobs of the log the memory that Slurm gave them",
	"defmempernode":            "give jobs of the log the memory that Slurm gave them",
	"maxmempercpu":             "requests are taken as the log has them",
	"maxmempernode":            "requests are taken as the log has them",
	"priorityusageresetperiod": "usage decays and is never reset",
}

const asleep = "nodes do not sleep, unless the manifest has platform.off and watts"

// nodeKeys and partitionKeys are what lines of nodes and partitions may say: an empty reason where it is carried over, one with a dash in
// front where no decision depends on it.
var nodeKeys = map[string]string{
	"nodename": "", "cpus": "", "procs": "", "boards": "", "sockets": "", "socketsperboard": "", "corespersocket": "", "realmemory": "",
	"feature": "", "features": "", "gres": "",
	"threadspercore": "",
	"weight":         "", "state": "",
	"nodeaddr": "-access and daemons", "nodehostname": "-access and daemons", "port": "-access and daemons",
	"bcastaddr": "-access and daemons",
	"reason":    "-a comment", "tmpdisk": "nodes have no disk",
	"corespeccount": "jobs may use all processors of a node", "cpuspeclist": "jobs may use all processors of a node",
	"memspeclimit": "jobs may use all memory of a node",
}

const whoMay = "who may use a partition is not checked; jobs that Slurm refused are in no log"

var partitionKeys = map[string]string{
	"partitionname": "", "nodes": "", "default": "", "maxtime": "", "priorityjobfactor": "", "priority": "", "prioritytier": "", "qos": "",
	"oversubscribe": "", "shared": "", "state": "",
	"allowqos": whoMay, "allowaccounts": whoMay, "allowgroups": whoMay, "denyqos": whoMay, "denyaccounts": whoMay, "rootonly": whoMay,
	"allocnodes": "-where jobs are submitted from", "hidden": "-what users see", "disablerootjobs": "-access and daemons",
	"allowallocnodes": "-where jobs are submitted from", "reqresv": whoMay,
	"defaulttime":  "give jobs of the log the walltime that Slurm gave them",
	"defmempercpu": decisions["defmempercpu"], "defmempernode": decisions["defmempercpu"],
	"maxmempercpu": decisions["maxmempercpu"], "maxmempernode": decisions["maxmempercpu"],
	"maxnodes": "partitions have no bound on nodes", "minnodes": "partitions have no bound on nodes",
	"maxcpuspernode": "jobs may use all processors of a node",
	"preemptmode":    "jobs are not preempted", "gracetime": "jobs are not preempted", "overtimelimit": "a job ends at its walltime",
}

const unknown = "no field of a manifest says this"

// reasonOf returns the reason for which an option is not carried over.
func reasonOf(key string) reason {
	for _, group := range operations {
		for _, k := range strings.Fields(group.keys) {
			if prefix, open := strings.CutSuffix(k, "*"); k == key || open && strings.HasPrefix(key, prefix) {
				return reason{group.why, false}
			}
		}
	}
	return reason{cmp.Or(decisions[key], unknown), true}
}

// name names a pair of a line of nodes or partitions that is not carried over.
func (c *conf) name(p pair, known map[string]string) {
	why, ok := known[strings.ToLower(p.key)]
	if !ok {
		why = unknown
	}
	switch text, harmless := strings.CutPrefix(why, "-"); {
	case harmless:
		c.notes = append(c.notes, note{p.file, p.line, p.key, text, false})
	case why != "":
		c.drop(p, why)
	}
}

// rest names all options that nothing has taken.
func (c *conf) rest() {
	for key, p := range c.options {
		if c.taken[key] {
			continue
		}
		r := reasonOf(key)
		if r.why == asleep {
			_, r.decides = c.options["suspendtime"] // without it, no node ever sleeps
		} else if key == "jobrequeue" && p.value == "0" {
			r = reason{"jobs of nodes that go down end, as here", false}
		}
		if r.decides {
			c.drop(p, r.why)
		} else {
			c.notes = append(c.notes, note{p.file, p.line, p.key, r.why, false}) // without its value, which may be a secret
		}
	}
}

// comments are the notes as comments of YAML. Notes of one reason and text are one, with all their lines.
func (c *conf) comments() (all []byte, decide int) {
	slices.SortStableFunc(c.notes, func(a, b note) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.what, b.what))
	})
	write := func(decides bool, title string) (n int) {
		var order []note
		lines := map[note][]string{}
		for _, x := range c.notes {
			key := note{file: x.file, what: x.what, why: x.why}
			if !decides {
				key.what = ""
			}
			if x.decides != decides {
				continue
			}
			if lines[key] == nil {
				order = append(order, key)
			}
			at := fmt.Sprint(x.line)
			if !decides {
				at += " " + x.what
			}
			if known := lines[key]; len(known) == 0 || known[len(known)-1] != at {
				lines[key] = append(known, at)
				n++
			}
		}
		for i, x := range order {
			if i == 0 {
				all = append(all, "#\n# "+title+"\n"...)
			}
			head, tail := fmt.Sprintf("%s:%s: %s", x.file, strings.Join(lines[x], ", "), x.what), x.why
			if !decides {
				head, tail = x.file+": "+x.why, strings.Join(lines[x], ", ")
			}
			all = append(all, "#   "+oneLine(head)+": "+oneLine(tail)+"\n"...)
		}
		return n
	}
	decide = write(true, "Not carried over. These may change the scheduler's decisions:")
	write(false, "Not carried over. No decision of the scheduler depends on these:")
	return all, decide
}

// oneLine is a text without characters that end a comment.
func oneLine(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", " ", "\u2028", `\u2028`, "\u2029", `\u2029`, "\ufeff", `\ufeff`).Replace(text.Visible(s))
}
