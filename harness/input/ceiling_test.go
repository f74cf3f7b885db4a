package input

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

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
	_, err := swf.ParseAhead("bomb.swf.gz", &bounded{Reader: bytes.NewReader(bomb.Bytes()), most: before + 16<<20}, nil)
	if !errors.Is(err, lines.ErrMemory) || !strings.Contains(err.Error(), "bomb.swf.gz: after line ") ||
		!strings.Contains(err.Error(), "are for logs (half of the memory): take a part of the log") {
		t.Fatalf("%d bytes of a bomb: %v", bomb.Len(), err)
	}
	log, err := swf.ParseAhead("bomb.swf.gz", &bounded{Reader: bytes.NewReader(bomb.Bytes()), most: before + 1<<30}, nil)
	if err != nil || len(log.Records()) != 600_000 {
		t.Fatal(err)
	}
	if most := ceiling(); most != 0 && most < 64<<20 {
		t.Errorf("the ceiling is %d bytes", most)
	}
}
