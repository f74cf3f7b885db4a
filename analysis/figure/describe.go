package figure

import "strings"

// describe says in a title and sentences what the figure shows, for those who cannot see it.
func (l *layout) describe() (title, description string) {
	f := l.figure
	if description = l.x.show.title + "."; !f.Bare {
		description = l.y.show.title + " against " + description
	}
	title = f.Title
	if title == "" {
		title = strings.TrimSuffix(description, ".")
	}
	list := func(what string, names []string) {
		if len(names) > 1 {
			description += " " + what + ": " + strings.Join(names, ", ") + "."
		}
	}
	description += l.describeColours()
	list("Series", f.Series)
	var panels []string
	for i := range f.Panels {
		panels = append(panels, f.Panels[i].name())
		for _, m := range f.Panels[i].Marks {
			if r, ok := m.(*Ranks); ok {
				list(strings.TrimSpace("Ranks "+f.Panels[i].name()), r.said())
			}
		}
	}
	list("Panels", panels)
	return title, strings.TrimSpace(description + " " + f.Caption)
}
