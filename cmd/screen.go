package cmd

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
	"github.com/urfave/cli/v2"
	"golang.org/x/term"

	"schedsweep/analysis/table"
)

// Lines that are printed are as wide as the terminal, up to the length that a reader's eye follows. They have 80
// characters where there is no terminal.
const (
	usualWidth = 80
	mostWidth  = 160
)

// screen returns the terminal of the results. $COLUMNS goes before the terminal's own width, and
// NO_COLOR (no-color.org) before its colours.
func (e environment) screen() table.Terminal {
	to := table.Terminal{Width: usualWidth}
	if f, ok := device(e.stdout).(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil {
			to.Width = min(max(width, usualWidth/2), mostWidth)
		}
		to.Colour = e.getenv("NO_COLOR") == "" && e.getenv("TERM") != "dumb"
	}
	if n, err := strconv.Atoi(e.getenv("COLUMNS")); err == nil && n > 0 {
		to.Width = n
	}
	return to
}

// tell writes a message to stderr. On a terminal its long lines break between words.
func (e environment) tell(message string) {
	if e.terminal() {
		message = folded(message, e.screen().Width)
	}
	fmt.Fprintln(e.stderr, message)
}

// excerpt is a line of a file under a message, or the caret below it.
var excerpt = regexp.MustCompile(`^ *\d* \| `)

// folded breaks the lines of a message that are too long, and goes on under their first word, two columns further right. Excerpts of
// files stay as they are.
func folded(message string, width int) string {
	lines := strings.Split(message, "\n")
	for i, line := range lines {
		if uniseg.StringWidth(line) <= width || excerpt.MatchString(line) {
			continue
		}
		words := strings.TrimLeft(line, " ")
		indent := line[:len(line)-len(words)] + "  "
		lines[i] = indent[2:] + strings.ReplaceAll(table.Terminal{Width: max(width-len(indent), usualWidth/4)}.Wrap(words), "\n", "\n"+indent)
	}
	return strings.Join(lines, "\n")
}

// optionHelp is an option's line in a page of help: once where it may be given
// again, and without a default that is nothing.
func optionHelp(f cli.Flag) string {
	name, usage, _ := strings.Cut(stockOptionHelp(f), "\t")
	name, _, again := strings.Cut(name, " [ ")
	for _, nothing := range []string{" (default: false)", " (default: 0)"} {
		usage = strings.TrimSuffix(usage, nothing)
	}
	if again {
		usage += "; may be given again"
	}
	return name + "\t" + usage
}

var stockOptionHelp = cli.FlagStringer

// fitted breaks the lines of a page of help that are too long for the screen, and goes on under the last column of the line. A
// command of an example goes on behind a backslash, so that it can still be copied, and two marks further right.
func fitted(page string, to table.Terminal) string {
	lines := strings.Split(page, "\n")
	for i, line := range lines {
		if uniseg.StringWidth(line) <= to.Width {
			continue
		}
		column, mark := lastColumn.FindStringIndex(line)[1], ""
		text := line[column:]
		if strings.HasPrefix(line, "       schedsweep ") {
			mark, text = " \\", optionAndValue.ReplaceAllString(text, "$1\x00$2")
		}
		text = table.Terminal{Width: to.Width - column - 3*len(mark)}.Wrap(text)
		text = strings.ReplaceAll(text, "\n", mark+"\n"+strings.Repeat(" ", column+2*len(mark)))
		lines[i] = line[:column] + strings.ReplaceAll(text, "\x00", " ")
	}
	return strings.Join(lines, "\n")
}

// optionAndValue stay together in an example.
var optionAndValue = regexp.MustCompile(`(--\S+) ([^-\s])`)

// lastColumn is the text before the first word of a line, or before the
// first after a gap.
var lastColumn = regexp.MustCompile(`^ *(?:\S+(?: \S+)*  +)?`)

func (p *printer) tables(env environment, all []*table.Table) {
	for _, t := range all {
		if p.err == nil {
			p.err = t.WriteScreen(raw(env.stdout), env.screen())
		}
		p.printf("\n")
	}
}
