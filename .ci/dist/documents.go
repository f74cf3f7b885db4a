package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// documents are the files of every archive besides the program, which writes some of them.
func (r *release) documents(program string) []file {
	said := func(args ...string) []byte { return output(r.root, []string{"COLUMNS=80"}, program, args...) }
	all := []file{{"source.tar", 0o644, r.source}, {"LICENSES.txt", 0o644, said("version", "--licenses")}}
	for _, from := range []string{"LICENSE", "README.md", "CHANGELOG.md", "manifests/quickstart.yaml"} {
		text, err := os.ReadFile(filepath.Join(r.root, from))
		check(err)
		all = append(all, file{filepath.Base(from), 0o644, text})
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		all = append(all, file{"completions/schedsweep." + shell, 0o644, said("completion", shell)})
	}
	all = append(all, file{"man/man1/schedsweep.1", 0o644, r.page("schedsweep", string(said("--help")))})
	for _, verb := range strings.Fields(string(said("--complete-here"))) {
		all = append(all, file{"man/man1/schedsweep-" + verb + ".1", 0o644, r.page("schedsweep-"+verb, string(said(verb, "--help")))})
	}
	return all
}

var option = regexp.MustCompile(`^   (\S.*?)(?:   *(\S.*))?$`)

// page turns a page of help into a manual page: headings, paragraphs, options with their meanings, and text to be copied.
func (r *release) page(name, help string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, ".TH %s 1 %s \"schedsweep %s\"\n", roff(strings.ToUpper(name)), r.when.Format("2006-01-02"), r.version)
	section, copied, blank := "", false, false
	for line := range strings.Lines(help) {
		line = strings.TrimRight(line, " \n")
		if line == "" {
			blank = true
			continue
		}
		if heading, ok := strings.CutSuffix(line, ":"); ok && line[0] != ' ' {
			if copied {
				b.WriteString(".fi\n.RE\n")
			}
			section, copied, blank = heading, false, false
			fmt.Fprintf(&b, ".SH %s\n", heading)
			continue
		}
		text := strings.TrimPrefix(line, "   ")
		inList := strings.HasSuffix(section, "OPTIONS") || section == "COMMANDS"
		if indented := text[0] == ' ' && !inList; indented != copied {
			copied = indented
			if copied {
				b.WriteString(".PP\n.RS 4\n.nf\n")
			} else {
				b.WriteString(".fi\n.RE\n")
			}
		}
		m := option.FindStringSubmatch(line)
		switch {
		case copied:
			fmt.Fprintf(&b, "%s\n", roff(strings.TrimPrefix(text, "    ")))
		case inList && text[0] != ' ':
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(m[1]), roff(m[2]))
		case section == "NAME":
			text = strings.Replace(text, strings.ReplaceAll(name, "-", " ")+" - ", name+` \- `, 1)
			fmt.Fprintf(&b, "%s\n", strings.ReplaceAll(text, `schedsweep-`, `schedsweep\-`))
		default:
			if blank {
				b.WriteString(".PP\n")
			}
			fmt.Fprintf(&b, "%s\n", roff(strings.TrimSpace(text)))
		}
		blank = false
	}
	if copied {
		b.WriteString(".fi\n.RE\n")
	}
	return b.Bytes()
}

// roff quotes text for troff.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "~", `\(ti`, "^", `\(ha`, "`", `\(ga`, "'", `\(aq`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}
