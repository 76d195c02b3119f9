#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# What others copy into their CI (docs/ci.md): the files are YAML, and their commands are run as
# the services would run them, in a repository with a policy, a good and a bad manifest.  The
# workflow of limen itself names commands that are there.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

if ! python3 -c 'import yaml' 2> /dev/null; then
	echo "1..0 # SKIP no yaml for python3 (python3-yaml)"
	exit 0
fi
mkdir bin bad
ln -s "$LIMEN" bin/limen
PATH=$PWD/bin:$PATH
export PATH
examples=$LIMEN_SRCDIR/docs/examples/ci
cp -R "$examples/limits" "$examples/manifests" .
chmod -R u+w limits manifests
sed 's/name: web$/name: bad/; s/500m/1500m/' manifests/web.yaml > bad/bad.yaml

# at FILE STEP...: what stands there in a file of YAML; a list is printed line by line
at() {
	python3 - "$@" << 'END'
import sys, yaml
with open(sys.argv[1], encoding="utf-8") as file:
    value = yaml.safe_load(file)
for step in sys.argv[2:]:
    value = value[int(step) if step.isdigit() else step]
print("\n".join(map(str, value)) if isinstance(value, list) else value)
END
}

# step N: runs a step of the action as its runner does
step() {
	at "$LIMEN_SRCDIR/action.yml" runs steps "$1" run > step.bash
	status=0
	bash --noprofile --norc -eo pipefail step.bash > out 2> err || status=$?
}

GITHUB_ACTION_PATH=$PWD/nowhere
GITHUB_PATH=$PWD/path
RUNNER_TEMP=$PWD
export GITHUB_ACTION_PATH GITHUB_PATH RUNNER_TEMP POLICY FILES OPTIONS
check_action() {
	for input in policy files options; do
		ok "the action passes on its input $input" test \
			"$(at "$LIMEN_SRCDIR/action.yml" runs steps 1 env $(echo $input | tr a-z A-Z))" = "\${{ inputs.$input }}"
	done
	step 0
	prints 'the action builds nothing where limen is' 0 < /dev/null
	POLICY=limits/ FILES=manifests/ OPTIONS=--namespace=shop
	step 1
	prints 'it admits' 0 < /dev/null
	POLICY='
		limits/limits.yaml
	' FILES='manifests/
		bad/bad.yaml' OPTIONS='--namespace=shop
		--no-rewrite'
	step 1
	ended 'it refuses one of several files' 1
	mentions 'at its line' out '::error file=bad/bad.yaml,line=10,'
	PATH=/usr/bin:/bin step 0
	ended 'without limen it builds, and says what is wrong' 1
	mentions 'with the words of make' out "$GITHUB_ACTION_PATH"
	ok 'and leaves PATH as it is' test ! -e path
}

# The last commands of the examples, with manifests that are good and bad.
check_gitlab() {
	example=$examples/gitlab.yml
	at "$example" limen script > script
	sh -e script > out 2> err
	status=$?
	prints 'the job of GitLab admits' 0 < /dev/null
	mentions 'as JUnit' "$(at "$example" limen artifacts reports junit)" 'failures="0"'
	cp bad/bad.yaml manifests/
	sh -e script > out 2> err
	status=$?
	prints 'and refuses' 1 < /dev/null
	mentions 'as JUnit' limen.xml 'failures="1"'
	rm manifests/bad.yaml
}

check_hook() {
	at "$@" entry > hook
	for arg in $arguments; do
		echo "$arg"
	done >> hook
	sh -c "$(tr '\n' ' ' < hook) manifests/web.yaml" > out 2> err
	status=$?
	ended "the hook of ${1##*/} admits" 0
	sh -c "$(tr '\n' ' ' < hook) manifests/web.yaml bad/bad.yaml" > out 2> err
	status=$?
	ended 'and refuses' 1
	mentions 'by name' out 'bad/bad.yaml:10:21: Pod "bad" (namespace shop): refused: '
}

check_action
check_gitlab
hooks=$LIMEN_SRCDIR/.pre-commit-hooks.yaml
example=$examples/pre-commit.yaml
arguments=$(at "$example" repos 0 hooks 0 args)
check_hook "$example" repos 0 hooks 0
check_hook "$hooks" 0
for key in id entry language types_or; do
	ok "both hooks have the same $key" test "$(at "$example" repos 0 hooks 0 $key)" = "$(at "$hooks" 0 $key)"
done
ok 'the example of GitHub runs the action' test "$(at "$examples/github.yml" jobs check steps 2 uses)" = ./limen
for input in $(at "$examples/github.yml" jobs check steps 2 with | grep -o "'[a-z]*':" | tr -d "':"); do
	ok "with an input of it: $input" at "$LIMEN_SRCDIR/action.yml" inputs "$input"
done

workflow=$LIMEN_SRCDIR/.github/workflows/ci.yml
ok 'the workflow runs .ci/run' test "$(at "$workflow" jobs run steps 4 run)" = .ci/run
ok 'which is there' test -x "$LIMEN_SRCDIR/.ci/run"
ok 'on both Debians' test "$(at "$workflow" jobs run strategy matrix debian | xargs)" = '12 13'
ok 'with both compilers' test "$(at "$workflow" jobs run strategy matrix compiler | xargs)" = 'gcc clang'
ok 'which configure takes from CC' test "$(at "$workflow" jobs run env CC)" = '${{ matrix.compiler }}'
for compiler in $(at "$workflow" jobs run strategy matrix compiler); do
	ok "and which .ci/run installs: $compiler" grep -qE "^$compiler +(# ci)?$|^$compiler$" "$LIMEN_SRCDIR/packages.debian"
done
ok 'it installs what .ci/run needs' test "$(at "$workflow" jobs run steps 3 run)" = 'build-aux/install-packages --ci'
ok 'which is an option' grep -q -e '--ci |' "$LIMEN_SRCDIR/build-aux/install-packages"
ok 'both work in the clone of the step before' test \
	"$(at "$workflow" jobs run steps 3 working-directory) $(at "$workflow" jobs run steps 4 working-directory)" = '/root/limen /root/limen'
for target in $(sed -n 's/^	step make \([a-z-]*\).*/\1/p; s/.*make \(check-asan\) .*/\1/p' "$LIMEN_SRCDIR/.ci/run"); do
	ok "a target of .ci/run is there: $target" grep -rqE --include='*.am' --include='*.mk' --include=Makefile.in \
		"^$target:" "$LIMEN_SRCDIR/Makefile.am" "$LIMEN_SRCDIR/Makefile.in" "$LIMEN_SRCDIR/build-aux" "$LIMEN_SRCDIR/deploy" "$LIMEN_SRCDIR/tests"
done
at "$LIMEN_SRCDIR/action.yml" runs steps 1 run > step.bash
POLICY=$(at "$workflow" jobs action steps 1 with policy)
FILES=$(at "$workflow" jobs action steps 1 with files)
OPTIONS=$(at "$workflow" jobs action steps 1 with options)
(cd "$LIMEN_SRCDIR" && bash -eo pipefail "$work/step.bash") > out 2> err
status=$?
prints 'and the action, which admits' 0 < /dev/null

finish
