#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# suite.sh - tests/kit/suite.c reports each outcome, and a failure is one; a program of
# suites (suite_main.c) runs those that it is asked for, whatever becomes of them.
set -u
suites=$LIMEN_BUILDDIR/tests/meta/failing_suites

expected='1..4
ok 1 - passes \# TODO
not ok 2 - fails
# suite: CU_ASSERT_EQUAL(sum,3)
# suite: sum == 4
ok 3 - is skipped # SKIP not today
not ok 4 - fails and is skipped
# suite: CU_FAIL("failed all the same")'

echo 1..6
output=$("$suites" "$LIMEN_SRCDIR/tests/meta/failing_suite.c" 2>&1)
status=$?
output=$(printf '%s\n' "$output" | sed 's/^# [^ ]*failing_suite\.c:[0-9][0-9]*:/# suite:/')

if [ "$output" = "$expected" ]; then
	echo "ok 1 - every outcome is reported"
else
	echo "not ok 1 - every outcome is reported"
	printf '%s\n' "$output" | sed 's/^/# /'
fi
if [ "$status" -eq 1 ]; then
	echo "ok 2 - a failed assertion makes the exit status 1"
else
	echo "not ok 2 - a failed assertion makes the exit status 1, not $status"
fi

output=$("$suites" 2>&1)
status=$?
if [ "$status" -eq 1 ] &&
	[ "$(printf '%s\n' "$output" | grep -c '^# \(crashing\|failing\)_suite$')" -eq 2 ] &&
	printf '%s\n' "$output" | grep -q '^Bail out! crashing_suite: ' &&
	printf '%s\n' "$output" | grep -q '^ok 1 - passes'; then
	echo "ok 3 - a crash ends its suite alone, and is a failure"
else
	echo "not ok 3 - a crash ends its suite alone, and is a failure, not $status"
	printf '%s\n' "$output" | sed 's/^/# /'
fi
"$suites" crashing_suite > /dev/null 2>&1
if [ $? -gt 128 ]; then
	echo "ok 4 - a suite that is named runs in the process that was started"
else
	echo "not ok 4 - a suite that is named runs in the process that was started"
fi
if "$suites" no_such_suite > /dev/null 2>&1; then
	echo "not ok 5 - a suite that is not there is a failure"
else
	echo "ok 5 - a suite that is not there is a failure"
fi

# What "make check" sets is not needed.
if env -u LIMEN_SRCDIR -u LIMEN_BUILDDIR -u LIMEN_MODULE_PATH -u LIMEN_JQ_PATH -u LIMEN_JQ_SANDBOX \
	"$LIMEN_BUILDDIR/tests/core/engine/run" test_engine_source > /dev/null 2>&1; then
	echo "ok 6 - a suite that is run by hand finds the modules of its tree"
else
	echo "not ok 6 - a suite that is run by hand finds the modules of its tree"
fi
