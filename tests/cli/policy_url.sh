#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Policies that are fetched: a URL in the place of a path, and a file that holds
# a URL instead of a policy; and what commands do about lists of modules that are
# downloaded.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

good='{"schema":4,"identifiers":[{"name":"all","description":"","type":"always","data":{}}],
"classifiers":[{"name":"all","description":"","identifiers":["all"]}],
"limits":[{"name":"yes","description":"","type":"pass-fail","data":{"pass":true}}],
"applications":[{"classifier":"all","apply":[{"require":"all","limits":["yes"]}]}]}'
bad='{"schema":4,"identifiers":[{"name":"x","description":"","type":"nosuch","data":{}}],
"classifiers":[],"limits":[],"applications":[]}'

echo "$good" > good.json
echo "$bad" > bad.json
echo '{"test":{"type":"rtt","spec":{}}}' > task.json

# ---- without a server ----

run validate "file://$work/good.json"
prints "a policy at a file: URL" 0 << END
Limit configuration is valid.
END

printf '\n  file://%s/good.json \n\n' "$work" > url.conf
run validate url.conf
prints "a file that holds a URL" 0 << END
Limit configuration is valid.
END

chmod 644 url.conf
run validate url.conf
prints "one that only its owner may change is nothing to warn of" 0 << END
Limit configuration is valid.
END
chmod 666 url.conf
run validate url.conf
ended "one that every user may change is read" 0
mentions "with a warning, as of any policy" err "url.conf: every user may change this file"
mentions "and what to do" err "hint: remove write permission for others"
chmod 644 url.conf
mkdir open
cp url.conf open/
chmod 777 open
run validate open/url.conf
mentions "nor may everybody replace it" err "open/url.conf: every user may change this file"
chmod 1777 open
run validate open/url.conf
prints "but where nobody can replace what is somebody else's" 0 << END
Limit configuration is valid.
END

run check --policy url.conf task.json
mentions "it decides" out "admitted"

printf '{"request":{"test":{"type":"rtt","spec":{}}},"policy":"file://%s/good.json"}\n' "$work" \
	> lines
run check --batch lines
mentions "it decides in a batch" out '"admitted":true'

run validate "file://$work/bad.json"
ended "what is wrong with it is told" 1
mentions "with the URL for a place" err "  file://$work/bad.json:1:"
mentions "with the text as for a file" err "Identifier 'x' has unsupported type 'nosuch'"

run validate "file://$work/absent.json"
ended "a file: URL that leads nowhere" 1
mentions "says so, and calls no file invalid" err "Unable to load limit configuration from URL: "
holds "and which it was" err "  hint: the URL is file://$work/absent.json"

# One level only: what is fetched has to be a policy.
run validate "file://$work/url.conf"
ended "a URL that leads to a URL" 1

printf 'gopher://127.0.0.1/x' > gopher.conf
run validate gopher.conf
ended "a URL of another sort in a file" 1
mentions "is no file to look for" err "Unable to load limit configuration from URL: "

run validate ftp://127.0.0.1/x
ended "a URL of another sort" 1
mentions "likewise" err "Unable to load limit configuration from URL: "

run_with url.conf validate -
ended "standard input is a policy, never a URL" 1
mentions "and read as one" err "Invalid limit file:"
ok "so nothing is fetched" test -z "$(grep 'from URL' err)"
run_with url.conf check --policy - task.json
ended "for a check, too" 2

# The ending of the name or the URL says what a policy is.
printf '# ours\n%s\n' "$good" > commented.conf
cp commented.conf commented.yaml
cp commented.conf commented
for name in commented.conf "file://$work/commented.conf"; do
	run validate "$name"
	ended "$name is JSON, as in pScheduler" 1
	mentions "which has no such comments" err 'hint: JSON has no comments: write a member "#": "text"'
done
for name in commented.yaml commented "file://$work/commented.yaml" "file://$work/commented"; do
	run validate "$name"
	ended "$name is YAML" 0
done

# What only looks like one.
printf 'schema: 4\nidentifiers: []\nclassifiers: []\nlimits: []\napplications: []\n' > yaml.yaml
run validate yaml.yaml
ended "a document of YAML begins with a word and a colon" 0
echo "$good" > a:b.json
run validate a:b.json
ended "so may a path" 0
printf 'http://127.0.0.1/a b' > blank.conf
run validate blank.conf
ended "two words are no URL" 1
ok "and nothing is fetched" test -z "$(grep 'from URL' err)"
mkdir conf.d
cp good.json conf.d
run validate conf.d
ended "a directory is no URL" 0

# ---- where modules are ----

mkdir more
echo "$good" | sed 's/"schema":4/&,"modules":["more"]/' > more.json
refused='is taken only from files of this host'
run validate more.json
ended "a file may say where modules are" 0
run validate "file://$work/more.json"
ended "what a URL leads to may not" 1
mentions "which is told" err "'modules' $refused"
echo "file://$work/more.json" > url.conf
run check --policy url.conf task.json
ended "nor if a file holds the URL" 2
mentions "likewise" err "$refused"
run_with more.json validate -
ended "nor may standard input" 1
mentions "likewise" err "$refused"
run_with good.json validate -
ended "that says nothing of modules" 0
chmod o+w more.json
run validate more.json
ended "nor a file that every user may change" 1
mentions "with the reason" err "'modules' is not allowed here: every user may change"
chmod o-w more.json

# Who writes the lines of a batch says what to ask, and not what to run.
ask_with() {
	printf '{"task":{"test":{"type":"rtt","spec":{}}},"policy":%s}\n' "$1" > lines
}
ask_with "$(tr -d '\n' < more.json)"
run check --batch lines
ended "a line of a batch may not bring a policy that does" 2
mentions "which is told" out "$refused"
ask_with "$(tr -d '\n' < good.json)"
run check --batch lines
ended "but one that does not" 0
ask_with '"more.json"'
run check --batch lines --policy good.json
ended "nor name a file that does" 2
mentions "likewise" out "$refused"
run check --batch lines --policy more.json
ended "but the policy there is" 0
ask_with "\"file://$work/more.json\""
run check --batch lines
ended "nor a URL" 2
printf '{"policy":%s,"tests":[{"name":"a","request":{},"expect":{"verdict":"admitted"}}]}' \
	"$(cat more.json)" > tests.json
run test tests.json
mentions "nor may a policy within a file of tests" err "$refused"

# ---- lists that modules download ----

# The first decision of a command has the list already.
write_listed() {
	cat << END
{"schema":4,"identifiers":[{"name":"listed","description":"","type":"ip-cidr-list-url",
"data":{"source":"$1","update":"P1D","retry":"PT4H","timeout":"PT1S"}}],
"classifiers":[{"name":"all","description":"","identifiers":["listed"]}],
"limits":[],"applications":[{"classifier":"all","apply":[]}]}
END
}
echo 192.0.2.0/24 > list
write_listed "file://$work/list" > listed.json
run check --policy listed.json --hint requester=192.0.2.1 task.json
ended "a check waits for a list" 0
run check --policy listed.json --hint requester=192.0.3.1 task.json
ended "and goes by it" 1
printf '{"request":{},"hints":{"requester":"192.0.2.1"},"policy":"listed.json"}\n' > lines
run check --batch lines
mentions "so does a batch" out '"admitted":true'
write_listed "file://$work/absent" > listed.json
run check --policy listed.json --hint requester=192.0.2.1 task.json
ended "a list that cannot be had is none" 1
mentions "and the operator is told" err "warning: identifiers/listed: cannot download file://"
run validate listed.json
ended "nothing is downloaded to validate" 0
ok "so nothing fails" test -z "$(grep 'cannot download' err)"

# ---- with servers ----

mkfifo hold
"$LIMEN_BUILDDIR/tests/kit/serve" < hold > where &
exec 3> hold
while ! grep -q 'skip=' where; do
	kill -0 $! 2> /dev/null || break
	sleep 0.05
done
skip='no server'
. ./where

served() {
	if [ -n "$skip" ]; then
		skip "$1" "$skip"
		return 1
	fi
	return 0
}

if served "policies of real servers"; then
	cp good.json bad.json "$files"
	chmod 644 "$files"/*.json
	run validate "$http/files/good.json"
	prints "a policy of a server" 0 << END
Limit configuration is valid.
END
	echo "$http/files/good.json" > url.conf
	run validate url.conf
	ended "a file that holds its URL" 0
	run validate "$http/files/bad.json"
	mentions "its problems" err "  $http/files/bad.json:1:"
	run validate "$http/files/absent.json"
	ended "an answer that is none" 1
	holds "tells its status" err \
		"Unable to load limit configuration from URL: Status 404"
	user=$(echo "$http" | sed 's,//,//user:secret@,')
	run validate "$user/files/absent.json"
	ok "a password is not shown" test -z "$(grep secret err)"
	run validate "$http/files/absent.json?key=secret"
	ok "nor is a query" test -z "$(grep secret err)"
	run validate "$http/files/bad.json?key=secret"
	mentions "nor in the places of problems" err "  $http/files/bad.json:1:"
	run check --policy "$http/files/absent.json" task.json
	ended "a check without its policy" 2
	mentions "says why" err "Unable to load limit configuration from URL: Status 404"
	run validate "$https/files/good.json"
	ended "a server nobody vouches for" 1
	mentions "is not believed" err "certificate"
	write_listed "$odd/hang" > listed.json
	run check --policy listed.json --hint requester=192.0.2.1 task.json
	ended "a list that does not come is none" 1
	run validate "$odd/half"
	ended "half a policy is none" 1
fi

# One word that ends with its colon is a mapping of YAML without anything in it.
echo 'admission:' > word.yaml
run validate word.yaml
ok "a word and a colon are no URL" test -z "$(grep URL err out)"

exec 3>&-
wait
finish
