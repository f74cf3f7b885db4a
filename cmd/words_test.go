package cmd

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// longest is the number of words of the longest sentence that a page may have, and meanWords of the mean one. longestUsage is the
// number of characters of the longest help of an option.
const (
	longest      = 30
	meanWords    = 17
	longestUsage = 80
	loose        = ":;" // the marks that end a sentence, in text whose clauses may be nouns
)

// avoided are words and turns that readers of other languages stumble over.
var avoided = regexp.MustCompile(`(?i)\b(told|asked|stands|comes of|makes of|go(?:es)? by|so many|thereof|wherever|such as have|those that|of which|` +
	`whatever|nobody|everybody|one (?:can|may|does|would|should|has|wants|knows|needs)|is said|was said|are said|as said|(?:be|is|are|was|were|been) had|of whose|clocks? of the wall|he|his|such an? one)\b`)

// clauses are turns with a relative clause as a noun. Pages and help have none.
var clauses = regexp.MustCompile(`(?i)\b(?:what|who) (?:is|was|has|are|were|have|had|reads|runs)\b`)

var (
	fence      = regexp.MustCompile("(?ms)^```.*?^```$")
	comment    = regexp.MustCompile(`(?s)<!--.*?-->`)
	inlineCode = regexp.MustCompile("`[^`\n]*`")
	linkTarget = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	listItem   = regexp.MustCompile(`^\s*(?:[-*+]|\d+\.)\s+`)
	ending     = regexp.MustCompile(`[.!?:]\**(?:\s|$)`)
	after      = regexp.MustCompile(`:\s+(?:[^.!?:]|[.!?:]\S)*`)
	part       = regexp.MustCompile(`;(?:\s|$)`)
	wordOf     = regexp.MustCompile(`[\pL\pN][\pL\pN'’.-]*`)
)

// sentences are those of a page in Markdown: of its paragraphs, items and cells, without code. A colon before a list
// of three or code ends one. Others do, and semicolons, if ends holds them.
func sentences(page string, ends string) []string {
	page = comment.ReplaceAllString(fence.ReplaceAllString(page, ""), "")
	page = strings.ReplaceAll(page, "<br>", ". ") // the items of a list in a table
	page = linkTarget.ReplaceAllString(inlineCode.ReplaceAllString(page, "code"), "$1")
	var all []string
	var paragraph []string
	flush := func() {
		text := strings.Join(paragraph, " ")
		if strings.Contains(ends, ";") {
			text = part.ReplaceAllString(text, ". ")
		}
		if !strings.Contains(ends, ":") {
			text = after.ReplaceAllStringFunc(text, func(s string) string {
				if rest := strings.TrimLeft(s, ": "); !strings.HasPrefix(rest, "code") && strings.Count(rest, ",")+strings.Count(rest, ";") < 2 {
					return ", " + rest
				}
				return s
			})
		}
		for _, s := range ending.Split(text, -1) {
			if s = strings.Trim(s, " *_"); s != "" {
				all = append(all, s)
			}
		}
		paragraph = nil
	}
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			flush()
		case strings.HasPrefix(line, "|"):
			flush()
			for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
				paragraph = append(paragraph, cell)
				flush()
			}
		default:
			if listItem.MatchString(line) {
				flush()
			}
			paragraph = append(paragraph, listItem.ReplaceAllString(line, ""))
		}
	}
	flush()
	return all
}

func words(sentence string) int { return len(wordOf.FindAllString(sentence, -1)) }

// faultsOf are the sentences of a page that are too long or have an avoided word.
func faultsOf(page string, ends string) (faults []string, mean float64) {
	total, n := 0, 0
	for _, s := range sentences(page, ends) {
		k := words(s)
		if k > longest {
			faults = append(faults, fmt.Sprintf("%d words, and %d is the most: %s", k, longest, s))
		}
		if bad := avoided.FindString(s); bad != "" {
			faults = append(faults, fmt.Sprintf("%q: %s", bad, s))
		} else if bad = clauses.FindString(s); bad != "" && ends != loose {
			faults = append(faults, fmt.Sprintf("%q: %s", bad, s))
		}
		if k > 3 {
			total, n = total+k, n+1
		}
	}
	return faults, float64(total) / float64(max(n, 1))
}

// ofCode are tables with the texts of code and manifests. They are loose, as these are.
var ofCode = regexp.MustCompile(`^\.\./results/(?:README|.*/(?:statistics|comparisons|claims|claim-parts))\.md$`)

// TestWords: the pages that people read have short sentences without the words to avoid.
func TestWords(t *testing.T) {
	for _, path := range readersPages(t) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		ends := ""
		if ofCode.MatchString(path) {
			ends = loose
		}
		faults, mean := faultsOf(string(text), ends)
		for _, f := range faults {
			t.Errorf("%s: %s", path, f)
		}
		if _, err := os.Stat(strings.TrimSuffix(path, ".md") + ".csv"); mean > meanWords && err != nil { // a page of text, not a table
			t.Errorf("%s: sentences have %.1f words in the mean, and %d is the most", path, mean, meanWords)
		}
	}
}

// TestWordsOfHelp: the help of every verb, with its options, has short sentences. The help of an option has one short line.
func TestWordsOfHelp(t *testing.T) {
	var look func(path string, c *cli.Command)
	look = func(path string, c *cli.Command) {
		page := strings.ReplaceAll(indented.ReplaceAllString(c.Description, ""), join(starters()), "NAMES") + "\n\n"
		for _, f := range c.Flags {
			if f, ok := f.(cli.DocGenerationFlag); ok {
				page += "- " + f.GetUsage() + "\n"
				if usage := strings.ReplaceAll(f.GetUsage(), "`", ""); utf8.RuneCountInString(usage) > longestUsage {
					t.Errorf("%s --help: %d characters, and %d is the most: %s", path, utf8.RuneCountInString(usage), longestUsage, usage)
				}
			}
		}
		faults, mean := faultsOf(page, "")
		for _, f := range faults {
			t.Errorf("%s --help: %s", path, f)
		}
		if mean > meanWords {
			t.Errorf("%s --help: sentences have %.1f words in the mean, and %d is the most", path, mean, meanWords)
		}
		for _, sub := range c.Subcommands {
			look(path+" "+sub.Name, sub)
		}
	}
	app := newApp(environment{})
	look(app.Name, &cli.Command{Description: app.Description, Subcommands: app.Commands})
}

// TestFaultsOf: the linter sees long sentences and words to avoid, outside code.
func TestFaultsOf(t *testing.T) {
	long := strings.Repeat("word ", longest+1)
	for page, want := range map[string]int{
		"A short sentence.\n":                   0,
		long + ".\n":                            1,
		"- " + long + "\n":                      1,
		"| a | " + long + "|\n":                 1,
		"```text\n" + long + "\n```\n":          0,
		"Nobody is told.\n":                     1,
		"It uses the clock of the wall.\n":      1,
		"A user with all his jobs.\n":           1,
		"If there is such a one.\n":             1,
		"It holds what is left.\n":              1,
		long + "; and " + long + "\n":           1,
		long[:100] + ": " + long[:100] + "\n":   1,
		long[:100] + ": a, b, " + long[:90]:     0,
		"**" + long[:100] + ".** " + long[:100]: 0,
		"The flag `told` works.\n":              0,
		"First.\n\n" + long + "\nand wherever":  2,
	} {
		if faults, _ := faultsOf(page, ""); len(faults) != want {
			t.Errorf("%q: %d faults, want %d: %v", page, len(faults), want, faults)
		}
	}
}
