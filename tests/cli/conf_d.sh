#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# conf_d.sh - the examples in conf.d do what they say.  Each is turned on beside the
# shipped policy, as an operator would, and decides the requests of its file in
# tests/cases/conf.d: lines of a batch whose "id" is "admitted" or "refused".

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

# What an example cannot do without is turned on with it.
needs() {
	case $1 in
	65-shared-counts.conf) echo 61-one-an-hour.conf ;;
	esac
}

# turn_on FILE...: makes the policy "on", with these files turned on.  A list on the
# internet is one beside it, with a network of which the example excludes a part.
printf '%s\n' 203.0.113.9 203.0.113.128/25 > list.txt
turn_on() {
	rm -rf on
	mkdir on
	cp "$LIMEN_SRCDIR"/conf.d/*.conf "$LIMEN_SRCDIR"/conf.d/*.yaml on
	chmod u+w on/*
	for turned; do
		sed -i -e 's/^\( *"\{0,1\}enabled"\{0,1\}: \)false/\1true/' \
			-e "s|https://lists.example.org/collaborators.txt|file:$work/list.txt|" "on/$turned"
	done
}

# decides NAME: does the policy "on" decide NAME.jsonl as the lines say, both ways?
decides() {
	requests=$LIMEN_SRCDIR/tests/cases/conf.d/$1.jsonl
	run check --policy on --batch "$requests"
	sed 's/^{"id":"\([a-z]*\)".*/\1/' "$requests" > wanted
	sed -e 's/^{.*"judged":false.*/unjudged/' -e 's/^{.*"admitted":true.*/admitted/' -e 's/^{.*"admitted":false.*/refused/' out > found
	cat out >> err
	diff wanted found > difference && grep -q '^admitted$' wanted && grep -q '^refused$' wanted
	report $? "$1 admits and refuses" difference err
}

turn_on
decides shipped
echo '{ "test": { "type": "rtt" } }' > lacking.json
run check --policy on --hint requester=203.0.113.9 lacking.json
prints 'the shipped policy says what a task lacks' 1 << 'END'
refused: Error while rewriting: Task rejected: It has no 'test.spec'
Error while rewriting: Task rejected: It has no 'test.spec'
END

run validate "$LIMEN_SRCDIR/conf.d"
! grep -i pscheduler err > notes
report $? 'the shipped policy has no notes on pScheduler' notes

examples=
for path in "$LIMEN_SRCDIR"/conf.d/*.conf "$LIMEN_SRCDIR"/conf.d/*.yaml; do
	! grep -q '^ *"\{0,1\}enabled"\{0,1\}: false' "$path" || examples="$examples ${path##*/}"
done
together=
for example in $examples; do
	turn_on "$example" $(needs "$example")
	run validate on
	ended "$example is valid once it is turned on" 0
	! grep '^warning' err > warnings
	report $? "$example warns of nothing" warnings
	! grep -i pscheduler err > notes
	report $? "$example has no notes on pScheduler" notes
	grep -q 'To turn it on,' "on/$example"
	report $? "$example says how it is turned on" "on/$example"
	decides "${example%.*}"
	[ "$example" = 72-trial.yaml ] || together="$together $example"
done
[ "$(ls "$LIMEN_SRCDIR/tests/cases/conf.d" | wc -l)" -eq $(($(echo $examples | wc -w) + 1)) ]
report $? 'each file of requests has its example'

turn_on $together
run validate on
ended 'all of them are valid together, but the one that says so' 0
turn_on 70-limit-ranges.yaml 72-trial.yaml
run validate on
ended 'and that one is not' 1

# Policies that are right have no warning: the shipped one, examples, and those of others.
for path in conf.d $(cd "$LIMEN_SRCDIR" && echo plugins/*/*/example.json docs/examples/*/limits.*) docs/examples/replay/tighter.yaml \
	docs/examples/everything tests/cli/data/limits.conf tests/cli/data/limits.yaml; do
	# These need a module of their own.
	case $path in */cap/* | */cpp/*) continue ;; esac
	run validate -q --strict "$LIMEN_SRCDIR/$path"
	ended "$path has no warning" 0
done

# The trial warns of what it would refuse.
turn_on 72-trial.yaml
run check --policy on --batch "$LIMEN_SRCDIR/tests/cases/conf.d/72-trial.jsonl"
sed -n 2p out > second
mentions 'a stricter bound warns before it counts' second '[stricter-bounds] maximum cpu'
finish
