package artifact

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"schedsweep/harness"
)

// staged is a folder with what every artifact has.
func staged(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{ManifestFile: "name: s\n", SmallFile: "name: s-small\n",
		"instances/rows.parquet": strings.Repeat("rows ", 1000), "bin/schedsweep": "program"} {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	names, err := filesOf(folder)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(folder, SumsFile))
	if err := errors.Join(err, sums(f, folder, names), f.Close()); err != nil {
		t.Fatal(err)
	}
	return folder
}

// archived packs the folder and reads the archive.
func archived(t testing.TB, folder, ending string) []byte {
	t.Helper()
	to := filepath.Join(t.TempDir(), "s"+ending)
	names, err := filesOf(folder)
	if err == nil {
		err = writeArchive(to, "s", folder, names)
	}
	text, err2 := os.ReadFile(to)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	return text
}

// opened unpacks an archive of these bytes.
func opened(t testing.TB, ending string, content []byte) (string, error) {
	t.Helper()
	dir, err := os.MkdirTemp("", "artifact-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	file := filepath.Join(dir, "s"+ending)
	if err := os.WriteFile(file, content, 0o644); err != nil {
		t.Fatal(err)
	}
	return Open(file, filepath.Join(dir, "into"))
}

// Files come out of an archive as they went in. The bytes of an archive depend on neither the person nor the time.
func TestOpenGivesWhatWasPacked(t *testing.T) {
	folder := staged(t)
	for _, ending := range []string{".tar", ".tar.gz", ".tgz"} {
		content := archived(t, folder, ending)
		if again := archived(t, staged(t), ending); !bytes.Equal(content, again) {
			t.Errorf("%s: the same files make two archives", ending)
		}
		to, err := opened(t, ending, content)
		if err != nil {
			t.Fatal(err)
		}
		names, err := filesOf(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			was, err1 := os.ReadFile(filepath.Join(folder, name))
			is, err2 := os.ReadFile(filepath.Join(to, name))
			if errors.Join(err1, err2) != nil || !bytes.Equal(was, is) {
				t.Errorf("%s: %s: %q, not %q (%v, %v)", ending, name, is, was, err1, err2)
			}
		}
	}
}

// What Open refuses Pack does not write.
func TestPackRefusesTooManyFiles(t *testing.T) {
	err := writeArchive(filepath.Join(t.TempDir(), "s.tar"), "s", t.TempDir(), make([]string, maxFiles+1))
	if !errors.Is(err, harness.ErrInput) || !strings.Contains(err.Error(), "10001 files") {
		t.Error(err)
	}
}

// An archive that is cut anywhere, or in which a byte of a file has changed, is refused.
func TestOpenRefusesDamage(t *testing.T) {
	for _, ending := range []string{".tar", ".tar.gz"} {
		content := archived(t, staged(t), ending)
		refused := func(rt *rapid.T, what string, damaged []byte) {
			if _, err := opened(t, ending, damaged); !errors.Is(err, ErrArchive) {
				rt.Fatalf("%s %s: %v", ending, what, err)
			}
		}
		rapid.Check(t, func(rt *rapid.T) {
			most := len(content) - 1
			if ending == ".tar" {
				most = bytes.LastIndex(content, []byte("name: s-small")) // nothing after this name is required
			}
			n := rapid.IntRange(0, most).Draw(rt, "bytes")
			refused(rt, fmt.Sprintf("of %d bytes", n), content[:n])
		})
		if ending == ".tar" {
			rapid.Check(t, func(rt *rapid.T) {
				at := bytes.Index(content, []byte("rows rows")) + rapid.IntRange(0, 4999).Draw(rt, "byte")
				damaged := bytes.Clone(content)
				damaged[at] ^= 1 << rapid.IntRange(0, 7).Draw(rt, "bit")
				refused(rt, fmt.Sprintf("with another byte %d", at), damaged)
			})
		}
	}
}

// Open refuses an archive that pack did not make, and names its fault. Nothing of it lies outside of the folder.
func TestOpenRefusesHostileArchives(t *testing.T) {
	text := []byte("name: s\n")
	sum := fmt.Sprintf("%x", sha256.Sum256(text))
	file := func(name string) tar.Header {
		return tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(text)), Mode: 0o644}
	}
	many := make([]tar.Header, maxFiles+1)
	for i := range many {
		many[i] = tar.Header{Typeflag: tar.TypeReg, Name: fmt.Sprintf("s/%d", i)}
	}
	for _, c := range []struct {
		why     string
		headers []tar.Header
	}{
		{"leads out of the folder", []tar.Header{file("../evil")}},
		{"leads out of the folder", []tar.Header{file("s/../../evil")}},
		{"leads out of the folder", []tar.Header{file("/tmp/evil")}},
		{"leads out of the folder", []tar.Header{file("s/./manifest.yaml")}},
		{"leads out of the folder", []tar.Header{file(`s/..\evil`)}},
		{"is a link or a device", []tar.Header{{Typeflag: tar.TypeSymlink, Name: "s/link", Linkname: "/etc/passwd"}}},
		{"is a link or a device", []tar.Header{{Typeflag: tar.TypeLink, Name: "s/link", Linkname: "s/manifest.yaml"}}},
		{"is a link or a device", []tar.Header{{Typeflag: tar.TypeFifo, Name: "s/pipe"}}},
		{"does not lie in the one folder", []tar.Header{file("manifest.yaml")}},
		{"does not lie in the one folder", []tar.Header{file("s/manifest.yaml"), file("t/manifest.yaml")}},
		{"is there twice", []tar.Header{file("s/manifest.yaml"), file("s/manifest.yaml")}},
		{"its size of 1099511627776 bytes is absurd", []tar.Header{{Typeflag: tar.TypeReg, Name: "s/huge", Size: 1 << 40}}},
		{"it holds more than 10000 files", many},
		{"it has no SHA256SUMS", []tar.Header{file("s/manifest.yaml")}},
		{"SHA256SUMS: ", []tar.Header{file("s/SHA256SUMS")}},
	} {
		var b bytes.Buffer
		w := tar.NewWriter(&b)
		for _, h := range c.headers {
			if err := w.WriteHeader(&h); err != nil {
				t.Fatal(err)
			}
			if h.Size == int64(len(text)) {
				if _, err := w.Write(text); err != nil {
					t.Fatal(err)
				}
			}
		}
		_ = w.Close() // the huge one is not complete
		dir := t.TempDir()
		path := filepath.Join(dir, "a", "s.tar")
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, b.Bytes(), 0o644)); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path, filepath.Join(dir, "a", "b")); !errors.Is(err, ErrArchive) || !strings.Contains(fmt.Sprint(err), c.why) {
			t.Errorf("%s: %v", c.why, err)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("%s: outside there are %v, %v", c.why, entries, err)
		}
	}

	// Sums that fit a foreign archive do not make it an artifact.
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for name, content := range map[string]string{"s/other.yaml": string(text), "s/SHA256SUMS": sum + "  other.yaml\n"} {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(content))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := opened(t, ".tar", b.Bytes()); !strings.Contains(fmt.Sprint(err), "it has no manifest.yaml") {
		t.Error(err)
	}
}
