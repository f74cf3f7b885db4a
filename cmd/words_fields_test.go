package cmd

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// relatives are free relatives in the text of a field: at the beginning of a part, and "what" and "how" anywhere.
var relatives = regexp.MustCompile(`(?i)^(?:(?:by|after|on|of|at|to|up to) )?(?:how|what|whose|who|whom|which|when|where|whether)\b|` +
	`[:;] (?:whose|who|whom|which|whether)\b|\b(?:what|how)\b`)

// textsOfField returns the texts of a struct tag: doc, and the meaning of each value of enum.
func textsOfField(f *ast.Field) []string {
	unquoted, _ := strconv.Unquote(f.Tag.Value)
	tag := reflect.StructTag(unquoted)
	texts := []string{tag.Get("doc")}
	for value := range strings.SplitSeq(tag.Get("enum"), "|") {
		_, meaning, _ := strings.Cut(value, ": ")
		texts = append(texts, meaning)
	}
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// fieldFaults returns the texts of fields, and of Doc in literals, that hold a free relative, and the number of all texts.
func fieldFaults(f *ast.File) (faults []string, n int) {
	ast.Inspect(f, func(node ast.Node) bool {
		var texts []string
		switch node := node.(type) {
		case *ast.Field:
			if node.Tag != nil {
				texts = textsOfField(node)
			}
		case *ast.KeyValueExpr:
			if key, ok := node.Key.(*ast.Ident); ok && key.Name == "Doc" {
				texts = []string{textOf(node.Value)}
			}
		}
		for _, text := range texts {
			if n++; relatives.MatchString(text) {
				faults = append(faults, text)
			}
		}
		return true
	})
	return faults, n
}

// named is the beginning of a comment that is a free relative, or gives one for a name.
var named = regexp.MustCompile(`(?m)\A(?:what|who|why|how [^i]|how it|(?:by|of|until|up to) (?:what|how|when)|` +
	`\pL[\pL\pN_]* \pL+ (?:by how|until when|how (?:many|much|far|long|often)))\b|` +
	`^\pL[\pL\pN_]* (?:is|are|says|tells|shows|knows) (?:what|who|whose|how|where|when|why|whether|which)\b`)

// TestCommentsNameThings: no comment begins as in "count is how many there are" or "how many".
func TestCommentsNameThings(t *testing.T) {
	for source, want := range map[string]bool{
		"// n is how many\n": true, "// A.\n//\n// N are who run\n": true, "// n says what it is\n": true, "// n is at what\n": false,
		"// what it is\n": true, "// until when\n": true, "// how is a unit\n": false, "// A is\n// what\n": false,
		"// n returns how many jobs run\n": true, "// n returns who they are, and how many\n": false,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "a.go", source+"package a\n", parser.ParseComments)
		if err != nil || named.MatchString(f.Comments[0].Text()) != want {
			t.Errorf("%q: want %v (%v)", source, want, err)
		}
	}
	for _, root := range []string{".", "../sim", "../harness", "../sweep", "../analysis", "../manifests", "../.ci"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			for _, g := range f.Comments {
				if bad := named.FindString(g.Text()); bad != "" {
					t.Errorf("%s: %q: %s", path, bad, g.Text())
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestWordsOfFields: the help of fields, metrics and columns names a thing, and has no free relative such as "how many jobs".
func TestWordsOfFields(t *testing.T) {
	n := 0
	for _, root := range []string{".", "../sim", "../harness", "../sweep", "../analysis"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			faults, some := fieldFaults(f)
			for _, text := range faults {
				t.Errorf("%s: %q: %s", path, relatives.FindString(text), text)
			}
			n += some
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 800 {
		t.Errorf("only %d texts were read", n)
	}
}

// TestFieldFaults: the linter sees free relatives in tags and in Doc, and no relative clause of a noun.
func TestFieldFaults(t *testing.T) {
	for source, want := range map[string]int{
		"type A struct {\n\tB int `doc:\"how many jobs\"`\n}":                              1,
		"type A struct {\n\tB int `doc:\"by how much it rises\"`\n}":                       1,
		"type A struct {\n\tB int `doc:\"of a law: what fails\"`\n}":                       1,
		"type A struct {\n\tB int `doc:\"bounds of what a job takes\"`\n}":                 1,
		"type A struct {\n\tB int `enum:\"a: who came first|b: jobs\" doc:\"order\"`\n}":   1,
		"type A struct {\n\tB int `doc:\"jobs whose nodes fail, when there are some\"`\n}": 0,
		"var A = B{Doc: \"which jobs\" + \" run\"}":                                        1,
		"var A = B{Doc: \"jobs\", Help: \"how\"}":                                          0,
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "a.go", "package a\n\n"+source+"\n", 0)
		if err != nil {
			t.Fatal(err)
		}
		if faults, _ := fieldFaults(f); len(faults) != want {
			t.Errorf("%s: %d faults, want %d: %v", source, len(faults), want, faults)
		}
	}
}
