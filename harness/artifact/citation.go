package artifact

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
)

type author struct{ Family, Given string }

// people are the authors; where none is named, those of the study stand for them.
func (c *Contents) people() (all []author) {
	for _, a := range c.Authors {
		family, given, _ := strings.Cut(a, ",")
		all = append(all, author{strings.TrimSpace(family), strings.TrimSpace(given)})
	}
	if all == nil {
		all = []author{{Family: "The authors of " + c.Manifest.Name}}
	}
	return all
}

func (a author) name() string { return strings.TrimSpace(a.Given + " " + a.Family) }

// kind is what schema.org calls it.
func (a author) kind() string {
	if a.Given == "" {
		return "Organization"
	}
	return "Person"
}

func (c *Contents) authorIDs() (ids []string) {
	for i := range c.people() {
		ids = append(ids, fmt.Sprintf("#author-%d", i+1))
	}
	return ids
}

// citation writes a CITATION.cff 1.2.0 (https://citation-file-format.github.io).
func (c *Contents) citation(w io.Writer) error {
	var authors []yaml.MapSlice
	for _, a := range c.people() {
		if a.Given == "" {
			authors = append(authors, yaml.MapSlice{{Key: "name", Value: a.Family}})
		} else {
			authors = append(authors, yaml.MapSlice{{Key: "family-names", Value: a.Family}, {Key: "given-names", Value: a.Given}})
		}
	}
	cff := yaml.MapSlice{{Key: "cff-version", Value: "1.2.0"}, {Key: "message", Value: "If you use these data, please cite them as below."}, {Key: "type", Value: "dataset"},
		{Key: "title", Value: c.title()}, {Key: "abstract", Value: c.description()}, {Key: "authors", Value: authors}, {Key: "date-released", Value: c.ended().Format(time.DateOnly)}}
	if c.License != "" {
		cff = append(cff, yaml.MapItem{Key: "license", Value: c.License})
	}
	text, err := yaml.Marshal(cff)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
