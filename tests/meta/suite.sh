#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# suite.sh - tests/kit/suite.c reports each outcome, and a failure is one.
set -u

expected='1..4
ok 1 - passes \# TODO
not ok 2 - fails
# suite: CU_ASSERT_EQUAL(sum,3)
# suite: sum == 4
ok 3 - is skipped # SKIP not today
not ok 4 - fails and is skipped
# suite: CU_FAIL("failed all the same")'

echo 1..2
output=$("$LIMEN_BUILDDIR/tests/meta/failing_suite" 2>&1)
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
