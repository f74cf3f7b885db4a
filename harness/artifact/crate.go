package artifact

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"schedsweep/harness/store"
	"schedsweep/sweep/text"
)

// crateFile describes the artifact as an RO-Crate 1.1 of the profile Process Run Crate
// 0.5 (https://w3id.org/ro/wfrun/process/0.5): the run, its program, its inputs and its
// results.
const crateFile = "ro-crate-metadata.json"

const isoTime = "2006-01-02T15:04:05-07:00"

type entity map[string]any

func ref(id string) entity { return entity{"@id": id} }

func refs(ids []string) any {
	if len(ids) == 1 {
		return ref(ids[0])
	}
	all := []entity{}
	for _, id := range ids {
		all = append(all, ref(id))
	}
	return all
}

func (c *Contents) crate(w io.Writer, folder string, names []string) error {
	names = append(names, SumsFile) // which is written later
	var files []string
	for _, name := range names {
		files = append(files, fileID(name))
	}
	const profile, program = "https://w3id.org/ro/wfrun/process/0.5", "#schedsweep"
	root := entity{"@id": "./", "@type": "Dataset", "name": c.Title(), "description": c.description(),
		"datePublished": c.ended().Format(time.DateOnly),
		"conformsTo":    ref(profile), "hasPart": refs(files), "author": refs(c.authorIDs())}
	graph := []entity{
		{"@id": crateFile, "@type": "CreativeWork", "about": ref("./"), "conformsTo": ref("https://w3id.org/ro/crate/1.1")},
		root,
		{"@id": profile, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"},
		{"@id": program, "@type": "SoftwareApplication", "name": "schedsweep", "softwareVersion": c.Provenance.Program,
			"description": "parameter sweeps of parallel-job scheduling simulations; README.md says how this version is built"},
	}
	if c.Program.Source != "" {
		graph[len(graph)-1]["identifier"] = c.Program.Source
	}
	if c.License == "" {
		root["license"] = "not stated: ask the authors"
	} else {
		id := licenseURL(c.License)
		root["license"] = ref(id)
		graph = append(graph, entity{"@id": id, "@type": "CreativeWork", "name": c.License, "description": "the licence of this artifact"})
	}
	for i, a := range c.people() {
		e := entity{"@id": c.authorIDs()[i], "@type": a.kind(), "name": a.name()}
		if a.Given != "" {
			e["givenName"], e["familyName"] = a.Given, a.Family
		}
		graph = append(graph, e)
	}
	objects := []string{ManifestFile}
	for _, in := range c.Inputs {
		id := fileID(in.Path)
		if !in.Packed {
			id = "#sha256-" + in.SHA256
			graph = append(graph, entity{"@id": id, "@type": "CreativeWork", "name": path.Base(in.Path), "identifier": "sha256:" + in.SHA256,
				"description": "input file that the manifest names; it is not in this artifact"})
		}
		objects = append(objects, id)
	}
	var results []string
	for _, d := range c.Datasets {
		results = append(results, RowsFile(d.Name))
	}
	var actions []string
	for i, r := range c.ran() {
		id := fmt.Sprintf("#run-%d", i+1)
		actions = append(actions, id)
		end := r.Ended
		if end.IsZero() {
			end = r.Updated // it was killed
		}
		graph = append(graph, entity{"@id": id, "@type": "CreateAction",
			"name":        fmt.Sprintf("Run of %s, shard %d of %d, %s", c.Manifest.Name, r.Shard, r.Shards, text.Counted(r.Ran(), "instance")),
			"description": strings.Join(r.Command, " "), "startTime": r.Started.Format(isoTime), "endTime": end.Format(isoTime),
			"instrument": ref(program), "agent": refs(c.authorIDs()), "object": refs(objects), "result": refs(results)})
	}
	root["mentions"] = refs(actions)
	for _, name := range names {
		e := entity{"@id": fileID(name), "@type": "File", "name": name, "encodingFormat": formatOf(name)}
		if name != SumsFile {
			_, size, err := store.SumOf(filepath.Join(folder, filepath.FromSlash(name)))
			if err != nil {
				return err
			}
			e["contentSize"] = fmt.Sprint(size)
		}
		graph = append(graph, e)
	}
	return writeJSON(w, entity{"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph})
}

// fileID returns the reference to a file of the artifact: a URI, with %20 for a blank.
func fileID(name string) string { return (&url.URL{Path: path.Clean(name)}).EscapedPath() }

func formatOf(name string) string {
	known := map[string]string{".parquet": "application/vnd.apache.parquet", ".yaml": "application/yaml", ".md": "text/markdown",
		".csv": "text/csv", ".txt": "text/plain",
		".svg": "image/svg+xml", ".png": "image/png", ".pdf": "application/pdf", ".json": "application/json", ".cff": "application/yaml",
		".html": "text/html"}
	if t, ok := known[path.Ext(name)]; ok {
		return t
	}
	if name == SumsFile {
		return "text/plain"
	}
	return "application/octet-stream"
}

func licenseURL(spdx string) string { return "https://spdx.org/licenses/" + spdx }

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// croissantContext is the JSON-LD context that Croissant 1.0 prescribes
// (https://docs.mlcommons.org/croissant/docs/croissant-spec.html, appendix 1).
const croissantContext = `{"@language":"en","@vocab":"https://schema.org/","citeAs":"cr:citeAs","column":"cr:column","conformsTo":"dct:conformsTo",
"cr":"http://mlcommons.org/croissant/","rai":"http://mlcommons.org/croissant/RAI/","data":{"@id":"cr:data","@type":"@json"},
"dataType":{"@id":"cr:dataType","@type":"@vocab"},"equivalentProperty":"cr:equivalentProperty","samplingRate":"cr:samplingRate","dct":"http://purl.org/dc/terms/","examples":{"@id":"cr:examples","@type":"@json"},
"extract":"cr:extract","field":"cr:field","fileProperty":"cr:fileProperty","fileObject":"cr:fileObject","fileSet":"cr:fileSet","format":"cr:format",
"includes":"cr:includes","isLiveDataset":"cr:isLiveDataset","jsonPath":"cr:jsonPath","key":"cr:key","md5":"cr:md5","parentField":"cr:parentField",
"path":"cr:path","recordSet":"cr:recordSet","references":"cr:references","regex":"cr:regex","repeated":"cr:repeated","replace":"cr:replace",
"sc":"https://schema.org/","separator":"cr:separator","source":"cr:source","subField":"cr:subField","transform":"cr:transform"}`

var croissantTypes = map[store.Type]string{store.Float64: "sc:Float", store.Int64: "sc:Integer", store.Int32: "sc:Integer",
	store.Bool: "sc:Boolean", store.String: "sc:Text", store.Category: "sc:Text"}

// croissant describes the rows, column by column, as Croissant 1.0.
func (c *Contents) croissant(w io.Writer, folder string) error {
	var creators, files, sets []entity
	for _, a := range c.people() {
		creators = append(creators, entity{"@type": a.kind(), "name": a.name()})
	}
	for _, d := range c.Datasets {
		file := RowsFile(d.Name)
		sum, _, err := store.SumOf(filepath.Join(folder, filepath.FromSlash(file)))
		if err != nil {
			return err
		}
		files = append(files, entity{"@type": "cr:FileObject", "@id": file, "name": file, "description": d.Doc, "contentUrl": file,
			"encodingFormat": "application/x-parquet", "sha256": sum})
		var fields []entity
		for _, col := range d.Columns {
			doc := col.Doc
			if col.Unit != "" {
				doc += " (" + col.Unit + ")"
			}
			fields = append(fields, entity{"@type": "cr:Field", "@id": d.Name + "/" + col.Name, "name": col.Name, "description": doc,
				"dataType": croissantTypes[col.Type],
				"source":   entity{"fileObject": ref(file), "extract": entity{"column": col.Name}}})
		}
		sets = append(sets, entity{"@type": "cr:RecordSet", "@id": d.Name, "name": d.Name, "description": d.Doc, "field": fields})
	}
	about := entity{"@context": json.RawMessage(croissantContext), "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.0",
		"name": c.Title(), "description": c.description(),
		"version": croissantVersion, "datePublished": c.ended().Format(time.DateOnly), "creator": creators, "distribution": files,
		"recordSet": sets, "citeAs": c.bibtex()}
	if c.License != "" {
		about["license"] = licenseURL(c.License)
	}
	return writeJSON(w, about)
}

// croissantVersion is that of the data: an artifact is packed once and not revised.
const croissantVersion = "1.0.0"

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

// kind returns the author's type in schema.org.
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

// bibtex cites the artifact as Croissant wants it: an entry of BibTeX.
func (c *Contents) bibtex() string {
	var names []string
	for _, a := range c.people() {
		if name := strings.Trim(a.Family+", "+a.Given, ", "); a.Given != "" {
			names = append(names, name)
		} else {
			names = append(names, "{"+name+"}") // a group's name is not taken apart
		}
	}
	return fmt.Sprintf("@misc{%s, author = {%s}, title = {{%s}}, year = {%d}, note = {%s}}", c.Manifest.Name, strings.Join(names, " and "),
		c.Title(), c.ended().Year(), c.description())
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
	cff := yaml.MapSlice{{Key: "cff-version", Value: "1.2.0"}, {Key: "message", Value: "If you use these data, please cite them as below."},
		{Key: "type", Value: "dataset"},
		{Key: "title", Value: c.Title()}, {Key: "abstract", Value: c.description()}, {Key: "authors", Value: authors},
		{Key: "date-released", Value: c.ended().Format(time.DateOnly)}}
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
