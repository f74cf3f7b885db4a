package cmd

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

const (
	mostComplexity = 25
	mostColumns    = 140
)

// TestShape holds functions, but for those of tests, to a cyclomatic complexity and all lines to a length.
func TestShape(t *testing.T) {
	files := 0
	for _, root := range []string{".", "../sim", "../harness", "../sweep", "../analysis", "../manifests", "../.ci"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.Contains(filepath.ToSlash(path), "/testdata/") {
				return err
			}
			files++
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return shape(t, path, source)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 500 {
		t.Errorf("only %d files were read", files)
	}
}

// withoutRaw is the source without its raw strings, which are tags and texts in other languages and cannot be broken.
func withoutRaw(source []byte) string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, source, nil, 0)
	var b strings.Builder
	from := 0
	for {
		pos, kind, literal := s.Scan()
		if kind == token.EOF {
			return b.String() + string(source[from:])
		}
		if kind == token.STRING && literal[0] == '`' {
			at := file.Offset(pos)
			b.Write(source[from:at])
			b.WriteString(strings.Repeat("\n", strings.Count(literal, "\n")))
			from = at + len(literal)
		}
	}
}

// complexity is one more than the branches of a function, with those of the functions inside it: each if, for, case and
// communication, && and ||. T. J. McCabe, A complexity measure, 1976, counted so by gocyclo.
func complexity(of ast.Node) int {
	n := 1
	ast.Inspect(of, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			n++
		case *ast.CaseClause:
			n += min(1, len(node.List))
		case *ast.CommClause:
			if node.Comm != nil {
				n++
			}
		case *ast.BinaryExpr:
			if node.Op == token.LAND || node.Op == token.LOR {
				n++
			}
		}
		return true
	})
	return n
}

// TestComplexity counts by hand.
func TestComplexity(t *testing.T) {
	for body, want := range map[string]int{
		"":                         1,
		"if a && b || c { d() }":   4,
		"for { }; for range a { }": 3,
		"switch a { case 1, 2: case 3: default: }":    3,
		"select { case <-a: default: }":               2,
		"x := func() { if a { } }; if b { } else { }": 3,
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nfunc f() {"+body+"}\n", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := complexity(file.Decls[0]); got != want {
			t.Errorf("{%s} has a complexity of %d, want %d", body, got, want)
		}
	}
}

// shape holds one file of Go to the bounds.
func shape(t *testing.T, path string, source []byte) error {
	t.Helper()
	text := strings.ReplaceAll(withoutRaw(source), modulePath+"/", "schedsweep/") // under any name that the publisher gives the module
	for n, line := range strings.Split(text, "\n") {
		if columns := utf8.RuneCountInString(line); columns > mostColumns {
			t.Errorf("%s:%d has %d columns, and %d is the most", path, n+1, columns, mostColumns)
		}
	}
	if strings.HasSuffix(path, "_test.go") {
		return nil
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && complexity(f) > mostComplexity {
			t.Errorf("%s: %s has a complexity of %d, and %d is the most", set.Position(f.Pos()), f.Name.Name, complexity(f), mostComplexity)
		}
	}
	return nil
}
