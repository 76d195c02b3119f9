#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh - limend with real API servers ("make check-kubernetes").  It wants
#
#	LIMEN_KUBE_DIR     a directory with bin/kube-apiserver and bin/kubectl
#	LIMEN_KUBE_TOOLS   a directory with up.sh and down.sh, which start and end one
#	                   server and its etcd (docs/testing.md says how they are called)
#
#	LIMEN_KUBECTL      a kubectl of 1.27 or newer, for kustomizations (default: kubectl)
#	LIMEN_HELM         Helm 3 or 4 (default: helm; without it its tests are skipped)
#
# and says SKIP where they are not given.  TAP on standard output; the exit status
# is 1 if a test failed.
set -u
: "${LIMEN_SRCDIR:?}" "${LIMEN_BUILDDIR:?}" "${LIMEN:?}" "${LIMEND:?}"

skip() {
	echo "1..0 # SKIP $1"
	exit 0
}

[ -n "${LIMEN_KUBE_DIR:-}" ] || skip 'LIMEN_KUBE_DIR names no directory with an API server'
[ -n "${LIMEN_KUBE_TOOLS:-}" ] || skip 'LIMEN_KUBE_TOOLS names no directory with up.sh and down.sh'
for file in "$LIMEN_KUBE_DIR/bin/kube-apiserver" "$LIMEN_KUBE_DIR/bin/kubectl" \
	"$LIMEN_KUBE_TOOLS/up.sh" "$LIMEN_KUBE_TOOLS/down.sh"; do
	[ -x "$file" ] || skip "$file is not there"
done
LIMEN_KUBECTL=${LIMEN_KUBECTL:-kubectl}
LIMEN_HELM=${LIMEN_HELM:-helm}
export LIMEN_KUBECTL LIMEN_HELM
"$LIMEN_KUBECTL" kustomize "$LIMEN_SRCDIR/deploy/kubernetes/base" > /dev/null 2>&1 ||
	skip "$LIMEN_KUBECTL (LIMEN_KUBECTL) cannot build kustomizations"
for command in python3 openssl etcd curl; do
	command -v "$command" > /dev/null || skip "there is no $command"
done
PYTHONDONTWRITEBYTECODE=1 python3 -u "$LIMEN_SRCDIR/tests/kubernetes/main.py" "$@" | awk '
	{ print; fflush() }
	/^not ok/ { failed = 1 }
	/^1\.\./ { is_whole = 1 }
	END { exit failed || !is_whole }'
