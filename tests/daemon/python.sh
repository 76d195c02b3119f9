# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# python.sh - runs the Python program of the same name as the script that
# sources it.
set -u
: "${LIMEN_SRCDIR:?}" "${LIMEN_BUILDDIR:?}" "${LIMEND:?}"

if ! command -v python3 > /dev/null || ! command -v openssl > /dev/null; then
	echo "1..0 # SKIP there is no python3 or no openssl"
	exit 0
fi
name=$(basename "$0" .sh)
PYTHONDONTWRITEBYTECODE=1 exec python3 "$LIMEN_SRCDIR/tests/daemon/$name.py"
