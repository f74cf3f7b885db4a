package input

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go"

	"schedsweep/sim/workload/lines"
	"schedsweep/sim/workload/swf"
)

// repeated is a text many times.
type repeated struct {
	text string
	left int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	r.left--
	return copy(p, r.text), nil
}

// TestBomb: a small file that becomes a log larger than the memory for logs is refused
// where it has filled that, and is read where there is more.
func TestBomb(t *testing.T) {
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	block := strings.Repeat("1 0 -1 1 1 -1 -1 1 1 -1 1 1 -1 -1 -1 -1 -1 -1\n", 600)
	if _, err := io.Copy(z, struct{ io.Reader }{&repeated{block, 1000}}); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	before := inUse()
	_, err := swf.Parse("bomb.swf.gz", &bounded{Reader: bytes.NewReader(bomb.Bytes()), most: before + 16<<20}, nil)
	if !errors.Is(err, lines.ErrMemory) || !strings.Contains(err.Error(), "bomb.swf.gz: after line ") ||
		!strings.Contains(err.Error(), "are for logs (half of the memory): take a part of the log") {
		t.Fatalf("%d bytes of a bomb: %v", bomb.Len(), err)
	}
	log, err := swf.Parse("bomb.swf.gz", &bounded{Reader: bytes.NewReader(bomb.Bytes()), most: before + 1<<30}, nil)
	if err != nil || len(log.Records()) != 600_000 {
		t.Fatal(err)
	}
	if most := ceiling(); most != 0 && most < 64<<20 {
		t.Errorf("the ceiling is %d bytes", most)
	}
}

// TestParquetBomb: a small Parquet file of many rows is likewise refused.
func TestParquetBomb(t *testing.T) {
	type row struct{ ID int64 }
	var file bytes.Buffer
	w := parquet.NewGenericWriter[row](&file, parquet.Compression(&parquet.Zstd))
	rows := make([]row, 10_000)
	for range 200 {
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := openParquet("bomb.parquet", bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	p.Use([]int{0}, nil, nil)
	runtime.GC() // garbage of other tests does not count
	p.most = inUse() + 24<<20
	var kept [][8]int64 // the record of each row
	for err == nil {
		if _, _, err = p.Next(); err == nil {
			kept = append(kept, [8]int64{})
		}
	}
	if !errors.Is(err, lines.ErrMemory) || !strings.Contains(err.Error(), "bomb.parquet: after row ") || len(kept) > 1_000_000 {
		t.Errorf("%d bytes, %d rows: %v", file.Len(), len(kept), err)
	}
}
