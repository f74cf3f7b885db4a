package serve

import (
	"bytes"
	_ "embed"
	"html/template"
	"net/http"
	"strings"
	"sync"

	"schedsweep/analysis/report"
)

var (
	//go:embed serve.html
	pages string
	//go:embed serve.css
	ownStyle string
	//go:embed serve.js
	ownScript string
	//go:embed vendored/htmx.min.js
	htmx string
	//go:embed vendored/hx-sse.min.js
	events string
)

var (
	style  = report.Style + ownStyle
	script = strings.Join([]string{htmx, events, report.Script, ownScript}, ";\n")
	// Policy lets a page run this script and this style only, and ask this server only.
	Policy = "default-src 'none'; style-src " + report.HashOf(style) + "; script-src " + report.HashOf(script) +
		"; img-src data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

	parts = sync.OnceValue(func() *template.Template {
		return template.Must(report.Parts().Funcs(template.FuncMap{"script": func() template.JS { return template.JS(script) },
			"style": func() template.CSS { return template.CSS(style) }}).Parse(pages))
	})
)

// Link leads to another page of the server.
type Link struct {
	Href, Text string
	Here       bool
}

// Shell is the frame around a part of a page.
type Shell struct {
	Title, Program string
	Up             string // leads to the list of folders; "" where there is one
	Nav            []Link
	Replay         string // the command that runs an instance again, but for its id
	Inside         string // leads to the page of an instance, but for its id; "" where the page shows none
	Main           template.HTML
}

// Part is a part of a page by the template of that name.
func Part(name string, data any) (template.HTML, error) {
	var b bytes.Buffer
	err := parts().ExecuteTemplate(&b, name, data)
	return template.HTML(b.String()), err
}

// Send answers with the part, in its shell unless htmx asks for the part alone.
func (s Shell) Send(w http.ResponseWriter, r *http.Request, code int, name string, data any) {
	var b bytes.Buffer
	main, err := Part(name, data)
	whole := r.Header.Get("HX-Request") == "" || r.Header.Get("HX-History-Restore-Request") != ""
	if s.Main = main; err == nil && whole {
		err = parts().ExecuteTemplate(&b, "shell", s)
	} else {
		b.WriteString(string(main))
	}
	if err != nil {
		code = http.StatusInternalServerError
		b.Reset()
		template.HTMLEscape(&b, []byte(err.Error()))
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Vary", "HX-Request")
	w.WriteHeader(code)
	_, _ = w.Write(b.Bytes()) // a browser that went away
}
