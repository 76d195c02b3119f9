#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
set -- 0 3
. "$LIMEN_SRCDIR/tests/docs/python.sh"
