package cmd

import (
	"fmt"
	"path/filepath"

	"schedsweep/harness/folder"
	"schedsweep/harness/store"

	"github.com/urfave/cli/v2"

	"schedsweep/harness/artifact"
)

func smallFlag() cli.Flag {
	return &cli.BoolFlag{Name: "small", Usage: "use the reduced study of an artifact"}
}

// openPacked opens the study of a verb that also takes an artifact, as pack makes it:
// folder is the folder of the unpacked artifact, which lasts until done is called, "" for a manifest.
func openPacked(env environment, c *cli.Context) (st study, folder string, done func(), err error) {
	done = func() {}
	path, err := oneArgument(c, "the manifest, or an artifact")
	if err != nil {
		return st, "", done, err
	}
	if !artifact.Is(path) {
		if c.Bool("small") {
			return st, "", done, misuse("--small is for artifacts (.tar.gz, .tgz, .tar), and %s is none", path)
		}
		st, err = studyAt(env, c, path)
		return st, "", done, err
	}
	temp, remove, err := store.TempFolder()
	if err != nil {
		return st, "", done, err
	}
	done = func() { _ = remove() }
	if folder, err = artifact.Open(path, temp); err != nil {
		return st, "", done, err
	}
	name := artifact.ManifestFile
	if c.Bool("small") {
		name = artifact.SmallFile
	}
	if st, err = studyAt(env, c, filepath.Join(folder, name)); err != nil {
		return st, "", done, err
	}
	st.archive, st.small = path, c.Bool("small")
	st.inputs.Hidden = folder
	return st, folder, done, sameInputs(path, folder, st)
}

// sameInputs refuses files of the names that an artifact's manifest gives and of other
// contents: with them it is another study.
func sameInputs(archive, dir string, st study) error {
	p, err := folder.Read(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	for name, is := range st.inputs.Hashes() {
		if was, known := p.Inputs[name]; known && was != is {
			found, _ := st.inputs.Find(name) // it was just read
			return misuse("%s: the study is of a %s with the SHA-256 %s, and that of %s is %s: point to the right one's folder with --data", archive,
				name, was, found, is)
		}
	}
	return nil
}
