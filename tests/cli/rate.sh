#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Recorded sequences in the time they were recorded, and where a check counts.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

# policy STORES RATE-DATA
policy() {
	cat << END
{"schema":4,"stores":{$1},
"identifiers":[{"name":"all","description":"","type":"always","data":{}}],
"classifiers":[{"name":"all","description":"","identifiers":["all"]}],
"limits":[{"name":"r","type":"$3","data":{$2}}],
"applications":[{"classifier":"all","apply":[{"require":"all","limits":["r"]}]}]}
END
}

# Lines "SECONDS SOURCE HOST" become a batch.
batch() {
	awk '{ printf "{\"id\":%d,\"time\":%s,\"hints\":{\"requester\":\"%s\"}," \
		"\"request\":{\"test\":{\"type\":\"rtt\",\"spec\":{\"dest\":\"%s\"}}}}\n", NR, $1, $2, $3 }'
}

# The answers as "ID admitted" and "ID refused".
verdicts() {
	sed 's/^{"id":\([0-9]*\),"admitted":true.*/\1 admitted/
		s/^{"id":\([0-9]*\),"admitted":false,"code":429.*/\1 refused/' out > short
	mv short out
}

# No more than ten tests in 24 hours for each source: three sources that ask every
# 20 minutes, more or less, for ten days.
policy '' '"key":["requester"],"rate":"5/P1D","burst":5' rate > ten.conf
awk 'BEGIN {
	for (i = 0; i < 720; i++)
		for (source = 1; source <= 3; source++)
			print i * 1200 + (i * 7919 + source * 131) % 1200, "192.0.2." source, "h"
}' | sort -n > asked
batch < asked > lines
run check --policy ten.conf --batch lines
ended 'ten days' 0
verdicts
awk 'NR == FNR { verdict[$1] = $2; next }
	verdict[FNR] == "admitted" { n[$2]++; at[$2, n[$2]] = $1 }
	END {
		for (source in n) {
			for (i = 1; i + 10 <= n[source]; i++)
				if (at[source, i + 10] - at[source, i] <= 86400)
					bad = 1
			if (n[source] < 53 || n[source] > 55)
				bad = 1
			print source, n[source]
			sources++
		}
		exit bad || sources != 3
	}' out asked > counts
report $? 'never more than ten in 24 hours for each source, and five a day' counts

# One for each host and day: a source may ask each host once.
policy '' '"key":["requester","path:/test/spec/dest"],"rate":"1/P1D"' rate > one.conf
batch > lines << 'END'
0 192.0.2.1 a.example
1 192.0.2.1 b.example
2 192.0.2.1 a.example
3 192.0.2.2 a.example
43200 192.0.2.1 b.example
86399 192.0.2.1 a.example
86400 192.0.2.1 a.example
86400 192.0.2.1 b.example
86401 192.0.2.1 b.example
86401 192.0.2.1 b.example
END
run check --policy one.conf --batch lines
verdicts
prints 'one for each host and day' 0 << 'END'
1 admitted
2 admitted
3 refused
4 admitted
5 refused
6 refused
7 admitted
8 refused
9 admitted
10 refused
END

# Time that goes back gains nothing.
batch > lines << 'END'
86400 192.0.2.1 a.example
0 192.0.2.1 a.example
172799.999999 192.0.2.1 a.example
3 192.0.2.1 a.example
172800 192.0.2.1 a.example
END
run check --policy one.conf --batch lines
verdicts
prints 'time that goes back' 0 << 'END'
1 admitted
2 refused
3 refused
4 refused
5 admitted
END

# Files are decided with one memory too, and each command has its own.
echo '{"test":{"type":"rtt","spec":{"dest":"a"}}}' > task.json
for try in first second; do
	run check --policy one.conf --hint requester=192.0.2.1 --format json task.json task.json
	ended "the $try command" 1
	sed 's/^{"admitted":\([a-z]*\).*"retry_after":\([^,}]*\).*/\1 \2/' out > short
	mv short out
	ok 'admits once' test "$(cut -d' ' -f1 out | tr '\n' ' ')" = 'true false '
done
mentions 'and says when to come back' out 'false 86'

# A store of the policy is left alone, but checked, unless it is asked for: "fake"
# never refills.
modules=${LIMEN_BUILDDIR:?}/tests/modules
policy '"s":{"type":"fake"}' '"store":"s","burst":1,"period":"PT1S"' take > fake.conf
printf '%s\n' '0 192.0.2.1 a' '1 192.0.2.1 a' | batch > lines
run check --module-path "$modules" --policy fake.conf --batch lines
verdicts
prints 'in memory' 0 << 'END'
1 admitted
2 admitted
END
run check --live-stores --module-path "$modules" --policy fake.conf --batch lines
verdicts
prints 'in the store of the policy' 0 << 'END'
1 admitted
2 refused
END
policy '"s":{"type":"fake","data":{"refuse":1}}' '"store":"s"' take > fake.conf
run check --module-path "$modules" --policy fake.conf task.json
mentions 'a store that is replaced is checked' err "1 is not of type 'boolean'"
ended 'and its problems are problems' 2

finish
