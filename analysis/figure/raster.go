package figure

import (
	"fmt"
	"image"
	"image/png"
	"io"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"schedsweep/sweep/text"
)

// pngDPI is twice the 96 dots per inch of a screen.
const pngDPI = 192

// PNG writes the figure as an image of 192 dots per inch.
func (f *Figure) PNG(w io.Writer) error {
	img, err := f.image(pngDPI)
	if err != nil {
		return err
	}
	if err := png.Encode(w, img); err != nil {
		return fmt.Errorf("figure %q: writing png: %w", f.ID, err)
	}
	return nil
}

func (f *Figure) image(dpi int) (image.Image, error) {
	s, err := f.scene()
	if err != nil {
		return nil, err
	}
	c := vgimg.NewWith(vgimg.UseWH(vg.Length(s.w), vg.Length(s.h)), vgimg.UseDPI(dpi))
	s.paint(&raster{canvas: c, height: s.h})
	return c.Image(), nil
}

// raster paints on a gonum/plot canvas, whose y grows upwards.
type raster struct {
	canvas vg.Canvas
	height float64
}

func (r *raster) shape(it shapeItem) {
	p := r.path(it.path)
	if it.fill.A > 0 {
		r.canvas.SetColor(it.fill)
		r.canvas.Fill(p)
	}
	if it.stroke.A > 0 {
		r.canvas.SetColor(it.stroke)
		r.canvas.SetLineWidth(vg.Length(it.width))
		r.canvas.SetLineDash(text.Each(it.dash, func(d float64) vg.Length { return vg.Length(d) }), 0)
		r.canvas.Stroke(p)
	}
}

func (r *raster) marks(it marksItem) { it.each(r.shape) }

func (r *raster) point(p Point) vg.Point {
	return vg.Point{X: vg.Length(p.X), Y: vg.Length(r.height - p.Y)}
}

func (r *raster) path(p path) vg.Path {
	var out vg.Path
	for _, o := range p.ops {
		switch o.kind {
		case moveTo:
			out.Move(r.point(o.p[0]))
		case lineTo:
			out.Line(r.point(o.p[0]))
		case quadTo:
			out.QuadTo(r.point(o.p[0]), r.point(o.p[1]))
		case cubicTo:
			out.CubeTo(r.point(o.p[0]), r.point(o.p[1]), r.point(o.p[2]))
		case closePath:
			out.Close()
		}
	}
	return out
}

func (r *raster) text(t textItem) {
	runs, width := shaped(t.s, t.size, t.bold)
	f := face(t.bold)
	sin, cos := math.Sincos(t.angle * math.Pi / 180)
	for _, run := range runs {
		x, scale := t.start(width)+run.dx, run.size/f.perEm
		for _, c := range run.s {
			g := f.glyph(c)
			outline := g.outline.mapped(func(p Point) Point {
				dx, dy := x+p.X*scale, run.dy+p.Y*scale
				return Point{t.x + dx*cos + dy*sin, t.y - dx*sin + dy*cos}
			})
			if len(outline.ops) > 0 {
				r.shape(shapeItem{path: outline, fill: t.colour})
			}
			x += g.advance * scale
		}
	}
}
