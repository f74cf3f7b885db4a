package cmd

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// quotedNames are names of code in a comment: links of godoc, and what is in quotes.
var quotedNames = regexp.MustCompile("\\[[\\pL\\pN_.*]+\\]|`[^`\n]*`")

// proseOf returns the comments and texts of a file in Go, by line. Texts have several words. Comments come without code, and
// without the name at their beginning.
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
				add(n.Tag, strings.Join(textsOfField(n), "\n\n"))
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
			if n.Value[0] == '`' { // indented text is code or a list
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

// commentsIn returns the comments of a manifest or script by line. A comment goes on in the next line if that has only a comment.
func commentsIn(manifest string) map[int]string {
	all, begin := map[int]string{}, 0
	for i, line := range strings.Split(manifest, "\n") {
		code, text, ok := strings.Cut(line, "# ")
		if alone := strings.TrimSpace(code) == ""; !ok || !alone || all[begin] == "" {
			begin = i + 1
		}
		if ok {
			all[begin] += text + "\n"
		}
	}
	return all
}

// The comments, and the texts in quotes, of sources by extension.
var tokens = map[string]*regexp.Regexp{
	".py": regexp.MustCompile(`"""(?s:.*?)"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|#[^\n]*`),
	".js": regexp.MustCompile("//[^\n]*|/\\*(?s:.*?)\\*/|\"(?:[^\"\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\n]|\\\\.)*'|`(?:[^`\\\\]|\\\\.)*`"),
}

// textsIn returns the comments, and the texts of several words, of a file in Python or JavaScript by line. Neighbours are one text.
func textsIn(source string, token *regexp.Regexp) map[int]string {
	all, begin, end := map[int]string{}, 0, -1
	for _, at := range token.FindAllStringIndex(source, -1) {
		gap := "-"
		if end >= 0 {
			gap = source[end:at[0]]
		}
		text := source[at[0]:at[1]]
		if strings.TrimLeft(gap, " +") != "\n" || source[end-1] == '"' != (text[0] == '"') {
			if begin = 1 + strings.Count(source[:at[0]], "\n"); all[begin] != "" {
				all[begin] += "\n"
			}
		}
		end = at[1]
		if text = strings.TrimSpace(strings.Trim(text, "\"'`#/*")); strings.Contains(text, " ") {
			all[begin] += indented.ReplaceAllString(text, "") + "\n"
		}
	}
	return all
}

var (
	action    = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	tag       = regexp.MustCompile(`(?s)<(/?)([a-z0-9!]+)(.*?)>`)
	attribute = regexp.MustCompile(`\b(?:title|aria-label|placeholder|alt)="([^"]*)"`)
	inline    = regexp.MustCompile(`^(?:a|b|i|em|strong|code|bdi|small|span|kbd)$`)
)

// textOn returns the text of a page in HTML by line, with that of its attributes. An action of the template is one word.
func textOn(page string) map[int]string {
	page = action.ReplaceAllStringFunc(page, func(a string) string { return "N" + strings.Repeat("\n", strings.Count(a, "\n")) })
	all := map[int]string{}
	for i, line := range strings.Split(page, "\n") {
		for _, a := range attribute.FindAllStringSubmatch(line, -1) {
			all[i+1] += a[1] + "\n\n"
		}
		all[i+1] += html.UnescapeString(tag.ReplaceAllStringFunc(line, func(t string) string {
			if inline.MatchString(tag.FindStringSubmatch(t)[2]) {
				return ""
			}
			return "\n\n"
		}))
	}
	return all
}

// proseIn returns the prose of a file by line, and false for a file that has none to read.
func proseIn(path string, source []byte) (map[int]string, bool, error) {
	ext := filepath.Ext(path)
	switch {
	case ext == ".go":
		prose, err := proseOf(path, source)
		return prose, true, err
	case ext == ".yaml", ext == ".yml", ext == ".sh", ext == ".awk", filepath.Base(path) == "Makefile",
		ext == "" && bytes.HasPrefix(source, []byte("#!")):
		return commentsIn(string(source)), true, nil
	case ext == ".tmpl" && !strings.HasSuffix(path, "readme.tmpl"):
		return commentsIn(action.ReplaceAllString(string(source), "N")), true, nil
	case ext == ".tmpl":
		return map[int]string{1: action.ReplaceAllString(string(source), "N")}, true, nil
	case ext == ".html":
		return textOn(string(source)), true, nil
	case ext == ".css", ext == ".mjs", ext == ".json" && strings.Contains(path, "schemas"):
		ext = ".js"
	}
	token, ok := tokens[ext]
	if !ok {
		return nil, false, nil
	}
	return textsIn(string(source), token), true, nil
}

// TestWordsInCode: comments, messages and help texts have no words to avoid, and neither have the comments of manifests and scripts,
// and the pages of a report. Their sentences are no longer than those of pages. Of Go's tests it reads the comments alone.
func TestWordsInCode(t *testing.T) {
	roots := []string{".", "../sweep", "../harness", "../analysis", "../sim", "../manifests", "../.ci", "../.github", "../Makefile"}
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.Contains(path, "testdata") || strings.Contains(path, "vendored") {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil || bytes.Contains(source, []byte("Permission is hereby granted")) { // a file of another project
				return err
			}
			prose, ok, err := proseIn(path, source)
			if err != nil || !ok {
				return err
			}
			for line, text := range prose {
				for _, s := range sentences(text, ":") {
					if bad := clauses.FindString(s); bad != "" {
						t.Errorf("%s:%d: %q: %s", path, line, bad, s)
					}
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
			for _, s := range sentences(text, loose) {
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

// TestProseOfOtherLanguages: the linter sees docstrings, comments and texts, and neither code nor single words.
func TestProseOfOtherLanguages(t *testing.T) {
	for _, c := range []struct{ path, source, want string }{
		{"a.py", "#!/x\n\"\"\"Some text.\n\n    code here\n\"\"\"\n# one\n# text more\na = 'b' + f(\"c d\", 'e')  # f g\n",
			"map[2:Some text.\n\n\n 6:text more\n 8:c d\n\n\nf g\n]"},
		{"a.js", "/* a b\nc */\nlet d = `e ${f}`, g = \"h\"; // i j\n", "map[1:a b\nc\n 3:e ${f}\n\n\ni j\n]"},
		{"a.html", "<p title=\"a b\">c <b>d</b>\n{{if .E}}f{{end}}</p>", "map[1:a b\n\n\n\nc d 2:NfN\n\n]"},
		{"run", "#!/bin/sh\n# a b\n# c\nd # e f\n", "map[2:a b\nc\n 4:e f\n]"},
		{"a.png", "a b", "map[]"},
	} {
		prose, _, err := proseIn(c.path, []byte(c.source))
		if got := fmt.Sprint(prose); err != nil || got != c.want {
			t.Errorf("%s: %q, want %q (%v)", c.path, got, c.want, err)
		}
	}
}
