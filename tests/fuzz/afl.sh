#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# afl.sh FUZZER... - lets AFL++ look for $FUZZ_SECONDS with each fuzzer, which its
# compiler has built, and fails if an input crashed or hung.  Such inputs stay in
# fuzz-afl/NAME/default/crashes and hangs; the next run goes on where this one ended.
set -u
# No terminal, no rights to tune the machine, and no say in where it leaves cores.
export AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1
export AFL_AUTORESUME=1
# Modules are loaded when the first input runs; without this the process would end then.
export AFL_IGNORE_PROBLEMS=1
status=0

# Prints how many files with an input there are in the directory.
count() {
	find "$1" -name 'id:*' 2> /dev/null | wc -l
}

for program in "$@"; do
	name=${program##*/fuzz_}
	mkdir -p "fuzz-afl/$name"
	out=fuzz-afl/$name/default
	result='found nothing'
	afl-fuzz -i "$LIMEN_SRCDIR/tests/fuzz/seeds/$name" -o "fuzz-afl/$name" \
		-x "$LIMEN_SRCDIR/tests/fuzz/dict/$name.dict" -V "${FUZZ_SECONDS:-60}" \
		-t 10000 -m none -- "$program" > "fuzz-afl/$name/log" 2>&1 || result='did not run'
	crashes=$(count "$out/crashes")
	hangs=$(count "$out/hangs")
	[ "$crashes" -eq 0 ] && [ "$hangs" -eq 0 ] || result="$crashes crashes, $hangs hangs: see $out"
	[ "$result" = 'found nothing' ] || status=1
	runs=$(sed -n 's/^execs_done *: *//p' "$out/fuzzer_stats" 2> /dev/null)
	echo "fuzz-afl: $name: ${runs:-?} inputs, $result"
done
exit $status
