package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// archive packs the program with all that belongs to it, in one folder.
func (r *release) archive(t target, program []byte) {
	top := "schedsweep-" + r.version + "/"
	files := []file{{top + t.exe(), 0o755, program}}
	for _, f := range r.shared {
		files = append(files, file{top + f.name, f.mode, f.data})
	}
	name := fmt.Sprintf("schedsweep-%s-%s", r.version, t)
	if t.os == "windows" {
		r.write(name+".zip", zipped(files, r.when))
		return
	}
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	check(err)
	w := tar.NewWriter(z)
	for _, f := range files {
		check(w.WriteHeader(&tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.data)), ModTime: r.when, Typeflag: tar.TypeReg}))
		_, err := w.Write(f.data)
		check(err)
	}
	check(w.Close())
	check(z.Close())
	r.write(name+".tar.gz", b.Bytes())
}

func zipped(files []file, when time.Time) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestCompression) })
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: when}
		h.SetMode(os.FileMode(f.mode))
		entry, err := w.CreateHeader(h)
		check(err)
		_, err = entry.Write(f.data)
		check(err)
	}
	check(w.Close())
	return b.Bytes()
}

// bill writes the software bill of materials of a program (CycloneDX), from Go's build information in it.
func (r *release) bill(t target) {
	path := filepath.Join(r.to, fmt.Sprintf("schedsweep-%s-%s.cdx.json", r.version, t))
	cmd := exec.Command("go", "tool", "cyclonedx-gomod", "bin", "-json", "-licenses", "-noserial", "-version", "v"+r.version, "-output", path,
		filepath.Join(r.to, t.String(), t.exe()))
	cmd.Dir = filepath.Join(r.root, ".ci", "dist")
	// Its notes are about modules whose licence it cannot tell; LICENSES.txt has all texts.
	if said, err := cmd.CombinedOutput(); err != nil {
		check(fmt.Errorf("cyclonedx-gomod: %w\n%s", err, said))
	}
	check(r.reproducible(path))
}
