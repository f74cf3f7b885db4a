package input

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"schedsweep/harness"
)

// TestTraceOfNoLog: a source that is no log is refused with what it is.
func TestTraceOfNoLog(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{"jobs.swf.bz2": "BZh91AY", "jobs.swf.zst": "\x28\xb5\x2f\xfd\x04", "jobs.csv": "a,b\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for source, want := range map[string]string{
		"jobs.swf.bz2": "jobs.swf.bz2 is compressed by bzip2: decompress it (bunzip2)",
		"jobs.swf.zst": "jobs.swf.zst is compressed by zstd: decompress it (unzstd)",
		"jobs.csv":     "jobs.csv is a file without a column map",
		"lublim":       `lublim is no file here and no kind of workload; did you mean "lublin"?`,
	} {
		if _, err := OpenTrace(source, 0, Options{Data: []string{folder}}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %q", source, err, want)
		}
	}
}

// TestMapOfNoTable: a file that is no table is a fault of the input, and not of the program.
func TestMapOfNoTable(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{"empty.csv": "", "binary.csv": "a\x00b\x00\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := GuessMap(name, []string{folder}, io.Discard); !errors.Is(err, harness.ErrInput) {
			t.Errorf("%s: %v is no fault of the input", name, err)
		}
	}
}

// TestMapOfCompressed reads the separator and the format of a table that gzip has compressed.
func TestMapOfCompressed(t *testing.T) {
	folder := t.TempDir()
	for content, want := range map[string]string{
		"id|submit|start\n1|2|3\n": `separator: "|"`, `{"submit": 1}` + "\n": "format: json",
		"03/01/2024 10:00:00;E;1.h;user=u\n": "shipped map pbs",
	} {
		var zipped, out bytes.Buffer
		z := gzip.NewWriter(&zipped)
		_, _ = z.Write([]byte(content))
		if err := errors.Join(z.Close(), os.WriteFile(filepath.Join(folder, "jobs.gz"), zipped.Bytes(), 0o666)); err != nil {
			t.Fatal(err)
		}
		if err := GuessMap("jobs.gz", []string{folder}, &out); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%q: %v, want %q in\n%s", content, err, want, &out)
		}
	}
}

// TestRedactNoTable: a log that is no table is a fault of the input, and a log that cannot be written is none.
func TestRedactNoTable(t *testing.T) {
	folder := t.TempDir()
	for name, content := range map[string]string{"empty.csv": "", "good.csv": "JobIDRaw|Submit\n1|2025-03-03T08:00:00\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := Redaction{Log: "empty.csv", Map: "sacct", Data: []string{folder}, To: filepath.Join(folder, "r"), Private: filepath.Join(folder, "p")}
	if err := Redact(r, io.Discard); !errors.Is(err, harness.ErrInput) {
		t.Errorf("%v is no fault of the input", err)
	}
	r.Log, r.To = "good.csv", r.Private
	if err := Redact(r, io.Discard); err == nil || !strings.Contains(err.Error(), "both the log and the translation") {
		t.Errorf("%v; want that the log may not replace the translation", err)
	}
	r.To = filepath.Join(folder, "none", "\x00")
	if err := Redact(r, io.Discard); err == nil || errors.Is(err, harness.ErrInput) {
		t.Errorf("%v is a fault of the input", err)
	}
}
