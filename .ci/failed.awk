# What failed in the log of "go test -v": the tests that failed with their output, packages that do not build, and panics.
# The output of a test is what follows a line that names it.
/^=== (RUN|NAME|CONT|PAUSE) / { test = $3; next }
/^ *--- FAIL: / { printf "%s\n%s", $0, output[$3] }
/^ *--- (PASS|SKIP|FAIL): / { delete output[$3]; next }
/^(FAIL|panic:|fatal error:|# |make: )/ || /: (build|setup) failed/ { others = others $0 "\n"; test = /^(panic|fatal)/ ? "panic" : ""; next }
/^(ok|PASS|\?)/ { test = ""; next }
test == "panic" { if (++lines < 100) others = others $0 "\n"; next }
{ output[test] = output[test] $0 "\n" }
END { printf "%s%s", output[""], others }
