package cmd

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	diff "github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/gzip"

	"schedsweep/harness/store/golden"
)

// TestLicenses: the texts that the program carries are those of every module that it
// links on any system, and each is of a licence that we know.
func TestLicenses(t *testing.T) {
	texts := map[string][]string{} // text -> modules with this text
	add := func(of, file, text string) {
		text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n")) + "\n"
		if licence(text) == "" && !strings.HasPrefix(strings.ToUpper(file), "NOTICE") {
			t.Errorf("%s: nobody knows the licence of %s: look at it, and add how to tell it", of, file)
		}
		if !slices.Contains(texts[text], of) {
			texts[text] = append(texts[text], of)
		}
	}
	// A blank sorts our own first.
	for of, dir := range map[string]string{" schedsweep": "..", "the standard library and runtime of Go": goRoot(t)} {
		text, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
		if err != nil && dir != ".." { // packages of some systems have it elsewhere: it is that of Go's own modules
			text, err = os.ReadFile(filepath.Join(moduleDir(t, "golang.org/x/mod"), "LICENSE"))
		}
		if err != nil {
			t.Fatal(err)
		}
		add(of, "LICENSE", string(text))
	}
	htmx, err := os.ReadFile("serve/vendored/LICENSE")
	if err != nil {
		t.Fatal(err)
	}
	add("htmx.org (npm)", "LICENSE", string(htmx))
	for _, m := range linked(t) {
		found := false
		for _, file := range m.files() {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = true
			add(m.path, filepath.Base(file), string(text))
		}
		// The licence of this module is at the end of its README, and has no file.
		if m.path == "github.com/JohnCGriffin/overflow" && !found {
			readme, err := os.ReadFile(filepath.Join(m.dir, "README.md"))
			if err != nil {
				t.Fatal(err)
			}
			_, text, has := strings.Cut(string(readme), "MIT License\n")
			if found = has; has {
				add(m.path, "README.md", "MIT License\n"+text)
			}
		}
		if !found {
			t.Errorf("module %s has no licence: find out what applies, or do without it", m.path)
		}
	}
	if *golden.Update {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err == nil {
			_, err = w.Write([]byte(printed(texts)))
		}
		if err = errors.Join(err, w.Close(), os.WriteFile("licenses.txt.gz", b.Bytes(), 0o644)); err != nil {
			t.Fatal(err)
		}
		return
	}
	carried, err := licenses()
	if d := diff.Diff(string(carried), printed(texts)); err != nil || d != "" {
		t.Errorf("%v; if the difference is meant, run go test -update (-want +got):\n%s", err, d)
	}
}

func printed(texts map[string][]string) string {
	type entry struct{ of, text string }
	var all []entry
	for text, of := range texts {
		slices.Sort(of)
		all = append(all, entry{strings.Join(of, "\n"), text})
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Or(cmp.Compare(a.of, b.of), cmp.Compare(a.text, b.text)) })
	var b strings.Builder
	for _, e := range all {
		fmt.Fprintf(&b, "%s\n%s\n%s\n%s\n", strings.Repeat("=", 78), strings.TrimSpace(e.of), strings.Repeat("-", 78), e.text)
	}
	return b.String()
}

// licence is the licence that a text is of, "" where it is none of those below.
func licence(text string) string {
	plain := strings.ToLower(strings.Join(strings.Fields(text), " "))
	for _, known := range []struct{ name, says string }{
		{"Apache-2.0", "apache license version 2.0"},
		{"Apache-2.0", "licensed under the apache license, version 2.0"},
		{"MIT", "permission is hereby granted, free of charge, to any person"},
		{"BSD", "redistribution and use in source and binary forms"},
		{"ISC", "permission to use, copy, modify, and distribute this software for any purpose"},
		{"OFL-1.1", "sil open font license"},
		{"FTL", "the freetype project license"},
		{"GPL-2.0", "gnu general public license version 2"},
		{"FTL or GPL-2.0", "use of the freetype-go software is subject to your choice of exactly one of"},
		{"patents of Go", "additional ip rights grant (patents)"},
		{"0BSD", "permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted."},
		{"CC0", "cc0 1.0 universal"},
		{"Unlicense", "this is free and unencumbered software released into the public domain"},
	} {
		if strings.Contains(plain, known.says) {
			return known.name
		}
	}
	return ""
}

// linkedModule is a module with packages that are linked.
type linkedModule struct {
	path, dir string
	packages  []string // their folders
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|third.?party)`)

// files are the licence files of the module and of the linked packages' folders.
func (m *linkedModule) files() (all []string) {
	dirs := map[string]bool{filepath.Join(m.dir, "licenses"): true}
	for _, dir := range m.packages {
		for ; len(dir) >= len(m.dir); dir = filepath.Dir(dir) {
			dirs[dir] = true
		}
	}
	for dir := range dirs {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if is := licenceFile.MatchString(e.Name()) || filepath.Base(dir) == "licenses"; is && e.Type().IsRegular() &&
				!strings.HasSuffix(e.Name(), ".go") {
				all = append(all, filepath.Join(dir, e.Name()))
			}
		}
	}
	slices.Sort(all)
	return all
}

// linked are the modules of the program on the systems that it is built for.
func linked(t *testing.T) []*linkedModule {
	t.Helper()
	modules := map[string]*linkedModule{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{.Path}}\t{{.Dir}}{{end}}\t{{.Dir}}", "./schedsweep")
		list.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=0")
		var stderr bytes.Buffer
		list.Stderr = &stderr
		out, err := list.Output()
		if err != nil {
			t.Fatalf("go list for %s: %v: %s", system, err, stderr.String())
		}
		for line := range strings.Lines(string(out)) {
			f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(f) != 3 || f[0] == modulePath { // of the standard library, or ours
				continue
			}
			if modules[f[0]] == nil {
				modules[f[0]] = &linkedModule{path: f[0], dir: f[1]}
			}
			modules[f[0]].packages = append(modules[f[0]].packages, f[2])
		}
	}
	var all []*linkedModule
	for _, m := range modules {
		all = append(all, m)
	}
	if len(all) < 30 {
		t.Fatalf("only %d modules are linked", len(all))
	}
	return all
}

func moduleDir(t *testing.T, path string) string {
	t.Helper()
	return toldByGo(t, "list", "-m", "-f", "{{.Dir}}", path)
}

func goRoot(t *testing.T) string {
	t.Helper()
	return toldByGo(t, "env", "GOROOT")
}

func toldByGo(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}
