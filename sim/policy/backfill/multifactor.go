package backfill

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"schedsweep/sim"
	"schedsweep/sim/policy/multifactor"
)

func init() {
	Priorities.Add(sim.Kind[NewPriority]{
		Name:   "multifactor",
		Doc:    "most points by age, fair share, size, partition, QOS and association, each with a weight (as Slurm)",
		Params: anyMultifactor(),
		New: func(params any, _ sim.Env) (Priority, error) {
			return &Multifactor{p: *params.(*MultifactorParams)}, nil
		},
	})
}

const weekly = 7 * day

var defaultMultifactor = MultifactorParams{MaxAge: weekly, HalfLife: weekly, CalculatedEvery: 300}

// anyMultifactor has weights, for runs that say nothing of them.
func anyMultifactor() MultifactorParams {
	p := defaultMultifactor
	p.Weights = multifactor.Weights{Age: 1000, FairShare: 1000, Size: 1000}
	return p
}

// MultifactorParams are the parameters of the order multifactor. The defaults are those of Slurm.
type MultifactorParams struct {
	Weights         multifactor.Weights `sweep:"weights" chooses:"multifactor" doc:"points that each factor gives at most; the sum of a job is cut to a whole number, so give hundreds"`
	MaxAge          float64             `sweep:"max_age" unit:"s" above:"0" finite:"yes" doc:"wait at which the age gives all its points"`
	HalfLife        float64             `sweep:"half_life" unit:"s" min:"60" doc:"time after which usage counts half, by Slurm's factor of 1 - .693/half_life for each second; .inf: usage is never forgotten"`
	CalculatedEvery float64             `sweep:"calculated_every" unit:"s" min:"0.001" finite:"yes" doc:"period at which age and fair share are calculated, with a pass while jobs wait"`
	Amounts         bool                `sweep:"amounts" doc:"weights of cpus, memory and gpus are points of a processor, MiB and GPU, not of all in the partition (NO_NORMAL_TRES)"`
	Accounts        []Account           `sweep:"accounts" keyed:"name" doc:"accounts by name, with their users; none: all users have equal shares"`
	Partitions      []Level             `sweep:"partitions" keyed:"name" doc:"priorities of partitions by name; others have 1"`
	QOS             []Level             `sweep:"qos" keyed:"name" doc:"priorities of qualities of service by name, which are the queues of a log; others have 0"`
}

// Account is an account and its users.
type Account struct {
	Name   string        `sweep:"name" doc:"name of the account"`
	Parent string        `sweep:"parent" doc:"the account above; none: the root"`
	Shares float64       `sweep:"shares" min:"0" finite:"yes" default:"1" doc:"shares among the accounts and users below the same account"`
	Users  []AccountUser `sweep:"users" keyed:"name" doc:"its users by name or number"`
}

// AccountUser is a user in an account.
type AccountUser struct {
	Name     string  `sweep:"name" doc:"name or number of the user"`
	Shares   float64 `sweep:"shares" min:"0" finite:"yes" default:"1" doc:"shares among the accounts and users below the same account"`
	Priority float64 `sweep:"priority" min:"0" finite:"yes" doc:"priority of the association"`
}

// Level is a priority.
type Level struct {
	Name     string  `sweep:"name" doc:"name of the partition or quality of service"`
	Priority float64 `sweep:"priority" min:"0" finite:"yes" doc:"priority; the largest gives all points"`
}

// validate refuses weights that give no points, and accounts that are no tree.
func (p *MultifactorParams) validate(report func(field, message string)) {
	if p.Weights == (multifactor.Weights{}) {
		report("order.weights", "are all 0, so that no job has a priority; give one of them points, or take order: fcfs")
	}
	at := func(name string) int {
		return slices.IndexFunc(p.Accounts, func(a Account) bool { return a.Name == name })
	}
	for _, a := range p.Accounts {
		field := "order.accounts." + a.Name + ".parent"
		if a.Parent != "" && at(a.Parent) < 0 {
			report(field, "names the account "+a.Parent+", which accounts does not define; add it, or drop parent")
			continue
		}
		above, steps := a.Parent, 0
		for ; above != "" && above != a.Name && steps < len(p.Accounts); steps++ {
			if i := at(above); i >= 0 {
				above = p.Accounts[i].Parent
			} else {
				above = ""
			}
		}
		if above == a.Name {
			report(field, "is below "+a.Name+", so that the account is below itself; drop parent, or name an account that is not below it")
		}
	}
}

// Multifactor is the order of Slurm's plugin priority/multifactor (release 22.05) with the fair tree. A job has the sum of
// the points of all factors, cut to a whole number; jobs with equal points keep the order of submission.
//
// Age and fair share change at calculations only, at the multiples of the period. A new job's parts are computed when it comes, with an age
// of 0. Without accounts, a new user has all points of fair share up to the next calculation. At a calculation the usage of running jobs
// since the last one is added, and all usage decays. Size counts the nodes of the job's record, or else of its request, and 1 where
// neither says a number. A job that gets whole nodes counts the processors that it requests at first. From the first calculation on it
// counts those of its nodes, by the first class that can run it. The priority of a job ([sim.JobSpec.Priority]) is its negative nice.
type Multifactor struct {
	p        MultifactorParams
	tree     multifactor.Tree
	numbers  numbers
	leaves   map[association]int32 // by account and user; account -1: the only one of the user
	running  []running
	active   int       // of running with processors or uncounted usage
	priority []float64 // of associations, by leaf
	jobs     []waitingJob
	parts    map[string]float64
	qos      map[string]float64
	most     [3]float64 // largest priorities of partitions, QOS, associations
	nodes    float64
	procs    float64
	within   []amounts // by partition number
	counted  float64   // time of the last calculation
	next     float64   // time of the next
}

// amounts are of processors, MiB of memory and GPUs.
type amounts struct{ cpus, memory, gpus float64 }

const mebibyte = 1 << 20

// association is a user in an account, by their numbers in the log.
type association struct{ account, user int32 }

// running holds the running jobs of one user of the tree.
type running struct {
	node  int     // of the tree
	procs float64 // now
	used  float64 // since the last calculation, up to since
	since float64
}

// waitingJob is the entry of a job in the system.
type waitingJob struct {
	leaf  int32
	fixed float64 // points of parts that do not change with time, before the first calculation
	later float64 // the same from then on, when size counts whole nodes
}

// Reset forgets all usage and reads names and machine.
func (p *Multifactor) Reset(s *sim.State) error {
	p.tree, p.numbers, p.leaves = multifactor.Tree{}, numbersOf(s), map[association]int32{}
	p.running, p.priority, p.active, p.counted, p.most = p.running[:0], p.priority[:0], 0, 0, [3]float64{1}
	p.next = 0
	p.parts, p.qos = map[string]float64{}, map[string]float64{}
	on := s.Platform()
	p.nodes, p.procs, p.within = 0, float64(on.Procs()), p.within[:0]
	for i := range on.Clusters {
		p.nodes += float64(on.Clusters[i].Nodes)
	}
	for i := range on.Partitions {
		var all amounts
		for _, c := range on.Partitions[i].Classes {
			k := &on.Clusters[c]
			all.cpus += float64(k.Procs())
			all.memory += float64(k.Nodes) * float64(k.Memory) / mebibyte
			all.gpus += float64(k.Nodes) * float64(k.GPUs)
		}
		p.within = append(p.within, all)
	}
	if on.Divided() && len(p.p.Partitions) == len(on.Partitions) { // none has the priority 1 of others
		p.most[0] = 0
	}
	for _, l := range p.p.Partitions {
		if numberIn(s, "partition", l.Name) < 0 {
			return fmt.Errorf("policy.order.partitions names %s, which neither the workload nor the platform has: correct the name, or drop it",
				l.Name)
		}
		p.parts[l.Name], p.most[0] = l.Priority, max(p.most[0], l.Priority)
	}
	for _, l := range p.p.QOS {
		p.qos[l.Name], p.most[1] = l.Priority, max(p.most[1], l.Priority)
	}
	return p.associate(s)
}

// associate builds the tree of the accounts.
func (p *Multifactor) associate(s *sim.State) error {
	if len(p.p.Accounts) == 0 {
		return nil
	}
	nodes := map[string]int{"": multifactor.Root}
	names := map[string]int32{}
	if s.Records() != nil {
		for i, name := range s.Records().Names().Accounts {
			names[name] = int32(i)
		}
	}
	for len(nodes) <= len(p.p.Accounts) { // those above first
		before := len(nodes)
		for _, a := range p.p.Accounts {
			if above, ok := nodes[a.Parent]; ok && !contains(nodes, a.Name) {
				nodes[a.Name] = p.tree.Account(above, a.Shares)
			}
		}
		if len(nodes) == before {
			return fmt.Errorf("policy.order.accounts: an account is below itself: give it another parent")
		}
	}
	for _, a := range p.p.Accounts {
		account, known := names[a.Name]
		for _, m := range a.Users {
			leaf := p.leaf(nodes[a.Name], m.Shares, m.Priority)
			user, err := p.numbers.user("policy.order: accounts", m.Name)
			if err != nil {
				continue // whoever submits nothing counts among the users all the same
			}
			if known {
				p.leaves[association{account, user}] = leaf
			}
			if _, several := p.leaves[association{-1, user}]; several {
				leaf = -1
			}
			p.leaves[association{-1, user}] = leaf
		}
	}
	p.tree.Rank()
	if s.Records() == nil {
		return nil
	}
	for i, name := range s.Records().Names().Users {
		if _, ok := p.leaves[association{-1, int32(i)}]; !ok && name != "" {
			return fmt.Errorf("policy.order.accounts: user %s of the log is in no account: add it to the users of one, or drop accounts, which "+
				"gives all users equal shares", name)
		}
	}
	return nil
}

func contains(nodes map[string]int, name string) bool { _, ok := nodes[name]; return ok }

// leaf adds a user below an account.
func (p *Multifactor) leaf(account int, shares, priority float64) int32 {
	p.running = append(p.running, running{node: p.tree.User(account, shares), since: p.counted})
	p.priority, p.most[2] = append(p.priority, priority), max(p.most[2], priority)
	return int32(len(p.running) - 1)
}

func (p *Multifactor) byUsers() string {
	if p.p.Weights.FairShare > 0 {
		return "policy.order.weights.fair_share"
	}
	return ""
}

// admits reports that a user is in no account. The record of a job decides between several.
func (p *Multifactor) admits(user int32) error {
	if _, ok := p.leaves[association{-1, user}]; ok || len(p.p.Accounts) == 0 {
		return nil
	}
	if user < 0 {
		return errors.New("policy.order.accounts: a job has no user: give all jobs users, or drop accounts, which gives all users equal shares")
	}
	return fmt.Errorf("policy.order.accounts: user %d has jobs and is in no account: add this user to one, or drop accounts, which gives "+
		"all users equal shares", user)
}

// of is the place of the job's user in the tree.
func (p *Multifactor) of(s *sim.State, j *sim.Job) int32 {
	r, known := s.Record(j)
	if known && r.Account >= 0 {
		if leaf, ok := p.leaves[association{r.Account, j.User()}]; ok {
			return leaf
		}
	}
	leaf, ok := p.leaves[association{-1, j.User()}]
	switch {
	case ok && leaf >= 0:
		return leaf
	case ok:
		s.Fail(fmt.Errorf("policy.order.accounts: user %d of job %d is in several accounts, and the job's record names none of them: drop all "+
			"but one", j.User(), j.ID()))
		return 0
	case len(p.p.Accounts) > 0:
		s.Fail(p.admits(j.User()))
		return 0
	}
	leaf = p.leaf(multifactor.Root, 1, 0)
	p.leaves[association{-1, j.User()}] = leaf
	return leaf
}

// Submitted computes the parts of the job that never change.
func (p *Multifactor) Submitted(s *sim.State, j *sim.Job) {
	p.calculate(s.Now())
	leaf := p.of(s, j)
	nodes, procs, part, qos, all := 1.0, float64(j.Procs()), "", "", amounts{cpus: p.procs}
	asked, whole := amounts{cpus: procs}, procs
	if r, some := j.Request(); some {
		nodes = float64(max(r.Nodes, 1))
	}
	if r, known := s.Record(j); known {
		nodes = float64(max(r.Nodes, 1))
		names := s.Records().Names()
		part, qos = nameOf(names.Partitions, r.Partition), nameOf(names.Queues, r.Queue)
	}
	w := &p.p.Weights
	x := waitingJob{leaf: leaf}
	if n := j.Partition(); n > 0 {
		of := s.Platform().Partition(n)
		part, all = of.Name, p.within[n-1]
		k := s.ChunkOf(j)
		asked.memory, asked.gpus = float64(k.Count)*float64(k.Memory)/mebibyte, float64(k.Count)*float64(k.GPUs)
		for i := len(of.Classes) - 1; of.Whole && i >= 0; i-- {
			if width := s.Platform().Clusters[of.Classes[i]].WidthOn(&k); width > 0 {
				whole = float64(width)
			}
		}
	}
	priority, ok := p.parts[part]
	if !ok {
		priority = 1
	}
	f := multifactor.Factors{
		Size: multifactor.Size(nodes, p.nodes, procs, p.procs), Partition: multifactor.Part(priority, p.most[0]),
		QOS: multifactor.Part(p.qos[qos], p.most[1]), CPUs: multifactor.Part(asked.cpus, all.cpus),
		Memory: multifactor.Part(asked.memory, all.memory), GPUs: multifactor.Part(asked.gpus, all.gpus), Nice: -float64(j.Priority()),
	}
	if p.p.Amounts {
		f.CPUs, f.Memory, f.GPUs = asked.cpus, asked.memory, asked.gpus
	}
	if len(p.priority) > 0 {
		f.Association = multifactor.Part(p.priority[leaf], p.most[2])
	}
	x.fixed = w.Points(&f)
	f.Size = multifactor.Size(nodes, p.nodes, whole, p.procs)
	x.later = w.Points(&f)
	*sim.Entry(&p.jobs, j.Slot()) = x
}

// nameOf is the name of a number of a log, the number itself where the log has no names, "" for none.
func nameOf(names []string, number int32) string {
	switch {
	case number >= 0 && len(names) == 0:
		return strconv.Itoa(int(number))
	case number < 0 || int(number) >= len(names):
		return ""
	}
	return names[number]
}

// Started counts the job's processors from now on.
func (p *Multifactor) Started(s *sim.State, j *sim.Job) {
	if j.Start() < s.Now() { // another policy has started it
		*sim.Entry(&p.jobs, j.Slot()) = waitingJob{leaf: p.of(s, j)}
	}
	p.runs(s, j, float64(j.Width()))
}

// Ended counts them up to now.
func (p *Multifactor) Ended(s *sim.State, j *sim.Job) { p.runs(s, j, -float64(j.Width())) }

// runs changes the number of processors of the job's user.
func (p *Multifactor) runs(s *sim.State, j *sim.Job, procs float64) {
	p.calculate(s.Now())
	r := &p.running[p.jobs[j.Slot()].leaf]
	if r.procs == 0 && r.used == 0 {
		p.active++
	}
	r.used += r.procs * (s.Now() - r.since)
	r.procs, r.since = r.procs+procs, s.Now()
}

// calculate makes the calculations that are due by now.
func (p *Multifactor) calculate(now float64) {
	if now < p.next {
		return
	}
	before := p.counted
	for t := nextMultiple(p.counted, p.p.CalculatedEvery); t <= now; t = nextMultiple(p.counted, p.p.CalculatedEvery) {
		if p.active == 0 { // nothing is added until now: one step for all
			t = p.p.CalculatedEvery * math.Floor(now/p.p.CalculatedEvery)
		}
		for i := range p.running {
			r := &p.running[i]
			if r.procs == 0 && r.used == 0 {
				continue
			}
			p.tree.Charge(r.node, r.used+r.procs*(t-r.since))
			if r.used, r.since = 0, t; r.procs == 0 {
				p.active--
			}
		}
		p.tree.Decay(multifactor.Decay(t-p.counted, p.p.HalfLife))
		p.counted = t
	}
	p.next = nextMultiple(p.counted, p.p.CalculatedEvery)
	if p.counted > before {
		p.tree.Rank()
	}
}

// Key is the negative of the job's points at the last calculation.
func (p *Multifactor) Key(s *sim.State, j *sim.Job) float64 {
	p.calculate(s.Now())
	x := &p.jobs[j.Slot()]
	points := x.fixed
	if p.counted > j.Submit() {
		points = x.later
	}
	return -math.Floor(points + p.p.Weights.Age*multifactor.Age(p.counted-j.Submit(), p.p.MaxAge) +
		p.p.Weights.FairShare*p.tree.Factor(p.running[x.leaf].node))
}

// Period returns the time that keys hold: until the next calculation.
func (p *Multifactor) Period() float64 { return math.Inf(1) }

// Next is the next calculation.
func (p *Multifactor) Next(t float64) float64 { return nextMultiple(t, p.p.CalculatedEvery) }

// AbsoluteTimes says that the period does not scale with the jobs.
func (p *Multifactor) AbsoluteTimes() bool { return true }
