package text

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// plainScalar is text that needs no quotes in block and flow style.
var plainScalar = regexp.MustCompile(`^[A-Za-z0-9_./+-][A-Za-z0-9_./+%-]*$`)

// Emit writes a tree as YAML, maps in block style and lists of plain values in
// one line. It writes the same bytes for the same tree.
func Emit(n *Node) []byte {
	var b bytes.Buffer
	if n.Shape == Map && len(n.Entries) > 0 {
		emitMap(&b, n, 0)
	} else {
		b.WriteString(flow(n) + "\n")
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

// emitValue writes a map's value after its colon.
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
				trimNewline(b)
			} else {
				b.WriteString(flow(item))
			}
		}
		b.WriteByte('\n')
	default:
		if text := flow(n); text != "" {
			b.WriteString(" " + text)
		}
		b.WriteByte('\n')
	}
}

// trimNewline takes the last line break back.
func trimNewline(b *bytes.Buffer) {
	if s := b.Bytes(); len(s) > 0 && s[len(s)-1] == '\n' {
		b.Truncate(len(s) - 1)
	}
}

// flat tells whether a list holds plain values and lists of such only.
func flat(n *Node) bool {
	for _, item := range n.Items {
		if item.Shape == Map || item.Shape == List && !flat(item) {
			return false
		}
	}
	return true
}

// flow writes a node in one line.
func flow(n *Node) string {
	var parts []string
	switch n.Shape {
	case Map:
		for _, e := range n.Entries {
			parts = append(parts, scalarText(e.Key, false, true)+": "+flow(e.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case List:
		for _, item := range n.Items {
			parts = append(parts, flow(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	if n.IsNull() {
		return "null"
	}
	return scalarText(n.Text, n.Quoted, false)
}

// scalarText quotes text where it must be, to be read back as what it was.
func scalarText(s string, quoted, key bool) string {
	number, boolean, null := false, false, (&Node{Text: s}).IsNull()
	if _, ok := Number(s); ok {
		number = true
	}
	if _, ok := Bool(s); ok {
		boolean = true
	}
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
			b.WriteString(`\x` + hex2(int(r)))
		case r <= 0xffff:
			b.WriteString(`\u` + hex2(int(r)>>8) + hex2(int(r)&0xff))
		default:
			b.WriteString(`\U` + hex2(int(r)>>24) + hex2(int(r)>>16&0xff) + hex2(int(r)>>8&0xff) + hex2(int(r)&0xff))
		}
	}
	b.WriteByte('"')
	return b.String()
}

// hex2 writes a byte as two hexadecimal digits.
func hex2(i int) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[i>>4&15], digits[i&15]})
}
