package cmd

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// quotedNames are names of code in a comment: links of godoc, and what is in quotes.
var quotedNames = regexp.MustCompile("\\[[\\pL\\pN_.*]+\\]|`[^`\n]*`")

// proseOf returns the comments and texts of a file in Go by line: texts of several words, and comments without code and the name
// that they begin with.
func proseOf(file string, source []byte) (map[int]string, error) {
	set := token.NewFileSet()
	test := strings.HasSuffix(file, "_test.go") // whose texts are for programs
	f, err := parser.ParseFile(set, file, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	prose, names := map[int]string{}, map[string]bool{}
	add := func(n ast.Node, text string) { prose[set.Position(n.Pos()).Line] += text + "\n\n" }
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			names[n.Name] = true
		case *ast.Field:
			if n.Tag != nil {
				tag, _ := strconv.Unquote(n.Tag.Value)
				add(n.Tag, reflect.StructTag(tag).Get("doc"))
				n.Tag = nil
			}
		case *ast.BinaryExpr, *ast.BasicLit:
			if text := textOf(n); !test && strings.Contains(strings.TrimSpace(text), " ") {
				add(n, text)
			}
			_, one := n.(*ast.BinaryExpr)
			return !one || textOf(n) == ""
		}
		return true
	})
	for _, g := range f.Comments {
		var text strings.Builder
		for line := range strings.Lines(g.Text()) {
			if !strings.HasPrefix(line, "\t") {
				text.WriteString(line)
			}
		}
		said := quotedNames.ReplaceAllString(text.String(), "code")
		if first, rest, ok := strings.Cut(said, " "); ok && names[first] {
			said = rest
		}
		add(g, said)
	}
	return prose, nil
}

var indented = regexp.MustCompile(`(?m)^(\t|  ).*\n?`)

// textOf joins the literals of a text in parts; "" for all else.
func textOf(n ast.Node) string {
	switch n := n.(type) {
	case *ast.BasicLit:
		if n.Kind == token.STRING {
			text, _ := strconv.Unquote(n.Value)
			if n.Value[0] == '`' { // what is indented is code or a list
				text = indented.ReplaceAllString(text, "")
			}
			return text
		}
	case *ast.BinaryExpr:
		if n.Op == token.ADD {
			return textOf(n.X) + textOf(n.Y)
		}
	}
	return ""
}

// commentsIn returns the comments of a manifest by line. A comment goes on in the next line if that has only a comment.
func commentsIn(manifest string) map[int]string {
	all, begin := map[int]string{}, 0
	for i, line := range strings.Split(manifest, "\n") {
		code, text, ok := strings.Cut(line, "# ")
		if alone := strings.TrimSpace(code) == ""; !ok || !alone || begin == 0 {
			begin = i + 1
		}
		if ok {
			all[begin] += text + "\n"
		}
	}
	return all
}

// TestWordsInCode: comments, messages and help texts have no words to avoid, and neither have the comments of manifests. Their
// sentences are no longer than those of pages. Of tests it reads the comments alone.
func TestWordsInCode(t *testing.T) {
	for _, root := range []string{".", "../sweep", "../harness", "../analysis", "../sim", "../manifests"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			ext := filepath.Ext(path)
			if err != nil || d.IsDir() || ext != ".go" && ext != ".yaml" || strings.Contains(path, "testdata") {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			prose := commentsIn(string(source))
			if ext == ".go" {
				if prose, err = proseOf(path, source); err != nil {
					return err
				}
			}
			for line, text := range prose {
				for _, s := range sentences(text) {
					if bad := avoided.FindString(s); bad != "" {
						t.Errorf("%s:%d: %q: %s", path, line, bad, s)
					}
					if n := words(s); n > longest && s != strings.ToUpper(s) { // not a list of names such as HOME
						t.Errorf("%s:%d: %d words, and %d is the most: %s", path, line, n, longest, s)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestProse: the linter sees comments and texts in parts, and neither names nor single words.
func TestProse(t *testing.T) {
	for source, want := range map[string]int{
		"// A is said\n// to be so.\nconst A = 1":                         1,
		"// told is a name.\nconst told = 1":                              0,
		"// A is like [sim.told], and `whatever` is a value.\nconst A= 1": 0,
		"const A = \"told\"":                                              0,
		"const A = \"it is told\"":                                        1,
		"var A = f(\"one of \"+\n\"which is\")":                           1,
		"var A = f(\"what is of \"+b+\"which\", \"so many of them\")":     2,
		"type A struct {\n\tB int `doc:\"goes by it\"`\n}":                1,
		"const A = 1 // whatever it is":                                   1,
	} {
		prose, err := proseOf("a.go", []byte("package a\n\n"+source+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, text := range prose {
			for _, s := range sentences(text) {
				n += len(avoided.FindAllString(s, -1))
			}
		}
		if n != want {
			t.Errorf("%s: %d words to avoid, want %d", source, n, want)
		}
	}
	if all := fmt.Sprint(commentsIn("# A note of\n# which\na: 1 # more\n# new\n")); all != "map[1:A note of\nwhich\n 3:more\nnew\n]" {
		t.Error(all)
	}
}
