# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# python.sh - runs the Python program of the same name as the script that sources it; the number
# behind a name says which share of the pages it runs.
set -u
: "${LIMEN_SRCDIR:?}" "${LIMEN:?}"

if ! command -v python3 > /dev/null; then
	echo "1..0 # SKIP there is no python3"
	exit 0
fi
name=$(basename "$0" .sh)
# shellcheck disable=SC2086 # none, or a number
PYTHONDONTWRITEBYTECODE=1 exec python3 "$LIMEN_SRCDIR/tests/docs/${name%[0-9]}.py" ${name##*[a-z]}
