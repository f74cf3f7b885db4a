package schema

import (
	"strings"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
)

// classes returns the schema of classes:.
func (g writer) classes() object {
	var names []string
	for _, f := range g.cat.JobFields {
		names = append(names, f.Name)
	}
	is := object{"type": "string", "description": "comparisons of fields of jobs, joined by and, and these by or", "pattern": `^\s*(` + strings.Join(names, "|") + `)\s*(<|>|==|!=)`}
	return object{"type": "object", "description": "classes of jobs, of which metrics are too: name -> condition",
		"propertyNames": object{"pattern": manifest.ClassPattern.String()}, "maxProperties": manifest.MaxClasses,
		"additionalProperties": object{"anyOf": []any{is, object{"type": "null"}, object{"type": "object", "additionalProperties": false, "required": []string{"is"},
			"properties": object{"is": is, "label": object{"type": []string{"string", "number", "boolean"}, "description": "what figures call the class"}}}}}}
}

// metricByClass is the pattern of metrics of classes, and of those of a figure that has classes for an axis.
func metricByClass(cat *params.Catalog) string {
	var names []string
	for _, m := range cat.ClassMetrics {
		names = append(names, m.Name)
	}
	class := strings.Trim(manifest.ClassPattern.String(), "^$")
	return "^(" + strings.Join(names, "|") + ")(" + manifest.ByClass("", class) + ")?$"
}
