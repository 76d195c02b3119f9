#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# check.sh DIRECTORY - installs the RPM packages of DIRECTORY below a directory of its own, with
# the libraries of this system, decides with them, and removes them.  "make check-rpm" runs it; it needs
# root.  Dependencies between packages are not tried here: only Fedora and its kin have what they name.
. "$(dirname "$0")/../tap.sh"
packages=$(cd "$1" && pwd) || exit 99

[ "$(id -u)" -eq 0 ] || skip_all "only root can install packages"

root=$work/root
mkdir "$root"

lists() {
	rpm -qlp "$packages/$1"-[0-9]*.rpm | grep -x "$2"
}

in_root() {
	rpm --root "$root" --dbpath /var/lib/rpm "$@"
}

# Programs of the packages, which find their library and modules there.
decide() {
	task='{"test": {"type": "rtt", "spec": {"dest": "192.0.2.1"}}}'
	echo "$task" | "$root/usr/bin/limen" check --policy "$conf" --module-path "$modules" --hint requester="$1" -
}

refuse() {
	decide "$1"
	[ $? -eq 1 ]
}

for package in limen liblimen limend liblimen-devel python3-limen; do
	ok "there is a package $package" sh -c "ls '$packages'/$package-[0-9]*.rpm"
	ok "$package has a licence and a description" test "$(rpm -qp --qf '%{LICENSE} %{SUMMARY}' \
		"$packages/$package"-[0-9]*.rpm | grep -c '^Apache-2.0 Admission')" = 1
done
while read -r package path; do
	ok "$package has $path" lists "$package" "$path"
done << 'END'
limen /usr/bin/limen
limen /usr/bin/kubectl-limen
limen /etc/limen/conf.d/10-identifiers.conf
limen /usr/lib64/limen/limit/rate.so
limen /usr/share/licenses/limen[-0-9.]*/NOTICE
limen /usr/share/doc/limen/SECURITY.md
limen /usr/share/bash-completion/completions/limen
limen /usr/share/zsh/site-functions/_limen
limen /usr/share/man/man5/limen-policy.5\(.gz\)*
liblimen /usr/lib64/liblimen.so.1
limend /usr/sbin/limend
limend /usr/lib/systemd/system/limend.socket
liblimen-devel /usr/include/limen/module.h
liblimen-devel /usr/lib64/pkgconfig/limen.pc
python3-limen .*/limen/engine.py
END
ok "the policy is a configuration file" sh -c "rpm -qcp '$packages'/limen-[0-9]*.rpm | grep -qx /etc/limen/conf.d/30-limits.conf"
ok "limen requires its library" sh -c "rpm -qp --requires '$packages'/limen-[0-9]*.rpm | grep -q '^liblimen.* = 1'"
# Scripts would need a shell in there.
ok "all are installed" in_root -i --nodeps --noscripts "$packages"/*.rpm
conf=$root/etc/limen/conf.d
modules=$root/usr/lib64/limen
LD_LIBRARY_PATH=$root/usr/lib64:$modules
LIMEN_JQ_PATH=$root/usr/share/limen/jq
LIMEN_JQ_SANDBOX=$root/usr/libexec/limen/limen-jq-sandbox
export LD_LIBRARY_PATH LIMEN_JQ_PATH LIMEN_JQ_SANDBOX
ok "the shipped policy is valid" "$root/usr/bin/limen" validate --module-path "$modules" "$conf"
ok "it admits" decide 203.0.113.9
ok "it refuses" refuse 203.0.113.66
ok "the daemon takes it" "$root/usr/sbin/limend" --check --policy "$conf" --module-path "$modules"
echo '{"schema": 4}' > "$conf/30-limits.conf"
ok "all are removed" in_root -e --nodeps --noscripts limen liblimen limend liblimen-devel python3-limen
ok "a changed file of the policy is kept" grep -qF '{"schema": 4}' "$conf/30-limits.conf.rpmsave"
ok "and nothing else" test "$(find "$root" -path "$root/var" -prune -o -type f -print | wc -l)" -eq 1
echo "# not tried here: dependencies, upgrades, scripts of systemd, SELinux, and any system but this one"
finish
