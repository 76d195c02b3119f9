#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# buckets.sh - "limen buckets" with a real redis-server, and what the page of the
# store shows of it.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"
example=$LIMEN_SRCDIR/plugins/store/redis/example.json

# A path of a socket is short, whatever TMPDIR is.
home=$(mktemp -d /tmp/limen-buckets-XXXXXX) || exit 99
server=
trap 'test -z "$server" || kill "$server"; rm -rf "$work" "$home"' EXIT

# policy OPTIONS: the example with another place and with time enough
policy() {
	sed "s|\"data\": { \"url\".*|\"data\": { $1 }|" "$example"
}

mode='"mode": "strict", "on-error": "deny", "timeout": "PT20S"'
policy "\"path\": \"$home/socket\", $mode" > policy.json

run buckets extra
ended 'an argument is wrong usage' 2
for number in 0 010 0x10 1001 -1 x 99999999999999999999 "x' for --store"; do
	for option in --number -n; do
		run buckets $option "$number"
		complains "$option $number is wrong usage" 2 << END
limen: --number takes a number from 1 to 1000, not '$number'
Try 'limen buckets --help'.
END
	done
done
run buckets --policy missing.json
ended 'a policy that is not there' 2
run buckets --policy policy.json --store nowhere
complains 'a store that is not there' 1 << 'END'
limen: the policy has no store "nowhere" in use
END
run buckets --policy policy.json
complains 'a server that is not there' 2 << END
limen: Redis at $home/socket: No such file or directory
END

run buckets --unix "$home/nowhere"
complains 'a limend that is not there' 2 << END
limen: $home/nowhere: No such file or directory
END
: > "$home/file"
run buckets --unix "$home/file"
complains 'a file that is no socket' 2 << END
limen: $home/file: Connection refused
END

# The memory of this process is empty.
echo '{"schema": 4}' > empty.json
run buckets --policy empty.json
prints 'a policy without stores' 0 << 'END'
No bucket is in use.
END

if ! command -v redis-server > /dev/null || ! command -v redis-cli > /dev/null; then
	skip 'buckets in Redis' 'this system has no redis-server'
	finish
	exit
fi

redis-server --port 0 --unixsocket "$home/socket" --dir "$home" --save '' \
	> redis.log 2>&1 &
server=$!
tries=0
until redis-cli -s "$home/socket" PING > ping 2>&1 && grep -q PONG ping; do
	tries=$((tries + 1))
	[ "$tries" -gt 600 ] && break
	sleep 0.05
done

run buckets --policy policy.json
prints 'an empty database' 0 << 'END'
No bucket is in use.
END
ok 'a list writes nothing' test "$(redis-cli -s "$home/socket" DBSIZE)" = 0

# ask COUNT REQUESTER
ask() {
	awk -v count="$1" -v requester="$2" 'BEGIN {
		for (i = 0; i < count; i++)
			printf "{\"request\":{},\"hints\":{\"requester\":\"%s\"}}\n", requester
	}'
}

{
	ask 12 192.0.2.1
	ask 3 192.0.2.77
} > lines
run check --policy policy.json --live-stores --batch lines
ended 'fifteen tasks' 0
ok 'thirteen are admitted' test "$(grep -c '"admitted":true' out)" = 13

# What the page shows, but for the times.
timeless() {
	tr -s ' ' | sed 's/PT[0-9.MS]* PT[0-9.MS]*$/TIMES/'
}

run buckets --policy policy.json
ended 'the buckets of the example' 0
timeless < out > found
awk '/^\$ limen buckets/ { on = 1; next } /^```/ { on = 0 } on' \
	"$LIMEN_SRCDIR/plugins/store/redis/redis.md" | timeless > recorded
ok 'are what the page of the store shows' cmp recorded found

run buckets --policy policy.json --number 1 --store default --format json
ended 'one of them as JSON' 0
sed 's/"age":"PT[0-9.MS]*"/"age":"A"/; s/"resets":"PT[0-9.MS]*"/"resets":"R"/' out > found
echo '{"buckets":[{"store":"default","table":"limits/ten-an-hour/rate","entry":"ten-an-hour","rate":"10/PT1H","key":"s9:192.0.2.1","shown":"192.0.2.1",'\
'"left":0,"leased":0,"burst":10,"tokens":1,"period":"PT6M","age":"A","resets":"R"}]}' > wanted
ok 'has all that there is to tell' cmp wanted found

run buckets --policy policy.json --reset 192.0.2.1
prints 'a reset' 0 << 'END'
1 bucket was reset.
END
run buckets --policy policy.json --number 5
ended 'the buckets after it' 0
ok 'the key has used nothing, others as before' sh -c '! grep -q "192.0.2.1 " out && grep -q 192.0.2.77 out'
run buckets --policy policy.json --reset 192.0.2.1
complains 'nothing to reset' 1 << 'END'
limen: no bucket in use has the key "192.0.2.1": see the column KEY of limen buckets
END
ask 12 192.0.2.1 > lines
run check --policy policy.json --live-stores --batch lines
ended 'ten tasks more' 0
ok 'are admitted' test "$(grep -c '"admitted":true' out)" = 10
run buckets --policy policy.json --reset "$(printf '\377')"
ended 'a key that is not UTF-8' 2

# A process with another rate has other buckets, and another policy other limits.
sed 's|10/PT1H|20/PT1H|' policy.json > other.json
run buckets --policy other.json --number 1
ended 'buckets of another rate' 0
ok 'have that in lowest terms' grep -Eq '^default  ten-an-hour  192.0.2.1  0 .* 1/PT6M ' out
sed 's|ten-an-hour|many|' policy.json > other.json
run buckets --policy other.json --number 1
ended 'buckets of another limit' 0
ok 'have its table' grep -Eq '^default  limits/ten-an-hour/rate  192.0.2.1  0 .* 1/PT6M ' out

# What others have written there is no bucket, or one that cannot hurt a terminal.
redis() {
	redis-cli -s "$home/socket" "$@" > /dev/null
}

redis SET 'limen:b:' x
redis SET 'limen:b:1/1/1:1:t:0::k' 'no hash'
redis HSET 'limen:b:1/1/1:1:t:99::k' s '1 1'
redis HSET 'limen:b:9223372036854775807/1/1:1:t:0::k' s '1 1'
redis HSET 'limen:b:1/86400000000/3:1:t:0::k' s 'nonsense'
redis HSET "limen:b:1/86400000000/3:2:t$(printf '\033'):0::$(printf 'a\033[2J\n\377b')" s \
	'259200000000 9000000000000000'
redis HSET 'other:b:1/86400000000/3:1:t:0::k' s '259200000000 9000000000000000'
run buckets --policy policy.json
ended 'a database others write to' 0
ok 'no escape reaches the terminal' test "$(tr -d '\n -~' < out | wc -c)" -le 3
ok 'what is no bucket is left out' test "$(wc -l < out)" -eq 4

policy "\"path\": \"$home/socket\", \"password\": \"s3cret\"" > policy.json
run buckets --policy policy.json
ended 'a password nobody wants' 2
ok 'is not shown' sh -c '! grep -q s3cret err out'

finish
