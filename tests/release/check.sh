#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check.sh - "make release" of a copy of this tree that is ready for it: what it refuses, and that two
# runs give the same bytes.  "make check-release" runs it, in a checkout of git.
. "$(dirname "$0")/../tap.sh"
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES
tree=$(cd "$(dirname "$0")/../.." && pwd)

commit() {
	git -C "$work/a" -c user.name=limen -c user.email=limen@limen.example commit -qa --allow-empty -m "$1"
}

release() {
	(cd "$work/$1" && build-aux/make-release "$work/$2" ${3-})
}

# refused NAME WORDS: no file is made, and the message has the words.
refused() {
	said=$(release a refused 2>&1)
	[ $? -eq 1 ] && [ ! -e "$work/refused" ] && echo "$said" | grep -qF -e "$2"
	ok "refused: $1" [ $? -eq 0 ]
	[ "$failed" -eq 0 ] || echo "$said" | sed 's/^/# /'
}

git clone -q "$tree" "$work/a" || exit 99
version=$(sed -n '1s/^limen \([0-9.]*\) .*/\1/p' "$tree/NEWS")
facts=$work/a/build-aux/project-facts
tag() {
	git -C "$work/a" tag "$@"
}
git -C "$work/a" tag --list 'v*' | while read -r name; do tag -d "$name" > /dev/null; done

sed -i 's,^\(BUGS\|SECURITY\|MAINTAINER\)=.*,\1=us@limen.example,; s|^\([A-Z_]*\)=$|\1=https://limen.example/\1|' "$facts"
ok "a copy of the tree has values for its facts" "$work/a/build-aux/put-facts"
refused "a tree with changes" "the tree has changes"
git -C "$work/a" add -A
commit "facts"
sed -i "1s/(.*)/(unreleased)/" "$work/a/NEWS"
commit "NEWS without a date"
refused "NEWS without a date" "NEWS does not begin with"
sed -i "1s/(.*)/(2026-11-29)/" "$work/a/NEWS"
sed -i "1s/($version-/(0.9-/" "$work/a/debian/changelog"
commit "another version"
refused "another version in debian/changelog" "debian/changelog does not begin with"
sed -i "1s/(0.9-/($version-/" "$work/a/debian/changelog"
for name in $(sed -n 's/^\([A-Z_]*\)=.*/\1/p' "$facts"); do
	cp "$facts" "$work/kept"
	sed -i "s|^$name=.*|$name=|" "$facts"
	commit "without $name"
	refused "$name is empty" "$name is empty"
	cp "$work/kept" "$facts"
done
sed -i 's/^Homepage:.*/Homepage: https:\/\/other.example/' "$work/a/debian/control"
commit "another page"
refused "a file that says something else than the facts" "debian/control does not say"
"$work/a/build-aux/put-facts"
commit "ready"
refused "a commit without a tag" "the tag of this commit is ''"
tag v0.9
refused "the tag of another version" "the tag of this commit is 'v0.9'"
tag -d v0.9 > /dev/null
tag "v$version"

key=
if command -v gpg > /dev/null; then
	GNUPGHOME=$work/gnupg
	export GNUPGHOME
	mkdir -m 700 "$GNUPGHOME"
	gpg --batch --passphrase '' --quick-generate-key us@limen.example ed25519 sign never > "$log" 2>&1
	key=us@limen.example
fi
ok "a release is made" release a first
git clone -q "$work/a" "$work/b"
ok "and once more: elsewhere, by another user's settings, signed with a key" env TZ=Asia/Tokyo LANG=de_DE.UTF-8 \
	sh -c "umask 077 && cd '$work/b' && build-aux/make-release '$work/second' $key"
if [ -n "$key" ]; then
	for file in "limen-$version.tar.gz" SHA256SUMS; do
		ok "$file has a good signature" gpg --batch --verify "$work/second/$file.asc" "$work/second/$file"
	done
	gpgconf --kill all
	rm "$work"/second/*.asc
fi
ok "the bytes are the same" diff -r "$work/first" "$work/second"
ok "these are all" test "$(ls "$work/first" | tr '\n' ' ')" = "SHA256SUMS limen-$version.spdx.json limen-$version.tar.gz "
ok "the checksums are right" sh -c "cd '$work/first' && sha256sum -c SHA256SUMS"
tarball=$work/first/limen-$version.tar.gz
tar -tzf "$tarball" | sed 's,^[^/]*/,,; s,/$,,' | sort > "$work/released"
git -C "$work/a" ls-files | sort > "$work/tracked"
ok "each file of the repository is in the tarball" test -z "$(comm -23 "$work/tracked" "$work/released" | tee "$log")"
ok "nothing is of a user or of another time" test "$(tar -tvzf "$tarball" |
	awk '{ print $2, $4 }' | uniq)" = "0/0 $(TZ= git -C "$work/a" log -1 --format=%cd --date=format-local:%Y-%m-%d)"

python3 - "$work/first/limen-$version.spdx.json" "$version" << 'END' > "$work/sbom" 2>&1
import json, re, sys
sbom = json.load(open(sys.argv[1]))
ids = [package["SPDXID"] for package in sbom["packages"]]
assert sbom["spdxVersion"] == "SPDX-2.3" and sbom["dataLicense"] == "CC0-1.0"
assert sbom["packages"][0]["versionInfo"] == sys.argv[2]
assert len(ids) == len(set(ids)) and len(ids) > 12, ids
assert all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", name) for name in ids), ids
assert all(package["versionInfo"] and package["licenseDeclared"] != "NOASSERTION" for package in sbom["packages"])
for relation in sbom["relationships"]:
    assert relation["relatedSpdxElement"] in ids
    assert relation["spdxElementId"] in ids + ["SPDXRef-DOCUMENT"]
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", sbom["creationInfo"]["created"])
END
ok "the bill of materials names the libraries, with versions and licences" test ! -s "$work/sbom"

# The facts in what configure makes.
mkdir "$work/built" && tar -C "$work/built" --strip-components=1 -xzf "$tarball"
(cd "$work/built" && ./configure --disable-lto CFLAGS=-O0) > "$work/configure.log" 2>&1
ok "limen.pc has the page" grep -qx 'URL: https://limen.example/HOMEPAGE' "$work/built/limen.pc"
ok "configure --help has both" sh -c "'$work/built/configure' --help | grep -F us@limen.example &&
	'$work/built/configure' --help | grep -F https://limen.example/HOMEPAGE"
for object in programs/limen/limen-main.o programs/limend/daemon/liblimend_la-options.lo; do
	ok "$object, of --help, has the address" sh -c "cd '$work/built' && make PACKAGES=no $object &&
		find ${object%/*} -name '*.o' -exec grep -aF 'Report bugs at us@limen.example' {} +"
done

finish
