#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# suggest.sh - limen suggest: rates from a decision log and from recorded Events.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

# event SECOND UID COUNT LAST
event() {
	printf '{"apiVersion":"v1","kind":"Event","metadata":{"namespace":"n","uid":"%s"},' "$2"
	printf '"involvedObject":{"kind":"Pod","name":"p"},"source":{"component":"c"},'
	printf '"firstTimestamp":"2026-01-01T00:00:%sZ","lastTimestamp":"2026-01-01T00:00:%sZ",' \
		"$1" "$4"
	printf '"count":%s}' "$3"
}

# Eleven events, a second apart, in each form in which kubectl prints them.
event 00 u 11 10 > one.json
printf '{"apiVersion":"v1","kind":"List",\n"items":[%s]}\n' "$(cat one.json)" > list.json
{
	printf '{"type":"ADDED","object":%s}\n' "$(event 00 u 1 00)"
	printf '{"type":"MODIFIED","object":%s}\n' "$(event 00 u 11 10)"
	printf '{"type":"DELETED","object":%s}\n' "$(event 00 u 11 10)"
} > watch.json
cat > expected << 'END'
# 11 events from 2026-01-01T00:00:00Z to 2026-01-01T00:00:10Z
#
# TYPE                 KEYS    EVENTS   REFUSED    PASSED
# Server                  1        11         0  100.000%
# Namespace               1        11         0  100.000%
# User             not recorded
# SourceAndObject         1        11         0  100.000%
# all together                     11         0  100.000%
#
apiVersion: eventratelimit.admission.k8s.io/v1alpha1
kind: Configuration
limits:
- type: Server
  qps: 1
  burst: 1
- type: Namespace
  qps: 1
  burst: 1
- type: SourceAndObject
  qps: 1
  burst: 1
END
for form in one list watch; do
	run suggest --headroom 1 $form.json
	prints "Events as kubectl prints them: $form" 0 < expected
done
run_with list.json suggest --headroom 1 -
prints 'the same on standard input' 0 < expected

run suggest --headroom 2 --format yaml one.json
cp out proposed.yaml
run validate proposed.yaml
ended 'what is proposed is a policy that is valid' 0

# Ten at once need a burst, and the form of events.k8s.io tells of a series.
printf '%s%s%s\n' '{"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{},' \
	'"eventTime":"2026-01-01T00:00:00.000000Z","regarding":{"kind":"Pod"},' \
	'"series":{"count":10,"lastObservedTime":"2026-01-01T00:00:00.000000Z"}}' > series.json
run suggest --headroom 1 --share 100 --format json series.json
prints 'a series, as JSON' 0 << 'END'
{"configuration":{"apiVersion":"eventratelimit.admission.k8s.io/v1alpha1","kind":"Configuration","limits":[{"type":"Server","qps":1,"burst":10},{"type":"SourceAndObject","qps":1,"burst":10}]},"events":10,"refused":0,"types":[{"type":"Server","keys":1,"events":10,"refused":0},{"type":"SourceAndObject","keys":1,"events":10,"refused":0}]}
END
run suggest --headroom 1 --share 80 --format json series.json
mentions 'a share of 80 may lose two' out '"refused":2,'

# The line that the page about the decision log shows tells of every type.
grep '^{"time":' "$LIMEN_SRCDIR/docs/decision-log.md" > shown.json
run suggest --headroom 1 --format json shown.json
prints 'a line of the decision log' 0 << 'END'
{"configuration":{"apiVersion":"eventratelimit.admission.k8s.io/v1alpha1","kind":"Configuration","limits":[{"type":"Server","qps":1,"burst":1},{"type":"Namespace","qps":1,"burst":1},{"type":"User","qps":1,"burst":1},{"type":"SourceAndObject","qps":1,"burst":1}]},"events":1,"refused":0,"types":[{"type":"Server","keys":1,"events":1,"refused":0},{"type":"Namespace","keys":1,"events":1,"refused":0},{"type":"User","keys":1,"events":1,"refused":0},{"type":"SourceAndObject","keys":1,"events":1,"refused":0}]}
END

# More buckets than Kubernetes keeps by default.
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "{\"time\":\"2026-01-01T00:00:00Z\"," \
	"\"endpoint\":\"/admission/validate\",\"resource\":\"events\",\"user\":\"u%d\"," \
	"\"verdict\":\"admitted\"}\n", i }' > users
run suggest --format yaml users
mentions 'a cacheSize where there are many keys' out '  cacheSize: 8192'

printf '{"verdict":"refused"}\n' > other
run suggest other
complains 'nothing about events' 2 << 'END'
limen: the files have no events
END
printf '{"a":\n' > torn
run suggest torn
complains 'no JSON' 2 << 'END'
limen: torn: neither lines of JSON nor a JSON document
END
# A first line that is no document begins one that may go on: here it ends.
for end in '\n' ''; do
	printf "nothing$end" > one
	run suggest one
	complains 'one line that is no document' 2 << 'END'
limen: one: neither lines of JSON nor a JSON document
END
done
run suggest nowhere
complains 'no such file' 2 << 'END'
limen: nowhere: No such file or directory
END
run suggest
ended 'no file at all' 2
for wrong in --share=0 --share=101 --share=x --headroom=0.5 --headroom=nan --window=0; do
	run suggest $wrong one.json
	ended "$wrong is wrong" 2
done

# What does not count any more has no buckets, either.
awk 'BEGIN {
	for (i = 0; i < 4; i++)
		printf "{\"kind\":\"Event\",\"metadata\":{\"namespace\":\"n\"},\"count\":1000000," \
			"\"firstTimestamp\":\"2026-01-01T00:00:00Z\",\"lastTimestamp\":\"2026-01-02T00:00:00Z\"}\n"
	for (i = 0; i < 5000; i++) {
		printf "{\"kind\":\"Event\",\"metadata\":{\"namespace\":\"n%d\"},\"count\":1000000," \
			"\"firstTimestamp\":\"2026-01-01T00:00:00Z\"}\n", i
		printf "{\"time\":\"2026-01-01T00:00:00Z\",\"endpoint\":\"/admission/validate\"," \
			"\"resource\":\"events\",\"user\":\"u%d\",\"namespace\":\"m%d\"," \
			"\"verdict\":\"admitted\"}\n", i, i
	}
}' > full
run suggest --format json full
mentions 'more events than are kept' err 'limen: only the first 4000000 events count'
mentions 'their namespace is all that is known' out '{"type":"Namespace","keys":1,"events":4000000,'
ok 'so no cache is enlarged' sh -c '! grep cacheSize out'

# Two texts are not the same because they are up to a NUL.
{
	for text in '"namespace":"n","user":"u","event":{"source":"s","object":"o"}' \
		'"namespace":"n\u0000a"' '"user":"u\u0000a"' '"event":{"source":"s\u0000a"}' \
		'"event":{"object":"o\u0000a"}'; do
		printf '{"time":"2026-01-01T00:00:00Z","endpoint":"/admission/validate",'
		printf '"resource":"events","verdict":"admitted",%s}\n' "$text"
	done
	for text in '"metadata":{"namespace":"n\u0000a"}' '"metadata":{"uid":"n\u0000a"}' \
		'"source":{"host":"h\u0000a"}' '"regarding":{"name":"h\u0000a"}'; do
		printf '{"kind":"Event","firstTimestamp":"2026-01-01T00:00:00Z",%s}\n' "$text"
	done
} > nul
run suggest --format json nul
mentions 'what holds a NUL is left out' out '"events":1,'

# Times at the ends of what there is, and counts that make no sense.
{
	printf '{"kind":"Event","firstTimestamp":"0001-01-01T00:00:00Z","count":-5}\n'
	printf '{"kind":"Event","firstTimestamp":"9999-12-31T23:59:59Z","count":3,'
	printf '"lastTimestamp":"0001-01-01T00:00:00Z"}\n'
	printf '{"kind":"Event","firstTimestamp":"never"}\n{"kind":"Event"}\n[1]\n5\nnull\n'
} > hostile
run suggest --format json hostile
mentions 'hostile times' out '"events":4,'

if command -v python3 > /dev/null; then
	ok 'what is proposed is enough and no more' \
		python3 "$LIMEN_SRCDIR/tests/cli/suggest.py" "$LIMEN" 1
else
	skip 'what is proposed is enough and no more' 'no python3'
fi
finish
