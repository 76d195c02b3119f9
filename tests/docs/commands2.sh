#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
set -- 1 3
. "$LIMEN_SRCDIR/tests/docs/python.sh"
