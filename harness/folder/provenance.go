package folder

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"schedsweep/harness"
	"schedsweep/harness/store"
	"schedsweep/sweep"
	"schedsweep/sweep/text"
)

// Provenance is the record of a run folder about the source of its rows.
type Provenance struct {
	Manifest        string `json:"manifest"`      // its name
	ManifestHash    string `json:"manifest_hash"` // of all that decides the set of instances
	Instances       int    `json:"instances"`
	Seed            uint64 `json:"seed"`
	SemanticVersion int    `json:"semantic_version"`
	Program         string `json:"program"` // release and commit of the program that made the folder
	Go              string `json:"go"`
	// rounding of the machine: rows made with another may differ in the last digits
	Arithmetic string            `json:"arithmetic,omitempty"`
	Created    time.Time         `json:"created,omitzero"`
	Inputs     map[string]string `json:"inputs,omitempty"`  // file -> SHA-256
	Folders    []string          `json:"folders,omitempty"` // where the files were looked for, so that manifest.yaml works from here
	Assumed    []string          `json:"assumed,omitempty"` // facts that logs lack, and their replacements; see [input.AllKnownRunTimes]
	Runs       []Run             `json:"runs,omitempty"`    // that have written rows to it

	// Rebuilt is the reason why this provenance was taken from the rows' own files. It is "" where provenance.json was read. The
	// next run writes the file anew.
	Rebuilt string `json:"-"`
}

// The keys in the footer of a file of rows that say where they come from.
const (
	MetaManifest   = "schedsweep.manifest"
	metaTitle      = "schedsweep.title" // the manifest's title, else its name
	metaSeed       = "schedsweep.seed"
	metaHash       = "schedsweep.manifest_hash"
	MetaVersion    = "schedsweep.semantic_version"
	MetaProgram    = "schedsweep.program"
	MetaProvenance = "schedsweep.provenance" // the folder's, as JSON, without its runs; not in files outside of one
	MetaRun        = "schedsweep.run"        // the run's that wrote it, as JSON
)

// Meta returns the footer of a file of the manifest's rows, where the program wrote it.
func Meta(m *sweep.Manifest, program string) map[string]string {
	return map[string]string{MetaManifest: m.Name, metaTitle: cmp.Or(m.Title, m.Name), metaSeed: strconv.FormatUint(m.Seed, 10),
		metaHash:    m.Hash(),
		MetaVersion: strconv.Itoa(harness.SemanticVersion), MetaProgram: program}
}

// Save makes it that of a folder.
func (p Provenance) Save(dir string) error { return p.write(dir, replaceFile) }

func (p Provenance) write(dir string, write func(path string, content []byte) error) error {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return fmt.Errorf("provenance: %w", err)
	}
	return write(filepath.Join(dir, provenanceFile), append(text, '\n'))
}

var ErrBroken = errors.New("it is cut or damaged")

// Read reads a run folder's provenance. Where the file is missing or
// broken and there are rows, it is what their files know.
func Read(dir string) (Provenance, error) {
	var p Provenance
	path := filepath.Join(dir, provenanceFile)
	text, err := store.ReadRegular(path)
	if err == nil {
		if err = json.Unmarshal(text, &p); err == nil && p.ManifestHash != "" {
			return p, nil
		}
		if err == nil {
			err = ErrBroken
		} else {
			err = fmt.Errorf("%w: %w", ErrBroken, err)
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return p, fmt.Errorf("run folder %s: %w; mend what keeps this file from being read, or choose another folder with --out", dir, err)
	}
	parts, badParts := store.Parts(filepath.Join(dir, Instances))
	if len(parts) > 0 {
		if p = rebuilt(path, err, parts); p.ManifestHash != "" {
			p.Runs, err = Runs(dir)
			return p, err
		}
		badParts = errors.New("the part files do not say whose they are")
	}
	switch {
	case badParts != nil && !errors.Is(badParts, fs.ErrNotExist):
		// Not wrapped: a folder with parts is more than one in which nothing has run.
		return Provenance{}, fmt.Errorf("%s: %v; it could not be rebuilt either: %w", path, err, badParts)
	case errors.Is(err, ErrBroken):
		return Provenance{}, fmt.Errorf("%s: %w; there are no rows, and run writes it anew", path, err)
	}
	why := "there is no such folder"
	if _, err := os.Stat(dir); err == nil {
		why = "it has no " + provenanceFile
	}
	return Provenance{}, fmt.Errorf("%s is no run folder: %w", dir, harness.Mark(errors.New(why), fs.ErrNotExist))
}

// rebuilt returns the provenance of a folder by the footers of its parts. Of several
// the one with most instances counts: folders grow.
func rebuilt(path string, cause error, parts []store.Part) Provenance {
	var p Provenance
	for _, part := range parts {
		for _, text := range strings.Split(part.Meta[MetaProvenance], "\n") {
			var known Provenance
			if err := json.Unmarshal([]byte(text), &known); err == nil && known.Instances > p.Instances {
				p = known
			}
		}
	}
	if errors.Is(cause, fs.ErrNotExist) {
		cause = errors.New("it is missing")
	}
	p.Rebuilt = fmt.Sprintf("%s: %v; what it said is taken from the %s; nothing is lost", path, cause, text.Counted(len(parts), "part file"))
	return p
}

// Arithmetic names what the last bits of a row depend on beside the program: the
// architecture, and a fingerprint of how this machine rounds the functions that
// workloads and policies use. Processors that add a product with one rounding, and
// the architectures' own versions of the functions, give others.
func Arithmetic() string {
	h := sha256.New()
	var b [8]byte
	sum := 0.0
	for i := 1; i <= 1000; i++ {
		x := .013 + .37*float64(i)
		sum = sum*x + 1/x // one rounding or two
		sum -= math.Floor(sum)
		for _, v := range []float64{math.Exp(x / 10), math.Exp2(x / 10), math.Log(x), math.Log2(x), math.Log10(x), math.Pow(x, .3), math.Sqrt(x),
			sum} {
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(v))
			h.Write(b[:])
		}
	}
	return runtime.GOARCH + " " + hex.EncodeToString(h.Sum(nil)[:4])
}
