#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check.sh TARBALL AGAIN - tries the tarball of limen for CI in a root directory that holds
# nothing else but /bin/sh, /dev/null and policies, and that AGAIN, made a second time, is the
# same.  "make check-ci-tarball" runs it; it needs root.
#
#	LIMEN_CI_SUITES     suites of Debian that are tried, too, such as "bookworm trixie";
#	                    each needs debootstrap and a mirror
. "$(dirname "$0")/../tap.sh"
source=$(cd "$(dirname "$0")/../.." && pwd)
tarball=$1
name=$(basename "$tarball" .tar.gz)

[ "$(id -u)" -eq 0 ] || skip_all "only root can change its root directory"

# limen ARGUMENT...: runs it in the root, from where it was unpacked last
limen() {
	status=0
	chroot "$root" /usr/bin/env -i "$place/$name/limen" "$@" > "$work/out" 2> "$work/err" || status=$?
	cat "$work/out" "$work/err"
}

ends() {
	wanted=$1
	shift
	limen "$@"
	[ "$status" -eq "$wanted" ]
}

# says TEXT STATUS ARGUMENT...
says() {
	text=$1
	shift
	ends "$@" && cat "$work/out" "$work/err" | grep -Fq -- "$text"
}

unpack() {
	mkdir -p "$root$place" && tar -xzf "$tarball" -C "$root$place"
}

# A root with a shell, the command env, and their C library, which limen must not need.
make_bare() {
	mkdir -p "$root/bin" "$root/usr/bin" "$root/dev" "$root/tmp" &&
		cp /bin/sh "$root/bin/sh" && cp /usr/bin/env "$root/usr/bin/env" &&
		ldd /bin/sh /usr/bin/env | grep -o '/[^ ]*' | grep -v ':$' | sort -u | while read -r library; do
			mkdir -p "$root${library%/*}" && cp -L "$library" "$root$library" || exit 1
		done
}

make_debian() {
	debootstrap --variant=minbase "$1" "$root" "${LIMEN_BARE_MIRROR-http://deb.debian.org/debian}"
}

# Policies and what they decide; /dev/null as every container has it.
furnish() {
	[ -c "$root/dev/null" ] || mknod -m 666 "$root/dev/null" c 1 3 || return 1
	cp -R "$source/docs/examples/ci" "$root/ci" && cp -R "$source/conf.d" "$root/conf.d" &&
		cp -R "$source/docs/examples/tasks" "$root/tasks" && chmod -R u+w,go-w "$root/ci" "$root/conf.d" &&
		mkdir "$root/bad" && sed 's/name: web$/name: bad/; s/500m/1500m/' \
		"$source/docs/examples/ci/manifests/web.yaml" > "$root/bad/web.yaml"
}

# The loader names the library of each program and module that it would load.
uses_own_libraries() {
	for file in $(cd "$root$place" && find "$name/bin" "$name/modules" -type f); do
		chroot "$root" "$place/$name/lib/ld.so" --inhibit-cache --library-path "$place/$name/lib" \
			--list "$place/$file" || return 1
	done > "$work/libraries"
	! grep '=>' "$work/libraries" | grep -v "=> $place/$name/lib/" | grep -v 'ld-linux' &&
		[ "$(wc -l < "$work/libraries")" -gt 100 ]
}

# Each package of the bill of materials has its terms there, and no other has.
has_terms() {
	folder=$root$place/$name
	python3 -c '
import json, sys
for package in json.load(sys.stdin)["packages"][1:]:
    assert package["versionInfo"], package
    print(package["name"])' < "$folder/limen.spdx.json" | sort > "$work/packages" &&
		ls "$folder/licenses" | diff - "$work/packages" && grep -qx libc6 "$work/packages" &&
		[ -z "$(find "$folder/licenses" -empty)" ]
}

decides() {
	ok "$1: it says its version" says 'limen ' 0 --version
	ok "$1: it loads all modules" says 'store        redis' 0 module list
	ok "$1: a policy with scripts is valid" says 'Limit configuration is valid.' 0 validate /conf.d
	ok "$1: a task is refused" says refused 1 check --policy /conf.d \
		--hint requester=203.0.113.66 /tasks/throughput.json
	ok "$1: a manifest is admitted" ends 0 check --strict --policy /ci/limits --namespace shop /ci/manifests
	ok "$1: another is refused" says '::error file=/bad/web.yaml,line=' 1 check --strict --format github \
		--policy /ci/limits --namespace shop /bad
}

is_small() {
	ls -l "$tarball"
	[ "$(stat -c %s "$tarball")" -lt 12000000 ]
}

# The commands of docs/ci.md, beside the tarball and the examples of that page.
runs_page() {
	mkdir "$work/page" && cp -R "$source/docs/examples/ci/limits" "$source/docs/examples/ci/manifests" "$work/page" &&
		cp "$tarball" "$work/page" && chmod -R go-w "$work/page" &&
		awk '/^## A folder without packages/ { found = 1 }
			/^```$/ { inside = 0 }
			found && inside { print }
			/^## / && !/A folder/ { found = 0 }
			/^```sh$/ { inside = 1 }' "$source/docs/ci.md" > "$work/page/commands" &&
		[ "$(wc -l < "$work/page/commands")" -eq 3 ] &&
		(cd "$work/page" && env -i PATH=/usr/bin:/bin sh -e commands)
}

ok "it is below 12 MB" is_small
ok "the page shows how it is used" runs_page
ok "made again, it is the same" cmp "$tarball" "$2"
root=$work/bare
place=/opt
ok "there is a bare root" make_bare
ok "with policies" furnish
ok "it is unpacked" unpack
ok "every library is that of the folder" uses_own_libraries
ok "the terms of each package are there" has_terms
decides "a bare root"
place="/tmp/another place"
ok "it is unpacked elsewhere" unpack
decides "elsewhere"
rm "$root$place/$name/limen-jq-sandbox"
ok "without the process for scripts it says so" says limen-jq-sandbox 1 validate /conf.d
rm "$root$place/$name/lib/libjq.so.1"
ok "without jq, too" says libjq.so.1 1 validate /conf.d
ok "other policies are checked" ends 0 check --strict --policy /ci/limits --namespace shop /ci/manifests
for suite in ${LIMEN_CI_SUITES-}; do
	root=$work/$suite
	place=/opt
	ok "there is a root of $suite" make_debian "$suite"
	ok "with policies" furnish
	ok "it is unpacked" unpack
	decides "$suite"
done
finish
