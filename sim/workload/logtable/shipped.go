package logtable

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed maps/*.yaml
var shipped embed.FS

// Shipped are the names of the maps that come with the program, in order.
func Shipped() []string {
	files, err := fs.ReadDir(shipped, "maps")
	if err != nil {
		panic("logtable: the maps are not embedded: " + err.Error())
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), ".yaml"))
	}
	return names
}

// ShippedText is the YAML of a map that comes with the program.
func ShippedText(name string) ([]byte, bool) {
	text, err := shipped.ReadFile("maps/" + name + ".yaml")
	return text, err == nil
}
