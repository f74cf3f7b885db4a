package schema

import (
	"strings"

	"schedsweep/sweep/manifest"
	"schedsweep/sweep/params"
	"schedsweep/sweep/text"
)

func (g writer) classes() object {
	names := text.Names(g.cat.JobFields, func(f params.JobField) string { return f.Name })
	is := object{"type": "string", "description": "comparisons of fields of jobs, joined by and, and these by or", "pattern": `^\s*(` +
		strings.Join(names, "|") + `)\s*(<|>|==|!=)`}
	return object{"type": "object", "description": "classes of jobs, of which metrics are too: name -> condition",
		"propertyNames": object{"pattern": manifest.ClassPattern.String()}, "maxProperties": manifest.MaxClasses,
		"additionalProperties": object{
			"anyOf": []any{is, object{"type": "null"},
				closed(object{"is": is, "label": object{"type": []string{"string", "number", "boolean"}, "description": "what figures call the class"}},
					"is")}}}
}

// metricByClass is the pattern of metrics of classes, and of those of a figure that has classes for an axis.
func metricByClass(cat *params.Catalog) string {
	names := text.Names(cat.ClassMetrics, func(m params.Metric) string { return m.Name })
	class := strings.Trim(manifest.ClassPattern.String(), "^$")
	return "^(" + strings.Join(names, "|") + ")(" + manifest.ByClass("", class) + ")?$"
}
