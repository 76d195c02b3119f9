#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# rewrite.sh - limen check of policies that rewrite and prioritize, with the
# modules of tests/modules.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"
data=$LIMEN_SRCDIR/tests/cli/data
modules=${LIMEN_BUILDDIR:?}/tests/modules
cp "$data/rewrite.conf" "$data/idle.json" .

run check --module-path "$modules" --policy rewrite.conf idle.json
prints 'a task is rewritten' 0 << 'END'
admitted: application 'Anything' passes
Identified as everybody
Classified as default
Rewriter made changes:
  Duration is PT9S
Application: Anything
  Group 1: Limit 'always' passed
  Group 1: Want all, 1/1 passed, 0/1 failed: PASS
  Application PASSES
Passed one application.  Stopping.
Proposal meets limits
Priority set to default of 0
Priority: default of 0, not computed (by default only runs get one)
Rewritten task:
{
  "schema": 1,
  "test": {
    "type": "idle",
    "spec": {
      "duration": "PT9S"
    }
  }
}
END
run check --module-path "$modules" --policy rewrite.conf --explain idle.json
holds 'its explanation has the changes' out '      note: Duration is PT9S'
run check --module-path "$modules" --policy rewrite.conf --run idle.json
prints 'a run is prioritized' 0 << 'END'
admitted: application 'Anything' passes
Identified as everybody
Classified as default
Application: Anything
  Group 1: Limit 'always' passed
  Group 1: Want all, 1/1 passed, 0/1 failed: PASS
  Application PASSES
Passed one application.  Stopping.
Proposal meets limits
Priority set at 2:
  As told
Priority: 2.5
END
run check --module-path "$modules" --policy rewrite.conf --run --rewrite --no-prioritize \
	--time 0 idle.json
ended 'a run may be rewritten' 0
holds 'and have no priority' out 'Priority: default of 0, not computed (--no-prioritize)'
holds 'it starts at the decision time' out '    "start": "1970-01-01T00:00:00Z",'
run check --module-path "$modules" --policy rewrite.conf --no-rewrite --prioritize idle.json
ok 'a task may be left as it is' sh -c '! grep -q Rewritten out'
holds 'and have a priority' out 'Priority: 2.5'
run check --module-path "$modules" --policy rewrite.conf --format json idle.json
mentions 'the rewritten task in JSON' out \
	'"rewritten":{"schema":1,"test":{"type":"idle","spec":{"duration":"PT9S"}}}'

task='"request":{"test":{"type":"idle","spec":{}}}'
cat > lines << END
{"id":1,$task}
{"id":2,"run":false,$task}
{"id":3,"run":true,$task}
{"id":4,"rewrite":false,"prioritize":true,$task}
{"id":5,"run":true,"rewrite":true,"prioritize":false,$task}
{"id":6,"rewrite":null,"prioritize":null,$task}
END
run check --module-path "$modules" --policy rewrite.conf --batch lines
sed 's/^{"id":\([0-9]*\),.*,"priority":\([^,]*\),"rewritten":\(.\).*/\1 \2 \3/' out > short
mv short out
prints 'the switches of a batch' 0 << 'END'
1 0 {
2 0 {
3 2.5 n
4 2.5 n
5 0 {
6 0 {
END
run check --module-path "$modules" --policy rewrite.conf --no-rewrite --prioritize --batch lines
sed 's/^{"id":\([0-9]*\),.*,"priority":\([^,]*\),"rewritten":\(.\).*/\1 \2 \3/' out > short
mv short out
prints 'options are the defaults of a batch' 0 << 'END'
1 2.5 n
2 0 {
3 2.5 n
4 2.5 n
5 0 {
6 2.5 n
END

# Changes of a pod, of which the table of its resources shows the requests and limits alone.
cat > chain.yaml << 'END'
admission:
- name: changes
  plugin: chain
  data:
    set:
      /metadata/labels/resources: many
      /spec/containers/0/resources/limits/cpu: "2"
      /spec/containers/0/resources/claims: [{name: gpu}]
      /spec/resources: {limits: {cpu: "3"}}
      /spec/resourcesNote: none
END
cat > pod.yaml << 'END'
apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec:
  containers:
  - {name: web, image: nginx, resources: {limits: {memory: 1Gi}}}
END
run check --module-path "$modules" --policy chain.yaml pod.yaml
prints 'changes that no table shows, whatever their paths are like' 0 << 'END'
admitted: no admission entry refuses it
Container  Resource  Request  Limit
web        cpu       -        2 (given)
           memory    -        1Gi (given)
(the pod)  cpu       -        3 (given)
Changed: /metadata/labels/resources: "many"
Changed: /spec/containers/0/resources/claims: [{"name":"gpu"}]
Changed: /spec/resourcesNote: "none"
END

finish
