# SPDX-License-Identifier: Apache-2.0
#
# idle.sh [REPORT] - the memory of a limend that has loaded every module but those of
# jq, and no script in jq, has downloaded a list and is asked nothing.

set -u
report=${1:-}
scratch=$(mktemp -d) || exit 1
daemon=
server=
redis=

stop() {
	for process in $daemon $server $redis; do
		{ kill "$process" && wait "$process"; } 2> /dev/null
	done
	rm -rf "$scratch"
}
trap stop EXIT
trap 'exit 1' INT TERM

wait_for_file() {
	for _ in $(seq 50); do
		[ -s "$1" ] || [ -S "$1" ] && return
		[ -z "$daemon" ] || kill -0 "$daemon" 2> /dev/null || break
		sleep 0.2
	done
	echo "$2 does not start" >&2
	[ ! -f "$scratch/log" ] || cat "$scratch/log" >&2
	exit 1
}

mkdir "$scratch/conf.d" "$scratch/www"

# Whoever has the list of networks, and Redis if there is one: without, its module tries on.
seq -f '198.51.%.0f.0/24' 0 255 > "$scratch/www/list"
python3 - "$scratch" <<'END' > "$scratch/www.log" 2>&1 &
import functools, http.server, os, sys

scratch = sys.argv[1]
handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=scratch + "/www")
server = http.server.HTTPServer(("127.0.0.1", 0), handler)
with open(scratch + "/port.new", "w") as out:
    out.write(str(server.server_port))
os.rename(scratch + "/port.new", scratch + "/port")
server.serve_forever()
END
server=$!
wait_for_file "$scratch/port" 'the server of the list'
if command -v redis-server > /dev/null; then
	redis-server --port 0 --unixsocket "$scratch/redis" --save '' --dir "$scratch" \
		> "$scratch/redis.log" 2>&1 &
	redis=$!
	wait_for_file "$scratch/redis" redis-server
fi

# Of the example of each type the entries of that type.
python3 - "$LIMEN_SRCDIR/plugins" "$scratch" > "$scratch/conf.d/policy.conf" <<'END'
import json, pathlib, sys

sections = {"identifier": "identifiers", "limit": "limits"}
scratch = sys.argv[2]
port = pathlib.Path(scratch, "port").read_text()
policy = {"schema": 4, "identifiers": [], "classifiers": [], "limits": [], "applications": []}
for example in sorted(pathlib.Path(sys.argv[1]).glob("*/*/example.json")):
    kind, type = example.parts[-3:-1]
    if kind not in sections or type == "jq":
        continue
    for number, entry in enumerate(json.loads(example.read_text())[sections[kind]]):
        if entry.get("type") == type:
            entry["name"] = f"{type}-{number}"
            entry["data"] = {key: value for key, value in entry["data"].items()
                             if not key.endswith("transform")}
            if type == "ip-cidr-list-url":
                entry["data"]["source"] = f"http://127.0.0.1:{port}/list"
            policy[sections[kind]].append(entry)
names = [entry["name"] for entry in policy["identifiers"]]
policy["classifiers"] = [{"name": "all", "description": "All", "identifiers": names}]
policy["applications"] = [{"description": "All", "classifier": "all", "apply": []}]
policy["stores"] = {"shared": {"type": "redis", "data": {"path": f"{scratch}/redis",
                                                         "replicas": 2}}}
for name in ("EventRateLimit", "LimitRanger"):
    example = pathlib.Path(sys.argv[1]) / "admission" / name / "example.json"
    policy.setdefault("admission", []).extend(json.loads(example.read_text())["admission"])
json.dump(policy, sys.stdout)
END

"$LIMEND" --policy "$scratch/conf.d" --listen 127.0.0.1:0 --address-file "$scratch/address" \
	> "$scratch/log" 2>&1 &
daemon=$!
wait_for_file "$scratch/address" limend
# Until the list is there and what is done after the start has been done.
for _ in $(seq 50); do
	grep -q 'GET /list' "$scratch/www.log" && break
	sleep 0.2
done
grep -q 'GET /list' "$scratch/www.log" || { echo 'nobody asked for the list' >&2; exit 1; }
sleep 1
resident=$(awk '/^VmRSS:/ { print $2 }' "/proc/$daemon/status")
own=$(awk '/^RssAnon:/ { print $2 }' "/proc/$daemon/status")
awk -v resident="$resident" -v own="$own" 'BEGIN {
	printf "%-52s %6.1f MiB %9s %10s %10s  %s\n", "limend: idle, resident", resident / 1024, "",
		"", "15.0 MiB", resident <= 15 * 1024 ? "met" : "missed"
	printf "%-52s %6.1f MiB\n", "limend: idle, of its own (not mapped files)", own / 1024
}'
[ -z "$report" ] ||
	PYTHONPATH=$LIMEN_SRCDIR/tests/bench python3 - "$resident" "$own" > "$report" <<'END'
import json, sys

import machine

resident, own = map(int, sys.argv[1:])
json.dump({"program": "limend", **machine.describe(), "rows": [
    {"name": "limend: idle, resident", "unit": "KiB", "median": resident, "goal": 15360},
    {"name": "limend: idle, of its own (not mapped files)", "unit": "KiB", "median": own}]},
    sys.stdout, indent=2)
END
