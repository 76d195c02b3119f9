#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh FUZZER... - lets each fuzzer look for $FUZZ_SECONDS, and prints how many
# inputs it tried.  The inputs it finds interesting stay in fuzz-corpus/NAME and
# are where the next run begins; an input that breaks something stays as
# fuzz-NAME-crash-HASH, and belongs among the seeds once it is mended.
set -u
status=0
for program in "$@"; do
	name=${program##*/fuzz_}
	mkdir -p "fuzz-corpus/$name"
	seeds=$LIMEN_SRCDIR/tests/fuzz/seeds/$name
	words=$LIMEN_SRCDIR/tests/fuzz/dict/$name.dict
	case $name in
	json | policy) more=$LIMEN_SRCDIR/tests/cli/data ;;
	review) more=$LIMEN_SRCDIR/tests/cli/data/reviews ;;
	yaml) more=$LIMEN_SRCDIR/docs/examples/kubernetes ;;
	*) more= ;;
	esac
	set -- -max_total_time="${FUZZ_SECONDS:-60}" -max_len=16384 -timeout=60 -rss_limit_mb=2048 \
		-print_final_stats=1 -artifact_prefix="fuzz-$name-"
	# What works in the background of an engine meanwhile holds memory that looks lost
	# from outside.  Leaks of these are found at the end, when the engine is gone.
	case $name in
	batch | http | replay | review | task) set -- "$@" -detect_leaks=0 ;;
	esac
	leaks=$LIMEN_SRCDIR/tests/fuzz/$name.supp
	[ -f "$leaks" ] || leaks=$LIMEN_SRCDIR/tests/lsan.supp
	[ ! -f "$words" ] || set -- "$@" -dict="$words"
	# shellcheck disable=SC2086 # $more is nothing or one word
	if LSAN_OPTIONS=suppressions=$leaks:print_suppressions=0 \
		"$program" "$@" "fuzz-corpus/$name" "$seeds" $more > "fuzz-$name.log" 2>&1; then
		result='found nothing'
	else
		result="stopped: see fuzz-$name.log"
		status=1
	fi
	runs=$(sed -n "s/^stat::number_of_executed_units: *//p" "fuzz-$name.log" | tail -n 1)
	echo "fuzz: $name: ${runs:-?} inputs, $result"
done
exit $status
