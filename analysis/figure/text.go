package figure

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Sizes of text in points.
const (
	titleSize = 10.5
	panelSize = 8.5
	labelSize = 8.5
	tickSize  = 7.5
	noteSize  = 7
	legendSz  = 8
	lineGap   = 1.25 // distance of baselines in sizes
	capHeight = 0.72 // height of a capital in sizes
	descent   = 0.21 // depth of a 'g' in sizes
)

// Raised characters are drawn from the ordinary digits: the font has only some of them, and of different size.
const (
	raisedScale = 0.68
	raisedShift = 0.36 // in sizes
)

var raised = map[rune]rune{'⁰': '0', '¹': '1', '²': '2', '³': '3', '⁴': '4', '⁵': '5', '⁶': '6', '⁷': '7', '⁸': '8', '⁹': '9', '⁻': '−'}

// run is a piece of text of one size and height; dx and dy lead from the start of the line (y down).
type run struct {
	s      string
	size   float64
	dx, dy float64
}

func shaped(s string, size float64, isBold bool) (runs []run, width float64) {
	f := face(isBold)
	for _, r := range s {
		rs, dy := size, 0.0
		if plain, ok := raised[r]; ok {
			r, rs, dy = plain, size*raisedScale, -raisedShift*size
		}
		g := f.glyph(r)
		if last := len(runs) - 1; last >= 0 && runs[last].size == rs {
			runs[last].s += string(r)
		} else {
			runs = append(runs, run{s: string(r), size: rs, dx: width, dy: dy})
		}
		width += g.advance / f.perEm * rs
	}
	return runs, width
}

func textWidth(s string, size float64, isBold bool) float64 {
	_, w := shaped(s, size, isBold)
	return w
}

// widest is the width of the longest line.
func widest(lines []string, size float64) (width float64) {
	for _, s := range lines {
		width = max(width, textWidth(s, size, false))
	}
	return width
}

// start returns the beginning of the line for its anchor, as a shift along the baseline.
func (t textItem) start(width float64) float64 {
	return -width * [...]float64{atStart: 0, atMiddle: 0.5, atEnd: 1}[t.anchor]
}

// wrap breaks at spaces and after hyphens, slashes and underscores so that no line is wider than width. A word that is wider is broken
// between letters: nothing is cut.
func wrap(s string, width, size float64, isBold bool) []string {
	var lines []string
	line := ""
	for _, word := range fitting(words(s), width, size, isBold) {
		if line == "" || textWidth(strings.TrimRight(line+word, " "), size, isBold) <= width {
			line += word
			continue
		}
		lines = append(lines, strings.TrimRight(line, " "))
		line = word
	}
	if line != "" {
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return lines
}

// fitting breaks the words that are wider than a line.
func fitting(ws []string, width, size float64, isBold bool) (out []string) {
	for _, word := range ws {
		for textWidth(strings.TrimRight(word, " "), size, isBold) > width {
			end := 0
			for i := range word {
				if i > 0 && (end == 0 || textWidth(word[:i], size, isBold) <= width) {
					end = i
				}
			}
			if end == 0 {
				break // a single letter
			}
			out, word = append(out, word[:end]), word[end:]
		}
		out = append(out, word)
	}
	return out
}

// shrunk wraps a text into a box, in letters as much smaller as that takes.
func shrunk(s string, width, height, size float64, isBold bool) (lines []string, smaller float64) {
	const step, smallest = 0.25, 1.0
	for ; ; size -= step {
		lines = wrap(s, width, size, isBold)
		if size <= smallest || size*(1+lineGap*float64(len(lines)-1)) <= height {
			return lines, size
		}
	}
}

// words splits after every space, hyphen, slash and underscore, but not in units such as MB/s. Separators stay with the word before them.
func words(s string) []string {
	var ws []string
	from := 0
	for i, r := range s {
		if strings.ContainsRune(" -/_", r) {
			end := i + utf8.RuneLen(r)
			if rest := s[end:] + " "; r == '/' && len(rest) > 1 && strings.ContainsAny(rest[1:2], " )") {
				continue // a unit, such as MB/s
			}
			ws = append(ws, s[from:end])
			from = end
		}
	}
	if from < len(s) {
		ws = append(ws, s[from:])
	}
	return ws
}

// glyph is one outline in font units (y down) with its advance.
type glyph struct {
	advance float64
	outline path
}

// typeface is an embedded font, its outlines kept once loaded. Safe for concurrent use.
type typeface struct {
	ttf    []byte
	font   *sfnt.Font
	perEm  float64
	mu     sync.Mutex
	buffer sfnt.Buffer
	glyphs map[rune]*glyph
}

var (
	regular = sync.OnceValue(func() *typeface { return newTypeface(liberationsansregular.TTF) })
	bold    = sync.OnceValue(func() *typeface { return newTypeface(liberationsansbold.TTF) })
)

func face(isBold bool) *typeface {
	if isBold {
		return bold()
	}
	return regular()
}

func newTypeface(ttf []byte) *typeface {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic(fmt.Sprintf("figure: the embedded font does not parse: %v", err))
	}
	return &typeface{ttf: ttf, font: f, perEm: float64(f.UnitsPerEm()), glyphs: map[rune]*glyph{}}
}

func (t *typeface) glyph(r rune) *glyph {
	t.mu.Lock()
	defer t.mu.Unlock()
	if g, ok := t.glyphs[r]; ok {
		return g
	}
	index, err := t.font.GlyphIndex(&t.buffer, r)
	if err != nil {
		index = 0 // the box for characters that the font lacks
	}
	g, err := t.load(index)
	if err != nil {
		panic(fmt.Sprintf("figure: the embedded font has no usable glyph %d: %v", index, err))
	}
	t.glyphs[r] = g
	return g
}

func (t *typeface) has(r rune) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	index, err := t.font.GlyphIndex(&t.buffer, r)
	return err == nil && index != 0
}

// Boxed returns the visible characters of titles and names that the embedded font lacks. PNG and PDF have boxes in their place. SVG leaves
// them to the fonts of the reader.
func (f *Figure) Boxed() (lacking string) {
	texts := slices.Concat([]string{f.Title, f.X.Label, f.Y.Label, f.SeriesTitle}, f.X.Categories, f.Y.Categories, f.Series)
	for i := range f.Panels {
		texts = append(texts, f.Panels[i].name())
	}
	for _, r := range strings.Join(texts, "") {
		if unicode.IsPrint(r) && !strings.ContainsRune(lacking, r) && !regular().has(r) {
			lacking += string(r)
		}
	}
	return lacking
}

func (t *typeface) load(index sfnt.GlyphIndex) (*glyph, error) {
	// At one pixel per font unit nothing is rounded.
	ppem := fixed.I(int(t.font.UnitsPerEm()))
	advance, err := t.font.GlyphAdvance(&t.buffer, index, ppem, font.HintingNone)
	if err != nil {
		return nil, err
	}
	segments, err := t.font.LoadGlyph(&t.buffer, index, ppem, nil)
	if err != nil {
		return nil, err
	}
	g := &glyph{advance: units(advance)}
	for i, s := range segments {
		o := op{kind: segmentKinds[s.Op]}
		for k := range o.points() {
			o.p[k] = Point{units(s.Args[k].X), units(s.Args[k].Y)}
		}
		if o.kind == moveTo && i > 0 {
			g.outline = g.outline.close()
		}
		g.outline.ops = append(g.outline.ops, o)
	}
	if len(segments) > 0 {
		g.outline = g.outline.close()
	}
	return g, nil
}

var segmentKinds = [...]opKind{sfnt.SegmentOpMoveTo: moveTo, sfnt.SegmentOpLineTo: lineTo, sfnt.SegmentOpQuadTo: quadTo,
	sfnt.SegmentOpCubeTo: cubicTo}

func units(v fixed.Int26_6) float64 { return float64(v) / 64 }
