package figure

import (
	"fmt"
	"sync"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

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
	glyphs map[sfnt.GlyphIndex]*glyph
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
	return &typeface{ttf: ttf, font: f, perEm: float64(f.UnitsPerEm()), glyphs: map[sfnt.GlyphIndex]*glyph{}}
}

func (t *typeface) glyph(r rune) (sfnt.GlyphIndex, *glyph) {
	t.mu.Lock()
	defer t.mu.Unlock()
	index, err := t.font.GlyphIndex(&t.buffer, r)
	if err != nil {
		index = 0 // the box for characters that the font lacks
	}
	if g, ok := t.glyphs[index]; ok {
		return index, g
	}
	g, err := t.load(index)
	if err != nil {
		panic(fmt.Sprintf("figure: the embedded font has no usable glyph %d: %v", index, err))
	}
	t.glyphs[index] = g
	return index, g
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

var segmentKinds = [...]opKind{sfnt.SegmentOpMoveTo: moveTo, sfnt.SegmentOpLineTo: lineTo, sfnt.SegmentOpQuadTo: quadTo, sfnt.SegmentOpCubeTo: cubicTo}

func units(v fixed.Int26_6) float64 { return float64(v) / 64 }
