package scripts

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"schedsweep/sim/simtest"
)

const fuzzedStudy = `name: fuzzed
replications: 4
workload: {kind: lublin, mode: typeless, machine_procs: 128, jobs: 30}
axes:
  workload.offered_load: [0.5, 0.8]
  policy: [{label: "<img src=x>", value: {kind: easy}}, {label: fcfs, value: {kind: fcfs}}]
  platform.processors: [32, 128]
metrics: [mean_wait_time, utilisation]
analysis:
  baseline: {policy: fcfs}
claims: [{id: shorter, statement: waits are short, mean: {metric: mean_wait_time, of: {policy: fcfs}}, below: 1e9}]
`

// fuzzedFields are the fields of all pages, with values that mean something to some of them.
var fuzzedFields = map[string][]string{
	"id": {"0", "5", "31", "99", "-1", "../secret.txt"}, "file": {"../secret.txt", "/etc/passwd"}, "run": {"true"}, "narrow": {"true"},
	"against": {"4", "8", "99"}, "by": {"user", "job", "colour"}, "from": {"0", "1000", "-1", "nan", "1e300"},
	"to": {"500", "1e9", "-inf"}, "at": {"100", "1e300", "x"}, "job": {"1", "30", "99999999999999999999"}, "event": {"0", "7", "-5", "1e9"},
	"sort": {"wait", "job", "replication", "x"}, "descending": {"true"}, "page": {"0", "7", "-3", "99999999999999999999"},
	"x": {"workload.offered_load", "policy", "mean_wait_time", "replication"}, "y": {"mean_wait_time", "utilisation", "nothing"},
	"kind": {"", "means", "box", "ecdf", "parallel", "scatter", "heat", "nothing"}, "series": {"policy", "class"},
	"panels": {"platform.processors"}, "rows": {"policy"}, "paired": {"ratio", "difference"}, "band": {"true"}, "x_scale": {"log", "classes"},
	"y_scale": {"log"}, "scales": {"free"}, "means": {"[0, 1]", "[1, 0]", "}]"}, "title": {"<img src=x>", "}{:,#"},
	"where.policy": {"fcfs", "<img src=x>", "}]"}, "where.platform.processors": {"32", "x"}, "where.outcome": {"ok", "failed", "x"},
	"from.workload.offered_load": {"0.6", "x"}, "baseline.policy": {"fcfs", "}"},
	"like": {"0", "zzz"}, "with": {"../secret.txt", "/etc"}, "across": {"policy.kind", ",,"}, "metric": {"utilisation", "nothing"},
	"margin": {"2%", "x", "-1%"}, "independent": {"true"}, "allow-failures": {"true"}, "strict": {"true"}, "token": {"x"},
}

// TestServeFuzzed: 400 hostile requests to all pages, or 1,000 with all cases, change no file, show no file outside the folders, and leave
// the server at work. Half of them have valid paths with several fields, and every page answers some of them.
func TestServeFuzzed(t *testing.T) {
	if testing.Short() {
		t.Skip("it makes hundreds of requests")
	}
	within := t.TempDir()
	manifest, dir := filepath.Join(within, "m.yaml"), filepath.Join(within, "run")
	const secret = "what no page may show"
	for path, text := range map[string]string{manifest: fuzzedStudy, filepath.Join(within, "secret.txt"): secret} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, out := range []string{dir, dir + "-other"} {
		if code, _, stderr := call(t, "run", manifest, "--out", out, "--quiet"); code == exitMisuse {
			t.Fatal(stderr)
		}
	}
	base, _ := servedBy(t, dir, dir+"-other")
	host, path, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(base, "http://"), "0/"), "/")
	before := treeOf(t, within)
	rng := rand.New(rand.NewPCG(1, 2))
	pick := func(of ...string) string { return of[rng.IntN(len(of))] }
	noise := func() string {
		b := make([]byte, rng.IntN(12))
		for i := range b {
			b[i] = byte(1 + rng.IntN(255))
		}
		return string(b)
	}
	var names []string
	for name := range fuzzedFields {
		names = append(names, name)
	}
	slices.Sort(names)
	fields := func(page string) string {
		q := url.Values{}
		if page == "instance" || page == "jobs" {
			q.Set("id", pick("0", "5"))
			q.Set("run", pick("true", "", noise()))
		}
		for range rng.IntN(8) {
			name := pick(names...)
			q.Add(name, pick(append(fuzzedFields[name], noise())...))
		}
		return "?" + q.Encode()
	}
	seldom := func(of ...string) string { // nothing in three of four cases
		if rng.IntN(4) > 0 {
			return ""
		}
		return pick(of...)
	}
	pages := []string{"live", "explore", "explore.svg", "explore.pdf", "explore.png", "explore.csv", "explore.vl.json", "results", "compare",
		"instance", "jobs", "live/events"}
	codes, answered := map[string]int{}, map[string]int{}
	requests := simtest.Cases(400, 1000)
	for i := range requests {
		page, request := "", ""
		if i%2 == 0 {
			page = pages[i/2%len(pages)]
			request = "GET /" + path + pick("0/", "1/") + page + fields(page) + " HTTP/1.1\r\nHost: " + host + "\r\n" +
				seldom("HX-Request: true\r\n") +
				"Connection: close\r\n\r\n"
		} else {
			target := pick("/"+path+"0/", "/"+path+"0/", "/"+path+"7/", "/"+path, "/", path, "http://evil/"+path) +
				pick(append(pages, "report", "gantt",
					"instance.svg",
					"explore.", "../../secret.txt", "..%2f..%2fsecret.txt", "%2e%2e/secret.txt", "0/../../secret.txt",
					"//etc/passwd", noise())...) +
				seldom("?", "?id=../secret.txt", "?x="+noise()+"&y=%00", "?id="+strings.Repeat("9", rng.IntN(6000)))
			request = pick("GET", "GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", noise()) + " " + target + " HTTP/1.1\r\n" +
				"Host: " + pick(host, host, host, host, "evil", noise()) + "\r\n" + seldom("HX-Request: true\r\n", "Content-Length: 5\r\n",
				"Content-Length: -1\r\n", "Transfer-Encoding: chunked\r\n", "Range: bytes=0-1\r\n",
				"X: "+strings.Repeat("x", rng.IntN(40000))+"\r\n",
				noise()+"\r\n") + "Connection: close\r\n\r\n" + seldom(noise(), "5\r\nhello\r\n0\r\n\r\n")
		}
		answer := answeredTo(t, host, request, page == "")
		hostile := bytes.Contains(answer, []byte("text/html")) && bytes.Contains(answer, []byte("<img"))
		if hostile || bytes.Contains(answer, []byte(secret)) || bytes.Contains(answer, []byte("root:")) {
			t.Fatalf("%q shows a file outside the folder, or a hostile text as more than text", request)
		}
		if parts := strings.Fields(string(answer)); len(parts) > 1 {
			if codes[parts[1]]++; parts[1] == "200" {
				answered[page]++
			} else if parts[1] == "500" {
				t.Errorf("%q: %s", request, answer)
			}
		}
	}
	if codes["200"] < 100 || codes["422"] < 50 || codes["403"] < 20 || codes["405"] < 20 {
		t.Errorf("the answers were %v", codes)
	}
	for _, page := range pages {
		if answered[page] == 0 {
			t.Errorf("no request for %s has an answer", page)
		}
	}
	if after := treeOf(t, within); after != before {
		t.Errorf("files changed:\n%s\n%s", before, after)
	}
	if code, _ := pageAt(t, base+"live"); code != http.StatusOK {
		t.Errorf("the server answers %d", code)
	}
}

// answeredTo returns the server's answer to these bytes within a short time: streams of events never end. A browser that
// ends its side of the connection ends a re-run.
func answeredTo(t *testing.T, host, request string, ends bool) []byte {
	t.Helper()
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(5 * time.Second))
	if strings.Contains(request, "live/events") {
		_ = conn.SetDeadline(time.Now().Add(50 * time.Millisecond))
	}
	_, _ = io.WriteString(conn, request) // the server may have refused it before its end
	if ends {
		_ = conn.(*net.TCPConn).CloseWrite()
	}
	answer, _ := io.ReadAll(conn)
	return answer
}

// treeOf is the names, sizes, times and contents of all files.
func treeOf(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		info, err := d.Info()
		fmt.Fprintf(&b, "%s %x %v\n", path, sha256.Sum256(text), info.ModTime())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
