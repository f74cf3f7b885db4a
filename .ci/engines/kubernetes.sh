#!/bin/bash
# Kubernetes, as far as its schema goes; what the schema does not say is a test of
# package jobfile.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=lib.sh
. "$here/lib.sh"
cd "$WORK"
sweep eight 500 1
"$SS" engine print kubernetes eight.yaml --image registry/schedsweep:1 --claim sweep --shards 8 --to eight-job.yaml
kubernetes-validate -k 1.33 --strict eight-job.yaml
sed 's/completions:/completion:/' eight-job.yaml >wrong.yaml
! kubernetes-validate -k 1.33 --strict wrong.yaml >/dev/null 2>&1 || fail "the validator finds nothing"
