# What failed in the log of "go test -v": the tests that failed with their output, packages that do not build, and panics. Of a
# package that ends without a test that failed, as where the system kills it, the tests that had not ended.
# The output of a test is what follows a line that names it.
/^=== (RUN|NAME|CONT|PAUSE) / { test = $3; if ($2 == "RUN") running[test]; next }
/^ *--- FAIL: / { printf "%s\n%s", $0, output[$3]; failed = 1 }
/^ *--- (PASS|SKIP|FAIL): / { delete output[$3]; delete running[$3]; next }
/^FAIL\t/ && !failed { for (t in running) printf "did not end: %s\n%s", t, output[t] }
/^(FAIL|ok)\t/ { split("", running); failed = 0 }
/^(FAIL|panic:|fatal error:|signal: |exit status |# |make: )/ || /: (build|setup) failed/ { others = others $0 "\n"; test = /^(panic|fatal)/ ? "panic" : ""; next }
/^(ok|PASS|\?)/ { test = ""; next }
test == "panic" { if (++lines < 100) others = others $0 "\n"; next }
{ output[test] = output[test] $0 "\n" }
END { printf "%s%s", output[""], others }
