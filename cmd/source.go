package cmd

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"schedsweep/harness/store"
)

// modulePath is the path of our module, which its publisher may change (make module).
var modulePath = path.Dir(reflect.TypeFor[environment]().PkgPath())

const (
	// sourceArchive holds the source of a release: .ci/dist/source writes it, and
	// every archive and package has it.
	sourceArchive = "source.tar"
	// sourceFolder is the folder of our source in a module of somebody else's.
	sourceFolder = "schedsweep"
)

// sourceSum is the SHA-256 of the archive that the program was built from. The linker sets it; a build
// without make has none.
var sourceSum string

// sourceOf names the checksum of the source that a program was built from, "" where it knows none.
func sourceOf(info *debug.BuildInfo) string {
	switch {
	case sourceSum != "":
		return sourceArchive + " with SHA-256 " + sourceSum
	case info.Main.Path == modulePath && info.Main.Sum != "": // go install
		return fmt.Sprintf("Go module %s@%s with checksum %s", info.Main.Path, info.Main.Version, info.Main.Sum)
	}
	return ""
}

// programSource returns the files of our source by their paths: from the given path, or beside the program as
// releases have it, or from the checkout around the program or the working directory.
func programSource(given string) (map[string][]byte, error) {
	if given != "" {
		files, err := readSource(given)
		if err != nil {
			return nil, misuse("--source %s: %w", given, err)
		}
		return files, nil
	}
	var starts []string
	if self, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(self); err == nil {
			self = real
		}
		dir := filepath.Dir(self)
		for _, beside := range []string{filepath.Join(dir, sourceArchive), filepath.Join(dir, "..", "share", "schedsweep", sourceArchive)} {
			if files, err := readSource(beside); !errors.Is(err, fs.ErrNotExist) {
				return files, err
			}
		}
		starts = append(starts, dir)
	}
	if here, err := os.Getwd(); err == nil {
		starts = append(starts, here)
	}
	for _, dir := range starts {
		for {
			if files, err := readSource(dir); err == nil {
				return files, nil
			}
			up := filepath.Dir(dir)
			if up == dir {
				break
			}
			dir = up
		}
	}
	return nil, misuse("the source of schedsweep is neither beside nor around this program; give a checkout, or the %s of the release, by "+
		"--source PATH", sourceArchive)
}

func readSource(from string) (files map[string][]byte, err error) {
	if info, statErr := os.Stat(from); statErr != nil {
		return nil, statErr
	} else if info.IsDir() {
		files, err = sourceIn(from)
	} else {
		files, err = unpackSource(from)
	}
	if err == nil && modfile.ModulePath(files["go.mod"]) != modulePath {
		err = errors.New("its go.mod is not that of schedsweep")
	}
	return files, err
}

func unpackSource(file string) (map[string][]byte, error) {
	text, err := store.ReadRegular(file)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(text); sourceSum != "" && hex.EncodeToString(sum[:]) != sourceSum {
		return nil, misuse("%s is not the source of this program: its SHA-256 is %x, want %s", file, sum, sourceSum)
	}
	files := map[string][]byte{}
	for archive := tar.NewReader(bytes.NewReader(text)); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return files, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		_, name, _ := strings.Cut(h.Name, "/")
		if h.Typeflag != tar.TypeReg || !filepath.IsLocal(filepath.FromSlash(name)) {
			continue // folders, and the commit's name
		}
		if files[name], err = io.ReadAll(archive); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
}

// sourceIn reads a checkout.
func sourceIn(dir string) (map[string][]byte, error) {
	text, err := store.ReadRegular(filepath.Join(dir, "go.mod"))
	files := map[string][]byte{"go.mod": text}
	if err != nil || modfile.ModulePath(text) != modulePath {
		return files, err
	}
	tree := os.DirFS(dir)
	return files, fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && !buildNeeds(name+"/"):
			return fs.SkipDir
		case d.IsDir() || !buildNeeds(name):
			return nil
		}
		files[name], err = store.ReadRegular(filepath.Join(dir, filepath.FromSlash(name)))
		return err
	})
}

// buildNeeds tells the files that a program with policies of its own is built from; .ci/dist/source packs the same.
func buildNeeds(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	switch {
	case !slices.Contains([]string{"go.mod", "go.sum", "LICENSE", "analysis", "cmd", "harness", "manifests", "sim", "sweep"}, top),
		strings.HasPrefix(name, "cmd/examples/"), strings.HasPrefix(name, "cmd/scripts/"),
		strings.Contains("/"+name, "/testdata/"), strings.Contains(name, "__pycache__"):
		return false
	}
	return !strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "cmd/template/")
}
