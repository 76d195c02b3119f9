#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# graph.sh - limen graph: what is in a graph, names that mean something to Graphviz or
# HTML, and the way of a request.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"
data=$LIMEN_SRCDIR/tests/cli/data
cp "$data/limits.conf" "$data/trace.json" "$data/idle.json" .

# node NAME: the id of the node whose label begins with NAME
node() {
	sed -n "s/^\t\t\(n[0-9]*\) \[label=\"$1\(\\\\n\|\"\).*/\1/p" out
}

# joined NAME FROM TO: is there an edge?
joined() {
	grep -q "^	$(node "$2") -> $(node "$3") \[color" out
	report $? "$1" out
}

run graph limits.conf
ended 'a graph' 0
joined 'identifiers lead to classifiers' friends friendlies
joined 'classifiers to applications' friendlies '1\. Friends do as they like'
joined 'applications to limits' '2\. Others idle in the morning' mornings
mentions 'edges say how many must pass' out 'label="all"'
mentions 'a node says where it stands' out 'limits.conf:11"'
cp out first
run graph --policy limits.conf --format dot
ok 'and again it is the same' cmp out first
LIMEN_POLICY=limits.conf
export LIMEN_POLICY
run graph
ok 'of LIMEN_POLICY, too' cmp out first
unset LIMEN_POLICY
ok 'nothing is coloured' sh -c '! grep -q -e "npass\"" -e "nfail\"" out'

run graph limits.conf --request trace.json --hint requester=192.0.2.1
ended 'the way of a refused request' 0
mentions 'its reason stands above' out 'label="refused: application '\''Others idle'
mentions 'a limit that failed' out 'label="idlers\ntest-type\nfail"'
mentions 'an identifier that does not match' out 'label="friends\nip-cidr-list\nno match"'
mentions 'a classifier that matches' out 'label="default\nrequire any\nmatch"'
mentions 'an application of others' out 'label="1. Friends do as they like\nskip"'
mentions 'a limit that nobody asked' out 'label="always\npass-fail", '
run graph limits.conf --request idle.json --hint requester=10.0.0.1
mentions 'an admitted one' out 'label="admitted: '
mentions 'the application that admits' out 'label="1. Friends do as they like\npass"'

run graph limits.conf --request missing.json
ended 'no such request' 2
mentions 'is said' err 'limen: missing.json: No such file or directory'
run graph missing.conf
ended 'no such policy' 2
run graph limits.conf --hint requester=10.0.0.1
complains 'a hint without a request' 2 << 'END'
limen: hints, times and the like are for --request
Try 'limen graph --help'.
END
run graph limits.conf --request idle.json --task --object
complains 'a request that is to be both' 2 << 'END'
limen: --task and --object exclude each other
Try 'limen graph --help'.
END
run graph limits.conf --request idle.json --start soon
complains 'a start that is no time' 2 << 'END'
limen: --start takes a time (2026-01-31T12:00:00Z), not 'soon'
Try 'limen graph --help'.
END
run graph limits.conf --format png
complains 'a format that there is not' 2 << 'END'
limen: --format takes one of dot, svg, html, not 'png'
Try 'limen graph --help'.
END

# Admission entries form a chain; stores stand where entries count.
cat > objects.conf << 'END'
{ "identifiers": [ { "name": "all", "description": "All", "type": "always", "data": {} } ],
  "classifiers": [ { "name": "some", "description": "Some", "identifiers": [ "all" ] } ],
  "admission": [
    { "name": "one", "match": { "classifiers": [ "some" ], "users": [ "jane" ] }, "plugin": "LimitRanger", "data": { "manifests": [] } },
    { "name": "two", "plugin": "EventRateLimit", "enforce": "warn",
      "data": { "limits": [ { "type": "Server", "qps": 1, "burst": 1 } ] } } ] }
END
run graph objects.conf
joined 'the chain of admission entries' one two
joined 'whom an entry is for' some one
mentions 'an entry that only warns' out 'label="two\nEventRateLimit\nwarn"'
mentions 'edges to stores are dotted' out 'style=dotted'

# Names that would be something else in DOT, SVG or HTML.
hostile='\"];}\\n</svg><script>alert(1)</script>&amp;\\N \u202e'
printf '{ "identifiers": [ { "name": "%s", "description": "%s", "type": "always",
  "data": {} } ], "classifiers": [ { "name": "c", "description": "<b>", "identifiers":
  [ "%s" ] } ] }' "$hostile" "$hostile" "$hostile" > hostile.conf
run graph hostile.conf
ended 'names with quotes, tags and escapes' 0
mentions 'are escaped' out 'n1 [label="\"];}\\n</svg><script>alert(1)</script>&amp;amp;\\N  \nalways"'

if command -v dot > /dev/null; then
	run graph --format svg hostile.conf
	ok 'tooltips are what was written' python3 -c '
import xml.dom.minidom
tips = [a.getAttribute("xlink:title")
        for a in xml.dom.minidom.parse("out").getElementsByTagName("a")]
assert any(tip.startswith("\"];}\\n</svg><script>alert(1)</script>&amp;\\N ") for tip in tips), tips'
	for policy in hostile limits objects; do
		run graph --format svg $policy.conf
		ended "$policy as SVG" 0
		ok "$policy: it is XML" python3 -c '
import sys, xml.dom.minidom
names = {e.tagName for e in xml.dom.minidom.parse("out").getElementsByTagName("*")}
sys.exit(bool(names - {"svg", "g", "title", "polygon", "path", "text", "a", "ellipse",
                       "polyline"}))'
		run graph --format html $policy.conf
		ended "$policy as HTML" 0
		ok "$policy: no script in it" sh -c '! grep -qi "<script" out'
	done
	run graph --format html limits.conf --request trace.json --hint requester=192.0.2.1
	mentions 'the page says it in words' out '<td class="fail">fail: Test type not in list</td>'
else
	skip 'SVG and HTML' 'no dot (package graphviz)'
fi
# What was asked is in the file that dot reads.
mkdir fake
printf '%s\n' '#!/bin/sh' 'stat -c "<svg>%a</svg>" "$2"' > fake/dot
chmod +x fake/dot
before=$PATH
PATH=$PWD/fake:$PATH
run graph --format svg limits.conf
prints 'nobody else reads what dot is given' 0 << 'END'
<svg>600</svg>
END
PATH=$before
# All that there is but dot; what libtool starts the program by needs some of it.
mkdir plain
ln -s /bin/* /usr/bin/* plain 2> /dev/null
rm -f plain/dot
PATH=$PWD/plain
run graph --format svg limits.conf
complains 'without dot' 2 << 'END'
limen: the program dot is not installed: it is in the package graphviz (--format dot does without)
END
finish
