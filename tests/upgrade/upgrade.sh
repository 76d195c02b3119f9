#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# upgrade.sh - policies and decision logs of earlier versions are read, and decided as they were
# there.  Members of answers may be added; none may go or change.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

cat > compare.py << 'END'
import json
import sys

# Texts for people.
FREE = {"reason"}


def differs(was, now, path):
    if isinstance(was, dict) and isinstance(now, dict):
        for name in was.keys() - FREE:
            if name not in now:
                print(f"{path}/{name} is missing, was {was[name]!r}")
            else:
                differs(was[name], now[name], f"{path}/{name}")
    elif was != now:
        print(f"{path} was {was!r}, is {now!r}")


old, new = ([json.loads(line) for line in open(name)] for name in sys.argv[1:])
if len(old) != len(new) or not old:
    print(f"{len(old)} answers were, {len(new)} are")
for was, now in zip(old, new):
    differs(was, now, str(was.get("id")))
END

for directory in "$LIMEN_SRCDIR"/tests/upgrade/[0-9]*/*/; do
	sample=$(basename "$(dirname "$directory")")/$(basename "$directory")
	run validate "$directory/policy"
	ended "$sample: the policy is valid" 0
	run check --policy "$directory/policy" --batch "$directory/requests.jsonl"
	python3 compare.py "$directory/answers.jsonl" out > difference 2>&1
	ok "$sample: each request gets the answer that it got" test ! -s difference
	sed 's/^/# /' difference
	run replay --policy "$directory/policy" --format json "$directory/decisions.jsonl"
	ended "$sample: a replay of the decision log changes nothing" 0
	ok "$sample: all of its lines are read" python3 -c '
import json, sys
said = json.load(open("out"))
lines = len(open(sys.argv[1]).readlines())
assert said["lines"] == said["decided"] == lines > 0, said' "$directory/decisions.jsonl"
done
ok "there are several" test "$count" -ge 12

finish
