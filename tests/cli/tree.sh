#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# tree.sh - ./limen and ./limend of a build tree find its modules, jq library and jq sandbox
# without variables, from any directory. The installed programs never look beside themselves.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

cat > imports.yaml << 'END'
identifiers: [{ name: all, description: d, type: always, data: {} }]
classifiers: [{ name: all, description: d, identifiers: [ all ] }]
limits:
  - name: si
    type: jq
    data: { script: 'import "pscheduler/si" as si; si::as_integer("1K") == 1000' }
applications: [{ description: All, classifier: all, apply: [{ require: all, limits: [ si ] }] }]
END
echo '{ "test": { "type": "idle", "spec": {} } }' > task.json

# bare PROGRAM ARGUMENT...: runs it without a variable of limen.
bare() {
	status=0
	env -u LIMEN_MODULE_PATH -u LIMEN_JQ_PATH -u LIMEN_JQ_SANDBOX "$@" < /dev/null > out 2> err ||
		status=$?
}

bare env -u LD_LIBRARY_PATH "$LIMEN_BUILDDIR/limen" check --policy imports.yaml task.json
ended "./limen finds modules, jq library and sandbox" 0
bare env -u LD_LIBRARY_PATH "$LIMEN_BUILDDIR/limend" --check --policy imports.yaml
ended "./limend, too" 0
mentions "and says what it has loaded" out 'the policy imports.yaml is valid: 1 file, 1 identifier, '

mkdir -p own/limit
cp "$LIMEN_BUILDDIR/plugins/limit/.libs/jq.so" own/limit/
LIMEN_MODULE_PATH=$work/own "$LIMEN_BUILDDIR/limen" modules --long > out
mentions "directories that the environment names come first" out " $work/own/limit/jq.so"
mentions "and those of the tree follow" out " $LIMEN_BUILDDIR/plugins/limit/.libs/test.so"
LIMEN_JQ_SANDBOX=/nowhere/sandbox "$LIMEN_BUILDDIR/limen" check --policy imports.yaml task.json \
	> out 2> err
mentions "a sandbox that the environment names counts" err '/nowhere/sandbox: No such file'
LIMEN_JQ_PATH=/nowhere "$LIMEN_BUILDDIR/limen" check --policy imports.yaml task.json > out 2> err
ok "and so does a jq library" test $? -ne 0

# What is installed, beside all that it could find.
mkdir copy
cp "$LIMEN" copy/limen
cp "$LIMEND" copy/limend
cp "$LIMEN_BUILDDIR/limen-jq-sandbox" copy/
ln -s "$LIMEN_BUILDDIR/plugins" copy/plugins
for limen in "$LIMEN" copy/limen "$LIMEN_BUILDDIR/installed/limen"; do
	bare "$limen" modules --long
	ok "$limen finds no module beside itself" \
		sh -c "! grep -F -e ' $LIMEN_BUILDDIR/' -e ' $work/' out"
done
bare copy/limend --check --policy imports.yaml
if [ "$status" -eq 0 ]; then
	skip 'limend finds none, either' 'modules are installed'
else
	mentions 'limend finds none, either' err "Unable to load modules: there is none in "
fi
(unset LIMEN_JQ_PATH LIMEN_JQ_SANDBOX && copy/limen check --policy imports.yaml task.json) \
	> out 2> err
if [ $? -eq 0 ]; then
	skip 'nor a jq sandbox' 'one is installed'
else
	mentions 'nor a jq sandbox' err 'limen-jq-sandbox: No such file'
fi

finish
