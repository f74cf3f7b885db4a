package figure

import (
	"io"
	"slices"
)

// Form is a kind of file that figures are written to.
type Form struct {
	Ending, MIME string
	Write        func(*Figure, io.Writer) error
}

// Forms are all of them, in the order of writing.
var Forms = []Form{
	{".svg", "image/svg+xml", (*Figure).SVG}, {".png", "image/png", (*Figure).PNG}, {".pdf", "application/pdf", (*Figure).PDF},
	{".csv", "text/csv; charset=utf-8", (*Figure).CSV}, {".vl.json", "application/json", (*Figure).Vega},
}

// FormOf is the form with that ending; nil for none.
func FormOf(ending string) *Form {
	if i := slices.IndexFunc(Forms, func(f Form) bool { return f.Ending == ending }); i >= 0 {
		return &Forms[i]
	}
	return nil
}
