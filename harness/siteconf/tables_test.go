package siteconf

import (
	"strings"
	"testing"
)

const small = "ClusterName=c\nNodeName=n1\nPartitionName=p Nodes=n1 QOS=q\nPriorityType=priority/multifactor\nPriorityWeightAge=1\n" +
	"PriorityWeightQOS=1\n"

// TestLimits: the sections have the limits that the site enforces. Equal limits are merged into one.
func TestLimits(t *testing.T) {
	const head = "Account|User|Share|MaxJobs|GrpJobs\nroot||1||\nroot|root|1||\n"
	for _, c := range []struct{ enforce, rows, want, lacks string }{
		{"limits", "a||1||7\na|x|1|3|\na|y|1|3|\n", `- {each: "user", running: {jobs: 3}}` + "\n" + `    - {of: {account: "a"}, running: {jobs: 7}}`, `user: "x"`},
		{"safe", "a||1||\na|x|1|3|\na|y|1|4|\n", `- {of: {user: "x", account: "a"}, running: {jobs: 3}}`, `each: "user"`},
		{"limits", "a||1||\nb||1||\na|x|1|3|\nb|x|1|3|\n", `- {of: {user: "x", account: "b"}, running: {jobs: 3}}`, `each: "user"`},
		{"associations", "a||1||7\na|x|1|3|\n", "AccountingStorageEnforce names neither limits nor safe", "running"},
		{"limits", "a||1||0\na|x|1||\n", "a limit of 0 lets nothing run", "running"},
	} {
		got, err := sections(small+"AccountingStorageEnforce="+c.enforce, head+c.rows, "")
		if err != nil || !strings.Contains(got, c.want) || strings.Contains(strings.Split(got, "# Jobs of a log")[0], c.lacks) {
			t.Errorf("%v\n%s\nwants %s and lacks %s", err, got, c.want, c.lacks)
		}
	}
	got, err := sections(small+"AccountingStorageEnforce=limits", "", "Name|Priority|MaxJobsPU|GrpTRES\nq|5|2|cpu=9,node=3\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"q": {priority: 5}`, `- {of: {qos: "q"}, running: {cores: 9}}`, `- {of: {partition: "p"}, each: "user", running: {jobs: 2}}`,
		"qos.txt:2: grptres node=3: limits are of jobs, processors and GPUs"} {
		if !strings.Contains(got, want) {
			t.Errorf("lacks %s:\n%s", want, got)
		}
	}
}

// TestAssociationsOfPartitions: they are left out with a note, and the rest of the table counts. Limits of others are not of their users.
func TestAssociationsOfPartitions(t *testing.T) {
	const table = "Account|User|Partition|Share|MaxJobs\nroot|||1|\na|||1|\na|x||1|3\na|x|p|5|9\n"
	for rest, of := range map[string][2]string{"": {`each: "user"`, "5"}, "a|y|p|5|9\n": {`of: {user: "x", account: "a"}`, "5, 6"}} {
		got, err := sections(small+"AccountingStorageEnforce=limits", table+rest, "")
		for _, want := range []string{of[0] + ", running: {jobs: 3}", `users: {"x": {shares: 1}}`,
			"assoc.txt:" + of[1] + ": partition=p: the association is of one partition"} {
			if err != nil || !strings.Contains(got, want) || strings.Contains(got, "jobs: 9") {
				t.Errorf("%v, lacks %s:\n%s", err, want, got)
			}
		}
	}
}

// TestEmptyTables: a table without rows is refused, because it would say that there are no shares and no limits.
func TestEmptyTables(t *testing.T) {
	for _, c := range []struct{ assoc, qos, want string }{
		{"\n", "", "assoc.txt:1:1: the table has no rows (dump it anew)"},
		{"Account|User|Share\n", "", "assoc.txt:1:1: the table has no rows (dump it anew)"},
		{"", "Name|Priority\n", "qos.txt:1:1: the table has no rows (dump it anew)"},
	} {
		if got, err := sections(small, c.assoc, c.qos); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q, %q: %v, want %s; %s", c.assoc, c.qos, err, c.want, got)
		}
	}
}

// TestAssociationsOfPartitionsAlone: without another row there are no shares, and equal ones would be another site.
func TestAssociationsOfPartitionsAlone(t *testing.T) {
	if got, err := sections(small, "Account|User|Partition|Share\na|x|p|5\n", ""); err == nil ||
		!strings.Contains(err.Error(), "assoc.txt:2:5: partition=p and all others are of one partition") {
		t.Errorf("%v\n%s", err, got)
	}
}

// TestLimitsReplaced: in Slurm the first level with a limit of a kind is the one that holds: the partition's QOS, the job's QOS, the user,
// the account (slurm.schedmd.com/resource_limits.html, hierarchy). A manifest holds all, so each limit that replaces another is named.
func TestLimitsReplaced(t *testing.T) {
	const why, inPart = ": Slurm has it replace", ": in the partition p, Slurm has "
	const assoc = "Account|User|Share|MaxJobs|GrpJobs|GrpTRES\nroot||1|||\na||1||7|cpu=60\na|x|1|3||\n"
	for _, c := range []struct{ assoc, qos, want, lacks string }{
		{assoc, "Name|GrpJobs\nq|2\n", "qos.txt:2: grpjobs=2" + why, inPart},
		{assoc, "Name|GrpTRES\nq|cpu=48\n", "qos.txt:2: grptres=cpu=48" + why, inPart},
		{assoc, "Name|MaxJobsPU\nq|2\n", "qos.txt:2: maxjobspu=2" + why, inPart},
		{assoc, "Name|MaxTRESPU|GrpSubmit\nq|cpu=2|5\n", "each: \"user\", running: {cores: 2}", why},
		{"", "Name|GrpJobs\nq|2\n", "running: {jobs: 2}", why},
		{"", "Name|GrpJobs\nother|3\nq|2\n", "qos.txt:2: grpjobs=3" + inPart, why},
		{"", "Name|GrpJobs|MaxJobsPU\nother|3|\nq||2\n", "running: {jobs: 3}", inPart},
	} {
		got, err := sections(small+"AccountingStorageEnforce=limits", c.assoc, c.qos)
		if err != nil || !strings.Contains(got, c.want) || strings.Contains(got, c.lacks) {
			t.Errorf("%v\n%s\nwants %s and lacks %s", err, got, c.want, c.lacks)
		}
	}
}
