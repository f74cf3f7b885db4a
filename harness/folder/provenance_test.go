package folder

import (
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"schedsweep/harness"
	"schedsweep/harness/store"
)

// What earlier releases wrote in the footers is less, and what it lacks is named.
func TestRebuiltFromLess(t *testing.T) {
	old := store.Part{Meta: map[string]string{MetaManifest: "study\nstudy", metaHash: "0123\n4567",
		MetaVersion: strconv.Itoa(harness.SemanticVersion), MetaProgram: "0.1.0"}}
	p := rebuilt("run/provenance.json", os.ErrNotExist, []store.Part{old})
	if p.Manifest != "study" || p.ManifestHash != "4567" || p.Program != "0.1.0" || p.SemanticVersion != harness.SemanticVersion {
		t.Errorf("%+v", p)
	}
	for _, want := range []string{"run/provenance.json: it is missing", "1 part files", "hashes of its input files are lost"} {
		if !strings.Contains(p.Rebuilt, want) {
			t.Errorf("%q has no %q", p.Rebuilt, want)
		}
	}
	f := Folder{Dir: t.TempDir(), Rows: 3}
	if err := otherManifest(&f, p, Provenance{}); !errors.Is(err, ErrOther) || strings.Contains(err.Error(), "(0 instances, seed 0, written") {
		t.Errorf("%v", err)
	}
	text, err := json.Marshal(Provenance{})
	if err != nil || strings.Contains(string(text), "created") {
		t.Errorf("an unknown time is written: %s, %v", text, err)
	}
}
