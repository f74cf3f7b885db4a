package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// wheel packs the Python package of cmd/python with the program, as the wheels of other programs have it (PEP 427).
func (r *release) wheel(t target, program []byte) {
	version := python(r.version)
	info, data := "schedsweep-"+version+".dist-info/", "schedsweep-"+version+".data/"
	var files []file
	below := filepath.Join(r.root, "cmd", "python")
	for _, name := range strings.Fields(string(output(below, nil, "git", "ls-files", "schedsweep"))) {
		text, err := os.ReadFile(filepath.Join(below, filepath.FromSlash(name)))
		check(err)
		files = append(files, file{name, 0o644, text})
	}
	if len(files) == 0 {
		check(fmt.Errorf("%s holds no package", below))
	}
	files = append(files, file{data + "scripts/" + t.exe(), 0o755, program})
	for _, f := range r.shared {
		if name := installed(f.name); !strings.Contains(name, "/doc/") && t.os != "windows" || f.name == "source.tar" {
			files = append(files, file{data + "data/" + strings.TrimSuffix(name, ".gz"), f.mode, f.data})
		}
	}
	readme, err := os.ReadFile(filepath.Join(below, "README.md"))
	check(err)
	for _, f := range r.shared {
		if strings.HasPrefix(f.name, "LICENSE") {
			files = append(files, file{info + "licenses/" + f.name, 0o644, f.data})
		}
	}
	tags := ""
	for _, tag := range t.wheel {
		tags += "Tag: py3-none-" + tag + "\n"
	}
	files = append(files,
		file{info + "METADATA", 0o644, fmt.Appendf(nil, `Metadata-Version: 2.4
Name: schedsweep
Version: %s
Summary: Parameter sweeps of parallel-job scheduling simulations
License-Expression: Apache-2.0
License-File: LICENSE
License-File: LICENSES.txt
Requires-Python: >=3.9
Provides-Extra: gym
Requires-Dist: gymnasium>=0.29; extra == "gym"
Requires-Dist: numpy; extra == "gym"
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Description-Content-Type: text/markdown

%s`, version, readme)},
		file{info + "WHEEL", 0o644, []byte("Wheel-Version: 1.0\nGenerator: schedsweep dist\nRoot-Is-Purelib: false\n" + tags)})
	var record bytes.Buffer
	for _, f := range files {
		sum := sha256.Sum256(f.data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	files = append(files, file{info + "RECORD", 0o644, record.Bytes()})
	r.write(fmt.Sprintf("schedsweep-%s-py3-none-%s.whl", version, strings.Join(t.wheel, ".")), zipped(files, r.when))
}

var prerelease = regexp.MustCompile(`^([0-9.]+)-(alpha|beta|rc)\.?(\d+)$`)

// python is a version as Python writes it (PEP 440): 0.3.0-rc.1 as 0.3.0rc1.
func python(version string) string {
	if m := prerelease.FindStringSubmatch(version); m != nil {
		return m[1] + map[string]string{"alpha": "a", "beta": "b", "rc": "rc"}[m[2]] + m[3]
	}
	return version
}
