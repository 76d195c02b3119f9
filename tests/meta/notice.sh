#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# notice.sh - NOTICE names each library that what is installed is linked with, and no other.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

if [ -n "${SANITIZE_CFLAGS:-}" ] || ! command -v objdump > /dev/null; then
	echo "1..0 # SKIP libraries of sanitizers, or no objdump"
	exit 0
fi
find "$LIMEN_BUILDDIR/.libs" "$LIMEN_BUILDDIR/plugins" -name '*.so*' -type f > objects
printf '%s\n' "$LIMEN" "$LIMEND" "$LIMEN_BUILDDIR/limen-jq-sandbox" >> objects
xargs objdump -p < objects 2> err | awk '$1 == "NEEDED" { print $2 }' | sed 's/\.so.*//; s/^ld-linux.*/ld-linux/' |
	grep -v '^liblimen' | sort -u > linked
ok "programs and modules are linked with libraries" test "$(wc -l < linked)" -ge 10
while read -r library; do
	ok "NOTICE names $library" grep -qw -e "^  .*$library" "$LIMEN_SRCDIR/NOTICE"
done < linked
# A build without seccomp is one, too.
sed -n 's/^  \(lib[^ ,]*\) .*/\1/p' "$LIMEN_SRCDIR/NOTICE" | grep -vx libseccomp > named
while read -r library; do
	ok "$library of NOTICE is linked with" grep -qFx "$library" linked
done < named

finish
