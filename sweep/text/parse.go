package text

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

const (
	maxBytes   = 4 << 20 // of a manifest
	maxNodes   = 1 << 20 // after aliases are followed
	maxNesting = 64      // of maps and lists
)

// Parse reads one YAML document into nodes. It reports mistakes of syntax
// and duplicate keys. The result is nil when there is no document
// or it cannot be read.
func Parse(src *Source, data []byte, out *Sink) *Node {
	start := src.Start()
	data = bytes.TrimPrefix(data, []byte(ByteOrderMark))
	if len(data) > maxBytes {
		out.Add(start, "", "the file has %d bytes, more than the %d a manifest may have", len(data), maxBytes)
		return nil
	}
	if line, col, deep := nestsTooDeep(data); deep {
		out.Add(Position{src, line, col}, "", "brackets or dashes nest more than %d deep", maxNesting)
		return nil
	}
	file, err := parseAST(data)
	if err != nil {
		var syntax *yaml.SyntaxError
		at := start
		message := err.Error()
		if errors.As(err, &syntax) {
			message = syntax.Message
			if syntax.Token != nil && syntax.Token.Position != nil {
				at.Line, at.col = syntax.Token.Position.Line, syntax.Token.Position.Column
			}
		}
		hint := "check brackets, quotes and indentation"
		if strings.Contains(message, "\t") {
			message, hint = strings.ReplaceAll(message, "\t", `\t`), "indent with spaces, because YAML takes no tabs there"
		}
		out.Add(at, hint, "this is not YAML: %s", message)
		return nil
	}
	b := &builder{src: src, out: out, anchors: map[string]*Node{}}
	var root *Node
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		n := b.node(doc.Body, 0)
		if root != nil {
			out.Add(n.Pos, "write one document a file", "a second YAML document")
			continue
		}
		root = n
	}
	return root
}

// parseAST guards against panics of the YAML parser on hostile input, which
// are not ours to repair.
func parseAST(data []byte) (file *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			file, err = nil, fmt.Errorf("the YAML parser gave up: %v", r)
		}
	}()
	return parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
}

// nestsTooDeep looks for runs of opening brackets and dashes that would
// exhaust the stack of a recursive parser.
func nestsTooDeep(data []byte) (line, col int, deep bool) {
	line, col = 1, 0
	open, dashes := 0, 0
	for i, c := range data {
		col++
		blank := i+1 == len(data) || data[i+1] == ' ' || data[i+1] == '\t' || data[i+1] == '\n'
		switch c {
		case '[', '{':
			open++
		case ']', '}':
			open = max(0, open-1)
		case '-', '?', ':':
			if dashes++; !blank {
				dashes = 0 // a rule of dashes in a comment opens nothing
			}
		case ' ', '\t':
		case '\n':
			line, col, dashes = line+1, 0, 0
		default:
			dashes = 0
		}
		// Brackets inside strings and comments count too, hence the margin.
		if open > 16*maxNesting || dashes > 4*maxNesting {
			return line, col, true
		}
	}
	return 0, 0, false
}

type builder struct {
	src     *Source
	out     *Sink
	anchors map[string]*Node
	count   int
}

func (b *builder) at(tk *token.Token) Position {
	if tk == nil || tk.Position == nil {
		return b.src.Start()
	}
	return Position{b.src, tk.Position.Line, tk.Position.Column}
}

func Null(at Position) *Node { return &Node{Pos: at} }

func (b *builder) node(n ast.Node, depth int) *Node {
	if n == nil {
		return Null(b.src.Start())
	}
	at := b.at(n.GetToken())
	b.count++
	if depth > maxNesting || b.count > maxNodes {
		b.out.Add(at, "", "the file nests more than %d deep or has more than %d values", maxNesting, maxNodes)
		return Null(at)
	}
	switch v := n.(type) {
	case *ast.MappingNode:
		return b.mapping(v.Values, at, depth)
	case *ast.MappingValueNode:
		return b.mapping([]*ast.MappingValueNode{v}, at, depth)
	case *ast.SequenceNode:
		out := &Node{Shape: List, Pos: at}
		for _, item := range v.Values {
			out.Items = append(out.Items, b.node(item, depth+1))
		}
		return out
	case *ast.AnchorNode:
		out := b.node(v.Value, depth+1)
		if v.Name != nil {
			b.anchors[v.Name.GetToken().Value] = out
		}
		return out
	case *ast.AliasNode:
		if v.Value != nil {
			name := v.Value.GetToken().Value
			if out := b.anchors[name]; out != nil {
				b.count += size(out)
				return out
			}
			b.out.Add(at, "", "no anchor is named &%s above", name)
		}
		return Null(at)
	case *ast.TagNode:
		out := b.node(v.Value, depth+1)
		if out.Shape == Scalar && v.GetToken().Value == "!!str" {
			return &Node{Text: out.Text, Quoted: true, Pos: out.Pos}
		}
		b.out.Add(at, "leave the tag out", "YAML tag %s is not used in manifests", v.GetToken().Value)
		return out
	case *ast.LiteralNode:
		text := ""
		if v.Value != nil {
			text = v.Value.Value
		}
		return &Node{Text: text, Quoted: true, Pos: at}
	case *ast.StringNode:
		tk := v.GetToken()
		return &Node{Text: v.Value, Quoted: tk.Type == token.SingleQuoteType || tk.Type == token.DoubleQuoteType, Pos: at}
	case *ast.NullNode:
		return Null(at)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return &Node{Text: strings.TrimSpace(n.GetToken().Value), Pos: at}
	}
	b.out.Add(at, "", "%s is not used in manifests", n.Type().YAMLName())
	return Null(at)
}

func (b *builder) mapping(values []*ast.MappingValueNode, at Position, depth int) *Node {
	out := &Node{Shape: Map, Pos: at}
	first := map[string]Position{}
	for i, v := range values {
		tk := v.Key.GetToken()
		keyAt := b.at(tk)
		if i == 0 && (out.Pos.Line > keyAt.Line || out.Pos.Line == keyAt.Line && out.Pos.col > keyAt.col) {
			out.Pos = keyAt // a block map begins at its first key, not at the colon
		}
		value := b.node(v.Value, depth+1)
		if v.Key.IsMergeKey() {
			b.out.Add(keyAt, "write the fields out, or use extends:", "merge keys (<<) are not used in manifests")
			continue
		}
		if _, ok := v.Key.(*ast.MappingKeyNode); ok {
			b.out.Add(keyAt, "write key: value", "complex keys (?) are not used in manifests")
			continue
		}
		key := tk.Value
		if was, twice := first[key]; twice {
			b.out.Add(keyAt, "", "key %q occurs twice; the first is on line %d", key, was.Line)
			continue
		}
		first[key] = keyAt
		out.Entries = append(out.Entries, Entry{key, keyAt, value})
	}
	return out
}

func size(n *Node) int {
	total := 1
	for _, e := range n.Entries {
		total += size(e.Value)
	}
	for _, item := range n.Items {
		total += size(item)
	}
	return total
}
