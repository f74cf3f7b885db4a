package manifest

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

// Class is a class of jobs: the jobs that pass all tests of one of the lists in Any.
type Class struct {
	Name, Label string
	Any         [][]Test
}

// Test compares a field of a job with a number, or with a name.
type Test struct {
	Field, Op string
	Number    float64
	Text      string // of a field of names
	named     bool
}

// Is writes the condition in one way, independent of the manifest's form: numbers
// are in base units.
func (c *Class) Is() string {
	var any []string
	for _, tests := range c.Any {
		var all []string
		for _, t := range tests {
			value := params.FormatFloat(t.Number)
			if t.named {
				if value = t.Text; !plainName.MatchString(value) || value == "and" || value == "or" {
					value = `"` + value + `"`
				}
			}
			all = append(all, t.Field+" "+t.Op+" "+value)
		}
		any = append(any, strings.Join(all, " and "))
	}
	return strings.Join(any, " or ")
}

// ClassAxis is the name of the classes in figures where they stand in the place of an axis.
const ClassAxis = "class"

// ClassPattern matches the name of a class: a part of a column's name that SQL, which does not tell
// capitals apart, takes without quotes.
var ClassPattern = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

// ByClass is the name of a metric of the jobs of one class.
func ByClass(metric, class string) string { return metric + "__" + class }

// JobsOf is the quantity of jobs that is 1 for those of a class.
func JobsOf(class string) string { return "jobs." + ByClass(ClassAxis, class) }

const MaxClasses = 64

// The parts of a condition: a field, an operator, a value, what may join it to another.
var (
	condition = regexp.MustCompile(`^\s*([A-Za-z_]*)\s*(<=|>=|==|!=|=<|=>|=|<|>|)\s*("[^"]*"|'[^']*'|[^\s"'<>=!]*)\s*`)
	joint     = regexp.MustCompile(`^(and|or)(\s|$)`)
	plainName = regexp.MustCompile(`^[\w.:@/+-]+$`)
)

const classExample = "write NAME: FIELD OP VALUE, such as narrow: processors <= 4"

// Classes reads classes:, and adds the metrics that they have to those of the
// catalog.
func (l *Document) Classes() []Class {
	var out []Class
	for _, e := range l.Out.Mapping(l.Root.Get("classes"), "classes") {
		path := "classes." + e.Key
		c, is := Class{Name: e.Key}, e.Value
		if !ClassPattern.MatchString(e.Key) {
			l.Out.Add(e.Pos, "use small letters, digits and single underscores, such as short_jobs",
				"%s cannot name a class, for columns are named after it", text.Quote(e.Key))
			continue
		}
		if is.Shape == text.Map {
			l.Out.Keys(is, path, []string{"is", "label"})
			if n := is.Get("label"); n != nil && (n.Shape != text.Scalar || n.IsNull()) {
				l.Out.Add(n.Pos, "", "%s.label is %s; want a text", path, n.What())
			} else if n != nil {
				c.Label = n.Text
			}
			if is = is.Get("is"); is == nil {
				l.Out.Add(e.Value.Pos, "write is: FIELD OP VALUE, such as is: processors <= 4", "%s does not say which jobs are in it", path)
				continue
			}
		}
		if is.Shape != text.Scalar || is.IsNull() {
			l.Out.Add(is.Pos, classExample, "%s is %s; want a condition", path, is.What())
			continue
		}
		if len(out) == MaxClasses {
			l.Out.Add(e.Pos, "", "more than %d classes", MaxClasses)
			break
		}
		c.Any = l.tests(is, path)
		c.Label = cmp.Or(c.Label, strings.ReplaceAll(c.Name, "_", " "))
		out = append(out, c)
		for _, m := range l.Catalog.ClassMetrics {
			m.Name = ByClass(m.Name, c.Name)
			l.Catalog.AddMetric(m)
		}
	}
	l.JobClasses = out
	return out
}

func (l *Document) tests(n *text.Node, path string) [][]Test {
	any := [][]Test{nil}
	for rest := n.Text; ; {
		parts := condition.FindStringSubmatch(rest)
		rest = rest[len(parts[0]):]
		t, ok := l.test(n, path, parts[1], parts[2], parts[3])
		if !ok {
			return nil
		}
		any[len(any)-1] = append(any[len(any)-1], t)
		if rest == "" {
			return any
		}
		by := joint.FindString(rest)
		if by == "" {
			l.Out.Add(n.Pos, "join comparisons by and, and these by or; put names with blanks in quotes, and no blank before a unit",
				"%s: nothing is known of %s after a comparison", path, text.Quote(rest))
			return nil
		}
		if rest = rest[len(by):]; strings.TrimSpace(by) == "or" {
			any = append(any, nil)
		}
	}
}

func (l *Document) test(n *text.Node, path, name, op, value string) (Test, bool) {
	t := Test{Field: name, Op: op}
	fail := func(hint, format string, args ...any) (Test, bool) {
		l.Out.Add(n.Pos, hint, path+": "+format, args...)
		return t, false
	}
	names := text.Each(l.Catalog.JobFields, func(f params.JobField) string { return f.Name })
	at := slices.Index(names, name)
	switch {
	case name == "":
		return fail(classExample, "%s is no comparison", text.Quote(strings.TrimSpace(n.Text)))
	case at < 0:
		return fail(text.DidYouMean(name, names), "jobs have no %s", text.Quote(name))
	case op == "":
		return fail("write <, <=, ==, !=, > or >= and a value", "%s is compared with nothing", name)
	case op == "=>" || op == "=<":
		return fail("write "+op[1:]+"=", "%s is no comparison", op)
	case op == "=":
		return fail("write ==", "= is no comparison")
	case value == "":
		return fail("", "there is no value after %s %s", name, op)
	}
	f := l.Catalog.JobFields[at]
	quoted := strings.ContainsAny(value[:1], `"'`)
	if t.named = f.Named; t.named {
		if t.Text = value; quoted {
			t.Text = value[1 : len(value)-1]
		}
		if op != "==" && op != "!=" {
			return fail("use == or !=", "%s has names, which are in no order", name)
		}
		return t, true
	}
	v, ok := text.Number(value)
	if !ok && text.Units[f.Unit] != nil && params.LooksLikeQuantity(value) {
		q, err := text.Quantity(value, f.Unit)
		if err != nil {
			return fail("", "%s %v", text.Quote(value), err)
		}
		v, ok = q, true
	}
	if t.Number = v; !ok || quoted || math.IsInf(v, 0) {
		want := "a number"
		if f.Unit != "" {
			want = text.UnitExamples[f.Unit]
		}
		return fail("write "+want, "%s is compared with %s", name, value)
	}
	return t, true
}
