package artifact

import (
	"encoding/json"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// crateFile describes the artifact as an RO-Crate 1.1 of the profile Process Run Crate
// 0.5 (https://w3id.org/ro/wfrun/process/0.5): what was run, by which program, on what,
// with which results.
const crateFile = "ro-crate-metadata.json"

// isoTime is RFC 3339 to the second, with the zone as a difference.
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

func (c *Contents) crate(w io.Writer, folder string) error {
	names, err := filesOf(folder)
	if err != nil {
		return err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == crateFile || strings.HasPrefix(path.Base(name), ".") })
	names = append(names, SumsFile) // which is written later
	const profile, program = "https://w3id.org/ro/wfrun/process/0.5", "#schedsweep"
	root := entity{"@id": "./", "@type": "Dataset", "name": c.title(), "description": c.description(), "datePublished": c.ended().Format(time.DateOnly),
		"conformsTo": ref(profile), "hasPart": refs(names), "author": refs(c.authorIDs())}
	graph := []entity{
		{"@id": crateFile, "@type": "CreativeWork", "about": ref("./"), "conformsTo": ref("https://w3id.org/ro/crate/1.1")},
		root,
		{"@id": profile, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"},
		{"@id": program, "@type": "SoftwareApplication", "name": "schedsweep", "softwareVersion": c.Provenance.Program,
			"description": "parameter sweeps of parallel-job scheduling simulations; README.md says how this version is built"},
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
		id := in.Path
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
		graph = append(graph, entity{"@id": id, "@type": "CreateAction", "name": fmt.Sprintf("Run of %s, shard %d of %d, %d instances", c.Manifest.Name, r.Shard, r.Shards, r.Ran()),
			"description": strings.Join(r.Command, " "), "startTime": r.Started.Format(isoTime), "endTime": end.Format(isoTime),
			"instrument": ref(program), "agent": refs(c.authorIDs()), "object": refs(objects), "result": refs(results)})
	}
	root["mentions"] = refs(actions)
	for _, name := range names {
		e := entity{"@id": name, "@type": "File", "name": name, "encodingFormat": formatOf(name)}
		if name != SumsFile {
			_, size, err := sumOf(filepath.Join(folder, filepath.FromSlash(name)))
			if err != nil {
				return err
			}
			e["contentSize"] = fmt.Sprint(size)
		}
		graph = append(graph, e)
	}
	return writeJSON(w, entity{"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph})
}

// formatOf is the media type of a file, by its name.
func formatOf(name string) string {
	known := map[string]string{".parquet": "application/vnd.apache.parquet", ".yaml": "application/yaml", ".md": "text/markdown", ".csv": "text/csv", ".txt": "text/plain",
		".svg": "image/svg+xml", ".png": "image/png", ".pdf": "application/pdf", ".json": "application/json", ".cff": "application/yaml", ".html": "text/html"}
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
