package cmd

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rules says what a package of ours may import of ours, by the longest prefix
// that fits. The reasons stand in ARCHITECTURE.md.
var rules = []struct {
	pkg     string
	allowed []string
	why     string
}{
	{"schedsweep/cmd/schedsweep", []string{"=schedsweep/cmd"}, "the program is the command"},
	{"schedsweep/cmd/template", []string{"=schedsweep/cmd", "schedsweep/sim"}, "a policy of somebody else's calls the command and " +
		"implements what sim asks for"},
	{"schedsweep/cmd", []string{"schedsweep/harness", "schedsweep/analysis", "schedsweep/sweep", "schedsweep/manifests"},
		"the command binds flags and calls libraries; it knows no simulator"},
	{"schedsweep/manifests", nil, "manifests are files"},
	{"schedsweep/sim/sum", nil, "the simulator and the analysis, which never import each other, add in one way"},
	{"schedsweep/harness/store", []string{"schedsweep/harness/store"}, "datasets know no simulation"},
	{"schedsweep/harness/artifact", []string{"=schedsweep/harness", "schedsweep/harness/folder", "schedsweep/harness/rows",
		"schedsweep/harness/input",
		"schedsweep/harness/store", "=schedsweep/sweep"}, "an artifact describes a run folder and what lies beside it; it neither simulates " +
		"nor analyses"},
	{"schedsweep/harness/engine", []string{"schedsweep/harness/engine"}, "batch engines know no sweep"},
	{"schedsweep/harness/external", []string{"=schedsweep/harness/store", "=schedsweep/sim", "schedsweep/sim/batsim"},
		"scheduling modules know no sweep"},
	{"schedsweep/harness/folder", []string{"=schedsweep/harness", "schedsweep/harness/store", "schedsweep/sweep"},
		"what a folder says of itself holds for any rows"},
	{"schedsweep/harness/rows", []string{"=schedsweep/harness", "schedsweep/harness/folder", "schedsweep/harness/store", "schedsweep/sim",
		"schedsweep/sweep"},
		"rows know neither the files that a manifest names nor who runs it"},
	{"schedsweep/harness/input", []string{"=schedsweep/harness", "schedsweep/harness/folder", "schedsweep/harness/rows",
		"schedsweep/harness/store",
		"schedsweep/sim", "schedsweep/sweep"}, "what is read knows nothing of what runs"},
	{"schedsweep/harness/harnesstest", []string{"schedsweep/harness/folder", "schedsweep/harness/rows", "schedsweep/harness/input",
		"schedsweep/harness/store",
		"schedsweep/sweep"}, "tests of run use it"},
	{"schedsweep/harness/run", []string{"schedsweep/sim", "schedsweep/sweep", "schedsweep/harness"}, "the harness runs; it analyses nothing"},
	{"schedsweep/harness", []string{"schedsweep/sim", "schedsweep/sweep"}, "what an instance is knows nothing of what becomes of it"},
	{"schedsweep/analysis/stats", []string{"=schedsweep/sim/sum"}, "numbers know no table"},
	{"schedsweep/analysis/compare", []string{"schedsweep/sweep", "schedsweep/analysis/claim", "schedsweep/analysis/frame",
		"schedsweep/analysis/stats"}, "comparisons are drawn and laid out elsewhere"},
	{"schedsweep/analysis/plot", []string{"schedsweep/sweep", "schedsweep/analysis/compare", "schedsweep/analysis/figure",
		"schedsweep/analysis/frame", "schedsweep/analysis/stats", "schedsweep/analysis/table"},
		"a figure is of groups of rows and knows no whole analysis"},
	{"schedsweep/analysis", []string{"schedsweep/sweep", "schedsweep/harness/store", "schedsweep/analysis"},
		"the analysis reads rows and never the simulator"},
	{"schedsweep/sweep/text", nil, "trees, numbers and mistakes know no parameters"},
	{"schedsweep/sweep/params", []string{"schedsweep/sweep/text"}, "parameters know no axes"},
	{"schedsweep/sweep/design", nil, "samples know neither fields nor answers"},
	{"schedsweep/sweep/manifest", []string{"schedsweep/sweep/text", "schedsweep/sweep/params", "schedsweep/sweep/design"},
		"blocks and axes know no study"},
	{"schedsweep/sweep/study", []string{"schedsweep/sweep/text", "schedsweep/sweep/params", "schedsweep/sweep/manifest"},
		"a study knows no plan"},
	{"schedsweep/sweep/sweeptest", []string{"schedsweep/sweep", "schedsweep/harness/store", "=schedsweep/analysis/plot"},
		"what tests share knows manifests with their figures, and where their golden files are"},
	{"schedsweep/sweep", []string{"schedsweep/sweep"}, "what can be swept reaches it as a registry"},
	{"schedsweep/sim/simtest", []string{"=schedsweep/sim"}, "what tests share knows the engine only"},
	{"schedsweep/sim/studies/zeng2009/slicetest", []string{"schedsweep/sim"}, "what tests share runs policies on real workloads"},
	{"schedsweep/sim/studies/blanco2012", of("blanco2012"), apart},
	{"schedsweep/sim/studies/dutot2015", of("dutot2015"), apart},
	{"schedsweep/sim/studies/jones2004", of("jones2004"), apart},
	{"schedsweep/sim/studies/sodan2003", of("sodan2003"), apart},
	{"schedsweep/sim/studies/zeng2009", of("zeng2009"), apart},
	{"schedsweep/sim/studies", []string{"schedsweep/sim/studies"}, "the list of studies only names their packages"},
	{"schedsweep/sim/policy/contract", []string{"schedsweep/sim"}, "the suite runs policies on real workloads and progress models"},
	{"schedsweep/sim/workload/contract", []string{"schedsweep/sim"}, "the suite knows the catalog of workloads"},
	{"schedsweep/sim/policy", []string{"=schedsweep/sim", "schedsweep/sim/policy", "schedsweep/sim/batsim"},
		"policies share their parts and nothing else"},
	{"schedsweep/sim/workload", []string{"=schedsweep/sim", "schedsweep/sim/workload", "schedsweep/sim/batsim"},
		"subpackages of sim do not know one another"},
	{"schedsweep/sim/progress", []string{"=schedsweep/sim", "schedsweep/sim/progress"}, "subpackages of sim do not know one another"},
	{"schedsweep/sim/metrics", []string{"=schedsweep/sim", "=schedsweep/sim/sum"}, "subpackages of sim do not know one another"},
	{"schedsweep/sim/", []string{"=schedsweep/sim"}, "subpackages of sim do not know one another"},
	{"schedsweep/sim", nil, "the engine stands alone"},
}

// apart is why a study imports neither another study nor general code of other kinds.
const apart = "a study uses general parts and its own, and no other study's"

// of lists what the packages of a study may import.
func of(study string) []string {
	return []string{"=schedsweep/sim", "schedsweep/sim/policy", "schedsweep/sim/progress", "schedsweep/sim/workload",
		"=schedsweep/sim/platform",
		"schedsweep/sim/studies/" + study}
}

// impure are packages that sim must not see: they bring clocks, files and
// goroutines into what must be a pure function.
var impure = []string{"os", "os/exec", "net", "net/http", "math/rand", "syscall", "log", "runtime", "os/signal"}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func TestImportsGoOneWay(t *testing.T) {
	for _, p := range packages(t) {
		for _, imp := range p.Imports {
			if strings.HasPrefix(p.ImportPath, "schedsweep/sim") && p.ImportPath != "schedsweep/sim/simtest" {
				for _, no := range impure {
					if imp == no {
						t.Errorf("%s imports %s: sim is pure", p.ImportPath, imp)
					}
				}
			}
			if strings.HasPrefix(imp, "schedsweep/") {
				check(t, p.ImportPath, imp)
			}
		}
	}
}

func check(t *testing.T, pkg, imp string) {
	t.Helper()
	for _, r := range rules {
		if pkg != r.pkg && !strings.HasPrefix(pkg, strings.TrimSuffix(r.pkg, "/")+"/") {
			continue
		}
		for _, a := range r.allowed {
			exact, only := strings.CutPrefix(a, "=")
			if only && imp == exact || !only && (imp == a || strings.HasPrefix(imp, a+"/")) {
				return
			}
		}
		t.Errorf("%s imports %s: %s", pkg, imp, r.why)
		return
	}
	t.Errorf("no rule says what %s may import", pkg)
}

func packages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "schedsweep/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []goPackage
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) < 10 {
		t.Fatalf("go list found only %d packages", len(all))
	}
	return all
}

// TestSimIsPure looks at the code itself for what imports do not show.
func TestSimIsPure(t *testing.T) {
	eachFile(t, "../sim", func(set *token.FileSet, _ string, n ast.Node) {
		switch n := n.(type) {
		case *ast.GoStmt:
			t.Errorf("%s starts a goroutine", set.Position(n.Pos()))
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && (n.Sel.Name == "Now" || n.Sel.Name == "Since" || n.Sel.Name == "Sleep") {
				t.Errorf("%s reads the clock", set.Position(n.Pos()))
			}
		}
	})
}

// TestFilesGoThroughTheStore: files are read and written in one way, whole and
// regular ones only.
func TestFilesGoThroughTheStore(t *testing.T) {
	others := []string{"Create", "CreateTemp", "WriteFile", "Rename", "Open", "OpenFile", "ReadFile"}
	eachFile(t, "..", func(set *token.FileSet, path string, n ast.Node) {
		call, ok := n.(*ast.SelectorExpr)
		if !ok || strings.Contains(filepath.ToSlash(path), "/harness/store/") {
			return
		}
		if x, ok := call.X.(*ast.Ident); ok && x.Name == "os" && slices.Contains(others, call.Sel.Name) {
			t.Errorf("%s: os.%s: use OpenRegular, ReadRegular, ReplaceFile or NewFile of harness/store", set.Position(n.Pos()), call.Sel.Name)
		}
	})
}

// eachFile looks at every node of the code under a folder, tests left out.
func eachFile(t *testing.T, root string, look func(set *token.FileSet, path string, n ast.Node)) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			look(set, path, n)
			return true
		})
		return nil
	})
	if err != nil || files < 10 {
		t.Fatalf("%d files read, error %v", files, err)
	}
}
