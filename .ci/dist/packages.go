package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// installed returns the place of a file of the archives once a package is installed, below /usr.
func installed(name string) string {
	switch shell := path.Ext(name); {
	case name == "source.tar":
		return "share/schedsweep/source.tar"
	case strings.HasPrefix(name, "man/"):
		return "share/" + name + ".gz"
	case shell == ".bash":
		return "share/bash-completion/completions/schedsweep"
	case shell == ".zsh":
		return "share/zsh/vendor-completions/_schedsweep"
	case shell == ".fish":
		return "share/fish/vendor_completions.d/schedsweep.fish"
	}
	return "share/doc/schedsweep/" + name
}

// packages makes the .deb and the .rpm.
func (r *release) packages(t target, program []byte) {
	stage, err := os.MkdirTemp("", "dist-*")
	check(err)
	defer os.RemoveAll(stage)
	var contents files.Contents
	add := func(f file) {
		data := f.data
		if strings.HasSuffix(f.name, ".gz") {
			var b bytes.Buffer
			z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
			check(err)
			_, err = z.Write(data)
			check(err)
			check(z.Close())
			data = b.Bytes()
		}
		from := filepath.Join(stage, filepath.FromSlash(f.name))
		check(os.MkdirAll(filepath.Dir(from), 0o777))
		check(os.WriteFile(from, data, 0o666))
		contents = append(contents, &files.Content{Source: from, Destination: "/usr/" + f.name,
			FileInfo: &files.ContentFileInfo{Mode: os.FileMode(f.mode), MTime: r.when, Owner: "root", Group: "root"}})
	}
	add(file{"bin/schedsweep", 0o755, program})
	for _, f := range r.shared {
		add(file{installed(f.name), f.mode, f.data})
		if f.name == "LICENSES.txt" {
			add(file{"share/doc/schedsweep/copyright", 0o644, f.data})
		}
	}
	for _, format := range []string{"deb", "rpm"} {
		info := nfpm.WithDefaults(&nfpm.Info{Name: "schedsweep", Arch: t.arch, Platform: "linux", Version: r.version, Release: "1", MTime: r.when,
			Section: "science", Priority: "optional", Maintainer: "The schedsweep authors", License: "Apache-2.0",
			Description:  "parameter sweeps of parallel-job scheduling simulations",
			Overridables: nfpm.Overridables{Contents: contents}})
		info.RPM.BuildHost, info.RPM.Compression = "localhost", "gzip:9"
		info.Deb.Compression = "gzip"
		check(nfpm.PrepareForPackager(info, format))
		packager, err := nfpm.Get(format)
		check(err)
		var b bytes.Buffer
		check(packager.Package(info, &b))
		r.write(packager.ConventionalFileName(info), b.Bytes())
	}
}

// reproducible takes the time at which it was written out of a bill, and puts the commit's there.
func (r *release) reproducible(bill string) error {
	text, err := os.ReadFile(bill)
	if err != nil {
		return err
	}
	var b map[string]any
	if err := json.Unmarshal(text, &b); err != nil {
		return fmt.Errorf("%s: %w", bill, err)
	}
	b["metadata"].(map[string]any)["timestamp"] = r.when.Format("2006-01-02T15:04:05Z")
	if text, err = json.MarshalIndent(b, "", "  "); err != nil {
		return err
	}
	return os.WriteFile(bill, append(text, '\n'), 0o666)
}
