package input

import (
	"encoding/base64"
	"encoding/binary"
	"math"

	flatbuffers "github.com/google/flatbuffers/go"
)

// Slots and numbers of the tables in which Arrow writes a schema (format/Message.fbs and format/Schema.fbs of Arrow 1.5).
const (
	headerOfMessage = 8
	fieldsOfSchema  = 6

	nameOfField, kindOfField, typeOfField, childrenOfField = 4, 8, 10, 14

	structure, duration = 13, 18
	unitOfDuration      = 4
)

// arrowUnits are in s. The second is the default.
var arrowUnits = [...]float64{1, 1e-3, 1e-6, 1e-9}

// elapsedIn returns the units of durations in s, by column. Parquet has no durations: Arrow, pandas, Polars and others write plain numbers,
// and keep the type in the schema of Arrow beside them. A schema that cannot be read names none. The reader of Arrow's library would take
// all memory for a damaged one.
func elapsedIn(schema string) (units map[string]float64) {
	defer func() {
		if recover() != nil { // an offset leads out of the text
			units = nil
		}
	}()
	b, err := base64.StdEncoding.DecodeString(schema)
	if err != nil || len(b) == 0 {
		return nil
	}
	if binary.LittleEndian.Uint32(b) == math.MaxUint32 { // older messages begin with their length
		b = b[4:]
	}
	b = b[4:]
	e := elapsed{left: 16 * len(b), units: map[string]float64{}}
	message := flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}
	e.add("", below(&message, headerOfMessage), fieldsOfSchema)
	return e.units
}

type elapsed struct {
	units map[string]float64
	left  int // bytes that all names can have: fields of a damaged schema may hold one another
}

// add notes the durations among the fields of a table, and of structures among them.
func (e *elapsed) add(path string, t flatbuffers.Table, slot flatbuffers.VOffsetT) {
	at := flatbuffers.UOffsetT(t.Offset(slot))
	if at == 0 {
		return
	}
	first := t.Vector(at)
	for i := range t.VectorLen(at) {
		field := flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(first + flatbuffers.UOffsetT(4*i))}
		name := path + string(field.ByteVector(field.Pos+flatbuffers.UOffsetT(field.Offset(nameOfField))))
		if e.left -= 1 + len(name); e.left < 0 {
			panic("names are longer than the schema")
		}
		switch field.GetByteSlot(kindOfField, 0) {
		case duration:
			of := below(&field, typeOfField)
			e.units[name] = arrowUnits[of.GetInt16Slot(unitOfDuration, 1)]
		case structure:
			e.add(name+".", field, childrenOfField)
		}
	}
}

// below is the table in a slot of another one.
func below(t *flatbuffers.Table, slot flatbuffers.VOffsetT) flatbuffers.Table {
	at := flatbuffers.UOffsetT(t.Offset(slot))
	if at == 0 {
		panic("a table is missing")
	}
	return flatbuffers.Table{Bytes: t.Bytes, Pos: t.Indirect(t.Pos + at)}
}
