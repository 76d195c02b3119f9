#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# needs.sh - a configure that does not find libraries lists all of them at once, each with
# the version and the Debian package, which packages.debian has.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

# In a copy: a tree that was built in is not configured elsewhere.
mkdir -p tree/include/limen
cp -R "$LIMEN_SRCDIR/configure" "$LIMEN_SRCDIR/build-aux" tree/
cp "$LIMEN_SRCDIR/include/limen/types.h" tree/include/limen/
(cd tree && PKG_CONFIG=false ./configure > ../out 2> ../err)
ok "it fails" test $? = 1
ok "in one screen" test "$(wc -l < err)" -lt 24
ok "after all checks" grep -q 'checking for libseccomp' out
awk '$3 == "no" { print $1, $2, $4 }' err > missing
ok "most are missing" test "$(wc -l < missing)" -ge 13
ok "with the version" grep -q '^jansson 2\.[0-9]* libjansson-dev$' missing
while read -r name version package; do
	ok "$name $version is in $package of packages.debian" \
		grep -q "^$package\\([[:space:]]\\|\$\\)" "$LIMEN_SRCDIR/packages.debian"
done < missing
ok "no cache or makefile is left" test ! -e tree/Makefile

finish
