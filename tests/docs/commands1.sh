#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
set -- 0 2
. "$LIMEN_SRCDIR/tests/docs/python.sh"
