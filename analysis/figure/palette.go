package figure

import (
	"image/color"
	"math"
)

// colours are those of Okabe and Ito (2008) that stand out on white, in an order in which neighbours differ in lightness too.
var colours = []color.NRGBA{
	{0x00, 0x72, 0xB2, 0xFF}, // blue
	{0xD5, 0x5E, 0x00, 0xFF}, // vermillion
	{0x00, 0x9E, 0x73, 0xFF}, // bluish green
	{0xCC, 0x79, 0xA7, 0xFF}, // reddish purple
	{0xE6, 0x9F, 0x00, 0xFF}, // orange
	{0x56, 0xB4, 0xE9, 0xFF}, // sky blue
	{0x00, 0x00, 0x00, 0xFF}, // black
}

// Black is the series that is drawn in black.
const Black = 6

// dashes has a length prime to the colours', so that 7 x 5 series differ in the pair.
var dashes = [][]float64{nil, {5, 2}, {1.5, 1.8}, {6, 2, 1.5, 2}, {9, 3}}

var (
	black       = color.NRGBA{0x1A, 0x1A, 0x1A, 0xFF}
	gridGrey    = color.NRGBA{0xE4, 0xE4, 0xE4, 0xFF}
	frameGrey   = color.NRGBA{0x8A, 0x8A, 0x8A, 0xFF}
	captionGrey = color.NRGBA{0x55, 0x55, 0x55, 0xFF}
	faintGrey   = color.NRGBA{0x8C, 0x8C, 0x8C, 0xFF}
	white       = color.NRGBA{0xFF, 0xFF, 0xFF, 0xFF}
)

func seriesColour(i int) color.NRGBA {
	if i < 0 {
		return black
	}
	return colours[i%len(colours)]
}

func seriesDash(i int) []float64 { return dashes[max(i, 0)%len(dashes)] }

func seriesShape(i int) shape { return shape(i % int(shapeCount)) }

func translucent(c color.NRGBA, alpha float64) color.NRGBA {
	c.A = uint8(math.Round(alpha * 255))
	return c
}

// darker mixes with black, for a line over a cloud of its own colour.
func darker(c color.NRGBA, share float64) color.NRGBA { return mixed(c, color.NRGBA{}, share) }

// tint mixes with white, for a fill that hides the marks under it.
func tint(c color.NRGBA, share float64) color.NRGBA { return mixed(c, white, share) }

// mixed is as opaque as the first colour.
func mixed(c, with color.NRGBA, share float64) color.NRGBA {
	mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
	return color.NRGBA{mix(c.R, with.R), mix(c.G, with.G), mix(c.B, with.B), c.A}
}

type shape int

const (
	circle shape = iota
	square
	triangle
	diamond
	triangleDown
	pentagon
	cross
	star
	shapeCount
)

// outline is the marker as a closed path about the origin, of about the area of a circle of the given radius (y down).
func (s shape) outline(r float64) path {
	pointed := func(n int, turn float64, radii ...float64) path {
		var p path
		for i := range n {
			a, radius := turn+2*math.Pi*float64(i)/float64(n), radii[i%len(radii)]
			p.point(radius*math.Cos(a), radius*math.Sin(a))
		}
		return p.close()
	}
	switch s {
	case square:
		return pointed(4, math.Pi/4, r*1.25)
	case triangle:
		return pointed(3, -math.Pi/2, r*1.45)
	case diamond:
		return pointed(4, 0, r*1.35)
	case triangleDown:
		return pointed(3, math.Pi/2, r*1.45)
	case pentagon:
		return pointed(5, -math.Pi/2, r*1.2)
	case star:
		return pointed(10, -math.Pi/2, r*1.55, r*0.65)
	case cross:
		var p path
		a, b := r*1.25, r*0.42
		for _, q := range [][2]float64{{-b, -a}, {b, -a}, {b, -b}, {a, -b}, {a, b}, {b, b}, {b, a}, {-b, a}, {-b, b}, {-a, b}, {-a, -b},
			{-b, -b}} {
			p.point(q[0], q[1])
		}
		return p.close()
	default:
		// A circle by four cubics: the error is below 0.03 % of the radius.
		k := 0.5522847498 * r
		var p path
		p.move(r, 0)
		p.cubic(r, k, k, r, 0, r)
		p.cubic(-k, r, -r, k, -r, 0)
		p.cubic(-r, -k, -k, -r, 0, -r)
		p.cubic(k, -r, r, -k, r, 0)
		return p.close()
	}
}
