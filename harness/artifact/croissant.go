package artifact

import (
	"encoding/json"
	"io"
	"path/filepath"
	"time"

	"schedsweep/harness/store"
)

// croissantContext is the JSON-LD context that Croissant 1.0 prescribes
// (https://docs.mlcommons.org/croissant/docs/croissant-spec.html, appendix 1).
const croissantContext = `{"@language":"en","@vocab":"https://schema.org/","citeAs":"cr:citeAs","column":"cr:column","conformsTo":"dct:conformsTo",
"cr":"http://mlcommons.org/croissant/","rai":"http://mlcommons.org/croissant/RAI/","data":{"@id":"cr:data","@type":"@json"},
"dataType":{"@id":"cr:dataType","@type":"@vocab"},"equivalentProperty":"cr:equivalentProperty","samplingRate":"cr:samplingRate","dct":"http://purl.org/dc/terms/","examples":{"@id":"cr:examples","@type":"@json"},
"extract":"cr:extract","field":"cr:field","fileProperty":"cr:fileProperty","fileObject":"cr:fileObject","fileSet":"cr:fileSet","format":"cr:format",
"includes":"cr:includes","isLiveDataset":"cr:isLiveDataset","jsonPath":"cr:jsonPath","key":"cr:key","md5":"cr:md5","parentField":"cr:parentField",
"path":"cr:path","recordSet":"cr:recordSet","references":"cr:references","regex":"cr:regex","repeated":"cr:repeated","replace":"cr:replace",
"sc":"https://schema.org/","separator":"cr:separator","source":"cr:source","subField":"cr:subField","transform":"cr:transform"}`

var croissantTypes = map[store.Type]string{store.Float64: "sc:Float", store.Int64: "sc:Integer", store.Int32: "sc:Integer", store.Bool: "sc:Boolean", store.String: "sc:Text", store.Category: "sc:Text"}

// croissant describes the rows, column by column, as Croissant 1.0.
func (c *Contents) croissant(w io.Writer, folder string) error {
	var creators, files, sets []entity
	for _, a := range c.people() {
		creators = append(creators, entity{"@type": a.kind(), "name": a.name()})
	}
	for _, d := range c.Datasets {
		file := RowsFile(d.Name)
		sum, _, err := sumOf(filepath.Join(folder, filepath.FromSlash(file)))
		if err != nil {
			return err
		}
		files = append(files, entity{"@type": "cr:FileObject", "@id": file, "name": file, "description": d.Doc, "contentUrl": file, "encodingFormat": "application/x-parquet", "sha256": sum})
		var fields []entity
		for _, col := range d.Columns {
			doc := col.Doc
			if col.Unit != "" {
				doc += " (" + col.Unit + ")"
			}
			fields = append(fields, entity{"@type": "cr:Field", "@id": d.Name + "/" + col.Name, "name": col.Name, "description": doc, "dataType": croissantTypes[col.Type],
				"source": entity{"fileObject": ref(file), "extract": entity{"column": col.Name}}})
		}
		sets = append(sets, entity{"@type": "cr:RecordSet", "@id": d.Name, "name": d.Name, "description": d.Doc, "field": fields})
	}
	about := entity{"@context": json.RawMessage(croissantContext), "@type": "sc:Dataset", "conformsTo": "http://mlcommons.org/croissant/1.0", "name": c.title(), "description": c.description(),
		"version": croissantVersion, "datePublished": c.ended().Format(time.DateOnly), "creator": creators, "distribution": files, "recordSet": sets, "citeAs": "CITATION.cff"}
	if c.License != "" {
		about["license"] = licenseURL(c.License)
	}
	return writeJSON(w, about)
}

// croissantVersion is that of the data: an artifact is packed once and not revised.
const croissantVersion = "1.0.0"
