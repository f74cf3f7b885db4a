package main

import (
	"os"
	"strconv"

	"golang.org/x/term"

	"schedsweep/analysis/table"
)

// Lines of what is printed: as wide as the terminal up to what a reader's eye
// follows, 80 characters where there is none.
const (
	usualWidth = 80
	mostWidth  = 160
)

// screen is where results are read. $COLUMNS goes before the terminal's own
// width, and NO_COLOR (no-color.org) before its colours.
func (e environment) screen() table.Terminal {
	to := table.Terminal{Width: usualWidth}
	if f, ok := e.stdout.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
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

// tables prints tables for a person.
func (p *printer) tables(env environment, all []*table.Table) {
	for _, t := range all {
		if p.err == nil {
			p.err = t.WriteScreen(env.stdout, env.screen())
		}
		p.printf("\n")
	}
}
