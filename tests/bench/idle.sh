# SPDX-License-Identifier: Apache-2.0
#
# idle.sh [REPORT] - the memory of a limend that has loaded every module but those of
# jq and is asked nothing.

set -u
report=${1:-}
scratch=$(mktemp -d) || exit 1
daemon=

stop() {
	[ -z "$daemon" ] || { kill "$daemon" && wait "$daemon"; } 2> /dev/null
	rm -rf "$scratch"
}
trap stop EXIT
trap 'exit 1' INT TERM

mkdir "$scratch/conf.d"

# Of the example of each type the entries of that type.
python3 - "$LIMEN_SRCDIR/plugins" > "$scratch/conf.d/policy.conf" <<'END'
import json, pathlib, sys

sections = {"identifier": "identifiers", "limit": "limits"}
policy = {"schema": 4, "identifiers": [], "classifiers": [], "limits": [], "applications": []}
for example in sorted(pathlib.Path(sys.argv[1]).glob("*/*/example.json")):
    kind, type = example.parts[-3:-1]
    if kind not in sections or type in ("jq", "ip-cidr-list-url"):
        continue
    for number, entry in enumerate(json.loads(example.read_text())[sections[kind]]):
        if entry.get("type") == type:
            entry["name"] = f"{type}-{number}"
            policy[sections[kind]].append(entry)
names = [entry["name"] for entry in policy["identifiers"]]
policy["classifiers"] = [{"name": "all", "description": "All", "identifiers": names}]
policy["applications"] = [{"description": "All", "classifier": "all", "apply": []}]
for name in ("EventRateLimit", "LimitRanger"):
    example = pathlib.Path(sys.argv[1]) / "admission" / name / "example.json"
    policy.setdefault("admission", []).extend(json.loads(example.read_text())["admission"])
json.dump(policy, sys.stdout)
END

"$LIMEND" --policy "$scratch/conf.d" --listen 127.0.0.1:0 --address-file "$scratch/address" \
	> "$scratch/log" 2>&1 &
daemon=$!
for _ in $(seq 50); do
	[ -s "$scratch/address" ] && break
	kill -0 "$daemon" 2> /dev/null || { cat "$scratch/log" >&2; exit 1; }
	sleep 0.2
done
[ -s "$scratch/address" ] || { echo 'limend does not start' >&2; exit 1; }
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
