#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check.sh SUITE LOGS - clones the tree into a bare Debian and runs the two commands of
# README.md there, as root and before that as a user who cannot install packages.  "make
# check-bare SUITE=trixie" runs it; it needs root, debootstrap and a mirror of Debian.
# What the commands print goes to the directory LOGS.
#
#	LIMEN_BARE_MIRROR   where debootstrap gets packages
set -u
LC_ALL=C
export LC_ALL
source=$(cd "$(dirname "$0")/../.." && pwd)
suite=$1
mkdir -p "$2" && logs=$(cd "$2" && pwd) || exit 99

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}

[ "$(id -u)" -eq 0 ] || skip_all "only root can make a root directory"
command -v debootstrap > /dev/null || skip_all "there is no debootstrap"
git -C "$source" rev-parse HEAD > /dev/null 2>&1 || skip_all "this is no clone"

count=0
failed=0
work=$(mktemp -d) || exit 99
trap 'rm -rf --one-file-system "$work"' EXIT
trap 'exit 99' HUP INT TERM
root=$work/root

# ok NAME LOG COMMAND...
ok() {
	name=$1
	log=$logs/$2.log
	shift 2
	count=$((count + 1))
	start=$(date +%s)
	if "$@" > "$log" 2>&1 < /dev/null; then
		echo "ok $count - $name ($(($(date +%s) - start)) s)"
		return 0
	fi
	echo "not ok $count - $name ($(($(date +%s) - start)) s)"
	tail -n 40 "$log" | sed 's/^/# /'
	failed=1
	return 1
}

make_root() {
	debootstrap --variant=minbase --include=git,make "$suite" "$root" \
		"${LIMEN_BARE_MIRROR-http://deb.debian.org/debian}" &&
		cp /etc/resolv.conf "$root/etc/resolv.conf" &&
		chroot "$root" useradd --create-home stranger
}

# Clones what was committed.
clone() {
	git clone -q "$source" "$root/root/limen" &&
		git clone -q "$source" "$root/home/stranger/limen" &&
		chroot "$root" chown -R stranger: /home/stranger/limen
}

# inside USER COMMAND: in the clone of USER.  Nothing of it survives.
inside() {
	# shellcheck disable=SC2016 # for the shell that is started
	unshare --mount --pid --fork --kill-child sh -c '
		mount --make-rprivate / && mount -t proc proc "$1/proc" &&
			mount --rbind /dev "$1/dev" && mount --rbind /sys "$1/sys" &&
			exec chroot "$1" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
				TERM=dumb su - "$2" -c "cd limen && $3"' sh "$root" "$1" "$2"
}

# A user who may not install packages is told which are missing, and nothing is built.
stops_user() {
	inside stranger "make demo" > "$work/out" 2>&1
	status=$?
	cat "$work/out"
	[ "$status" -ne 0 ] && grep -q '^Missing Debian packages:.* libjansson-dev' "$work/out" &&
		grep -q '^Install them as root' "$work/out" && [ "$(wc -l < "$work/out")" -lt 20 ] &&
		[ ! -e "$root/home/stranger/limen/configure" ]
}

# "make demo" prints a screen and installs no server.
demo_is_short() {
	inside root "make demo" && [ "$(wc -l < "$logs/demo.log")" -le 80 ] &&
		grep -q docs/README.md "$logs/demo.log" || return 1
	for service in nginx knot redis-server; do
		[ ! -e "$root/usr/lib/systemd/system/$service.service" ] || return 1
	done
}

# No service of a package is enabled, and others may start theirs.
leaves_services() {
	[ ! -e "$root/usr/sbin/policy-rc.d" ] || return 1
	for service in nginx knot redis-server; do
		[ -e "$root/usr/lib/systemd/system/$service.service" ] &&
			[ ! -e "$root/etc/systemd/system/multi-user.target.wants/$service.service" ] ||
			return 1
	done
}

# Prints the totals of "make check", and the cases that failed.
show_totals() {
	sed -n '/^Testsuite summary for /,/^# ERROR:/s/^# /# '"$suite"': /p' "$logs/check.log"
	grep -E '^(FAIL|ERROR|XPASS): ' "$logs/check.log" | sort -u | sed 's/^/# /'
}

echo "# $suite, commit $(git -C "$source" rev-parse --short HEAD)"
ok "there is a bare root" debootstrap make_root || exit 1
ok "the tree is cloned" clone clone || exit 1
ok "a user without rights is told what is missing" user stops_user
ok "make demo, as root" demo demo_is_short || exit 1
ok "make check, as root" check inside root "make check"
ok "no service is enabled" services leaves_services
show_totals
echo "1..$count"
exit $failed
