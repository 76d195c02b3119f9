#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# out-of-tree.sh - what a stranger would do: installs limen (below a directory of
# the test's own), builds the examples and the embedder with pkg-config and nothing
# of the source tree, and decides with them.
set -u
. "$LIMEN_SRCDIR/tests/abi/lib.sh"

root=$work/root
cp -R "$LIMEN_SRCDIR/docs/examples/cap" "$work/cap" && chmod -R u+w "$work/cap" || exit 99
cp -R "$LIMEN_SRCDIR/docs/examples/events" "$work/events" && chmod -R u+w "$work/events" || exit 99
cp "$LIMEN_SRCDIR/tests/embed/embed.c" "$work/embed.c" || exit 99

# A make inside a make must not take part in the outer one's bookkeeping.
run_make() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES make "$@"
}

ok "limen is installed" run_make -C "$LIMEN_BUILDDIR" install DESTDIR="$root"

# The prefix as configured, found by the one file whose place is not known.
pc=$(find "$root" -name limen.pc)
[ -f "$pc" ]
report $? "limen.pc is installed" "found: $pc" "$work/log"
PKG_CONFIG_PATH=$(dirname "$pc")
PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
libdir=$(pkg-config --variable=libdir limen)
moduledir=$(pkg-config --variable=moduledir limen)
# Some pkg-config put the directory before variables, and some do not.
libdir=$root${libdir#"$root"}
moduledir=$root${moduledir#"$root"}

[ "$(find "$root" -name 'liblimen*.a' -o -name 'liblimen*.la' -path '*/limen/*' | wc -l)" -eq 0 ]
report $? "no static library is, and no libtool file of a module" "$(find "$root")"

case $(pkg-config --libs limen) in
*-Wl,-z,now*) status=0 ;;
*) status=1 ;;
esac
report $status "who links with it is bound at once" "$(pkg-config --libs limen)"

case $(pkg-config --libs limen) in
*jansson* | *glib* | *ltdl*) status=1 ;;
*) status=0 ;;
esac
report $status "who links with it links no library behind it" "$(pkg-config --libs limen)"

export CC
CFLAGS="-O2 ${SANITIZE_CFLAGS-}"
export CFLAGS
ok "the module is built by its own makefile" run_make -C "$work/cap" cap.so
destination=$root
case $(pkg-config --variable=moduledir limen) in
"$root"*) destination= ;;
esac
ok "and installed by it" run_make -C "$work/cap" install DESTDIR="$destination"
ok "where modules are looked for" test -f "$moduledir/limit/cap.so"
ok "the embedder is built" sh -c "$CC ${SANITIZE_CFLAGS-} '$work/embed.c' -o '$work/embed' \
	\$(pkg-config --cflags --libs limen)"

ok "the sender of events is built by its own makefile" run_make -C "$work/events" send-events

mkdir "$work/conf.d"
cp "$work/cap/limits.conf" "$work/conf.d"
printf '{"modules": ["%s"]}\n' "$moduledir" > "$work/conf.d/modules.conf"

# answers NAME STATUS TEXT TASK: what does the embedder say?
answers() {
	said=$(LD_LIBRARY_PATH=$libdir "$work/embed" "$work/conf.d" "$4" 2> "$work/err")
	got=$?
	[ "$got" -eq "$2" ] && [ "$said" = "$3" ]
	report $? "$1" "$said (status $got)" "$work/err"
}

answers "60 is admitted" 0 "admitted: application 'Short tasks' passes" \
	'{"test": {"spec": {"count": 60}}}'
answers "61 is refused, and why is said" 1 \
	"refused: application 'Short tasks' fails: limit 'short-tasks' failed: 61 exceeds the cap of 60" \
	'{"test": {"spec": {"count": 61}}}'
answers "a task without a count passes" 0 "admitted: application 'Short tasks' passes" '{}'

ok "limen is uninstalled" run_make -C "$LIMEN_BUILDDIR" uninstall DESTDIR="$root"
rm -f "$moduledir/limit/cap.so"
left=$(find "$root" ! -type d)
[ -z "$left" ]
report $? "and leaves no file behind" "$left"
finish
