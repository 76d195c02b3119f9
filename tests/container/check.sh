#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check.sh MAKE SUITE VERSION - builds the container image on a minimal Debian, by "make
# container" with buildah, which needs neither a daemon nor namespaces, and tries it.  "make
# check-container SUITE=bookworm" runs it; it needs root, debootstrap and a mirror of Debian.
# The log of the build is build-container/log.
#
#	LIMEN_BARE_MIRROR   where debootstrap gets packages
. "$(dirname "$0")/../tap.sh"
make=$1
suite=$2
version=$3

[ "$(id -u)" -eq 0 ] || skip_all "only root can make a root directory"
for command in debootstrap buildah; do
	command -v $command > /dev/null || skip_all "there is no $command"
done

container=
buildah="buildah --storage-driver vfs --root $work/images --runroot $work/run"
clean() {
	[ -z "$container" ] || $buildah rm "$container" > /dev/null
	rm -rf --one-file-system "$work"
}
trap clean EXIT

# The commands of docs/container.md.
make_base() {
	debootstrap --variant=minbase "$suite" "$work/root" \
		"${LIMEN_BARE_MIRROR-http://deb.debian.org/debian}" &&
		image=$($buildah from scratch) && $buildah add "$image" "$work/root" / &&
		$buildah commit "$image" debian-base && $buildah rm "$image" && rm -rf "$work/root"
}

build() {
	$make container CONTAINER="$buildah" \
		CONTAINER_FLAGS="--isolation chroot --build-arg BASE=localhost/debian-base"
}

# label NAME VALUE: the image has this label
label() {
	$buildah inspect --type image --format '{{index .OCIv1.Config.Labels "org.opencontainers.image.'"$1"'"}}' limend |
		grep -Fx -e "$2"
}

start() {
	container=$($buildah from limend)
}

inside() {
	$buildah run --isolation chroot "$container" -- "$@"
}

is_not_root() {
	[ "$($buildah inspect --type image --format '{{.OCIv1.Config.User}}' limend)" = 65532:65532 ] &&
		[ "$(inside id -u)" = 65532 ]
}

has_no_compiler() {
	! inside sh -c 'command -v gcc || command -v make || ls /usr/include/limen'
}

# limend writes where it listens once it does.
serves() {
	inside sh -c 'limend --listen 127.0.0.1:0 --unix /tmp/limend.sock --address-file /tmp/urls &
		n=0
		while [ ! -s /tmp/urls ] && [ $n -lt 60 ]; do sleep 1; n=$((n + 1)); done
		kill -TERM $! && wait $! && grep 127.0.0.1 /tmp/urls'
}

# The bill of materials has the packages that are there, with their versions, and no others.
has_materials() {
	inside cat /usr/share/limen/limen.spdx.json | python3 -c '
import json, sys
bill = json.load(sys.stdin)
assert bill["spdxVersion"] == "SPDX-2.3", bill["spdxVersion"]
for package in bill["packages"]:
    print(package["name"], package["versionInfo"])' | sort > "$work/materials"
	inside dpkg-query -W -f '${Package} ${Version}\n' > "$work/packages" &&
		{ cat "$work/packages" && echo "limen $version"; } | sort | diff - "$work/materials" &&
		grep -q '^libjansson4 ' "$work/materials"
}

ok "there is a base of $suite" make_base || exit 1
ok "the image is built" build || exit 1
ok "a label says what it is" label title limend
ok "another its version" label version "$version"
ok "another its licence" label licenses Apache-2.0
ok "it starts" start
ok "as another user than root" is_not_root
ok "without compiler and headers" has_no_compiler
ok "the command is there" inside limen --version
ok "the shipped policy is valid" inside limen validate
ok "the daemon serves it" serves
ok "the licence is there" inside test -s /usr/share/limen/COPYING
ok "a bill of materials lists its packages" has_materials
finish
