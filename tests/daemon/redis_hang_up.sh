#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
if ! command -v "${REDIS_SERVER:-redis-server}" > /dev/null; then
	echo "1..0 # SKIP this system has no redis-server"
	exit 0
fi
. "$LIMEN_SRCDIR/tests/daemon/python.sh"
