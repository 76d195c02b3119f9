# SPDX-License-Identifier: Apache-2.0
#
# smoke.sh - do the programs that measure run, are their reports JSON, and does nothing
# allocate that is not to?  How fast anything is, is no business of a test.

set -u
programs=$LIMEN_BUILDDIR/tests/bench
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM
number=0

for program in review quantity decide ranger events memory cidr load redis growth dns; do
	number=$((number + 1))
	if "$programs/bench_$program" --smoke --json "$scratch/report.json" \
		> "$scratch/out" 2>&1 &&
		python3 -c '
import json, sys

rows = json.load(open(sys.argv[1]))["rows"]
assert rows
for row in rows:
    assert row["unit"] != "calls" or row["median"] < row.get("goal", row["median"]) + 0.5, row
' "$scratch/report.json" >> "$scratch/out" 2>&1; then
		echo "ok $number - bench_$program runs"
	else
		echo "not ok $number - bench_$program runs"
		sed 's/^/# /' "$scratch/out"
	fi
	rm -f "$scratch/report.json"
done
# What "make bench-instructions" lets valgrind count.
number=$((number + 1))
if "$programs/bench_ranger" --count --json "$scratch/report.json" > "$scratch/out" 2>&1 &&
	grep -q '"instructions"' "$scratch/report.json"; then
	echo "ok $number - rows are called as often as is to be counted"
else
	echo "not ok $number - rows are called as often as is to be counted"
	sed 's/^/# /' "$scratch/out"
fi
echo "1..$number"
