package sweep

import (
	"regexp"
	"strings"

	"schedsweep/sweep/text"
)

// fieldPath is a field of a section in a message, such as platform.events[0].
var fieldPath = regexp.MustCompile(`\b(workload|platform|progress|policy|engine)((?:\.[a-z][a-z_0-9-]*|\[[0-9]+\])+)`)

// firstField returns the first field in a message, with its section and the rest of its path. It skips the axes in the name of an instance,
// such as workload.offered_load=0.4.
func firstField(message string) []string {
	for _, at := range fieldPath.FindAllStringSubmatchIndex(message, -1) {
		if !strings.HasPrefix(message[at[1]:], "=") {
			return []string{message[at[0]:at[1]], message[at[2]:at[3]], message[at[4]:at[5]]}
		}
	}
	return nil
}

// placed is an error that shows a line of the manifest.
type placed struct {
	shown string
	error
}

func (p *placed) Error() string { return p.shown }
func (p *placed) Unwrap() error { return p.error }

// Placed adds the position and the line of the first field whose path an error names. It returns errors unchanged that name none, or
// one whose section the manifest has on an axis alone.
func (m *Manifest) Placed(err error) error {
	if err == nil {
		return nil
	}
	found := firstField(err.Error())
	if found == nil || m.sections[found[1]] == nil {
		return err
	}
	var out text.Sink
	out.Add(m.sections[found[1]].Place(found[2]), "", "%v", err)
	return &placed{shown: out.Err().Error(), error: err}
}
