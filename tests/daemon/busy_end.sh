#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
. "$LIMEN_SRCDIR/tests/daemon/python.sh"
