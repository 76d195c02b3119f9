#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# "limen explain --format schema": every policy that is shipped fits it.
set -u

: "${LIMEN:?}" "${LIMEN_SRCDIR:?}" "${LIMEN_MODULE_PATH:?}"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM

"$LIMEN" explain --format schema > "$work/schema.json" || exit 99
python3 "$LIMEN_SRCDIR/tests/cli/schema.py" "$work/schema.json" "$LIMEN_SRCDIR"
