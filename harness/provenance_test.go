package harness

import (
	"encoding/json"
	"errors"
	"os"
	"schedsweep/harness/store"
	"strconv"
	"strings"
	"testing"
)

// What earlier releases wrote in the footers is less, and what it lacks is named.
func TestRebuiltFromLess(t *testing.T) {
	old := store.Part{Meta: map[string]string{metaManifest: "study\nstudy", metaHash: "0123\n4567", metaVersion: strconv.Itoa(SemanticVersion), metaProgram: "0.1.0"}}
	p := rebuilt("run/provenance.json", os.ErrNotExist, []store.Part{old})
	if p.Manifest != "study" || p.ManifestHash != "4567" || p.Program != "0.1.0" || p.SemanticVersion != SemanticVersion {
		t.Errorf("%+v", p)
	}
	for _, want := range []string{"run/provenance.json: it is missing", "1 part files", "hashes of its input files are lost"} {
		if !strings.Contains(p.Rebuilt, want) {
			t.Errorf("%q has no %q", p.Rebuilt, want)
		}
	}
	f := folder{dir: t.TempDir(), rows: 3}
	if err := otherManifest(&f, p, Provenance{}); !errors.Is(err, ErrOtherManifest) || strings.Contains(err.Error(), "(0 instances, seed 0, written") {
		t.Errorf("%v", err)
	}
	text, err := json.Marshal(Provenance{})
	if err != nil || strings.Contains(string(text), "created") {
		t.Errorf("an unknown time is written: %s, %v", text, err)
	}
}
