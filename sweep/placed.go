package sweep

import (
	"regexp"

	"schedsweep/sweep/text"
)

// fieldPath is a field of a section in a message, such as platform.events[0].
var fieldPath = regexp.MustCompile(`\b(workload|platform|progress|policy|engine)((?:\.[a-z][a-z_0-9-]*|\[[0-9]+\])+)`)

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
	found := fieldPath.FindStringSubmatch(err.Error())
	if found == nil || m.sections[found[1]] == nil {
		return err
	}
	var out text.Sink
	out.Add(m.sections[found[1]].Place(found[2]), "", "%v", err)
	return &placed{shown: out.Err().Error(), error: err}
}
