package sweep

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

// parseYAML reads one YAML document into nodes. What is wrong with its syntax,
// and duplicate keys, are reported; the result is nil when there is no document
// or it cannot be read.
func parseYAML(src *source, data []byte, out *sink) *node {
	start := position{src, 1, 1}
	data = bytes.TrimPrefix(data, []byte(byteOrderMark))
	if len(data) > maxBytes {
		out.add(start, "", "", "the file has %d bytes, more than the %d a manifest may have", len(data), maxBytes)
		return nil
	}
	if line, col, deep := nestsTooDeep(data); deep {
		out.add(position{src, line, col}, "", "", "brackets or dashes nest more than %d deep", maxNesting)
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
				at.line, at.col = syntax.Token.Position.Line, syntax.Token.Position.Column
			}
		}
		out.add(at, "", "", "this is not YAML: %s", message)
		return nil
	}
	b := &builder{src: src, out: out, anchors: map[string]*node{}}
	var root *node
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		n := b.node(doc.Body, 0)
		if root != nil {
			out.add(n.pos, "", "write one document a file", "a second YAML document")
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

// builder turns the YAML library's tree into nodes.
type builder struct {
	src     *source
	out     *sink
	anchors map[string]*node
	count   int
}

// at returns the position of a token.
func (b *builder) at(tk *token.Token) position {
	if tk == nil || tk.Position == nil {
		return position{b.src, 1, 1}
	}
	return position{b.src, tk.Position.Line, tk.Position.Column}
}

// null returns an empty scalar at the position.
func null(at position) *node { return &node{pos: at} }

// node converts one value.
func (b *builder) node(n ast.Node, depth int) *node {
	if n == nil {
		return null(position{b.src, 1, 1})
	}
	at := b.at(n.GetToken())
	b.count++
	if depth > maxNesting || b.count > maxNodes {
		b.out.add(at, "", "", "the file nests more than %d deep or has more than %d values", maxNesting, maxNodes)
		return null(at)
	}
	switch v := n.(type) {
	case *ast.MappingNode:
		return b.mapping(v.Values, at, depth)
	case *ast.MappingValueNode:
		return b.mapping([]*ast.MappingValueNode{v}, at, depth)
	case *ast.SequenceNode:
		out := &node{shape: listNode, pos: at}
		for _, item := range v.Values {
			out.items = append(out.items, b.node(item, depth+1))
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
			b.out.add(at, "", "", "no anchor is named &%s above", name)
		}
		return null(at)
	case *ast.TagNode:
		out := b.node(v.Value, depth+1)
		if out.shape == scalarNode && v.GetToken().Value == "!!str" {
			return &node{text: out.text, quoted: true, pos: out.pos}
		}
		b.out.add(at, "", "leave the tag out", "YAML tag %s is not used in manifests", v.GetToken().Value)
		return out
	case *ast.LiteralNode:
		text := ""
		if v.Value != nil {
			text = v.Value.Value
		}
		return &node{text: text, quoted: true, pos: at}
	case *ast.StringNode:
		tk := v.GetToken()
		return &node{text: v.Value, quoted: tk.Type == token.SingleQuoteType || tk.Type == token.DoubleQuoteType, pos: at}
	case *ast.NullNode:
		return null(at)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return &node{text: strings.TrimSpace(n.GetToken().Value), pos: at}
	}
	b.out.add(at, "", "", "%s is not used in manifests", n.Type().YAMLName())
	return null(at)
}

// mapping converts a map and reports keys that occur twice.
func (b *builder) mapping(values []*ast.MappingValueNode, at position, depth int) *node {
	out := &node{shape: mapNode, pos: at}
	first := map[string]position{}
	for i, v := range values {
		tk := v.Key.GetToken()
		keyAt := b.at(tk)
		if i == 0 && out.pos.line == keyAt.line && out.pos.col > keyAt.col {
			out.pos = keyAt // a block map begins at its first key, not at the colon
		}
		if i == 0 && out.pos.line > keyAt.line {
			out.pos = keyAt
		}
		value := b.node(v.Value, depth+1)
		if v.Key.IsMergeKey() {
			b.out.add(keyAt, "", "write the fields out, or use extends:", "merge keys (<<) are not used in manifests")
			continue
		}
		if _, ok := v.Key.(*ast.MappingKeyNode); ok {
			b.out.add(keyAt, "", "write key: value", "complex keys (?) are not used in manifests")
			continue
		}
		key := tk.Value
		if was, twice := first[key]; twice {
			b.out.add(keyAt, key, "", "key %q occurs twice; the first is on line %d", key, was.line)
			continue
		}
		first[key] = keyAt
		out.entries = append(out.entries, entry{key, keyAt, value})
	}
	return out
}

// size counts the values below n, n included.
func size(n *node) int {
	total := 1
	for _, e := range n.entries {
		total += size(e.value)
	}
	for _, item := range n.items {
		total += size(item)
	}
	return total
}
