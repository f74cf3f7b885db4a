package cmd

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestArchitecture: the page stays short enough to read, and names each package two
// folders deep; deeper ones are described by the folder they are in.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile("../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n > 100 {
		t.Errorf("ARCHITECTURE.md has %d lines; the bound is 100", n)
	}
	named := 0
	for _, pattern := range []string{"../sim/*/*.go", "../harness/*/*.go", "../analysis/*/*.go", "../sweep/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			folder := filepath.ToSlash(strings.TrimPrefix(filepath.Dir(f), "../"))
			if strings.HasSuffix(folder, "test") { // helpers that tests share
				continue
			}
			if named++; !strings.Contains(string(text), "`"+folder+"`") {
				t.Errorf("ARCHITECTURE.md does not name %s", folder)
			}
		}
	}
	if named < 20 {
		t.Errorf("%d files in packages", named)
	}
}

// readersPages returns the paths of the pages that people read.
func readersPages(t *testing.T) []string {
	t.Helper()
	pages := []string{"../README.md", "../cmd/python/README.md", "../ARCHITECTURE.md", "../CONTRIBUTING.md", "../SECURITY.md",
		"../CHANGELOG.md"}
	for _, root := range []string{"../docs", "../results"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && path == "../results/runs" { // rows and tables of runs are not of the tree
				return fs.SkipDir
			}
			if err == nil && filepath.Ext(path) == ".md" {
				pages = append(pages, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return pages
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ +(.*)$`)
	marks   = regexp.MustCompile(`[^\pL\pN_ -]`)
)

// anchors returns the names under which readers reach the headings of a page, as GitHub makes them.
func anchors(page string) []string {
	var all []string
	count := map[string]int{}
	for _, m := range heading.FindAllStringSubmatch(fence.ReplaceAllString(page, ""), -1) {
		name := marks.ReplaceAllString(strings.ToLower(linkTarget.ReplaceAllString(m[1], "$1")), "")
		name = strings.ReplaceAll(name, " ", "-")
		if n := count[name]; n > 0 {
			all = append(all, fmt.Sprintf("%s-%d", name, n))
		} else {
			all = append(all, name)
		}
		count[name]++
	}
	return all
}

// TestLinks: each link of a page leads to a file of this repository, and to a heading of it where it names one.
func TestLinks(t *testing.T) {
	links := 0
	for _, path := range readersPages(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(inlineCode.ReplaceAllString(fence.ReplaceAllString(string(text), ""), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			links++
			file, anchor, named := strings.Cut(m[1], "#")
			to := path
			if file != "" {
				to = filepath.Join(filepath.Dir(path), file)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			if !named {
				continue
			}
			if target, err := os.ReadFile(to); err != nil || !slices.Contains(anchors(string(target)), anchor) {
				t.Errorf("%s: %s is no heading of %s", path, anchor, to)
			}
		}
	}
	if links < 500 {
		t.Errorf("the pages have %d links", links)
	}
}

// TestAnchors: names of headings are those of GitHub.
func TestAnchors(t *testing.T) {
	got := anchors("# The log `itself`\n```sh\n# no heading\n```\n## A / b: [c_d](e.md)!\n## Für 95 %\n## Same\n### Same\n")
	want := []string{"the-log-itself", "a--b-c_d", "für-95-", "same", "same-1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
