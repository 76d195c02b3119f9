#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A disk of the test's own: in a name space of file systems that nobody else sees.
if [ -z "${LIMEN_TEST_APART:-}" ]; then
	if ! unshare --user --map-root-user --mount mount -t tmpfs none /mnt 2> /dev/null; then
		echo "1..0 # SKIP a file system cannot be mounted"
		exit 0
	fi
	LIMEN_TEST_APART=1 exec unshare --user --map-root-user --mount sh "$0"
fi
. "$LIMEN_SRCDIR/tests/daemon/python.sh"
