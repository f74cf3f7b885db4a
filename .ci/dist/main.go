// Command dist builds a release into a folder: make dist. Everything that it writes depends on the commit and on
// the version of Go alone.
//
//	source.tar -> programs -> archives, packages, wheels, software bills of materials -> SHA256SUMS
package main

import (
	"bytes"
	"crypto/sha256"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"
)

// targets are the systems that a release is for, with the tags of their wheels: static programs need no C library, and Go
// 1.26 needs macOS 12.
var targets = []target{
	{"linux", "amd64", []string{"manylinux_2_17_x86_64", "manylinux2014_x86_64", "musllinux_1_1_x86_64"}},
	{"linux", "arm64", []string{"manylinux_2_17_aarch64", "manylinux2014_aarch64", "musllinux_1_1_aarch64"}},
	{"darwin", "arm64", []string{"macosx_12_0_arm64"}},
	{"darwin", "amd64", []string{"macosx_12_0_x86_64"}},
	{"windows", "amd64", []string{"win_amd64"}},
}

type target struct {
	os, arch string
	wheel    []string
}

func (t target) String() string { return t.os + "-" + t.arch }

func (t target) exe() string {
	if t.os == "windows" {
		return "schedsweep.exe"
	}
	return "schedsweep"
}

// release holds the built files.
type release struct {
	root, to, version, tags string
	when                    time.Time // of the commit
	source                  []byte
	shared                  []file // contents of every archive besides the program
}

// file lies in an archive at a slash-separated path.
type file struct {
	name string
	mode int64
	data []byte
}

func main() {
	log.SetFlags(0)
	to := flag.String("to", "dist", "write into `FOLDER`, which is emptied before")
	only := flag.String("targets", "", "build for these systems alone, such as linux-amd64,darwin-arm64")
	tags := flag.String("tags", "", "build with these `TAGS`")
	flag.Parse()
	r := release{tags: *tags, root: strings.TrimSpace(string(output("", nil, "git", "rev-parse", "--show-toplevel")))}
	var err error
	if r.to, err = filepath.Abs(*to); err != nil {
		log.Fatal(err)
	}
	check(os.RemoveAll(r.to))
	check(os.MkdirAll(r.to, 0o777))
	r.version = version(r.root)
	seconds, err := strconv.ParseInt(strings.TrimSpace(string(output(r.root, nil, "git", "log", "-1", "--format=%ct"))), 10, 64)
	check(err)
	r.when = time.Unix(seconds, 0).UTC()
	if changed := output(r.root, nil, "git", "status", "--porcelain"); len(changed) > 0 {
		log.Printf("note: this is no release, for the tree has changes:\n%s", changed)
	}
	r.source = output(r.root, nil, ".ci/dist/source")
	r.write("schedsweep-"+r.version+"-source.tar", r.source)
	host := target{os: runtime.GOOS, arch: runtime.GOARCH}
	programs := map[string][]byte{host.String(): r.build(host)}
	r.shared = r.documents(filepath.Join(r.to, host.String(), host.exe()))
	for _, t := range targets {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), t.String()) {
			continue
		}
		log.Printf("%s [%.0f s]", t, time.Since(began).Seconds())
		program, done := programs[t.String()]
		if !done {
			program = r.build(t)
		}
		r.archive(t, program)
		r.wheel(t, program)
		if t.os == "linux" {
			r.packages(t, program)
		}
		r.bill(t)
	}
	r.recipes()
	matches, err := filepath.Glob(filepath.Join(r.to, "*-*", "schedsweep*"))
	check(err)
	for _, program := range matches {
		check(os.RemoveAll(filepath.Dir(program)))
	}
	r.sums()
}

var began = time.Now()

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func output(dir string, env []string, name string, args ...string) []byte {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		log.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, stderr.Bytes())
	}
	return out
}

// version is that of the commit's tag, else the one that cmd/version.go states.
func version(root string) string {
	tag := exec.Command("git", "describe", "--tags", "--exact-match", "--match", "v[0-9]*")
	tag.Dir = root
	if out, err := tag.Output(); err == nil {
		return strings.TrimPrefix(strings.TrimSpace(string(out)), "v")
	}
	text, err := os.ReadFile(filepath.Join(root, "cmd", "version.go"))
	check(err)
	m := regexp.MustCompile(`(?m)^const release = "([^"]+)"$`).FindSubmatch(text)
	if m == nil {
		log.Fatal("cmd/version.go states no release")
	}
	return string(m[1])
}

// build builds the program for a system. Nothing of this machine's settings has a say.
func (r *release) build(t target) []byte {
	path := filepath.Join(r.to, t.String(), t.exe())
	module := strings.TrimSpace(string(output(r.root, nil, "go", "list", "-m")))
	output(r.root, []string{"CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0", "GOOS=" + t.os, "GOARCH=" + t.arch},
		"go", "build", "-buildvcs=true", "-trimpath", "-tags", r.tags, "-ldflags",
		fmt.Sprintf("-s -w -X %s/cmd.sourceSum=%x", module, sha256.Sum256(r.source)),
		"-o", path, "./cmd/schedsweep")
	program, err := os.ReadFile(path)
	check(err)
	return program
}

func (r *release) write(name string, data []byte) {
	check(os.WriteFile(filepath.Join(r.to, name), data, 0o666))
}

// recipes writes the files for other builds: a Dockerfile, an Apptainer recipe, and a module file.
func (r *release) recipes() {
	for _, name := range []string{"Dockerfile", "schedsweep.def", "modulefile"} {
		text, err := os.ReadFile(filepath.Join(r.root, ".ci", "dist", "files", name))
		check(err)
		var b bytes.Buffer
		check(template.Must(template.New(name).Parse(string(text))).Execute(&b, map[string]string{"Version": r.version}))
		r.write(name, b.Bytes())
	}
}

// sums lists the SHA-256 of all files, as sha256sum -c reads it.
func (r *release) sums() {
	entries, err := os.ReadDir(r.to)
	check(err)
	var b bytes.Buffer
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(r.to, e.Name()))
		check(err)
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), e.Name())
	}
	r.write("SHA256SUMS", b.Bytes())
}
