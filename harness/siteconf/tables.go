package siteconf

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"schedsweep/sim/policy/backfill"
	"schedsweep/sweep/text"
)

// table reads the output of sacctmgr with -P: a header, and rows of cells that | separates. Column names count without blanks and in small
// letters, so that "Max Jobs" and MaxJobs are one.
func (c *conf) table(path string, data []byte, needed ...string) (rows []statement) {
	src, name := text.NewSource(path, c.files, data), filepath.Base(path)
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
					return nil
				}
			}
			continue
		}
		if len(rows) == maxRows {
			c.out.Add(src.At(i+1, 1), "dump one cluster", "is one row too many: at most %d are read", maxRows)
			return nil
		}
		if n := len(cells); n == len(header)+1 && cells[n-1] == "" { // as -p ends lines
			cells = cells[:n-1]
		}
		if len(cells) != len(header) {
			c.out.Add(src.At(i+1, 1), "dump the table anew", "the line has %s, and the header %d", text.Counted(len(cells), "cell"), len(header))
			return nil
		}
		var s statement
		column := 1
		for k, cell := range cells {
			if strings.TrimSpace(cell) != "" || header[k] == "account" {
				s.all = append(s.all, pair{header[k], cell, name, i + 1, src.At(i+1, column)})
			}
			column += len([]rune(cell)) + 1
		}
		s.first = pair{"row", line, name, i + 1, src.At(i+1, 1)}
		rows = append(rows, s)
	}
	return rows
}

// tree holds a table of associations.
type tree struct {
	accounts []backfill.Account
	limits   []backfill.Limit
}

// row is an association.
type row struct {
	statement
	account, user, parent pair
	depth                 int
}

// associations reads sacctmgr show assoc -P: accounts and users with their shares, and their limits.
func (c *conf) associations(path string, data []byte, enforced bool) (t tree) {
	rows, indented := c.rows(path, data)
	name := filepath.Base(path)
	at := map[string]int{}
	for i := range rows {
		r := &rows[i]
		if r.user.key != "" || r.account.value == "root" || !c.key(r.account) {
			continue
		}
		if _, twice := at[r.account.value]; twice {
			c.fault(r.account, "keep one", "has two rows without a user")
			continue
		}
		at[r.account.value] = len(t.accounts)
		t.accounts = append(t.accounts, backfill.Account{Name: r.account.value, Parent: parentOf(rows, i), Shares: c.shares(r)})
	}
	for i := range rows {
		r := &rows[i]
		c.row(r)
		switch {
		case r.user.key != "":
			c.user(r, &t, at)
		case r.account.value != "root":
			c.above(r, &t, at)
		}
	}
	c.together(rows)
	if !indented && !slices.ContainsFunc(rows, func(r row) bool { return r.parent.key != "" }) && len(t.accounts) > 0 {
		c.notes = append(c.notes, note{name, 1, "ParentName", "no column says which account is above another, so all are taken to be below the " +
			"root; dump with: sacctmgr show assoc tree -P", true})
	}
	if !enforced {
		c.notes = append(c.notes, note{name, 1, "limits", "AccountingStorageEnforce names neither limits nor safe, so the site holds none", true})
		return t
	}
	t.limits, c.associated = c.limitsOf(rows, at, &t), rows
	return t
}

// rows are the associations of one cluster, and whether accounts are indented, as the option tree does.
func (c *conf) rows(name string, data []byte) (rows []row, indented bool) {
	cluster, known := c.options["clustername"]
	for _, s := range c.table(name, data, "account", "user") {
		r := row{statement: s}
		r.account, _ = s.of("account")
		r.user, _ = s.of("user")
		r.parent, _ = s.of("parentname", "parname")
		trimmed := strings.TrimLeft(r.account.value, " ")
		r.depth = len(r.account.value) - len(trimmed)
		r.account.value, indented = strings.TrimSpace(trimmed), indented || r.depth > 0
		r.user.value, r.parent.value = strings.TrimSpace(r.user.value), strings.TrimSpace(r.parent.value)
		if p, ok := s.of("cluster"); ok && !known {
			cluster, known = p, true
		} else if ok && !strings.EqualFold(p.value, cluster.value) {
			c.fault(p, "dump one cluster: sacctmgr show assoc cluster="+text.Visible(cluster.value)+" -P", "is another cluster than %s",
				text.Quote(cluster.value))
			continue
		}
		if r.account.value == "" {
			c.fault(pair{key: "user", value: r.user.value, at: s.first.at}, "give it an account, or drop the row",
				"has no account, and shares need one")
			continue
		}
		rows = append(rows, r)
	}
	return rows, indented
}

// parentOf is the account above that of a row, "" for the root: by name, or by the indentation.
func parentOf(rows []row, i int) string {
	parent := rows[i].parent.value
	for k := i - 1; rows[i].parent.key == "" && k >= 0 && parent == ""; k-- {
		if rows[k].user.key == "" && rows[k].depth < rows[i].depth {
			parent = rows[k].account.value
		}
	}
	if parent == "root" {
		return ""
	}
	return parent
}

func (c *conf) shares(r *row) float64 {
	p, ok := r.of("share", "shares", "fairshare")
	if !ok {
		return 1
	}
	if strings.EqualFold(p.value, "parent") && r.user.key != "" {
		return 0
	} else if strings.EqualFold(p.value, "parent") {
		c.fault(p, "give it a number of shares", "is for users: an account needs shares of its own")
		return 1
	}
	return c.points(p)
}

// together refuses an account if only some of its users have Fairshare=parent. Where all have, they are written
// with no shares: the fair tree gives users of equal level one rank, and so the account's usage alone counts.
func (c *conf) together(rows []row) {
	const neither, both = 0, 3
	seen := map[string]int{}
	for i := range rows {
		p, ok := rows[i].of("share", "shares", "fairshare")
		if rows[i].user.key == "" {
			continue
		}
		account, bit := rows[i].account.value, 1
		if ok && strings.EqualFold(p.value, "parent") {
			bit = 2
		}
		if before := seen[account]; before != neither && before|bit == both && before != both {
			c.fault(p, "give all its users numbers, or all parent", "is one of users of account %s with parent and of others with numbers", account)
		}
		seen[account] |= bit
	}
}

func (c *conf) user(r *row, t *tree, at map[string]int) {
	u := backfill.AccountUser{Name: r.user.value, Shares: c.shares(r)}
	if p, ok := r.of("priority"); ok {
		u.Priority = c.points(p)
	}
	if !c.key(r.user) {
		return
	}
	i, ok := at[r.account.value]
	if !ok && r.account.value == "root" {
		i = len(t.accounts)
		t.accounts = append(t.accounts, backfill.Account{Name: "root", Shares: u.Shares}) // it competes with accounts, as one of its own
		for slices.ContainsFunc(t.accounts[:i], func(a backfill.Account) bool { return a.Name == t.accounts[i].Name }) {
			t.accounts[i].Name += "_"
		}
	} else if !ok {
		c.fault(r.account, "dump all rows, those of accounts too", "has no row of its own, and user %s is in it", text.Quote(u.Name))
		return
	}
	a := &t.accounts[i]
	if slices.ContainsFunc(a.Users, func(o backfill.AccountUser) bool { return o.Name == u.Name }) {
		c.fault(r.user, "keep one; associations by partition are not supported", "is twice in account %s", a.Name)
		return
	}
	a.Users = append(a.Users, u)
}

// above refuses an account that is below itself or below none that is there.
func (c *conf) above(r *row, t *tree, at map[string]int) {
	i, ok := at[r.account.value]
	if !ok {
		return
	}
	where := r.parent
	if where.key == "" {
		where = r.account
	}
	for steps, above := 0, t.accounts[i].Parent; above != ""; steps++ {
		k, ok := at[above]
		switch {
		case !ok && steps == 0:
			c.fault(where, "dump all rows, or correct the name", "is below account %s, which has no row", text.Quote(above))
		case k == i && ok:
			c.fault(where, "name an account that is not below it", "makes account %s its own parent", text.Quote(r.account.value))
		case steps == maxDepth:
			c.fault(where, "flatten the tree", "is below more than %d accounts", maxDepth)
		case ok:
			above = t.accounts[k].Parent
			continue
		}
		return
	}
}

// row names the cells that are not carried over.
func (c *conf) row(r *row) {
	for _, p := range r.all {
		switch p.key {
		case "cluster", "account", "user", "parentname", "parname", "share", "shares", "fairshare", "priority", "grpjobs", "grpsubmit",
			"grpsubmitjobs", "maxjobs", "maxsubmit", "maxsubmitjobs", "grptres":
		case "qos", "defqos", "defaultqos":
			c.notes = append(c.notes, note{p.file, p.line, p.key, "which QOS a user may use is not checked", false})
		case "partition":
			c.fault(p, "keep the row without a partition", "is an association of one partition, which shares do not know")
		default:
			c.drop(p, unknown)
		}
	}
}

// limitsOf are the limits of the rows. Limits that are equal for all users but root are one.
func (c *conf) limitsOf(rows []row, at map[string]int, t *tree) (all []backfill.Limit) {
	each := c.common(rows)
	all = append(all, each...)
	for i := range rows {
		r := &rows[i]
		who := backfill.Who{Account: r.account.value, User: r.user.value}
		if who.Account == "root" {
			who.Account = ""
		}
		of := c.bounds(&r.statement, who, "", "grpjobs", "grptres", "grpsubmit", "grpsubmitjobs")
		below := slices.ContainsFunc(t.accounts, func(a backfill.Account) bool { return a.Parent == who.Account })
		if len(of) > 0 && r.user.key == "" && who.Account != "" && below {
			c.drop(r.account, "its group limits are of accounts below it too, and a limit is of one account")
		} else {
			all = append(all, of...)
		}
		if r.user.key != "" && len(each) == 0 {
			all = append(all, c.bounds(&r.statement, who, "", "maxjobs", "", "maxsubmit", "maxsubmitjobs")...)
		}
	}
	return all
}

// common are the limits of single users where all users but root have the same, and each is in one account.
func (c *conf) common(rows []row) []backfill.Limit {
	seen, first := map[string]bool{}, ""
	var limits []backfill.Limit
	for i := range rows {
		r := &rows[i]
		if r.user.key == "" || r.user.value == "root" {
			continue
		}
		of := c.bounds(&r.statement, backfill.Who{}, "user", "maxjobs", "", "maxsubmit", "maxsubmitjobs")
		if text := fmt.Sprint(of); len(seen) == 0 {
			first, limits = text, of
		} else if text != first || seen[r.user.value] {
			return nil
		}
		seen[r.user.value] = true
	}
	return limits
}

// bounds are the limits that a row states: of running jobs, their processors and GPUs, and of submitted jobs.
func (c *conf) bounds(s *statement, who backfill.Who, each, jobs, tres string, submitted ...string) (all []backfill.Limit) {
	running := backfill.Limit{Of: who, Each: each}
	if p, ok := s.of(jobs); ok {
		running.Running.Jobs = c.bound(p)
	}
	if p, ok := s.of(tres); ok {
		for _, item := range p.items() {
			switch item.item() {
			case "cpu":
				running.Running.Cores = c.bound(item)
			case "gres/gpu":
				running.Running.GPUs = c.bound(item)
			default:
				c.drop(item, "limits are of jobs, processors and GPUs")
			}
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
	for i := range rows {
		for _, p := range rows[i].all {
			if slices.ContainsFunc(c.associated, func(r row) bool { return r.has(p) }) {
				c.drop(p, "Slurm has it replace limits of the same kind that users and accounts have; here these hold for its jobs too")
			}
		}
	}
	for _, part := range c.parts {
		of, _ := part.of("qos")
		for i := range rows {
			name, _ := rows[i].of("name")
			if !strings.EqualFold(name.value, of.value) {
				continue
			}
			for k := range rows {
				for _, p := range rows[k].all {
					if k != i && rows[i].has(p) {
						c.drop(p, "in the partition "+part.first.value+", Slurm has a limit of its QOS "+of.value+" replace it; here both hold")
					}
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
func (c *conf) qos(name string, data []byte, enforced bool) (levels []backfill.Level, limits []backfill.Limit) {
	rows := c.table(name, data, "name")
	for i := range rows {
		s := &rows[i]
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
			switch p.key {
			case "priority":
				level.Priority = c.points(p)
			case "name", "grpjobs", "grpsubmit", "grpsubmitjobs", "grptres", "maxjobspu", "maxsubmitpu", "maxtrespu", "maxjobspa", "maxsubmitpa",
				"maxtrespa", "usagefactor":
				if p.key == "usagefactor" && strings.Trim(p.value, "0.") != "1" {
					c.drop(p, "usage counts once")
				}
			case "preemptmode", "gracetime", "usagethres", "preempt", "preemptexempttime", "flags":
				if p.value != "cluster" && p.value != "00:00:00" {
					c.drop(p, unknown)
				}
			default:
				c.drop(p, unknown)
			}
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
			limits = slices.Concat(limits, c.bounds(s, who, "", "grpjobs", "grptres", "grpsubmit", "grpsubmitjobs"),
				c.bounds(s, who, "user", "maxjobspu", "maxtrespu", "maxsubmitpu"), c.bounds(s, who, "account", "maxjobspa", "maxtrespa", "maxsubmitpa"))
		}
	}
	if enforced {
		c.replaced(rows)
	}
	return levels, limits
}
