#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check.sh DIRECTORY - installs the Debian packages of DIRECTORY in a root of their
# own, runs the commands of docs/policies.md there, upgrades them and removes them.  "make
# check-deb" runs it; it needs root, a network, and debootstrap.
#
#	LIMEN_DEB_ROOT      a minimal Debian to copy instead of running debootstrap; what is
#	                    mounted in it is left out
#	LIMEN_DEB_SUITE     which Debian debootstrap makes: that of this machine
. "$(dirname "$0")/../tap.sh"
source=$(cd "$(dirname "$0")/../.." && pwd)
packages=$(cd "$1" && pwd) || exit 99

[ "$(id -u)" -eq 0 ] || skip_all "only root can install packages"
[ -n "${LIMEN_DEB_ROOT-}" ] || command -v debootstrap > /dev/null ||
	skip_all "there is no debootstrap"

root=$work/root

inside() {
	chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"
}

make_root() {
	if [ -n "${LIMEN_DEB_ROOT-}" ]; then
		cp -ax "$LIMEN_DEB_ROOT" "$root"
	else
		debootstrap --variant=minbase \
			"${LIMEN_DEB_SUITE-$(. /etc/os-release && echo "$VERSION_CODENAME")}" "$root"
	fi
	cp /etc/resolv.conf "$root/etc/resolv.conf"
	# No daemon is started in there.
	printf '#!/bin/sh\nexit 101\n' > "$root/usr/sbin/policy-rc.d"
	chmod 755 "$root/usr/sbin/policy-rc.d"
	mkdir -p "$root/packages" "$root/pages/docs" && cp "$packages"/*.deb "$root/packages/" &&
		inside apt-get -q update
}

install_all() {
	inside sh -c 'apt-get -q -y --no-install-recommends install $(ls /packages/*.deb | grep -v dbgsym)'
}

# What README.md and docs/policies.md show is what the installed command prints.
run_pages() {
	cp -R "$source/README.md" "$source/conf.d" "$root/pages/" &&
		cp -R "$source/docs/examples" "$source/docs/policies.md" "$root/pages/docs/" &&
		mkdir -p "$root/pages/tests" && cp -R "$source/tests/docs" "$root/pages/tests/" || return 1
	inside env LIMEN=/usr/bin/limen LIMEN_SRCDIR=/pages LIMEN_MODULE_PATH=/nowhere \
		LIMEN_PAGES='README.md docs/policies.md' python3 /pages/tests/docs/commands.py > "$work/pages" 2>&1
	cat "$work/pages"
	! grep -q '^not ok' "$work/pages" && [ "$(grep -c '^ok' "$work/pages")" -gt 5 ]
}

# The tests of debian/tests, as autopkgtest runs them: a line on standard error is a failure, but of
# those that allow it.
run_test() {
	stanza=$(awk -v name="$1" 'BEGIN { RS = "" } $2 == name' "$source/debian/tests/control")
	needs=$(echo "$stanza" | sed -n 's/^Depends: //p' | tr -d ,)
	cp "$source/debian/tests/$1" "$root/tmp/test" && mkdir "$root/tmp/of-$1" &&
		inside apt-get -q -y --no-install-recommends install $needs || return 1
	inside env AUTOPKGTEST_TMP="/tmp/of-$1" HOME=/root /tmp/test 2> "$work/errors"
	[ $? -eq 0 ] && { [ ! -s "$work/errors" ] || echo "$stanza" | grep -q '^Restrictions: allow-stderr$'; } ||
		{ cat "$work/errors"; return 1; }
}

# Licences of what is linked, and how to report a vulnerability.
notices() {
	for package in limen limend liblimen1 liblimen-testkit0 liblimen-dev python3-limen; do
		[ -f "$root/usr/share/doc/$package/NOTICE" ] && [ -f "$root/usr/share/doc/$package/SECURITY.md" ] ||
			{ echo "not in $package"; return 1; }
	done
}

# A later version of the package "limen" with another 40-applications.conf.
make_upgrade() {
	dpkg-deb -R "$packages"/limen_*.deb "$work/later" &&
		sed -i 's/^Version: .*/&+later/' "$work/later/DEBIAN/control" &&
		for file in 30-limits 40-applications 50-priority; do
			sed -i '1s/^{/{ "#": "later",/' "$work/later/etc/limen/conf.d/$file.conf" ||
				return 1
		done &&
		dpkg-deb -b "$work/later" "$root/packages/later.deb"
}

upgrade() {
	conf=$root/etc/limen/conf.d
	echo '{"schema": 4}' > "$conf/30-limits.conf" && rm "$conf/50-priority.conf" &&
		echo '{"schema": 4}' > "$conf/99-mine.conf" &&
		inside dpkg --force-depends --force-confold -i /packages/later.deb
}

conffiles_survive() {
	[ "$(cat "$conf/30-limits.conf")" = '{"schema": 4}' ] && [ -f "$conf/99-mine.conf" ] &&
		[ ! -e "$conf/50-priority.conf" ]
}

# What systemd leaves of a service that has run.
run_once() {
	for base in lib cache; do
		mkdir -p "$root/var/$base/private/limend" &&
			echo kept > "$root/var/$base/private/limend/file" &&
			ln -s private/limend "$root/var/$base/limend" || return 1
	done
}

remove_all() {
	inside dpkg --purge python3-limen limend liblimen-dev limen liblimen-testkit0 liblimen1 &&
		[ ! -e "$conf/10-identifiers.conf" ] && [ -f "$conf/99-mine.conf" ] &&
		[ -z "$(find "$root/usr" -name '*limen*' ! -path '*/python3*/__pycache__*')" ] &&
		[ -z "$(find "$root/var/lib" "$root/var/cache" -name limend)" ]
}

# libc6-dev is of build-essential.
needs_are_listed() {
	for package in $(sed -n 's/^\([a-z0-9.+-]*-dev\)\b.*/\1/p' "$source/packages.debian"); do
		[ "$package" = libc6-dev ] || grep -q "^ $package\b" "$source/debian/control" || {
			echo "$package of packages.debian is not in debian/control"
			return 1
		}
	done
}

ok "the build depends on what packages.debian says" needs_are_listed
ok "there is a root to install in" make_root
[ "$failed" -eq 0 ] || exit 1
ok "all packages are installed, with what they need" install_all
ok "the shipped policy is the default one, and valid" inside limen validate
ok "the pages show what the command prints" run_pages
for test in $(sed -n 's/^Tests: //p' "$source/debian/tests/control"); do
	ok "debian/tests/$test" run_test "$test"
done
ok "NOTICE and SECURITY.md are there" notices
ok "manual pages are there" test -f "$root/usr/share/man/man8/limend.8.gz"
ok "and that of policies" test -f "$root/usr/share/man/man5/limen-policy.5.gz"
for file in README.md docs/policies.md docs/examples/readme/limits.conf plugins/limit/rate/rate.md; do
	ok "$file is there" test -f "$root/usr/share/doc/limen/$file"
done
ok "the unit is there" test -f "$root/lib/systemd/system/limend.service"
ok "and its sockets" test -f "$root/lib/systemd/system/limend.socket"
for file in bash-completion/completions/limen bash-completion/completions/limend \
	fish/vendor_completions.d/limen.fish fish/vendor_completions.d/limend.fish zsh/vendor-completions/_limen; do
	ok "a shell completes commands: $file" test -f "$root/usr/share/$file"
done
ok "examples of policies are there, and turned off" \
	grep -q '"enabled": false' "$root/etc/limen/conf.d/61-one-an-hour.conf"
ok "there is a later version" make_upgrade
ok "to which limen is upgraded" upgrade
ok "what an operator changed, added or removed stays so" conffiles_survive
ok "what he left alone is new" grep -q later "$root/etc/limen/conf.d/40-applications.conf"
ok "the service has written something" run_once
ok "all packages are purged, and leave what is not theirs" remove_all
finish
