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

// rules lists the packages of ours that a package of ours may import, by the first prefix that
// fits, all without the module's path. The reasons stand in ARCHITECTURE.md.
var rules = []struct {
	pkg     string
	allowed []string
	why     string
}{
	{"cmd/schedsweep", []string{"=cmd"}, "the program is the command"},
	{"cmd/template", []string{"=cmd", "sim"}, "a policy of somebody else's calls the command and " +
		"implements what sim asks for"},
	{"cmd/serve", []string{"analysis/report"}, "the shell of pages knows no run folder"},
	{"cmd", []string{"=cmd/serve", "harness", "analysis", "sweep", "manifests"},
		"the command binds flags and calls libraries; it knows no simulator"},
	{"manifests", nil, "manifests are files"},
	{"sim/host", nil, "values know no engine"},
	{"sim/power", nil, "values know no engine"},
	{"sim/sum", nil, "the simulator and the analysis, which never import each other, add in one way"},
	{"harness/store", []string{"harness/store"}, "datasets know no simulation"},
	{"harness/artifact", []string{"=harness", "harness/folder", "harness/rows",
		"harness/input",
		"harness/store", "=sweep", "sweep/text"}, "an artifact describes a run folder and what lies beside it; it neither simulates " +
		"nor analyses"},
	{"harness/engine", []string{"harness/engine"}, "batch engines know no sweep"},
	{"harness/external", []string{"=harness/store", "=sim", "sim/batsim"},
		"scheduling modules know no sweep"},
	{"harness/folder", []string{"=harness", "harness/store", "sweep"},
		"what a folder says of itself holds for any rows"},
	{"harness/rows", []string{"=harness", "harness/folder", "harness/store", "sim",
		"sweep"},
		"rows know neither the files that a manifest names nor who runs it"},
	{"harness/input", []string{"=harness", "harness/folder", "harness/rows",
		"harness/store",
		"sim", "sweep"}, "what is read knows nothing of what runs"},
	{"harness/siteconf", []string{"=harness/store", "sim", "sweep"}, "a site's configuration becomes the text of sections"},
	{"harness/harnesstest", []string{"harness/folder", "harness/rows", "harness/input",
		"harness/store",
		"sweep"}, "tests of run use it"},
	{"harness/run", []string{"sim", "sweep", "harness"}, "the harness runs; it analyses nothing"},
	{"harness", []string{"sim", "sweep"}, "what an instance is knows nothing of what becomes of it"},
	{"analysis/stats", []string{"=sim/sum"}, "numbers know no table"},
	{"analysis/compare", []string{"sweep", "analysis/claim", "analysis/frame",
		"analysis/stats"}, "comparisons are drawn and laid out elsewhere"},
	{"analysis/plot", []string{"sweep", "analysis/compare", "analysis/figure",
		"analysis/frame", "analysis/stats", "analysis/table"},
		"a figure is of groups of rows and knows no whole analysis"},
	{"analysis", []string{"sweep", "harness/store", "analysis"},
		"the analysis reads rows and never the simulator"},
	{"sweep/text", nil, "trees, numbers and mistakes know no parameters"},
	{"sweep/params", []string{"sweep/text"}, "parameters know no axes"},
	{"sweep/design", nil, "samples know neither fields nor answers"},
	{"sweep/manifest", []string{"sweep/text", "sweep/params", "sweep/design"},
		"blocks and axes know no study"},
	{"sweep/study", []string{"sweep/text", "sweep/params", "sweep/manifest"},
		"a study knows no plan"},
	{"sweep/sweeptest", []string{"sweep", "harness/store", "=analysis/plot"},
		"what tests share knows manifests with their figures, and where their golden files are"},
	{"sweep", []string{"sweep"}, "what can be swept reaches it as a registry"},
	{"sim/simtest", []string{"=sim"}, "what tests share knows the engine only"},
	{"sim/studies/zeng2009/slicetest", []string{"sim"}, "what tests share runs policies on real workloads"},
	{"sim/studies/blanco2012", of("blanco2012"), apart},
	{"sim/studies/dutot2015", of("dutot2015"), apart},
	{"sim/studies/jones2004", of("jones2004"), apart},
	{"sim/studies/sodan2003", of("sodan2003"), apart},
	{"sim/studies/zeng2009", of("zeng2009"), apart},
	{"sim/studies", []string{"sim/studies"}, "the list of studies only names their packages"},
	{"sim/policy/contract", []string{"sim"}, "the suite runs policies on real workloads and progress models"},
	{"sim/workload/contract", []string{"sim"}, "the suite knows the catalog of workloads"},
	{"sim/policy", []string{"=sim", "sim/policy", "sim/batsim"},
		"policies share their parts and nothing else"},
	{"sim/workload", []string{"=sim", "sim/workload", "sim/batsim"},
		"subpackages of sim do not know one another"},
	{"sim/progress", []string{"=sim", "sim/progress"}, "subpackages of sim do not know one another"},
	{"sim/metrics", []string{"=sim", "=sim/sum"}, "subpackages of sim do not know one another"},
	{"sim/", []string{"=sim"}, "subpackages of sim do not know one another"},
	{"sim", values, "the engine stands alone"},
}

// values are the packages of the engine's own types. Who may import the engine may import them.
var values = []string{"sim/host", "sim/power"}

// apart is the reason for which a study imports neither another study nor general code of other kinds.
const apart = "a study uses general parts and its own, and no other study's"

// of lists what the packages of a study may import.
func of(study string) []string {
	return []string{"=sim", "sim/policy", "sim/progress", "sim/workload", "=sim/platform", "sim/studies/" + study}
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
		pkg := strings.TrimPrefix(p.ImportPath, modulePath+"/")
		for _, imp := range p.Imports {
			if strings.HasPrefix(pkg, "sim") && pkg != "sim/simtest" {
				for _, no := range impure {
					if imp == no {
						t.Errorf("%s imports %s: sim is pure", pkg, imp)
					}
				}
			}
			if ours, ok := strings.CutPrefix(imp, modulePath+"/"); ok {
				check(t, pkg, ours)
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
			if a == "=sim" && slices.Contains(values, imp) {
				return
			}
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
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", modulePath+"/...").Output()
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
		if d != nil && d.IsDir() && filepath.Base(path) == ".ci" {
			return filepath.SkipDir // a module of its own, which makes releases
		}
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
