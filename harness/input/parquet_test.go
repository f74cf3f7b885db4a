package input

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/ipc"
	flatbuffers "github.com/google/flatbuffers/go"
	"github.com/parquet-go/parquet-go"

	"schedsweep/sim/workload"
	"schedsweep/sim/workload/logtable"
	"schedsweep/sim/workload/swf"
)

// TestForeignParquet reads what others write (testdata/parquet/make.py) in all
// encodings: every row is there, with the values that it was written with, or the
// file is refused with the remedy.
func TestForeignParquet(t *testing.T) {
	files, err := filepath.Glob("testdata/parquet/*.parquet")
	if err != nil || len(files) < 11 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			l, err := NewFiles("testdata/parquet").Table(workload.TableFile{Path: name, Map: "pm100", Zone: "UTC"})
			if err != nil {
				t.Fatal(err)
			}
			records := l.Records()
			if len(records) != 285 { // of 300 jobs, 15 still run and do not count
				t.Fatalf("%d jobs, not 285", len(records))
			}
			k := 0
			for i := range 300 {
				if i%20 == 0 {
					continue
				}
				r := records[k]
				x := l.Extra(k)
				k++
				run := float64(60 + i)
				want := swf.Record{ID: int64(i + 1), Submit: float64(7 * (i - 1)), Wait: float64(i % 90), RunTime: run, Allocated: -1, CPUTime: -1,
					UsedMemory: -1,
					Requested:  int32(1 + i%64), RequestedTime: float64(60 * (60 + i%5)), RequestedMemory: -1, Status: 1,
					User: r.User, Group: -1, Executable: -1, Queue: -1, Partition: r.Partition, Preceding: -1, ThinkTime: -1, Line: int32(i + 1)}
				if r != want || x.GPUs != -1 {
					t.Fatalf("job %d: %+v, want %+v", i+1, r, want)
				}
				if u, p := l.Names.Users[r.User], l.Names.Partitions[r.Partition]; u != itoa(i%17) || p != "p"+itoa(i%3) {
					t.Fatalf("job %d is %s's on %s", i+1, u, p)
				}
			}
			if start, _ := l.Header.LocalStart(); start.Format("2006-01-02 15:04:05") != "2024-03-30 23:00:07" {
				t.Errorf("the log starts at %v", start)
			}
		})
	}
}

// TestParquetUnsigned: numbers above the half of an unsigned column's range are what they are.
func TestParquetUnsigned(t *testing.T) {
	type row struct {
		Job    uint64 `parquet:"job"`
		Submit uint32 `parquet:"submit"`
		Wait   uint32 `parquet:"wait"`
		Small  int8   `parquet:"small"`
	}
	var file bytes.Buffer
	if err := parquet.Write(&file, []row{{1<<63 + 1<<40, 3_000_000_000, 4_000_000_000, -1}}); err != nil {
		t.Fatal(err)
	}
	p, err := openParquet("f", bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	p.Use([]int{0, 1, 2, 3}, nil, nil)
	cells, _, err := p.Next()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{1<<63 + 1<<40, 3e9, 4e9, -1} {
		if cells[i].Kind != logtable.Number || cells[i].Number != want {
			t.Errorf("column %s: %+v, want %v", p.leaves[i].name, cells[i], want)
		}
	}
}

// TestParquetElapsed: durations that pyarrow and polars have written count in their own unit, also inside of a structure. Where the
// schema of Arrow is damaged or says nothing, they are plain numbers.
func TestParquetElapsed(t *testing.T) {
	want := map[string]float64{"ms": 1.5, "us": 3600, "ns": 86400, "job.limit": 60, "plain": 7}
	for name, columns := range map[string]int{"pyarrow": 5, "polars": 4} {
		data, err := os.ReadFile("testdata/elapsed-" + name + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range readColumns(t, data, columns) {
			if c.Number != want[c.name] || (c.Kind == logtable.Elapsed) != (c.name != "plain") {
				t.Errorf("%s, column %s: %+v, want %v", name, c.name, c.Cell, want[c.name])
			}
		}
		for _, c := range readColumns(t, bytes.Replace(data, []byte("ARROW:schema"), []byte("arrow_schema"), 1), columns) {
			if c.Kind != logtable.Number {
				t.Errorf("%s, column %s without the schema: %+v", name, c.name, c.Cell)
			}
		}
	}
	file, err := os.ReadFile("testdata/elapsed-pyarrow.parquet")
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(file, []byte("/////")) // the text of a schema begins so
	for i := range 200 {
		damaged := bytes.Clone(file)
		damaged[at+i] = 'A' + damaged[at+i]%26
		readColumns(t, damaged, 5)
	}
}

// TestParquetElapsedInACircle: a structure that holds itself, in a long schema, ends the reading at once.
func TestParquetElapsedInACircle(t *testing.T) {
	inner := arrow.StructOf(arrow.Field{Name: "limit", Type: arrow.FixedWidthTypes.Duration_s})
	long := arrow.NewMetadata([]string{"note"}, []string{strings.Repeat("x", 1<<20)})
	var file bytes.Buffer
	if err := ipc.NewWriter(&file, ipc.WithSchema(arrow.NewSchema([]arrow.Field{{Name: "job", Type: inner}}, &long))).Close(); err != nil {
		t.Fatal(err)
	}
	stored := func() string { return base64.StdEncoding.EncodeToString(file.Bytes()) }
	if got := elapsedIn(stored()); len(got) != 1 || got["job.limit"] != 1 {
		t.Fatalf("%v", got)
	}
	b := file.Bytes()[8:]
	table := flatbuffers.Table{Bytes: b, Pos: flatbuffers.GetUOffsetT(b)}
	table = below(&table, headerOfMessage)
	job := table.Indirect(table.Vector(flatbuffers.UOffsetT(table.Offset(fieldsOfSchema))))
	table.Pos = job
	child := table.Vector(flatbuffers.UOffsetT(table.Offset(childrenOfField)))
	binary.LittleEndian.PutUint32(b[child:], uint32(job-child))
	if got := elapsedIn(stored()); got != nil {
		t.Errorf("%v", got)
	}
}

type named struct {
	name string
	logtable.Cell
}

// readColumns reads the first row of a file, which has this number of columns.
func readColumns(t *testing.T, data []byte, columns int) (out []named) {
	t.Helper()
	p, err := openParquet("f", bytes.NewReader(data), int64(len(data)))
	if err != nil || len(p.leaves) != columns {
		t.Fatalf("%d columns, want %d: %v", len(p.leaves), columns, err)
	}
	for i := range columns {
		p.use = append(p.use, &parquetColumn{parquetLeaf: p.leaves[i]})
	}
	p.cells = make([]logtable.Cell, columns)
	cells, _, err := p.Next()
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cells {
		out = append(out, named{p.leaves[i].name, c})
	}
	return out
}

func itoa(n int) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return itoa(n/10) + itoa(n%10)
}

// TestParquetErrors: errors name the fault of a file, and no row is lost silently.
func TestParquetErrors(t *testing.T) {
	plain, err := os.ReadFile("testdata/parquet/snappy.parquet")
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(plain)
	for i := 40; i < 400; i++ {
		damaged[i] ^= 0x5a
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"footer.parquet": {append(bytes.Clone(plain[:len(plain)-8]), "\xc9\x0f\x00\xe2PAR1"...),
			"footer.parquet: its footer would have 3791654857 bytes, the file has 18705: it is damaged; fetch it again"},
		"cut.parquet":     {plain[:len(plain)/2], "cut.parquet: the Parquet footer cannot be read, the file may be incomplete"},
		"damaged.parquet": {damaged, "write the file again with plain encodings"},
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, name), c.data, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := NewFiles(folder).Table(workload.TableFile{Path: name, Map: "pm100", Zone: "UTC"})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, got %v", name, c.want, err)
		}
	}
	// Local times want a zone.
	_, err = NewFiles("testdata/parquet").Table(workload.TableFile{Path: "local.parquet", Map: "pm100"})
	if err == nil || !strings.Contains(err.Error(), "is on an unnamed local clock: give workload.zone") {
		t.Errorf("got %v", err)
	}
}

// parquetSeeds are files as other programs write them.
func parquetSeeds(t testing.TB) map[string][]byte {
	seeds := map[string][]byte{}
	for _, name := range []string{"delta", "split", "zstd-v2"} {
		data, err := os.ReadFile("testdata/parquet/" + name + ".parquet")
		if err != nil {
			t.Fatal(err)
		}
		seeds[name] = data
	}
	return seeds
}

// FuzzParquet reads footers, and no pages: the library takes as much memory as a damaged run of a page says that it is long,
// gigabytes at times. TestParquetDamagedPages has these.
func FuzzParquet(f *testing.F) {
	for _, data := range parquetSeeds(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := openParquet("f", bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		if names := p.Columns(); len(names) != len(p.leaves) {
			t.Fatalf("%d names of %d columns", len(names), len(p.leaves))
		}
	})
}

// TestParquetDamagedPages: whichever byte of a file is damaged, all its rows are read or there is an error.
func TestParquetDamagedPages(t *testing.T) {
	for name, whole := range parquetSeeds(t) {
		errors := 0
		for at := 4; at < len(whole); at += 23 {
			data := bytes.Clone(whole)
			data[at] ^= 1 << (at % 7) // the highest bit makes numbers of one byte longer ones
			if err := readParquet(t, data); err != nil {
				errors++
			}
		}
		if errors == 0 {
			t.Errorf("%s: no damage was told", name)
		}
	}
}

// readParquet reads all rows, and fails where some are lacking without an error.
func readParquet(t *testing.T, data []byte) error {
	p, err := openParquet("f", bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	var all []int
	for i := range p.leaves {
		all = append(all, i)
	}
	p.Use(all, nil, nil)
	for rows := int64(0); ; rows++ {
		if _, _, err := p.Next(); err == io.EOF {
			if rows != p.file.NumRows() {
				t.Fatalf("%d of %d rows without an error", rows, p.file.NumRows())
			}
			return nil
		} else if err != nil {
			return err
		}
	}
}
