package text

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var plainScalar = regexp.MustCompile(`^[A-Za-z0-9_./+-][A-Za-z0-9_./+%-]*$`)

// Emit writes a tree as YAML, maps in block style and lists of plain values in
// one line. It writes the same bytes for the same tree.
func Emit(n *Node) []byte {
	var b bytes.Buffer
	if n.Shape == Map && len(n.Entries) > 0 {
		emitMap(&b, n, 0)
	} else {
		b.WriteString(Flow(n) + "\n")
	}
	return b.Bytes()
}

func emitMap(b *bytes.Buffer, n *Node, indent int) {
	for i, e := range n.Entries {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", indent))
		}
		b.WriteString(scalarText(e.Key, false, true) + ":")
		emitValue(b, e.Value, indent)
	}
}

func emitValue(b *bytes.Buffer, n *Node, indent int) {
	switch {
	case n.Shape == Map && len(n.Entries) > 0:
		b.WriteString("\n" + strings.Repeat(" ", indent+2))
		emitMap(b, n, indent+2)
	case n.Shape == List && !flat(n):
		for _, item := range n.Items {
			b.WriteString("\n" + strings.Repeat(" ", indent+2) + "- ")
			if item.Shape == Map && len(item.Entries) > 0 {
				emitMap(b, item, indent+4)
				b.Truncate(b.Len() - 1) // the last line break
			} else {
				b.WriteString(Flow(item))
			}
		}
		b.WriteByte('\n')
	default:
		if text := Flow(n); text != "" {
			b.WriteString(" " + text)
		}
		b.WriteByte('\n')
	}
}

// flat reports whether a list holds plain values and lists of such only.
func flat(n *Node) bool {
	return !slices.ContainsFunc(n.Items, func(item *Node) bool { return item.Shape == Map || item.Shape == List && !flat(item) })
}

// Flow writes a tree as YAML in one line.
func Flow(n *Node) string {
	switch {
	case n.Shape == Map:
		entries := Each(n.Entries, func(e Entry) string { return scalarText(e.Key, false, true) + ": " + Flow(e.Value) })
		return "{" + strings.Join(entries, ", ") + "}"
	case n.Shape == List:
		return "[" + strings.Join(Each(n.Items, Flow), ", ") + "]"
	case n.IsNull():
		return "null"
	}
	return scalarText(n.Text, n.Quoted, false)
}

// scalarText quotes text where it must be, to be read back as what it was.
func scalarText(s string, quoted, key bool) string {
	_, number := Number(s)
	_, boolean := Bool(s)
	null := (&Node{Text: s}).IsNull()
	if quoted && (number || boolean || null) || key && null || !plainScalar.MatchString(s) && !number {
		return doubleQuoted(s)
	}
	if strings.Trim(s, "-") == "" || strings.HasPrefix(s, "...") {
		return doubleQuoted(s)
	}
	return s
}

// doubleQuoted writes a YAML string in double quotes; everything that is not
// printable ASCII or a plain letter is escaped.
func doubleQuoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case strconv.IsPrint(r):
			b.WriteRune(r)
		case r <= 0xff:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r <= 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
