#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# describe.sh - limen describe and limen get: the tables of kubectl, with the
# values of the documents' examples.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"
data=$LIMEN_SRCDIR/tests/cli/data
mkdir policy
cp "$data/proposal.yaml" policy
sed 's/^  name: limits/&\n  namespace: default/' "$data/limits.yaml" > policy/limits.yaml

# limit-range-proposal: Pod memory 1Mi 1Gi, Pod cpu 250m 2, Container memory 1Mi
# 1Gi 1Mi, Container cpu 250m 250m 250m; the columns are today's.
run describe limits limits --policy policy --namespace myspace
prints "the proposal's example" 0 << 'END'
Name:       limits
Namespace:  myspace
Type        Resource  Min   Max   Default Request  Default Limit  Max Limit/Request Ratio
----        --------  ---   ---   ---------------  -------------  -----------------------
Pod         cpu       250m  2     -                -              -
Pod         memory    1Mi   1Gi   -                -              -
Container   cpu       250m  250m  250m             250m           -
Container   memory    1Mi   1Gi   1Mi              1Mi            -
END
run describe limits policy/limits.yaml
prints "limit-ranger's example, from a file" 0 << 'END'
Name:       limits
Namespace:  default
Type        Resource  Min    Max  Default Request  Default Limit  Max Limit/Request Ratio
----        --------  ---    ---  ---------------  -------------  -----------------------
Container   cpu       100m   1    250m             500m           4
Container   memory    250Mi  1Gi  250Mi            500Mi          -
END
cp out first
run describe limitrange limits --policy policy
ok 'the same by its name' cmp out first
run_with policy/limits.yaml describe limits -
ok 'the same from standard input' cmp out first
LIMEN_POLICY=policy
export LIMEN_POLICY
run describe limits
ok 'the same as all of the default namespace of LIMEN_POLICY' cmp out first
run describe limits -A
ok 'those of all namespaces, two blank lines between' sh -c \
	'{ cat first; echo; echo; } > wanted && head -n "$(wc -l < wanted)" out | cmp - wanted && grep -qx "Namespace:  myspace" out'
run describe namespace myspace
prints 'a namespace' 0 << 'END'
Name:  myspace

Resource Limits
 Type       Resource  Min   Max   Default Request  Default Limit  Max Limit/Request Ratio
 ----       --------  ---   ---   ---------------  -------------  -----------------------
 Pod        cpu       250m  2     -                -              -
 Pod        memory    1Mi   1Gi   -                -              -
 Container  cpu       250m  250m  250m             250m           -
 Container  memory    1Mi   1Gi   1Mi              1Mi            -
END
run describe ns shop
prints 'a namespace without LimitRanges' 0 << 'END'
Name:  shop

No LimitRange resource.
END
run get limits
prints 'names' 0 << 'END'
NAMESPACE   NAME     CREATED AT
default     limits   <unknown>
END
run get limits -A
prints 'names of all namespaces' 0 << 'END'
NAMESPACE   NAME     CREATED AT
default     limits   <unknown>
myspace     limits   <unknown>
END
run get limits limits --format yaml
cp out limits.yaml
ended 'one as YAML' 0
holds 'has its defaults' out '      cpu: "250m"'
run get limits limits --format json
cp out limits.json
run get limits limits.yaml --format json
ok 'is a LimitRange again, and has no further defaults' cmp out limits.json
run describe limits limits.yaml
ok 'that is described as the first' cmp out first
run get limits --format json -A
cp out list.json
ok 'several are a List' grep -qx '  "kind": "List",' out
run get limits list.json --format json
ok 'which is a policy again' sh -c 'cmp out list.json'
run describe namespace myspace --format json
ok 'a namespace in JSON' sh -c 'grep -qx "  \"kind\": \"List\"," out && test "$(grep -c LimitRange out)" -eq 1'

# Third types, generated names, times; cells and labels in one column.
cat > odd.yaml << 'END'
apiVersion: v1
kind: LimitRange
metadata: {generateName: some-, namespace: shop, creationTimestamp: "2026-01-02T03:04:05Z"}
spec:
  limits:
  - {type: thirdparty.example.com/thing, max: {cpu: 0.5}, maxLimitRequestRatio: {cpu: 1.5}}
  - {type: PersistentVolumeClaim, max: {storage: 1024Mi}}
END
run describe limits odd.yaml
prints 'types of others' 0 << 'END'
Name:                         some-
Namespace:                    shop
Type                          Resource  Min  Max   Default Request  Default Limit  Max Limit/Request Ratio
----                          --------  ---  ---   ---------------  -------------  -----------------------
thirdparty.example.com/thing  cpu       -    500m  -                -              1500m
PersistentVolumeClaim         storage   -    1Gi   -                -              -
END
run get limits odd.yaml
prints 'the time of creation' 0 << 'END'
NAMESPACE   NAME    CREATED AT
shop        some-   2026-01-02T03:04:05Z
END

# Each map has other names, in another order: every second, third and so on of 121, and
# the first of them twice, of which the last counts.
many_json() {
	awk 'BEGIN {
		split("min max defaultRequest default maxLimitRequestRatio", map)
		split("1 8 4 4 3", value)
		printf "{\"apiVersion\": \"v1\", \"kind\": \"LimitRange\", "
		printf "\"metadata\": {\"name\": \"many\"}, \"spec\": {\"limits\": [{"
		printf "\"type\": \"example.com/thing\""
		for (m = 1; m <= 5; m++) {
			printf ", \"%s\": {\"example.com/r0\": \"7\"", map[m]
			for (i = 0; i < 121; i++) {
				n = (i * 7 * m + 11 * m) % 121
				if (n > 0 && n % (m + 1) == 0)
					printf ", \"example.com/r%d\": \"%d\"", n, value[m]
			}
			printf ", \"example.com/r0\": \"%d\"}", value[m]
		}
		print "}]}}"
	}'
}
many_rows() {
	awk 'BEGIN {
		split("1 8 4 4 3", value)
		for (n = 0; n < 121; n++) {
			line = ""
			for (m = 1; m <= 5; m++)
				line = line " " (n % (m + 1) == 0 ? value[m] : "-")
			if (line ~ /[0-9]/)
				print "example.com/thing example.com/r" n line
		}
	}' | LC_ALL=C sort -k 2,2
}
many_json > many.json
run describe limits many.json
sed -e 1,4d -e 's/   */ /g' out > many.out
many_rows > many.rows
ok 'many names, each once, in their order, with what each map says' \
	diff many.rows many.out
ok 'are many' test "$(wc -l < many.out)" -gt 80

run describe limits nothing
complains 'a name that is not there' 1 << 'END'
limen: no LimitRange "nothing" in the namespace default
END
run describe limits --namespace shop
prints_nothing=$(cat out)
ended 'no LimitRange at all' 0
holds 'says so' err 'limen: no LimitRanges in the namespace shop'
ok 'and prints nothing' test -z "$prints_nothing"
run describe limits nowhere.yaml
complains 'a file that is not there' 2 << 'END'
limen: Unable to read input: nowhere.yaml: No such file or directory
END
echo 'kind: LimitRange' > broken.yaml
run get limits broken.yaml
ended 'a file that is no policy' 2
mentions 'has its problem told' err "'apiVersion' is a required property"
run describe pods
complains 'another object' 2 << 'END'
limen: only limits or a namespace can be described, not 'pods'
Try 'limen describe --help'.
END
run get pods
complains 'get another object' 2 << 'END'
limen: only limits can be listed, not 'pods'
Try 'limen get --help'.
END
run get limits a b
ended 'get two' 2
run describe namespace
ended 'describe no namespace' 2
run describe
ended 'describe nothing' 2

finish
