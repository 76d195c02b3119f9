#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# run.sh FUZZER... - lets each fuzzer look for $FUZZ_SECONDS, and prints how many
# inputs it tried.  It begins with the seeds, with tests/fuzz/corpus/NAME.tar.gz and with
# fuzz-corpus/NAME, where the inputs stay that it finds interesting; an input that breaks
# something stays as fuzz-NAME-crash-HASH, and belongs among the seeds once it is mended.
#
#	FUZZ_KEEP=DIRECTORY   write DIRECTORY/NAME.tar.gz: the fewest of these inputs that reach,
#	                      with the seeds, what all reach; none is above 4 KiB
set -u
status=0

# keep OPTION...: the same files give the same bytes.
keep() {
	all=fuzz-kept/$name
	rm -rf "$all" && mkdir -p "$all" "fuzz-small/$name" && cp "$seeds"/* "$all" || return 1
	find "fuzz-corpus/$name" -type f -size -9 -exec cp -t "fuzz-small/$name" {} +
	"$program" "$@" -set_cover_merge=1 "$all" "fuzz-small/$name" > "fuzz-$name-keep.log" 2>&1 || return 1
	rm -rf "fuzz-small/$name"
	for seed in "$seeds"/*; do
		rm "$all/${seed##*/}"
	done
	ls "$all" | tar -cf - --format=ustar --owner=0 --group=0 --numeric-owner --mode=644 --mtime=@0 \
		-C "$all" -T - | gzip -9n > "$FUZZ_KEEP/$name.tar.gz"
	kept=", $(find "$all" -type f | wc -l) are kept"
}

for program in "$@"; do
	name=${program##*/fuzz_}
	mkdir -p "fuzz-corpus/$name"
	seeds=$LIMEN_SRCDIR/tests/fuzz/seeds/$name
	corpus=$LIMEN_SRCDIR/tests/fuzz/corpus/$name.tar.gz
	[ ! -f "$corpus" ] || tar -xzf "$corpus" -C "fuzz-corpus/$name"
	words=$LIMEN_SRCDIR/tests/fuzz/dict/$name.dict
	case $name in
	json | policy) more=$LIMEN_SRCDIR/tests/cli/data ;;
	review) more=$LIMEN_SRCDIR/tests/cli/data/reviews ;;
	yaml) more=$LIMEN_SRCDIR/docs/examples/kubernetes ;;
	*) more= ;;
	esac
	kept=
	set -- -max_len=16384 -timeout=60 -rss_limit_mb=2048 -artifact_prefix="fuzz-$name-"
	# What works in the background of an engine meanwhile holds memory that looks lost
	# from outside.  Leaks of these are found at the end, when the engine is gone.
	case $name in
	batch | http | replay | review | task) set -- "$@" -detect_leaks=0 ;;
	esac
	leaks=$LIMEN_SRCDIR/tests/fuzz/$name.supp
	[ -f "$leaks" ] || leaks=$LIMEN_SRCDIR/tests/lsan.supp
	[ ! -f "$words" ] || set -- "$@" -dict="$words"
	export LSAN_OPTIONS="suppressions=$leaks:print_suppressions=0"
	# shellcheck disable=SC2086 # $more is nothing or one word
	if "$program" "$@" -max_total_time="${FUZZ_SECONDS:-60}" -print_final_stats=1 "fuzz-corpus/$name" "$seeds" $more > "fuzz-$name.log" 2>&1; then
		result='found nothing'
	else
		result="stopped: see fuzz-$name.log"
		status=1
	fi
	if [ -n "${FUZZ_KEEP-}" ] && ! keep "$@"; then
		result="$result; not kept: see fuzz-$name-keep.log"
		status=1
	fi
	runs=$(sed -n "s/^stat::number_of_executed_units: *//p" "fuzz-$name.log" | tail -n 1)
	echo "fuzz: $name: ${runs:-?} inputs, $result$kept"
done
exit $status
