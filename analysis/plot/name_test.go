package plot

import (
	"strings"
	"testing"
)

// A legend has the shortest names that differ.
func TestNamesAreShort(t *testing.T) {
	for names, want := range map[string]string{
		"logs/KTH-SP2.swf.gz logs/SDSC-SP2.swf.gz": "KTH-SP2 SDSC-SP2",
		"logs/a/x.swf logs/b/x.swf":                "a/x b/x",
		"easy conservative":                        "easy conservative",
		"a/one.swf":                                "a/one.swf",
		"a.swf b.swf.gz":                           "a.swf b.swf.gz",
		".swf b.swf":                               ".swf b.swf",
	} {
		if got := strings.Join(withoutShared(strings.Fields(names)), " "); got != want {
			t.Errorf("%s: %s, want %s", names, got, want)
		}
	}
}
