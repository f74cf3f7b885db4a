package scripts

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// page holds the instructions of a page of the documentation.
type page struct {
	steps []step
	needs []string // python3, and logs of $SCHEDSWEEP_DATA, that the reader has, from "<!-- needs: NAME -->"
}

// step is a file to write or a command to run.
type step struct {
	file, content string
	command, want string
	code          int // exit code that the page announces by "# exit code N" behind the command
}

var (
	block    = regexp.MustCompile("(?ms)(?:^`([\\w./-]+)`:\n\n)?^```(\\w*)\n(.*?)^```$")
	needs    = regexp.MustCompile(`(?m)^<!-- needs: (\S+) -->$`)
	exitCode = regexp.MustCompile(`\s+# exit code (\d)$`)
)

// read finds the steps of a page: a block of code below "`NAME`:" is the file NAME, and a block "console" has commands
// behind "$ ", each with its output.
func read(t *testing.T, text string) page {
	t.Helper()
	var p page
	for _, m := range needs.FindAllStringSubmatch(text, -1) {
		p.needs = append(p.needs, m[1])
	}
	for _, m := range block.FindAllStringSubmatch(text, -1) {
		switch {
		case m[1] != "":
			p.steps = append(p.steps, step{file: m[1], content: m[3]})
		case m[2] == "console":
			for _, one := range strings.Split("\n"+m[3], "\n$ ")[1:] {
				command, want, _ := strings.Cut(one, "\n")
				s := step{command: command, want: want}
				if c := exitCode.FindStringSubmatch(command); c != nil {
					s.command, s.code = strings.TrimSuffix(command, c[0]), int(c[1][0]-'0')
				}
				p.steps = append(p.steps, s)
			}
		}
	}
	return p
}

// agrees reports whether an output is as a page shows it. In the page "..." matches any text in a line, and any lines
// in a line of its own.
func agrees(want, got string) bool {
	var pattern strings.Builder
	pattern.WriteString(`^`)
	for _, line := range strings.Split(strings.TrimRight(want, "\n"), "\n") {
		if strings.TrimSpace(line) == "..." {
			pattern.WriteString(`(?:[^\n]*\n)*?`)
			continue
		}
		parts := strings.Split(strings.TrimRight(line, " "), "...")
		for i, part := range parts {
			if i > 0 {
				pattern.WriteString(`[^\n]*`)
			}
			pattern.WriteString(regexp.QuoteMeta(part))
		}
		pattern.WriteString(`[ ]*\n`)
	}
	pattern.WriteString(`$`)
	return regexp.MustCompile(pattern.String()).MatchString(strings.TrimRight(got, "\n") + "\n")
}

// TestPages does what each page of the documentation asks for, in an empty folder, and compares the output.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("slow")
	}
	prog, err := filepath.Abs(program(t))
	if err != nil {
		t.Fatal(err)
	}
	commands := 0
	err = filepath.WalkDir("../../docs", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p := read(t, string(text))
		for _, s := range p.steps {
			if s.command != "" {
				commands++
			}
		}
		t.Run(strings.TrimPrefix(filepath.ToSlash(path), "../../docs/"), func(t *testing.T) {
			t.Parallel()
			follow(t, prog, p)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if commands < 20 {
		t.Errorf("the pages show %d commands", commands)
	}
}

// sinceTenSeconds are the lines that a run prints every ten seconds, as it does on a slow machine.
var sinceTenSeconds = regexp.MustCompile(`(?m)^\S+: \d+ of \d+ done, \d+ failed, .*\n`)

// follow does the steps of a page.
func follow(t *testing.T, prog string, p page) {
	python, err := filepath.Abs("../python")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(prog, filepath.Join(dir, "schedsweep")); err != nil { // pages call it with and without ./
		t.Fatal(err)
	}
	for _, log := range p.needs {
		if log == "python3" {
			if _, err := exec.LookPath(log); err != nil {
				t.Skip("needs python3")
			}
			continue
		}
		there, err := filepath.Abs(filepath.Join(dataFolder(), log))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(there); err != nil {
			t.Skipf("needs the log %s, which is not in $SCHEDSWEEP_DATA", log)
		}
		if err := os.Symlink(there, filepath.Join(dir, log)); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range p.steps {
		if s.file != "" {
			if err := os.WriteFile(filepath.Join(dir, s.file), []byte(s.content), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		cmd := exec.Command("sh", "-c", s.command)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PYTHONPATH="+python, "PATH="+filepath.Dir(prog)+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, _ := cmd.CombinedOutput() // its exit code tells
		if code := cmd.ProcessState.ExitCode(); code != s.code {
			t.Fatalf("%s: exit code %d, want %d\n%s", s.command, code, s.code, out)
		}
		if out = sinceTenSeconds.ReplaceAll(out, nil); !agrees(s.want, string(out)) {
			t.Errorf("%s\n-- the page shows:\n%s\n-- it prints:\n%s", s.command, s.want, out)
		}
	}
}

// TestAgrees: a page that shows another output is found.
func TestAgrees(t *testing.T) {
	for _, c := range []struct {
		want, got string
		same      bool
	}{
		{"a\nb\n", "a\nb\n", true},
		{"a\nb\n", "a\nc\n", false},
		{"a\n", "a\nb\n", false},
		{"a\n...\n", "a\nb\nc\n", true},
		{"...\nc\n", "a\nb\nc\n", true},
		{"...\nb\n", "a\nb\nc\n", false},
		{"took ... s\n", "took 1.2 s\n", true},
		{"took ... s\n", "took 1.2 min\n", false},
		{"", "", true},
		{"", "a\n", false},
	} {
		if agrees(c.want, c.got) != c.same {
			t.Errorf("%q and %q: %v", c.want, c.got, !c.same)
		}
	}
}
