# - make run: build, run the quickstart, leave tables and figures
# - make test: everything that a change must pass
# - make quick: the parts of it that take under a minute
# - make bench: benchmarks, each with its target
# - make test-clients: our files read by pandas, polars, DuckDB, evalys and others, which it installs (PyPI)
# - make test-engines: sweeps under real batch engines, which it installs (Debian, as root)
# - make test-slurm: a recorded site on a live slurmctld with a fast clock, which it installs (Debian, as root)
# - make test-report: a report in Chromium, which it installs (Debian, as root)
# - make test-serve: the pages of serve in Chromium, while a sweep runs
# - make test-modules: sweeps with pybatsim's schedulers and with gymnasium, which it installs
# - make test-durability: the verbs over a disk that returns EIO (FUSE, as root)
# - make test-simgrid: energy of small schedules by SimGrid's plugin, which it installs (Debian, as root)
# - make site: the documentation as a site that works from files, into dist/site (PyPI)
# - make test-site: the same in Chromium, which it installs (Debian, as root)
# - make dist: the release, with programs, archives, packages, wheels and their checksums, into dist/
# - make test-dist: the release in a minimal Debian that it installs (as root)
# - make module PATH=example.org/you/schedsweep: rename the Go module
.PHONY: all site test-site dist test-dist module build run test quick test-clients test-engines test-slurm test-report test-serve test-modules test-simgrid test-durability lint fmt bench fuzz intervals steady questions resampling results gallery verdicts small clean

all: build

# HTTP/2 and the manual pages of the cli package are left out: serve has no TLS, and make dist writes manual pages itself.
# With tinygo, Arrow uses the JSON package of the standard library instead of one that takes 1.3 MB. Nothing else depends on it.
TAGS := tinygo,nethttpomithttp2,urfave_cli_no_docs,urfave_cli_no_suggest

build:
	CGO_ENABLED=0 go build -buildvcs=auto -trimpath -tags $(TAGS) -ldflags "-s -w -X $$(go list -m)/cmd.sourceSum=$$(.ci/dist/source --sum)" \
		-o schedsweep ./cmd/schedsweep

run: build
	./schedsweep run manifests/quickstart.yaml
	./schedsweep analyze manifests/quickstart.yaml

# The slowest package takes 2 to 4 minutes on two cores. What hangs ends after 20. Garbage is collected less often than usual,
# which saves a tenth of the time. SCHEDSWEEP_CASES=all plays more cases, as CI does.
test: export GOGC ?= 400
test: lint
	go test -timeout 20m $(TESTFLAGS) ./...

quick:
	go vet ./...
	go test -short -timeout 2m ./...

test-clients:
	.ci/clients/run

# make test-engines ENGINES=htcondor FRESH=100
test-engines:
	FRESH=$(FRESH) .ci/engines/run $(ENGINES)

# make test-slurm SPEED=25
test-slurm:
	.ci/slurm/run $(SPEED)

# make test-report PAGES=some.html
test-report:
	.ci/report/run $(PAGES)

test-serve:
	.ci/serve/run

# make test-modules JOBS=1000
test-modules:
	JOBS=$(JOBS) .ci/modules/run

# make test-durability FAULTS=100
test-durability:
	FAULTS=$(FAULTS) .ci/durability/run

test-simgrid:
	.ci/simgrid/run

site:
	.ci/site/run --build $(CURDIR)/dist/site

test-site:
	.ci/site/run

# make dist TARGETS=linux-amd64,windows-amd64
dist:
	cd .ci/dist && GOFLAGS= go run . -to $(CURDIR)/dist -tags $(TAGS) -targets "$(TARGETS)"

test-dist:
	.ci/dist/run

# The shell has a PATH too: the script takes that of make's own environment.
module: export MODULE := $(PATH)
module: override PATH := /usr/local/bin:/usr/bin:/bin
module:
	@.ci/dist/module "$$MODULE"

lint:
	go vet ./...
	go tool staticcheck ./...
	@unformatted=$$(gofmt -l .); if [ -n "$$unformatted" ]; then echo "not gofmt-clean (make fmt):"; echo "$$unformatted"; exit 1; fi

fmt:
	gofmt -w .

# Benchmarks beside DuckDB find it in $PYTHON; without it the benchmark says so.
bench:
	@duck=$$(mktemp -d); trap 'rm -rf "$$duck"' EXIT; \
	python3 -m venv "$$duck" && "$$duck/bin/pip" install --quiet duckdb==2.0.0 || echo "SKIPPED: DuckDB cannot be installed here"; \
	PYTHON="$$duck/bin/python" go test -run '^$$' -bench . -benchmem ./...

# FUZZ times what takes about a quarter of a minute a target. It counts inputs, for
# at the end of a given time Go 1.26 may take its own deadline for a failure
# (go.dev/issue/75804). Minimising each new input takes the time that finding others wants.
FUZZ ?= 1
fuzz1 = go test -run '^$$' -fuzz '^$(1)$$' -fuzztime $$(($(3) * $(FUZZ)))x -fuzzminimizetime 20x $(2)
fuzz:
	$(call fuzz1,FuzzParse,./sim/workload/swf,80000)
	$(call fuzz1,FuzzSideFile,./sim/workload/swf,50000)
	$(call fuzz1,FuzzRead,./sim/workload/logtable,120000)
	$(call fuzz1,FuzzRedact,./harness/input,4000)
	$(call fuzz1,FuzzParquet,./harness/input,15000)
	$(call fuzz1,FuzzMap,./harness/input,2500)
	$(call fuzz1,FuzzWorkload,./sim/batsim,150000)
	$(call fuzz1,FuzzSimGrid,./sim/platform,150000)
	$(call fuzz1,FuzzFiles,./sim/platform,100000)
	$(call fuzz1,FuzzSchedule,./analysis/gantt,30000)
	$(call fuzz1,FuzzAnswers,./sim/policy/external,60000)
	$(call fuzz1,FuzzSlurm,./harness/siteconf,12000)
	$(call fuzz1,FuzzLoad,./sweep,12000)
	$(call fuzz1,FuzzRun,./harness/run,2500)
	$(call fuzz1,FuzzScan,./harness/store,10000)

# The coverage of the intervals, by simulation, into results/intervals.
intervals:
	go test ./analysis/claim -run TestIntervalsCover -update

# How often means of a steady state hold the truth, by an hour of simulation, into results/intervals.
steady: build
	./schedsweep run cmd/testdata/steady.yaml --quiet >/dev/null
	./schedsweep run cmd/testdata/steady-held.yaml --quiet >/dev/null
	STEADY=$(CURDIR)/results/runs/steady STEADY_HELD=$(CURDIR)/results/runs/steady-held go test ./cmd -run 'TestSteady(Covers|HeldOut)' -count=1

# How often questions are answered rightly, by simulation, into results/questions.
questions: build
	./schedsweep run analysis/question/testdata/orders.yaml --quiet >/dev/null && ./schedsweep export analysis/question/testdata/orders.yaml --to results/runs/orders/orders.csv
	ORDERS=$(CURDIR)/results/runs/orders/orders.csv QUESTIONS=$(CURDIR)/results/questions/coverage.md go test ./analysis/question -run TestCoverage -count=1 -timeout 1h

# What logs drawn from users keep, and what intervals over them are worth, into results/resampling.
resampling:
	go test ./sim/workload -run 'TestResampled(Logs|Coverage)' -update

# The published reproductions under results/, from the real logs in $SCHEDSWEEP_DATA.
STUDIES := quickstart:quickstart curie:curie replay:replay fidelity:fidelity fidelity-curie:fidelity/curie fidelity-halves:fidelity/halves \
	machines:machines energy:energy energy-curie:energy/curie energy-cap:energy/cap energy-watts:energy/watts \
	blanco2012:blanco2012/techniques blanco2012-slots:blanco2012/slots blanco2012-choices:blanco2012/choices \
	blanco2012-online:blanco2012/online blanco2012-size:blanco2012/size \
	dutot2015-homogeneous:dutot2015/homogeneous dutot2015-heterogeneous-low:dutot2015/heterogeneous-low \
	dutot2015-heterogeneous-high:dutot2015/heterogeneous-high dutot2015-orderings:dutot2015/orderings dutot2015-choices:dutot2015/choices \
	jones2004:jones2004/mini-grid jones2004-finer:jones2004/finer jones2004-traces:jones2004/traces \
	zeng2009:zeng2009/main zeng2009-blocks:zeng2009/blocks zeng2009-slack:zeng2009/slack \
	zeng2009-saturation:zeng2009/saturation zeng2009-choices:zeng2009/choices zeng2009-open:zeng2009/open zeng2009-logs:zeng2009/logs \
	sodan2003:sodan2003/cases sodan2003-case1:sodan2003/case1 sodan2003-case2:sodan2003/case2 sodan2003-case3:sodan2003/case3 \
	sodan2003-shares:sodan2003/shares sodan2003-sites:sodan2003/sites \
	resampling:resampling sensitivity:sensitivity \
	questions:questions jones2004-crossings:questions/jones2004-2 jones2004-crossings-8:questions/jones2004-8 curie-orders:questions/curie

# make results ONLY=blanco2012 makes those whose names begin so.
MADE = $(filter $(ONLY)%,$(STUDIES))

results: build
	for s in $(MADE); do ./schedsweep run manifests/$${s%%:*}.yaml --quiet >/dev/null || exit 1; done
	for s in $(MADE); do ./schedsweep analyze manifests/$${s%%:*}.yaml --to results/$${s##*:} --quiet >/dev/null || exit 1; rm -f results/$${s##*:}/*.txt results/$${s##*:}/figures/*.vl.json; done
ifneq ($(filter fidelity:%,$(MADE)),)
	./schedsweep fidelity manifests/fidelity.yaml --to results/fidelity --quiet >/dev/null && rm -f results/fidelity/*.txt results/fidelity/figures/*.vl.json
endif
ifneq ($(filter fidelity-curie:%,$(MADE)),)
	./schedsweep fidelity manifests/fidelity-curie.yaml --to results/fidelity/curie --quiet >/dev/null
	cd results/fidelity/curie && rm -f *.txt fidelity-jobs.* fidelity-classes.* fidelity-use.* && find figures -type f ! -name 'fidelity-moving.[cs]*' -delete
endif
ifneq ($(filter blanco2012:%,$(MADE)),)
	cd results/blanco2012/schedule && for p in OAS:3203 FPFS:6003; do ../../../schedsweep simulate ../../../manifests/blanco2012.yaml --instance $${p##*:} --jobs $${p%%:*}.csv >/dev/null || exit 1; done
	cd results/blanco2012/schedule && for f in svg png; do ../../../schedsweep gantt OAS.csv FPFS.csv --clusters 4,4,4 --slot 335000 --to schedule.$$f || exit 1; done
endif
ifneq ($(filter sodan2003:%,$(MADE)),)
	cd results/sodan2003/plan && ../../../schedsweep simulate ../../../manifests/sodan2003-figure3.yaml --shares ours.csv >/dev/null
	cd results/sodan2003/plan && for f in svg png; do ../../../schedsweep gantt published.csv ours.csv --to plan.$$f || exit 1; done
endif
ifneq ($(filter $(ONLY)%,sites),)
	go test -count=1 ./sim/policy/multifactor -run TestOracleSlurmWhole -update
	go test -count=1 ./harness/run -run TestFairShareOfPBS -update
endif
	$(MAKE) verdicts

# The pictures of docs/gallery, by the manifests on its page.
gallery:
	go test -count=1 ./cmd/scripts -run TestGallery -update

# results/README.md: all claims of all studies, from their tables.
verdicts:
	go test -count=1 ./cmd -run TestVerdicts -update

# Every study at a size for a look, each with what manifests/small says; make small ONLY=blanco2012 takes one. Rows,
# tables and figures are in results/runs/small.
MANIFESTS = $(wildcard manifests/*.yaml)
SMALL = $(patsubst manifests/%.yaml,%,$(filter manifests/$(ONLY)%,$(MANIFESTS)))

small: build
	for m in $(SMALL); do \
		set -- --set replications=1; [ ! -f manifests/small/$$m ] || set -- $$(cat manifests/small/$$m); \
		echo "-- $$m: $$*"; \
		./schedsweep run manifests/$$m.yaml --set analysis.log_itself=false "$$@" --out results/runs/small/$$m --quiet || exit 1; \
		./schedsweep analyze manifests/$$m.yaml --set analysis.log_itself=false "$$@" --out results/runs/small/$$m --quiet >/dev/null || exit 1; \
	done

clean:
	rm -rf schedsweep dist results/runs
