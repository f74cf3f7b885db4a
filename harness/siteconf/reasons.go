package siteconf

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"schedsweep/sweep/text"
)

// reasons are keywords by the reason why a manifest does not have them. A dash begins a reason of keywords on which no decision of the
// scheduler depends, and keywords without a reason are carried over. A * at the end of a keyword matches any letters.
type reasons []struct{ why, words string }

// of is the reason for a keyword, and whether the table has it.
func (t reasons) of(word string) (why string, known bool) {
	for _, r := range t {
		for _, w := range strings.Fields(r.words) {
			if prefix, open := strings.CutSuffix(w, "*"); w == word || open && strings.HasPrefix(word, prefix) {
				return r.why, true
			}
		}
	}
	return "no field of a manifest says this", false
}

// decides reports whether decisions of the scheduler may depend on a pair.
func (t reasons) decides(p pair) bool {
	why, _ := t.of(p.word())
	return !strings.HasPrefix(why, "-")
}

const (
	access    = "-access and daemons"
	asleep    = "nodes do not sleep, unless the manifest has platform.off and watts"
	memory    = "give jobs of the log the memory that Slurm gave them"
	requests  = "requests are taken as the log has them"
	noPreempt = "jobs are not preempted"
	walltime  = "a job ends at its walltime"
	allCores  = "jobs may use all processors of a node"
	gpusAlone = "of generic resources, node classes have GPUs alone"
	whoMay    = "who may use a partition is not checked; jobs that Slurm refused are in no log"
	atOnce    = "a pass takes no time"
	eachEvent = "between plans there is a pass at each event"
)

// optionReasons are of options that nothing reads.
var optionReasons = reasons{
	{access, `auth* cred* crypto* jobcredential* slurmuser slurmduser slurmctldhost slurmctldaddr slurmctldport slurmdport
		controlmachine controladdr backupcontroller backupaddr disablerootjobs slurmctldparameters slurmdparameters communicationparameters
		messagetimeout slurmctldtimeout slurmdtimeout tcptimeout batchstarttimeout treewidth srunportrange plugindir plugstackconfig
		slurmctldpidfile slurmdpidfile statesavelocation slurmdspooldir returntoservice dataparserparameters mailprog maildomain
		sbcastparameters slurmsched* usepam clustername eiotimeout keepalivetime grouptime groupupdateforce groupupdatetime privatedata
		jobcontainertype clifilterplugins x11parameters hashplugin ssh* url* frontendname cachegroups schedulerport schedulerrootfilter
		routeplugin sallocdefaultcommand bcastparameters maxdbdmsgs reconfigflags tls* certgen* certmgr* httpparser* metrics*
		slurmctldprimary*`},
	{"-logs and accounting", `slurmctldlogfile slurmdlogfile slurmctlddebug slurmddebug slurmctldsyslogdebug slurmdsyslogdebug debugflags
		logtimeformat jobcomp* jobacctgather* acctgather* accountingstoragetype accountingstoragehost accountingstorageport
		accountingstorageuser accountingstoragepass accountingstorageloc accountingstoragebackuphost accountingstoragetres
		accountingstorageexternalhost accountingstorageparameters accountingstoreflags accountingstoragejobcomment storage* defaultstorage*
		trackwckey`},
	{"-how processes start and end on nodes", `proctracktype taskplugin taskpluginparam taskprolog taskepilog srunprolog srunepilog
		switchtype switchparameters mpidefault mpiparams launch* propagate* vsizefactor killonbadexit tmpfs checkpointtype jobfileappend
		unkillablesteptimeout unkillablestepprogram inactivelimit waittime minjobage firstjobid maxjobid maxarraysize maxstepcount
		maxtaskspernode memlimitenforce jobcheckpointdir prepplugins cpufreq* gpufreqdef resvprolog resvepilog corespecplugin
		epilogmsgtime getenvtimeout healthcheck* interactivestepoptions prologepilogtimeout extsensors*`},
	{"-without effect under the fair tree", "fairsharedampeningfactor"},
	{noPreempt, "preempttype preemptmode preemptexempttime preemptparameters"},
	{"jobs of nodes that go down end, unless the manifest has engine: {requeue: {after: node_fail}}", "jobrequeue"},
	{"jobs are submitted as the log has them", "jobsubmitplugins"},
	{walltime, "killwait overtimelimit"},
	{"jobs start at once", "prologflags prolog prologslurmctld"},
	{"nodes are free as soon as a job has ended", "completewait epilog epilogslurmctld"},
	{asleep, "resume* suspend*"},
	{"nodes have what their lines say", "fastschedule"},
	{"nodes do not restart", "rebootprogram"},
	{"jobs do not share processors in time", "schedulertimeslice"},
	{memory, "defmempercpu defmempernode defmempergpu"},
	{requests, "maxmempercpu maxmempernode defcpupergpu jobdefaults"},
	{"usage decays and is never reset", "priorityusageresetperiod"},
	{"events say which nodes are out of service", "downnodes"},
}

// passReasons are of parameters of the scheduler.
var passReasons = reasons{
	{atOnce, "bf_continue bf_max_time bf_yield_interval bf_yield_sleep max_rpc_cnt batch_sched_delay sched_max_job_start"},
	{"a plan has exact times", "bf_resolution"},
	{"between plans a pass looks at jobs until one of each partition cannot start", "default_queue_depth partition_job_depth"},
	{eachEvent, "sched_interval sched_min_interval defer"},
	{"a job that a limit holds blocks no other job", "assoc_limit_stop"},
	{access, "max_script_size"},
}

// nodeReasons are of keys of lines of nodes.
var nodeReasons = reasons{
	{"", "nodename cpus procs boards sockets socketsperboard corespersocket threadspercore realmemory feature features gres weight state"},
	{access, "nodeaddr nodehostname port bcastaddr"},
	{"-a comment", "reason"},
	{"nodes have no disk", "tmpdisk"},
	{allCores, "corespeccount cpuspeclist"},
	{"jobs may use all memory of a node", "memspeclimit"},
}

// partitionReasons are of keys of lines of partitions.
var partitionReasons = reasons{
	{"", "partitionname nodes default maxtime priorityjobfactor priority prioritytier qos oversubscribe shared state"},
	{whoMay, "allowqos allowaccounts allowgroups denyqos denyaccounts rootonly reqresv"},
	{"-where jobs are submitted from", "allocnodes allowallocnodes"},
	{"-what users see", "hidden"},
	{access, "disablerootjobs"},
	{"give jobs of the log the walltime that Slurm gave them", "defaulttime"},
	{memory, "defmempercpu defmempernode defmempergpu"},
	{requests, "maxmempercpu maxmempernode defcpupergpu jobdefaults"},
	{"partitions have no bound on nodes", "maxnodes minnodes"},
	{allCores, "maxcpuspernode"},
	{noPreempt, "preemptmode gracetime"},
	{walltime, "overtimelimit"},
}

// associationReasons and qosReasons are of columns of the tables.
var (
	associationReasons = reasons{
		{"", `cluster account user parentname parname share shares fairshare priority grpjobs grpsubmit grpsubmitjobs maxjobs maxsubmit
			maxsubmitjobs grptres`},
		{"-which QOS a user may use is not checked", "qos defqos defaultqos"},
	}
	qosReasons = reasons{{"", `name priority grpjobs grpsubmit grpsubmitjobs grptres maxjobspu maxsubmitpu maxtrespu maxjobspa maxsubmitpa
		maxtrespa`}, {"usage counts once", "usagefactor"}}
)

const no = "no false down 0" // as Slurm reads it

// idle are values that change nothing, by keyword. scontrol writes most of them.
var idle = map[string]string{
	"maxnodes": "unlimited", "minnodes": "0 1", "maxcpuspernode": "unlimited", "overtimelimit": "none 0", "gracetime": "0",
	"defaulttime": "none", "defmempercpu": "unlimited 0", "defmempernode": "unlimited 0", "maxmempercpu": "unlimited 0",
	"maxmempernode": "unlimited 0", "allowgroups": "all", "allowaccounts": "all", "allowqos": "all", "allocnodes": "all",
	"denyaccounts": "none", "denyqos": "none", "qos": "n/a", "rootonly": no, "reqresv": no, "exclusiveuser": no,
	"exclusivetopo": no, "lln": no, "fastschedule": "1 2", "preempttype": "preempt/none", "preemptmode": "off",
	"jobrequeue": "0", "completewait": "0",
	"priorityusageresetperiod": "none", "priorityfavorsmall": no, "suspendtime": "none infinite -1", "tmpdisk": "0",
	"corespeccount": "0", "memspeclimit": "0",
}

// idle reports whether a pair changes nothing.
func (p pair) idle() bool { return p.is(strings.Fields(idle[p.word()])...) }

// note is a pair that is not carried over.
type note struct {
	pair
	why     string
	decides bool // it may change decisions of the scheduler
}

// drop names a pair that is not carried over and may change decisions of the scheduler.
func (c *conf) drop(p pair, why string) { c.notes = append(c.notes, note{p, why, true}) }

// spare names a pair that is not carried over, and on which no decision depends.
func (c *conf) spare(p pair, why string) { c.notes = append(c.notes, note{p, why, false}) }

// assume names an option that is not stated, and the value that is assumed for it.
func (c *conf) assume(key, value string) {
	c.drop(pair{key: key, at: c.start}, "not stated; Slurm's default depends on its release, and "+value+" is assumed")
}

// name names a pair for the reason in a table.
func (c *conf) name(p pair, table reasons) {
	why, _ := table.of(p.word())
	if harmless, ok := strings.CutPrefix(why, "-"); ok {
		c.spare(p, harmless)
	} else if why != "" && !p.idle() {
		c.drop(p, why)
	}
}

// rest names all options that nothing has taken.
func (c *conf) rest() {
	after, sleep := c.options["suspendtime"]
	sleep = sleep && !after.idle() // else no node ever sleeps
	for key, p := range c.options {
		switch why, _ := optionReasons.of(key); {
		case c.taken[key]:
		case why == asleep && !sleep:
			c.spare(p, why)
		default:
			c.name(p, optionReasons)
		}
	}
}

// file returns the name of the file, without its folder.
func (n note) file() string { return filepath.Base(n.at.File()) }

// label returns the key and value of a pair. A pair that decides nothing has no value here: it may be a secret.
func (n note) label() string {
	if !n.decides || n.value == "" {
		return n.key
	}
	return n.key + "=" + n.value
}

// comments are the notes as comments of YAML, first of the pairs that decide, and their number. A pair that several lines have is one
// comment; so are all pairs of one reason that decide nothing.
func (c *conf) comments() (all string, decide int) {
	var b strings.Builder
	slices.SortStableFunc(c.notes, func(a, b note) int {
		return cmp.Or(cmp.Compare(a.file(), b.file()), cmp.Compare(a.at.Line, b.at.Line), cmp.Compare(a.label(), b.label()))
	})
	titles := map[bool]string{true: "These may change the scheduler's decisions:", false: "No decision of the scheduler depends on these:"}
	for _, decides := range []bool{true, false} {
		var order [][2]string
		places := map[[2]string][]string{}
		for _, n := range c.notes {
			if n.decides != decides {
				continue
			}
			of, place := [2]string{n.label(), n.why}, ""
			if n.at.Line > 0 { // else of the whole file
				place = fmt.Sprint(n.at.Line)
			}
			if !decides {
				of, place = [2]string{n.why, ""}, place+" "+n.label()
			}
			of[0] = n.file() + "\n" + of[0]
			if places[of] == nil {
				order = append(order, of)
			}
			if known := places[of]; len(known) == 0 || known[len(known)-1] != place {
				places[of] = append(known, place)
				if decides {
					decide++
				}
			}
		}
		for i, of := range order {
			if i == 0 {
				b.WriteString("#\n# Not carried over. " + titles[decides] + "\n")
			}
			file, head, _ := strings.Cut(of[0], "\n")
			at := oneLine(strings.Join(places[of], ", "))
			if decides {
				fmt.Fprintf(&b, "#   %s: %s: %s\n", strings.TrimSuffix(oneLine(file)+":"+at, ":"), oneLine(head), oneLine(of[1]))
			} else {
				fmt.Fprintf(&b, "#   %s: %s: %s\n", oneLine(file), head, at)
			}
		}
	}
	return b.String(), decide
}

// oneLine is a text without characters that end a comment.
func oneLine(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", " ", "\u2028", `\u2028`, "\u2029", `\u2029`, "\ufeff", `\ufeff`).Replace(text.Visible(s))
}
