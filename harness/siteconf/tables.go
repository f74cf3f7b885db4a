package siteconf

import (
	"slices"
	"strings"

	"schedsweep/sim/policy/backfill"
	"schedsweep/sweep/text"
)

// table reads the output of sacctmgr with -P: a header, and rows of cells that | separates. Column names count without blanks and in small
// letters, so that "Max Jobs" and MaxJobs are one.
func (c *conf) table(path string, data []byte, needed ...string) (start text.Position, rows []statement) {
	src := text.NewSource(path, c.files, data)
	start = src.Start()
	c.files++
	var header []string
	for i, line := range strings.Split(strings.TrimPrefix(string(data), text.ByteOrderMark), "\n") {
		line = strings.TrimRight(line, "\r")
		if strings.TrimSpace(line) == "" {
			continue
		}
		cells := strings.Split(line, "|")
		if header == nil {
			for _, cell := range cells {
				header = append(header, strings.ToLower(strings.NewReplacer(" ", "", "_", "").Replace(cell)))
			}
			for _, column := range needed {
				if !slices.Contains(header, column) {
					c.out.Add(src.At(1, 1), "keep the first line of sacctmgr show ... -P", "the header has no column %s", column)
					return start, nil
				}
			}
			continue
		}
		if len(rows) == maxRows {
			c.out.Add(src.At(i+1, 1), "dump one cluster", "is one row too many: at most %d are read", maxRows)
			return start, nil
		}
		if n := len(cells); n == len(header)+1 && cells[n-1] == "" { // as -p ends lines
			cells = cells[:n-1]
		}
		if len(cells) != len(header) {
			c.out.Add(src.At(i+1, 1), "dump the table anew", "the line has %s, and the header %d", text.Counted(len(cells), "cell"), len(header))
			return start, nil
		}
		var s statement
		column := 1
		for k, cell := range cells {
			if strings.TrimSpace(cell) != "" || header[k] == "account" {
				s.all = append(s.all, pair{header[k], cell, src.At(i+1, column)})
			}
			column += len([]rune(cell)) + 1
		}
		s.first = pair{"row", line, src.At(i+1, 1)}
		rows = append(rows, s)
	}
	if rows == nil {
		c.out.Add(src.At(1, 1), "dump it anew", "the table has no rows")
	}
	return start, rows
}

// row is an association: of a user in an account, or of an account below another, "" for the root.
type row struct {
	statement
	account, user, parent pair
	depth                 int
}

// accounts are those of a table of associations, their places in the list by name, and the users that they have.
type accounts struct {
	list  []backfill.Account
	at    map[string]int
	users map[[2]string]bool // by account and name
}

// associations reads sacctmgr show assoc -P: accounts and users with their shares, and their limits.
func (c *conf) associations(path string, data []byte, enforced bool) []backfill.Account {
	start, table := c.table(path, data, "account", "user")
	rows, related := c.associated(table)
	t := accounts{at: map[string]int{}, users: map[[2]string]bool{}}
	for _, r := range rows {
		if r.user.key != "" || r.account.value == "root" || !c.key(r.account) {
			continue
		}
		if _, twice := t.at[r.account.value]; twice {
			c.fault(r.account, "keep one", "has two rows without a user")
			continue
		}
		t.at[r.account.value] = len(t.list)
		t.list = append(t.list, backfill.Account{Name: r.account.value, Parent: r.parent.value, Shares: c.shares(&r)})
	}
	equal := map[string]bool{} // whether the users of an account have Fairshare=parent
	for _, r := range rows {
		for _, p := range r.all {
			c.name(p, associationReasons)
		}
		switch {
		case r.user.key != "":
			c.user(&r, &t)
			c.together(&r, equal)
		case r.account.value != "root":
			c.above(&r, &t)
		}
	}
	if !related && len(t.list) > 0 {
		c.drop(pair{key: "ParentName", at: start}, "no column says which account is above another, so all are taken to be below the "+
			"root; dump with: sacctmgr show assoc tree -P")
	}
	if !enforced {
		c.drop(pair{key: "limits", at: start}, "AccountingStorageEnforce names neither limits nor safe, so the site holds none")
		return t.list
	}
	c.rows = rows
	c.limitsOf(t.list)
	return t.list
}

// associated are the associations of one cluster. A column says which account is above another, or else the option tree, which indents
// accounts; related reports whether there is one of these.
func (c *conf) associated(table []statement) (rows []row, related bool) {
	cluster, known := c.options["clustername"]
	var above []row // the accounts above the present row
	var alone pair  // of an association of one partition
	for _, s := range table {
		r := row{statement: s}
		r.account, _ = s.of("account")
		r.user, _ = s.of("user")
		r.parent, _ = s.of("parentname", "parname")
		r.depth = len(r.account.value) - len(strings.TrimLeft(r.account.value, " "))
		related = related || r.depth > 0 || r.parent.key != ""
		for _, p := range []*pair{&r.account, &r.user, &r.parent} {
			p.value = strings.TrimSpace(p.value)
		}
		if p, ok := s.of("cluster"); ok && !known {
			cluster, known = p, true
		} else if ok && !strings.EqualFold(p.value, cluster.value) {
			c.fault(p, "dump one cluster: sacctmgr show assoc cluster="+text.Visible(cluster.value)+" -P", "is another cluster than %s",
				text.Quote(cluster.value))
			continue
		}
		if p, ok := s.of("partition"); ok {
			c.drop(p, "the association is of one partition, and its shares and limits are left out; jobs need a row of their user without one")
			c.apart, alone = append(c.apart, r.user.value), p
			continue
		}
		if r.account.value == "" {
			c.fault(pair{"user", r.user.value, s.first.at}, "give it an account, or drop the row", "has no account, and shares need one")
			continue
		}
		if r.user.key == "" {
			for len(above) > 0 && above[len(above)-1].depth >= r.depth {
				above = above[:len(above)-1]
			}
			if r.parent.key == "" && len(above) > 0 {
				r.parent.value = above[len(above)-1].account.value
			}
			above = append(above, r)
		}
		if r.parent.value == "root" {
			r.parent.value = ""
		}
		rows = append(rows, r)
	}
	if len(rows) == 0 && alone.key != "" {
		c.fault(alone, "dump all rows", "and all others are of one partition, so that the table has no shares")
	}
	return rows, related
}

// share is the cell of the shares of a row, and whether it says parent.
func (r *row) share() (p pair, given, parent bool) {
	p, given = r.of("share", "shares", "fairshare")
	return p, given, given && p.is("parent")
}

// shares are the shares of a row: 0 of users that have those of their account, as the fair tree gives users of equal level one rank.
func (c *conf) shares(r *row) float64 {
	switch p, given, parent := r.share(); {
	case !given:
		return 1
	case !parent:
		return c.points(p)
	case r.user.key == "":
		c.fault(p, "give it a number of shares", "is for users: an account needs shares of its own")
	}
	return 0
}

// together refuses an account if only some of its users have Fairshare=parent.
func (c *conf) together(r *row, equal map[string]bool) {
	p, _, parent := r.share()
	if before, ok := equal[r.account.value]; ok && before != parent {
		c.fault(p, "give all its users numbers, or all parent", "is one of users of account %s with parent and of others with numbers",
			r.account.value)
	}
	equal[r.account.value] = parent
}

// user reads an association of a user. Users of the root compete with accounts, as the only ones of an account of their own.
func (c *conf) user(r *row, t *accounts) {
	u := backfill.AccountUser{Name: r.user.value, Shares: c.shares(r)}
	if p, ok := r.of("priority"); ok {
		u.Priority = c.points(p)
	}
	if !c.key(r.user) {
		return
	}
	i, ok := t.at[r.account.value]
	if !ok && r.account.value == "root" {
		name := "root"
		for slices.ContainsFunc(t.list, func(a backfill.Account) bool { return a.Name == name }) {
			name += "_"
		}
		i, t.list = len(t.list), append(t.list, backfill.Account{Name: name, Shares: u.Shares})
	} else if !ok {
		c.fault(r.account, "dump all rows, those of accounts too", "has no row of its own, and user %s is in it", text.Quote(u.Name))
		return
	}
	a := &t.list[i]
	of := [2]string{a.Name, u.Name}
	if t.users[of] {
		c.fault(r.user, "keep the one that is of no partition", "is twice in account %s", a.Name)
		return
	}
	t.users[of] = true
	a.Users = append(a.Users, u)
}

// above refuses an account that is below itself or below none that is there.
func (c *conf) above(r *row, t *accounts) {
	i, ok := t.at[r.account.value]
	if !ok {
		return
	}
	where := r.parent
	if where.key == "" {
		where = r.account
	}
	for steps, above := 0, t.list[i].Parent; above != ""; steps++ {
		k, ok := t.at[above]
		switch {
		case !ok && steps == 0:
			c.fault(where, "dump all rows, or correct the name", "is below account %s, which has no row", text.Quote(above))
		case k == i && ok:
			c.fault(where, "name an account that is not below it", "makes account %s its own parent", text.Quote(r.account.value))
		case steps == maxDepth:
			c.fault(where, "flatten the tree", "is below more than %d accounts", maxDepth)
		case ok:
			above = t.list[k].Parent
			continue
		}
		return
	}
}

// limitsOf reads the limits of associations. Limits that are equal for all users but root are one.
func (c *conf) limitsOf(list []backfill.Account) {
	each, common := c.common()
	if common {
		c.limits.Limits = each
	}
	for _, r := range c.rows {
		who := backfill.Who{Account: r.account.value, User: r.user.value}
		if who.Account == "root" {
			who.Account = ""
		}
		of := c.bounds(&r.statement, who, "", "grpjobs", "grptres", "grpsubmit", "grpsubmitjobs")
		below := func(a backfill.Account) bool { return a.Parent == who.Account }
		if len(of) > 0 && r.user.key == "" && who.Account != "" && slices.ContainsFunc(list, below) {
			c.drop(r.account, "its group limits are of accounts below it too, and a limit is of one account")
			of = nil
		}
		if r.user.key != "" && !common {
			of = append(of, c.bounds(&r.statement, who, "", "maxjobs", "", "maxsubmit", "maxsubmitjobs")...)
		}
		c.limits.Limits = append(c.limits.Limits, of...)
	}
}

// common are the limits of single users, where all users but root have the same, each is in one account and has a row.
func (c *conf) common() (limits []backfill.Limit, same bool) {
	seen := map[string]bool{}
	for _, r := range c.rows {
		if r.user.key == "" || r.user.value == "root" {
			continue
		}
		of := c.bounds(&r.statement, backfill.Who{}, "user", "maxjobs", "", "maxsubmit", "maxsubmitjobs")
		if seen[r.user.value] || len(seen) > 0 && !slices.Equal(of, limits) {
			return nil, false
		}
		seen[r.user.value], limits = true, of
	}
	return limits, len(limits) > 0 && !slices.ContainsFunc(c.apart, func(user string) bool { return !seen[user] })
}

// bounds are the limits that a row states: of running jobs, their processors and GPUs, and of submitted jobs.
func (c *conf) bounds(s *statement, who backfill.Who, each, jobs, tres string, submitted ...string) (all []backfill.Limit) {
	running := backfill.Limit{Of: who, Each: each}
	if p, ok := s.of(jobs); ok {
		running.Running.Jobs = c.bound(p)
	}
	p, _ := s.of(tres)
	for _, item := range p.items() {
		switch item.word() {
		case "cpu":
			running.Running.Cores = c.bound(item)
		case "gres/gpu":
			running.Running.GPUs = c.bound(item)
		default:
			c.drop(item, "limits are of jobs, processors and GPUs")
		}
	}
	if running.Running != (backfill.Most{}) {
		all = append(all, running)
	}
	if p, ok := s.of(submitted...); ok {
		l := backfill.Limit{Of: who, Each: each, Otherwise: "reject"}
		if l.Submitted.Jobs = c.bound(p); l.Submitted.Jobs > 0 {
			all = append(all, l)
		}
	}
	return all
}

// limitKinds are the limits that Slurm takes from one level alone, by the names that sacctmgr has for them: the first that has it of the
// partition's QOS, the job's QOS, the user and the account.
var limitKinds = map[string]string{"grpjobs": "grpjobs", "grptres": "grptres", "grpsubmit": "grpsubmit", "grpsubmitjobs": "grpsubmit",
	"maxjobs": "maxjobs", "maxjobspu": "maxjobs", "maxjobspa": "maxjobs", "maxsubmit": "maxsubmit", "maxsubmitjobs": "maxsubmit",
	"maxsubmitpu": "maxsubmit", "maxsubmitpa": "maxsubmit"}

// has reports whether the row has a limit of the kind of p.
func (s *statement) has(p pair) bool {
	return slices.ContainsFunc(s.all, func(o pair) bool { return limitKinds[o.key] != "" && limitKinds[o.key] == limitKinds[p.key] })
}

// replaced names the limits of QOS where Slurm holds one of several, and a manifest all.
func (c *conf) replaced(rows []statement) {
	held := map[string]bool{} // kinds
	for _, r := range c.rows {
		for _, p := range r.all {
			held[limitKinds[p.key]] = true
		}
	}
	for i := range rows {
		for _, p := range rows[i].all {
			if kind := limitKinds[p.key]; kind != "" && held[kind] {
				c.drop(p, "Slurm has it replace limits of the same kind that users and accounts have; here these hold for its jobs too")
			}
		}
	}
	for _, part := range c.parts {
		of, _ := part.of("qos")
		i := slices.IndexFunc(rows, func(s statement) bool { name, _ := s.of("name"); return strings.EqualFold(name.value, of.value) })
		for k := range rows {
			for _, p := range rows[k].all {
				if i >= 0 && k != i && rows[i].has(p) {
					c.drop(p, "in the partition "+part.first.value+", Slurm has a limit of its QOS "+of.value+" replace it; here both hold")
				}
			}
		}
	}
}

// bound is a bound of a limit. Nothing can start under one of 0, which no limit can say.
func (c *conf) bound(p pair) int {
	n := c.whole(p, 0, 1<<31-1)
	if n == 0 && p.value == "0" {
		c.drop(p, "a limit of 0 lets nothing run; leave out the jobs")
	}
	return n
}

// qos reads sacctmgr show qos -P: priorities, and limits of the QOS, which a partition may have too.
func (c *conf) qos(path string, data []byte, enforced bool) (levels []backfill.Level) {
	_, rows := c.table(path, data, "name")
	for _, s := range rows {
		of, _ := s.of("name")
		if !c.key(of) {
			continue
		}
		if slices.ContainsFunc(levels, func(l backfill.Level) bool { return strings.EqualFold(l.Name, of.value) }) {
			c.fault(of, "keep one", "is there twice")
			continue
		}
		level := backfill.Level{Name: of.value}
		for _, p := range s.all {
			if !unused(p) {
				c.name(p, qosReasons)
			}
		}
		if p, ok := s.of("priority"); ok {
			level.Priority = c.points(p)
		}
		levels = append(levels, level)
		if !enforced {
			continue
		}
		whom := []backfill.Who{{QOS: of.value}}
		for _, part := range c.parts {
			if p, ok := part.of("qos"); ok && strings.EqualFold(p.value, of.value) {
				whom = append(whom, backfill.Who{Partition: part.first.value})
			}
		}
		for _, who := range whom {
			c.limits.Limits = slices.Concat(c.limits.Limits,
				c.bounds(&s, who, "", "grpjobs", "grptres", "grpsubmit", "grpsubmitjobs"),
				c.bounds(&s, who, "user", "maxjobspu", "maxtrespu", "maxsubmitpu"),
				c.bounds(&s, who, "account", "maxjobspa", "maxtrespa", "maxsubmitpa"))
		}
	}
	if enforced {
		c.replaced(rows)
	}
	return levels
}

// unused reports whether a column of QOS has the value of a site that does not use it.
func unused(p pair) bool {
	switch p.key {
	case "usagefactor":
		return strings.Trim(p.value, "0.") == "1"
	case "preemptmode", "gracetime", "usagethres", "preempt", "preemptexempttime", "flags":
		return p.is("cluster", "00:00:00")
	}
	return false
}
