package lines_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"schedsweep/sim/workload/lines"
)

var text = lines.Format{Most: 2 * lines.Block, Not: "no log: ", Binary: "; convert it", Endless: "; split it"}

func zipped(t rapid.TB, data string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(data)); err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestLines: the lines are those between the newlines, however the text is delivered.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.Map(rapid.SampledFrom([]int{0, 1, 2, 3, 80, lines.Block - 1, lines.Block, 2*lines.Block - 2}),
			func(n int) string { return strings.Repeat("x", n) })).Draw(t, "lines")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		data := strings.Join(want, end)
		if len(want) > 0 && (want[len(want)-1] == "" || rapid.Bool().Draw(t, "ended")) {
			data += end
		}
		if rapid.Bool().Draw(t, "marked") {
			data = "\xef\xbb\xbf" + data
		}
		if rapid.Bool().Draw(t, "zipped") {
			data = zipped(t, data)
		}
		r := io.Reader(strings.NewReader(data))
		switch rapid.SampledFrom([]string{"whole", "half", "with the end"}).Draw(t, "delivered") {
		case "half":
			r = iotest.HalfReader(r)
		case "with the end":
			r = iotest.DataErrReader(r)
		}
		l, err := lines.NewReader("t", r, text)
		for n := 0; err == nil; n++ {
			var line []byte
			if line, err = l.Next(); err == io.EOF {
				if n != len(want) {
					t.Fatalf("%d lines, want %d", n, len(want))
				}
				return
			}
			if err == nil && (n >= len(want) || string(line) != want[n] || l.Line() != n+1) {
				t.Fatalf("line %d has %d bytes and is called %d", n+1, len(line), l.Line())
			}
		}
		t.Fatal(err)
	})
}

// TestErrors: an error in a text gives its place, after all lines before it.
func TestErrors(t *testing.T) {
	fire := errors.New("the disk is on fire")
	once := io.MultiReader(strings.NewReader("a"), iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("bc"))))
	two, many := "a\nb\n", zipped(t, strings.Repeat("a line\n", 1e5))
	for want, r := range map[string]io.Reader{
		"t: after line 2: the disk is on fire": io.MultiReader(strings.NewReader(two),
			iotest.ErrReader(fire)),
		"t: after line 0: timeout":             once,
		"t: after line 0: the disk is on fire": iotest.ErrReader(fire),
		"t: no log: there are zero bytes after line 2, so this is no text; convert it": io.MultiReader(strings.NewReader(two),
			strings.NewReader("c\x00")),
		"t: no log: there are zero bytes after line 1, so this is no text; convert it": strings.NewReader("a\nb\x00c\n"),
		"t:3: no log: the line is longer than 524288 bytes; split it": io.MultiReader(strings.NewReader(two),
			strings.NewReader(strings.Repeat("c", 2*lines.Block))),
		"t: the gzip data is damaged after line 0; fetch the file again: gzip": strings.NewReader("\x1f\x8b" +
			strings.Repeat("c", 40)),
		"t: the gzip data breaks off after line 100000: the file is incomplete; fetch it":     strings.NewReader(many[:len(many)-3]),
		"t: the gzip data is damaged after line 100000; fetch the file again: gzip: invalid ": strings.NewReader(many[:len(many)-1] + "x"),
	} {
		l, err := lines.NewReader("t", r, text)
		for err == nil {
			_, err = l.Next()
		}
		if !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got  %v\nwant %s", err, want)
		}
	}
}

// TestOtherCompressions: a file that another program has compressed is refused by name, and short texts with or without a mark are read.
func TestOtherCompressions(t *testing.T) {
	for begin, want := range map[string]string{"\xfd7zXZ\x00": "xz", "BZh91AY": "bzip2", "\x28\xb5\x2f\xfd\x04": "zstd",
		"PK\x03\x04\x14": "zip"} {
		if _, err := lines.NewReader("log.swf", strings.NewReader(begin+"\x00rest"), text); err == nil ||
			!strings.Contains(err.Error(), "log.swf is compressed by "+want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	for _, data := range []string{"a", "ab\n", "PK\n", "\xef\xbb\xbfa", "\xef\xbb\xbfab\n", "\xef\xbb\xbfabcdef"} {
		l, err := lines.NewReader("t", strings.NewReader(data), text)
		if err != nil {
			t.Fatal(err)
		}
		line, err := l.Next()
		if want := strings.TrimRight(strings.TrimPrefix(data, "\xef\xbb\xbf"), "\n"); string(line) != want || err != nil {
			t.Errorf("%q: %q, %v", data, line, err)
		}
	}
}
