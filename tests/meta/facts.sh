#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# facts.sh - what build-aux/project-facts says stands in all files that say it, and nowhere while
# it is empty; version numbers agree.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

tree=$LIMEN_SRCDIR
ok "the tree says what build-aux/project-facts says" "$tree/build-aux/put-facts" --check

copy() {
	mkdir -p "$1/docs" "$1/build-aux" "$1/bindings" "$1/deploy/helm/limend" &&
		cp -R "$tree"/*.pc.in "$tree/SECURITY.md" "$tree/debian" "$tree/rpm" "$1" &&
		cp -R "$tree/docs/man" "$1/docs" &&
		cp "$tree/deploy/helm/limend/Chart.yaml" "$1/deploy/helm/limend" &&
		cp -R "$tree/bindings/python" "$1/bindings" &&
		cp "$tree/build-aux/put-facts" "$tree/build-aux/project-facts" "$1/build-aux" &&
		chmod -R u+w "$1" && rm -rf "$1/bindings/python/limen"
}
put() {
	sed "s|^\([A-Z_]*\)=.*|\1=$2|" "$tree/build-aux/project-facts" > "$1/build-aux/project-facts"
	"$1/build-aux/put-facts"
}

copy empty
ok "values may be empty" put empty ""
ok "no page and no address is made up" sh -c '! grep -rnE "example|@.*debian\.org|https?://" empty/debian/control \
	empty/rpm empty/*.pc.in empty/deploy/helm/limend/Chart.yaml empty/SECURITY.md empty/bindings/python/pyproject.toml'
copy full
sed 's|^BUGS=.*|BUGS=https://limen.example/bugs|; s|^SECURITY=.*|SECURITY=trust@limen.example|
	s|^MAINTAINER=.*|MAINTAINER=us@limen.example|; s|^\([A-Z_]*\)=$|\1=https://limen.example/\1|' \
	"$tree/build-aux/project-facts" > full/build-aux/project-facts
ok "values are put into their files" full/build-aux/put-facts
ok "and then stand there" full/build-aux/put-facts --check
while read -r file text; do
	ok "$file: $text" grep -qF -e "$text" "full/$file"
done << 'END'
debian/control Homepage: https://limen.example/HOMEPAGE
debian/control Vcs-Browser: https://limen.example/VCS_BROWSER
debian/control Vcs-Git: https://limen.example/VCS_GIT
debian/control Maintainer: The limen maintainers <us@limen.example>
debian/changelog -- The limen maintainers <us@limen.example>
debian/copyright Source: https://limen.example/RELEASES
debian/watch https://limen.example/RELEASES
debian/upstream/metadata Security-Contact: trust@limen.example
rpm/limen.spec URL: https://limen.example/HOMEPAGE
rpm/limen.spec The limen maintainers <us@limen.example>
limen.pc.in URL: https://limen.example/HOMEPAGE
limen-testkit.pc.in URL: https://limen.example/HOMEPAGE
deploy/helm/limend/Chart.yaml home: https://limen.example/HOMEPAGE
bindings/python/pyproject.toml urls.Homepage = "https://limen.example/HOMEPAGE"
SECURITY.md <trust@limen.example>
docs/man/limen.1 .Lk https://limen.example/bugs
docs/man/limend.8 .Lk https://limen.example/bugs
END
cp full/build-aux/project-facts kept
sed 's|limen.example|other.example|' kept > full/build-aux/project-facts
ok "other values take their place" sh -c 'full/build-aux/put-facts &&
	! grep -r --exclude-dir=build-aux "limen\.example" full'
ok "and empty ones remove them" sh -c 'cp empty/build-aux/project-facts full/build-aux/ &&
	full/build-aux/put-facts && diff -r empty full'
sed 's|^HOMEPAGE=.*|HOMEPAGE=limen.example|' kept > full/build-aux/project-facts
ok "a page without https:// is refused" sh -c '! full/build-aux/put-facts 2> err &&
	grep -q "HOMEPAGE: .limen.example. is neither" err && rm full/build-aux/project-facts &&
	cp empty/build-aux/project-facts full/build-aux/ && diff -r empty full'

# ---- numbers ----

number() {
	sed -n "s/^#define $1 \"*\([0-9.]*\)\"*/\1/p" "$LIMEN_BUILDDIR/include/limen/version.h" "$tree/include/limen/types.h"
}
version=$(number LIMEN_VERSION)
abi=$(number LIMEN_ABI_MAJOR).$(number LIMEN_ABI_MINOR)
ok "there is a version" test -n "$version"
# The other side of each is a pattern of sed that takes the number out of its first match.
while read -r file pattern; do
	found=$(sed -nE "s|$pattern|\\1|p" "$tree/$file" | head -n 1)
	ok "$file: the version is $version (found: $found)" test "$found" = "$version"
done << 'END'
NEWS ^limen ([0-9.]+) .*
debian/changelog ^limen \(([0-9.]+)-.*
rpm/limen.spec ^Version: (.*)
bindings/python/limen/__init__.py ^__version__ = "(.*)"
deploy/helm/limend/Chart.yaml ^appVersion: (.*)
docs/kubernetes.md .*newTag: ([0-9.]+).*
README.md .*Version ([0-9]+\.[0-9]+\.[0-9]+).*
END
ok "the ABI has the major number of the version" test "${abi%.*}" = "${version%%.*}"
ok "and is not newer" test "$(printf '%s\n' "$abi.0" "$version" | sort -V | tail -n 1)" = "$version"
ok "debian/control provides it" grep -q "^Provides: limen-module-abi-${abi%.*} (= $abi)" "$tree/debian/control"
newest=$(sed -n 's/^ limen_.* //p' "$tree/debian/liblimen${abi%.*}.symbols" | sort -V | tail -n 1)
ok "no symbol is of a later version" test "$(printf '%s\n' "$newest" "$version" | sort -V | tail -n 1)" = "$version"

finish
