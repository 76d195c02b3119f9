#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# modules.sh - limen modules and limen explain.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

run modules
ended 'modules' 0
ok 'the titles' sh -c 'head -n 1 out | grep -Eqx "KIND +TYPE +SUMMARY"'
ok 'a module' grep -Eqx 'limit +pass-fail +Passes or fails everything' out
sed 1d out | awk '{ print $1 "/" $2 }' > found
ok 'sorted by kind and type' sh -c \
	'sed "s|^identifier|1|; s|^rewriter|2|; s|^limit|3|; s|^admission|4|; s|^prioritizer|5|
	s|^store|6|" found | sort -c -t / -k 1,1n -k 2,2'
run modules --long
ok 'all about a module' grep -Eqx \
	'limit +pass-fail +Passes or fails everything +[0-9.]+ +[0-9]+\.[0-9]+ +/[^ ]*/pass-fail\.(so|la)' out
if script -qec true /dev/null > script.log 2>&1 < /dev/null; then
	TERM=xterm COLUMNS=80 script -qec "'$LIMEN' modules" /dev/null < /dev/null | tr -d '\r' > out
	ok 'no line of a terminal is longer than 80' sh -c '! grep -q "^.\{81\}" out'
	tr -s ' \n' ' ' < out > words
	mentions 'and words are whole' words 'Keeps buckets in Redis, for several processes that share one allowance'
else
	skip 'no line of a terminal is longer than 80' 'no script(1)'
	skip 'and words are whole' 'no script(1)'
fi
run modules --kind limit
ended 'of one kind' 0
ok 'and of no other' sh -c '! sed 1d out | grep -qv "^limit "'
run modules --kind identifier --format json
ended 'as JSON' 0
ok 'one a line' sh -c 'grep -Eqx "\{\"kind\":\"identifier\",\"type\":\"always\",\"version\":\"[0-9.]+\",\"abi\":\"[0-9.]+\",\"file\":\"/[^\"]*\",\"summary\":\"Identifies every requester\"\},?" out'
ok 'in an array' sh -c '[ "$(head -n 1 out)" = "[" ] && [ "$(tail -n 1 out)" = "]" ]'
run modules --kind limits
complains 'an unknown kind' 2 << 'END'
limen: no kind of module is called 'limits' (did you mean 'limit'?)
Try 'limen module list --help'.
END

if LIMEN_MODULE_PATH=$PWD "$LIMEN" modules 2> err | grep -q '^limit '; then
	skip 'no modules at all' 'some are installed'
else
	(unset LIMEN_MODULE_PATH && "$LIMEN" modules > out 2> err)
	mentions 'no modules at all: how to say where they are' err 'set --module-path or LIMEN_MODULE_PATH'
fi

mkdir -p here/limit
echo 'no module' > here/limit/junk.so
run --module-path here modules
ended 'a file that is no module' 0
mentions 'is warned about' err 'limen: warning: '
mentions 'by its name' err 'junk.so'
ok 'and left out' sh -c '! grep -q junk out'

COLUMNS=72
export COLUMNS
run explain hint
sed '/^VERSION: /d; /^FILE: /d' out > shown
mv shown out
prints 'an explanation' 0 << 'END'
KIND:     identifier
TYPE:     hint

DESCRIPTION:
  Identifies requesters by one of the hints that come with the request

OPTIONS:
  hint <string> -required-
      The name of the hint to look at, such as requester or server
  match <string match> -required-
      The pattern for the value of the hint
END
COLUMNS=40
run explain hint
ok 'wrapped to a narrow terminal' sh -c '! grep -v "^FILE" out | grep -q "^.\{41\}"'
holds 'between words' out '      The name of the hint to look at,'
unset COLUMNS
run explain identifier/always
holds 'a type without options' out '  none: "data" is {}'
run explain run-schedule
holds 'ranges' out '      range: 1 to 12'
run explain store/redis
ok 'what is a secret' sh -c "sed -n '/^  password </,/^  password-file </p' out |
	grep -qx '      secret: never shown in messages'"
run explain store/redis --format schema
ok '  to an editor' python3 -c 'import json
rows = json.load(open("out"))["properties"]
assert [key for key in rows if rows[key].get("writeOnly")] == ["password"], rows'
run explain store/redis --format json
mentions '  and to a program' out '{"key":"password","type":"string","required":false,"secret":true,'
run --module-path "$LIMEN_BUILDDIR/tests/modules" explain limit/verdict
ok 'a list of objects' sh -c "sed -n '/^  notes </,/^  open </p' out | grep -v '^  open' |
	cmp - << 'END'
  notes <list of objects>
      length: at least 1 item
      What to note
  notes[].text <string> -required-
      pattern: [a-z ]+
      What to note
  notes[].times <integer>
      range: 1 to 9
      default: 1
      How often
END"
holds 'a maximum of 0' out '      range: -9 to 0'
run --module-path "$LIMEN_BUILDDIR/tests/modules" explain limit/verdict --format schema
ok '  to an editor' python3 -c 'import json
notes = json.load(open("out"))["properties"]["notes"]
assert notes["type"] == "array" and notes["minItems"] == 1, notes
item = notes["items"]
assert item["required"] == ["text"] and item["additionalProperties"] is False, item
assert item["properties"]["text"]["pattern"] == "^(?:[a-z ]+)$", item
assert item["properties"]["times"]["maximum"] == 9, item
assert json.load(open("out"))["properties"]["debt"]["maximum"] == 0'
run --module-path "$LIMEN_BUILDDIR/tests/modules" explain limit/verdict --format json
mentions '  to a program' out '"minimum_count":1,"options":[{"key":"text","type":"string","required":true,"secret":false,"pattern":"[a-z ]+","help":"What to note"},{"key":"times",'
run --module-path "$LIMEN_BUILDDIR/tests/modules" explain limit/verdict --format markdown
holds '  to a reader' out '| `notes[].times` | integer | no | `1` | 1 to 9 | How often |'
holds '  with its length' out '| `notes` | list of objects | no |  | at least 1 item | What to note |'
run explain run-daterange
holds 'defaults' out '      default: false'

run explain limit/pass-fail --format schema
prints 'a schema' 0 << 'END'
{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "limit pass-fail",
  "description": "Passes or fails everything",
  "type": "object",
  "properties": {
    "pass": {
      "description": "Whether the limit passes",
      "type": "boolean"
    }
  },
  "required": [
    "pass"
  ],
  "patternProperties": {
    "^#": true
  },
  "additionalProperties": false
}
END
run explain hint --format json
mentions 'as JSON' out '"options":[{"key":"hint","type":"string","required":true,"secret":false,"help":"The name of the hint to look at, such as requester or server"},'
run explain hint --format markdown
sed -n '1,3p' out > shown
mv shown out
prints 'as Markdown' 0 << 'END'
# identifier `hint`

Identifies requesters by one of the hints that come with the request
END
run explain --format markdown
ok 'all types as Markdown' sh -c '[ "$(grep -c "^# " out)" -eq "$(wc -l < found)" ]'
while read -r type; do
	run explain --format schema "$type"
	ended "there is a schema of $type" 0
done < found

run explain
ended 'the list of types' 0
ok 'holds all modules' sh -c 'cut -d " " -f 1 out | cmp - found'
run explain limit
ended 'the types of a kind' 0
ok 'and of no other' sh -c '! grep -qv ^limit/ out'
run explain pas-fail
complains 'a mistyped type' 1 << 'END'
limen: no module type is called 'pas-fail' (did you mean 'limit/pass-fail'?)
END
run explain limit/alway
complains 'a mistyped type of another kind' 1 << 'END'
limen: no module type is called 'limit/alway'; 'limen explain' lists them
END
run explain xyzzy
complains 'a type like no other' 1 << 'END'
limen: no module type is called 'xyzzy'; 'limen explain' lists them
END
run explain limt/pass-fail
complains 'a mistyped kind' 2 << 'END'
limen: no kind of module is called 'limt' (did you mean 'limit'?)
Try 'limen explain --help'.
END
run explain limit/../../secret
ended 'a type that is a path' 1
run --module-path here explain limit/junk
ended 'a type whose module cannot be loaded' 1
mentions 'the reason' err 'junk.so'

# A type of several kinds is shown for each; jq is one where it is built.
if grep -q '^rewriter/jq$' found && grep -q '^limit/jq$' found; then
	run explain jq
	ended 'a type of several kinds' 0
	ok 'each is shown' sh -c '[ "$(grep -c "^KIND: " out)" -eq "$(grep -c /jq$ found)" ]'
else
	skip 'a type of several kinds' 'no jq modules'
	skip 'each is shown' 'no jq modules'
fi

# A module that calls exit(0) admits nothing.
cat > exits.yaml << 'END'
identifiers: [{ name: all, description: d, type: always, data: {} }]
classifiers: [{ name: all, description: d, identifiers: [ all ] }]
limits: [{ name: out, description: d, type: verdict, data: { verdict: pass, exits: true } }]
applications: [{ description: All, classifier: all, apply: [{ require: all, limits: [ out ] }] }]
END
echo '{ "test": { "type": "idle" } }' > exits.json
run --module-path "$LIMEN_BUILDDIR/tests/modules" check --policy exits.yaml exits.json
ended "a module that calls exit() cannot choose the status" 2
mentions 'and is named' err 'limit/.libs/verdict.so called exit()'
echo '{ "id": 7, "task": { "test": { "type": "idle" } } }' > exits.jsonl
run --module-path "$LIMEN_BUILDDIR/tests/modules" check --policy exits.yaml --batch exits.jsonl
ended 'nor that of a batch' 2

for way in quick-exit _exit crash abort; do
	sed "s/exits: true/ends: $way/" exits.yaml > $way.yaml
done
run --module-path "$LIMEN_BUILDDIR/tests/modules" check --policy quick-exit.yaml exits.json
ended "a module that calls quick_exit() cannot choose the status" 2
mentions 'and is named' err 'limit/.libs/verdict.so called quick_exit()'
run --module-path "$LIMEN_BUILDDIR/tests/modules" check --policy _exit.yaml exits.json
prints "a module that calls _exit() chooses the status" 0 < /dev/null
run --module-path "$LIMEN_BUILDDIR/tests/modules" check --policy abort.yaml exits.json
ended "a module that aborts ends limen by that signal" 134
mentions 'and is named before' err 'limit/.libs/verdict.so crashed: Aborted'
if [ -n "${SANITIZE_CFLAGS:-}" ]; then
	skip "one that crashes is named, too" 'the sanitizer reports crashes'
else
	run --module-path "$LIMEN_BUILDDIR/tests/modules" check --policy crash.yaml exits.json
	ok "one that crashes is named, too" sh -c "[ $status -eq 139 ] &&
		grep -q 'limen: the module /.*limit/.libs/verdict.so crashed: Segmentation fault' err"
fi

finish
