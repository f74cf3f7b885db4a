package store

import (
	"errors"
	"fmt"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/parquet"
	"github.com/apache/arrow/go/v17/parquet/schema"
)

// Type is the type of a column.
type Type uint8

// The column types and their form in the file.
const (
	Float64  Type = iota + 1 // DOUBLE, every bit kept (NaN payloads, signed zeros, infinities)
	Int64                    // INT64: counts, seeds, sizes
	Int32                    // INT32: small whole numbers
	Bool                     // BOOLEAN
	String                   // UTF-8 text stored plain: ids, messages
	Category                 // UTF-8 text of few distinct values, dictionary encoded
)

// columnTypes are the names of the types, in Parquet and in arrow too. In
// Parquet a Category is text as a String is, in arrow a dictionary of text.
var columnTypes = [...]struct {
	name     string
	physical parquet.Type
	logical  schema.LogicalType
	arrow    arrow.DataType
}{
	Float64: {"float64", parquet.Types.Double, schema.NoLogicalType{}, arrow.PrimitiveTypes.Float64},
	Int64:   {"int64", parquet.Types.Int64, schema.NewIntLogicalType(64, true), arrow.PrimitiveTypes.Int64},
	Int32:   {"int32", parquet.Types.Int32, schema.NewIntLogicalType(32, true), arrow.PrimitiveTypes.Int32},
	Bool:    {"bool", parquet.Types.Boolean, schema.NoLogicalType{}, arrow.FixedWidthTypes.Boolean},
	String:  {"string", parquet.Types.ByteArray, schema.StringLogicalType{}, arrow.BinaryTypes.String},
	Category: {"category", parquet.Types.ByteArray, schema.StringLogicalType{},
		&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int32, ValueType: arrow.BinaryTypes.String}},
}

// String returns the name of the type as Describe and the file footer write it.
func (t Type) String() string {
	if t.valid() {
		return columnTypes[t].name
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

func (t Type) valid() bool { return t >= Float64 && t <= Category }

func (t Type) isText() bool { return t == String || t == Category }

func (t Type) MarshalText() ([]byte, error) {
	if !t.valid() {
		return nil, fmt.Errorf("store: %v is no column type", t)
	}
	return []byte(t.String()), nil
}

func (t *Type) UnmarshalText(text []byte) error {
	for i, of := range columnTypes {
		if of.name != "" && of.name == string(text) {
			*t = Type(i)
			return nil
		}
	}
	return fmt.Errorf("store: unknown column type %q", text)
}

// Column is one column of a dataset.
type Column struct {
	Name     string `json:"name"`
	Type     Type   `json:"type"`
	Unit     string `json:"unit,omitempty"` // "s", "B", "1" ...; empty for text and plain counts
	Doc      string `json:"doc,omitempty"`  // definition, one line
	Nullable bool   `json:"nullable,omitempty"`
}

// Schema is the ordered list of columns of a dataset.
type Schema []Column

// Index returns the position of the named column, or -1. O(columns).
func (s Schema) Index(name string) int {
	for i := range s {
		if s[i].Name == name {
			return i
		}
	}
	return -1
}

func (s Schema) names() []string {
	names := make([]string, len(s))
	for i := range s {
		names[i] = s[i].Name
	}
	return names
}

// Validate reports every mistake of the schema at once: no column, a name that
// is empty or repeated, an unknown type.
func (s Schema) Validate() error {
	var errs []error
	if len(s) == 0 {
		errs = append(errs, errors.New("store: schema has no columns"))
	}
	seen := make(map[string]int, len(s))
	for i, c := range s {
		if c.Name == "" {
			errs = append(errs, fmt.Errorf("store: schema column %d has no name", i))
		} else if first, ok := seen[c.Name]; ok {
			errs = append(errs, fmt.Errorf("store: schema columns %d and %d are both named %q", first, i, c.Name))
		}
		seen[c.Name] = i
		if !c.Type.valid() {
			errs = append(errs, fmt.Errorf("store: schema column %d %q has no known type: %v", i, c.Name, c.Type))
		}
	}
	return errors.Join(errs...)
}

// root is the schema as Parquet has it.
// ([github.com/apache/arrow/go/v17/parquet/pqarrow] makes the same of an arrow
// schema, but takes a fifth of the program with it.)
func (s Schema) root(props *parquet.WriterProperties) (*schema.GroupNode, error) {
	nodes := make(schema.FieldList, len(s))
	for i, c := range s {
		repetition := parquet.Repetitions.Required
		if c.Nullable {
			repetition = parquet.Repetitions.Optional
		}
		t := columnTypes[c.Type]
		node, err := schema.NewPrimitiveNodeLogical(c.Name, repetition, t.logical, t.physical, -1, -1)
		if err != nil {
			return nil, fmt.Errorf("column %q: %w", c.Name, err)
		}
		nodes[i] = node
	}
	return schema.NewGroupNode(props.RootName(), props.RootRepetition(), nodes, -1)
}

// arrow returns the schema that readers of the file should make of it: unit and
// doc are field metadata.
func (s Schema) arrow() *arrow.Schema {
	fields := make([]arrow.Field, len(s))
	for i, c := range s {
		var keys, values []string
		if c.Unit != "" {
			keys, values = append(keys, "unit"), append(values, c.Unit)
		}
		if c.Doc != "" {
			keys, values = append(keys, "doc"), append(values, c.Doc)
		}
		fields[i] = arrow.Field{Name: c.Name, Type: columnTypes[c.Type].arrow, Nullable: c.Nullable, Metadata: arrow.NewMetadata(keys, values)}
	}
	return arrow.NewSchema(fields, nil)
}
