package artifact

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/store"
)

// SumsFile lists the SHA-256 of all other files, as sha256sum -c reads it.
const SumsFile = "SHA256SUMS"

// ErrArchive reports that a file is no artifact, or not as it was packed.
var ErrArchive = errors.New("unusable artifact")

// Is tells archives from manifests by their names.
func Is(path string) bool {
	return strings.HasSuffix(path, ".tar") || strings.HasSuffix(path, ".tar.gz") || strings.HasSuffix(path, ".tgz")
}

// packed is the time of the last change of all files of an archive, by its record: the same files
// make the same bytes.
var packed = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func filesOf(folder string) (names []string, err error) {
	err = filepath.WalkDir(folder, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(folder, p)
		names = append(names, filepath.ToSlash(name))
		return err
	})
	slices.Sort(names)
	return names, err
}

func writeArchive(to, top, folder string, names []string) error {
	if len(names) > maxFiles {
		return harness.Unusable("the artifact would hold %d files, and at most %d are allowed: pack without --inputs, or declare fewer figures",
			len(names), maxFiles)
	}
	return store.ReplaceFile(to, func(w io.Writer) (err error) {
		if !strings.HasSuffix(to, ".tar") {
			z := gzip.NewWriter(w)
			defer func() { err = errors.Join(err, z.Close()) }()
			w = z
		}
		archive := tar.NewWriter(w)
		for _, name := range names {
			if err := addFile(archive, path.Join(top, name), filepath.Join(folder, name)); err != nil {
				return err
			}
		}
		return archive.Close()
	})
}

func addFile(archive *tar.Writer, name, file string) error {
	r, err := store.OpenRegular(file)
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Stat()
	if err != nil {
		return err
	}
	h := &tar.Header{Typeflag: tar.TypeReg, Name: name, Size: info.Size(), Mode: 0o644, ModTime: packed}
	if strings.Contains(name, "/"+programDir+"/") && path.Ext(name) != ".txt" {
		h.Mode = 0o755
	}
	if err := archive.WriteHeader(h); err != nil {
		return err
	}
	_, err = io.Copy(archive, r)
	return err
}

// What an archive may hold: a hostile one is refused before it fills the disk. Rows and
// pictures are compressed already, so that an archive hardly grows tenfold.
const (
	maxFiles  = 10_000 // a folder of more takes seconds to write and to remove
	maxGrowth = 100
	maxBytes  = 64 << 20 // of a small archive
)

// Open unpacks an archive into a new folder below the given one, whose path it returns,
// and compares every file with its sum. [ErrArchive] marks faults of the archive, and not those of the disk.
func Open(file, into string) (folder string, err error) {
	defer func() {
		switch {
		case ofDisk(err):
			err = fmt.Errorf("unpacking %s: %w; free space, or set TMPDIR to a folder of another disk", file, err)
		case err != nil:
			err = fmt.Errorf("%w: %s: %w", ErrArchive, file, err)
		}
	}()
	f, err := store.OpenRegular(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	var r io.Reader = f
	if !strings.HasSuffix(file, ".tar") {
		if r, err = gzip.NewReader(f); err != nil {
			return "", fmt.Errorf("it is cut, or not compressed by gzip: %w", err)
		}
	}
	u := unpacking{into: into, left: maxGrowth*info.Size() + maxBytes, sums: map[string]string{}}
	bounded := &io.LimitedReader{R: r, N: u.left + maxFiles<<10}
	if err := u.all(tar.NewReader(bounded)); err != nil {
		return "", err
	}
	if _, err := io.Copy(io.Discard, bounded); err != nil { // as far as the checksum of gzip
		return "", broken(err)
	}
	return filepath.Join(into, u.top), u.check()
}

// ofDisk reports whether an error is of the disk or the system. An archive may cause others, such as a name that is too long.
func ofDisk(err error) bool {
	return slices.ContainsFunc([]error{syscall.ENOSPC, syscall.EDQUOT, syscall.EIO, syscall.EMFILE, syscall.ENFILE},
		func(cause error) bool { return errors.Is(err, cause) })
}

func broken(err error) error {
	if ofDisk(err) {
		return err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("it is cut: it ends in the middle; fetch it again")
	}
	return fmt.Errorf("it is damaged: %w; fetch it again", err)
}

type unpacking struct {
	into, top string
	left      int64             // bytes that may still come
	sums      map[string]string // of the files, by their names below the top folder
}

func (u *unpacking) all(archive *tar.Reader) error {
	for {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return broken(err)
		}
		if err := u.one(h, archive); err != nil {
			return err
		}
	}
}

// one unpacks a file, unless it has no business in an artifact.
func (u *unpacking) one(h *tar.Header, content io.Reader) error {
	if h.Typeflag == tar.TypeDir {
		return nil // folders come with their files
	}
	top, name, below := strings.Cut(h.Name, "/")
	switch {
	case h.Typeflag != tar.TypeReg:
		return fmt.Errorf("%q is a link or a device: an artifact holds plain files only", h.Name)
	case !filepath.IsLocal(filepath.FromSlash(h.Name)) || path.Clean(h.Name) != h.Name || strings.Contains(h.Name, `\`):
		return fmt.Errorf("%q leads out of the folder", h.Name)
	case !below || u.top != "" && top != u.top:
		return fmt.Errorf("%q does not lie in the one folder that an artifact has", h.Name)
	case u.sums[name] != "":
		return fmt.Errorf("%q is there twice", h.Name)
	case len(u.sums) == maxFiles:
		return fmt.Errorf("it holds more than %d files", maxFiles)
	case h.Size > u.left:
		return fmt.Errorf("%q would make it more than %d times as large as the archive: its size of %d bytes is absurd", h.Name, maxGrowth,
			h.Size)
	}
	u.top, u.left = top, u.left-h.Size
	to := filepath.Join(u.into, filepath.FromSlash(h.Name))
	if err := store.MakeFolder(filepath.Dir(to)); err != nil {
		return err
	}
	sum := sha256.New()
	var unread error
	err := store.UnsyncedFile(to, func(w io.Writer) error {
		_, unread = io.Copy(io.MultiWriter(w, sum), content)
		return unread
	})
	if unread != nil && !ofDisk(unread) {
		return broken(unread)
	}
	if err != nil {
		return err
	}
	u.sums[name] = hex.EncodeToString(sum.Sum(nil))
	return nil
}

var sumLine = regexp.MustCompile(`^([0-9a-f]{64})  (.+)$`)

func (u *unpacking) check() error {
	text, err := store.ReadRegular(filepath.Join(u.into, u.top, SumsFile))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("it has no %s: it is cut, or was not made by schedsweep pack", SumsFile)
	}
	if err != nil {
		return err
	}
	listed := map[string]string{}
	for line := range strings.Lines(string(text)) {
		m := sumLine.FindStringSubmatch(strings.TrimSuffix(line, "\n"))
		if m == nil {
			return fmt.Errorf("%s: %q is no sum with a name", SumsFile, line)
		}
		listed[m[2]] = m[1]
	}
	delete(u.sums, SumsFile)
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		switch u.sums[name] {
		case listed[name]:
			delete(u.sums, name)
		case "":
			return fmt.Errorf("%s is missing: the archive is cut or changed; fetch it again", name)
		default:
			return fmt.Errorf("%s is not as it was packed: its SHA-256 is %s, and %s says %s; fetch it again", name, u.sums[name], SumsFile,
				listed[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(u.sums)) {
		return fmt.Errorf("%s is not in %s: the archive was changed", name, SumsFile)
	}
	for _, name := range []string{ManifestFile, SmallFile} {
		if listed[name] == "" {
			return fmt.Errorf("it has no %s: it was not made by schedsweep pack", name)
		}
	}
	return nil
}
