# SPDX-License-Identifier: Apache-2.0
#
# run.sh - runs the programs that measure, all or those whose names are given, and
# puts their reports into bench/results of the build directory:
#
#	make bench BENCH='ranger events'
#
#	BENCH_TIME=SECONDS   for each row (0.4)

set -u
results=$LIMEN_BUILDDIR/bench/results
programs=$LIMEN_BUILDDIR/tests/bench
scratch=$(mktemp -d) || exit 1
redis=

stop() {
	[ -z "$redis" ] || kill "$redis" 2> /dev/null
	rm -rf "$scratch"
}
trap stop EXIT
trap 'exit 1' INT TERM

# The store in Redis has one of its own.
start_redis() {
	command -v redis-server > /dev/null || return 0
	redis-server --port 0 --unixsocket "$scratch/redis.sock" --save '' --dir "$scratch" \
		> "$scratch/redis.log" 2>&1 &
	redis=$!
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ -S "$scratch/redis.sock" ] && break
		sleep 0.2
	done
	LIMEN_BENCH_REDIS=$scratch/redis.sock
	export LIMEN_BENCH_REDIS
}

mkdir -p "$results" || exit 1
[ $# -gt 0 ] || set -- review quantity decide ranger events memory cidr load dns redis limend
printf '%-52s %10s %9s %10s %10s\n' '' median spread best goal
for name; do
	[ "$name" != redis ] || start_redis
	if [ "$name" = limend ]; then
		sh "$LIMEN_SRCDIR/tests/bench/idle.sh" "$results/limend.json" || exit 1
		continue
	fi
	"$programs/bench_$name" --bare --time "${BENCH_TIME:-0.4}" \
		--json "$results/$name.json" || exit 1
done
printf 'reports: %s\n' "$results"
