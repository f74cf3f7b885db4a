package external

import (
	"os"
	"slices"
	"strings"
)

// passed are the variables that a module gets, where this program has them. Others may be secrets, such as keys of a
// cloud, or change what a module decides without a trace in the manifest.
var passed = strings.Fields("HOME LANG LANGUAGE LOGNAME PATH SHELL TEMP TMP TMPDIR TZ USER " +
	"LD_LIBRARY_PATH DYLD_LIBRARY_PATH " + // shared libraries
	"PYTHONDONTWRITEBYTECODE PYTHONHOME PYTHONPATH VIRTUAL_ENV CONDA_PREFIX R_HOME R_LIBS R_LIBS_USER " +
	"JAVA_HOME CLASSPATH JULIA_DEPOT_PATH JULIA_PROJECT NODE_PATH " +
	"OMP_NUM_THREADS " +
	"SYSTEMROOT PATHEXT COMSPEC USERPROFILE LOCALAPPDATA APPDATA") // Windows

// environment is that of a module: passed, LC_*, and more.
func environment(more ...string) []string {
	var all []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if strings.HasPrefix(name, "LC_") || slices.Contains(passed, strings.ToUpper(name)) {
			all = append(all, v)
		}
	}
	return append(all, more...)
}
