#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# newer.sh - modules and programs of this minor number with a core of the next one, which is this
# core with newer.patch: a function, a method, a member of option rows and an engine option more.
# Then a library of another major number, in one process with this one.
set -u
. "$LIMEN_SRCDIR/tests/abi/lib.sh"

skip_all() {
	echo "1..0 # SKIP $1"
	exit 0
}
[ -z "${SANITIZE_CFLAGS-}" ] || skip_all "a library with a sanitizer is for programs with it"
command -v patch > /dev/null 2>&1 || skip_all "no patch"

printf '#define LIMEN_%s "/nowhere"\n' MODULEDIR CONFDIR > "$work/places.h"
core_flags="-std=gnu11 -O0 -w -fPIC -fvisibility=hidden -D_GNU_SOURCE"
core_flags="$core_flags -include $work/places.h $(pkg-config --cflags jansson libpcre2-8 yaml-0.1)"
core_libs=$(PKG_CONFIG_PATH=$LIMEN_BUILDDIR pkg-config --static --libs limen)
core_libs=${core_libs#*-llimen}

# core MAJOR INPUT...: links a library of that major number to $work/MAJOR; the first of two
# functions of one name counts
core() {
	major=$1
	shift
	mkdir -p "$work/$major"
	sed "s/^LIMEN_1 /LIMEN_$major /" "$LIMEN_SRCDIR/core/liblimen.map" > "$work/map"
	$CC -shared -fno-lto -Wl,-soname,"liblimen.so.$major" -Wl,--version-script="$work/map" \
		-Wl,-z,muldefs -o "$work/$major/liblimen.so.$major" "$@" $core_libs &&
		ln -s "liblimen.so.$major" "$work/$major/liblimen.so"
}

# ---- the next minor number ----

newer=$work/newer
mkdir "$newer" && cp -R "$LIMEN_SRCDIR/include" "$LIMEN_SRCDIR/core" "$newer" &&
	chmod -R u+w "$newer" && find "$newer" -name '*.[lo]*' -delete
cp "$LIMEN_BUILDDIR/include/limen/version.h" "$newer/include/limen" || exit 99
ok "newer.patch fits" sh -c 'cd "$1" && patch -s -p0 < "$2"' sh "$newer" \
	"$LIMEN_SRCDIR/tests/abi/newer.patch"
# The rooms below these see none of what the patch changes.
build_newer() {
	(cd "$newer" && find core/base/version.c core/option core/conf core/module core/policy \
		core/decision core/engine core/question -name '*.c' | xargs -n 12 -P 2 sh -c 'for file; do
			'"$CC $core_flags"' -Iinclude -iquote core -c "$file" -o "${file%.c}.o" || exit 255
		done' sh) && core 1 "$newer"/core/*/*.o \
		-Wl,--whole-archive "$LIMEN_BUILDDIR/.libs/libcore.a" -Wl,--no-whole-archive
}
ok "the newer core compiles" build_newer

# with LIBRARY COMMAND...: runs COMMAND with the library of that folder
with() {
	folder=$1
	shift
	LD_LIBRARY_PATH=$folder "$@"
}
today=$LIMEN_BUILDDIR/.libs
next=$work/1

# What was compiled against the frozen headers.
newest=$headers
frozen="-I$LIMEN_SRCDIR/tests/abi/1.0 -I$LIMEN_SRCDIR/include"
headers=$frozen
for source in "$LIMEN_SRCDIR"/docs/examples/modules/*/*.c \
	"$LIMEN_SRCDIR"/docs/examples/modules/admission/*/*.c "$LIMEN_SRCDIR/docs/examples/cap/cap.c"; do
	type=$(basename "$source" .c)
	kind=$(sed -n 's/^LIMEN_\([A-Z]*\)("'"$type"'",$/\1/p' "$source" | tr '[:upper:]' '[:lower:]')
	[ -n "$kind" ] || continue
	build_module "$kind" "$type" "$source" $liblimen > "$work/log" 2>&1 &&
		with "$next" "$LIMEN_BUILDDIR/tests/abi/find_module" "$work/modules" "$kind" "$type" > "$work/out" 2>&1 &&
		grep -q "^$kind/$type 1.0, ABI 1.0: " "$work/out"
	report $? "the newer core takes the $kind $type of 1.0" "" "$work/log" "$work/out"
done
ok "a module of 1.0 compiles" build_module limit probe "$LIMEN_SRCDIR/tests/abi/module.c" $liblimen
ok "a program of 1.0 compiles" compile "$CC" "$LIMEN_SRCDIR/tests/embed/embed.c" -o "$work/embed" $liblimen
sed -e 's/"cap"/"probe"/' -e 's/"path": "[^"]*", //' -e "s|\"schema\"|\"modules\": [\"$work/modules\",\
 \"$LIMEN_BUILDDIR/plugins\"], &|" "$LIMEN_SRCDIR/docs/examples/cap/limits.conf" > "$work/policy.conf"

# decides LIBRARY N: what the program of 1.0 says
decides() {
	with "$1" "$work/embed" "$work/policy.conf" "{\"n\": $2}" 2>&1
}
for n in 60 61; do
	said=$(decides "$next" $n)
	[ "$said" = "$(decides "$today" $n)" ] && [ -n "${said##error*}" ]
	report $? "the program of 1.0 decides about $n as before" "$said"
done
for command in modules "check $work/policy.conf" "explain limit/rate" \
	"check $LIMEN_SRCDIR/conf.d/30-limits.conf"; do
	# shellcheck disable=SC2086 # several words
	with "$today" "$LIMEN" $command > "$work/expected" 2>&1
	status=$?
	# shellcheck disable=SC2086 # several words
	with "$next" "$LIMEN" $command > "$work/out" 2>&1
	[ $? -eq $status ] && cmp -s "$work/expected" "$work/out"
	report $? "so does 'limen ${command%%/*}'" "" "$work/out"
done

# What is compiled against the newer headers.
headers="-I$newer/include"
source=$LIMEN_SRCDIR/tests/abi/newer_limit.c
sed -e 's/"probe"/"newer"/; s/, "word": "[^"]*"//' "$work/policy.conf" > "$work/newer.conf"

# says NAME LIBRARY TEXT...: does the program decide so, with the module newer?
says() {
	name=$1
	with "$2" "$work/embed" "$work/newer.conf" '{}' > "$work/out" 2>&1
	shift 2
	status=0
	for text in "$@"; do
		grep -Fq -e "$text" "$work/out" || status=1
	done
	report $status "$name" "wanted: $*" "$work/out"
}

ok "a module of the next number compiles" build_module limit newer "$source" -L"$next" -llimen
says "the newer core calls its method, and reads its row" "$next" "by the newer method" \
	"'max' is retired"
says "this core refuses it" "$today" "undefined symbol: limen_newer, version LIMEN_1"
ok "for 1.0 it compiles with the newer headers" build_module limit newer "$source" -DLIMEN_ABI_WANT=0 $liblimen
says "this core takes it then" "$today" "by the older method"
says "and so does the newer core" "$next" "by the older method"
! build_module limit none "$source" -DLIMEN_ABI_WANT=0 -DUSES_NEWER > "$work/log" 2>&1 &&
	grep -q limen_newer "$work/log" && grep -q check_newer "$work/log" && grep -q retired "$work/log"
report $? "what is newer is not declared for 1.0" "" "$work/log"
! build_module limit none "$source" -DLIMEN_ABI_WANT=2 > "$work/log" 2>&1 &&
	grep -q "LIMEN_ABI_WANT is newer than these headers" "$work/log"
report $? "a number that the headers do not know is refused" "" "$work/log"

# A program whose options are longer: what this library does not know must be 0.
cat > "$work/program.c" << 'END'
#include <stdio.h>
#include <limen/limen.h>
int
main(int argc, char **argv)
{
	limen_engine_options options = { .size = sizeof(options) };
	limen_engine *engine;

	options.newer_path = argc > 1 ? argv[1] : NULL;
	engine = limen_engine_new(&options);
	puts(engine != NULL ? "an engine" : "none");
	limen_engine_free(engine);
	return 0;
}
END
ok "a program of the next number compiles" compile "$CC" "$work/program.c" -o "$work/program" -L"$next" -llimen
said=$(with "$next" "$work/program" /a; with "$today" "$work/program"; with "$today" "$work/program" /a)
[ "$said" = "$(printf 'an engine\nan engine\nnone')" ]
report $? "its option counts with its core, and is refused by this one" "$said"

# ---- another major number, in one process ----

case $($CC -dumpmachine) in
*-gnu*)
	mkdir -p "$work/major" && cp -R "$LIMEN_SRCDIR/include/limen" "$work/major" &&
		cp "$LIMEN_BUILDDIR/include/limen/version.h" "$work/major/limen" &&
		chmod -R u+w "$work/major" &&
		sed -i 's/^#define LIMEN_ABI_MAJOR .*/#define LIMEN_ABI_MAJOR 2/' "$work/major/limen/types.h"
	for file in base/version module/module; do
		# shellcheck disable=SC2086 # several words
		ok "$file.c compiles for the major number 2" $CC $core_flags -I"$work/major" \
			-iquote "$LIMEN_SRCDIR/core" -c "$LIMEN_SRCDIR/core/$file.c" \
			-o "$work/major/$(basename "$file").o"
	done
	ok "liblimen.so.2 is linked" core 2 "$work"/major/*.o -Wl,--whole-archive \
		"$LIMEN_BUILDDIR/.libs/libcore.a" -Wl,--no-whole-archive
	headers=$newest
	ok "a program of the first compiles" compile "$CC" "$LIMEN_SRCDIR/tests/abi/two.c" \
		-o "$work/two" $liblimen -ldl
	headers="-I$work/major"
	ok "a shared object of the second compiles" compile "$CC" -DSECOND -fPIC -shared \
		"$LIMEN_SRCDIR/tests/abi/two.c" -o "$work/second.so" -L"$work/2" -llimen -Wl,-rpath,"$work/2"
	sed "s|\"modules\": \[[^]]*\]|\"modules\": [\"$work/modules2\"]|" "$work/policy.conf" > "$work/second.conf"
	mv "$work/modules" "$work/modules1"
	ok "a limit of the second compiles" build_module limit probe \
		"$LIMEN_SRCDIR/tests/abi/module.c" -L"$work/2" -llimen
	ok "an identifier, too" build_module identifier always \
		"$LIMEN_SRCDIR/plugins/identifier/always/always.c" -L"$work/2" -llimen
	mv "$work/modules" "$work/modules2" && mv "$work/modules1" "$work/modules"
	"$work/two" "$work/second.so" "$work/policy.conf" '{"n": 60}' "$work/second.conf" '{"n": 61}' \
		> "$work/out" 2>&1
	printf '%s\n' "1: application 'Short tasks' passes" \
		"2: application 'Short tasks' fails: limit 'short-tasks' failed: more than 60 units" \
		"1: application 'Short tasks' passes" > "$work/expected"
	cmp -s "$work/out" "$work/expected"
	report $? "each part of a process has its own library, with its modules" "" "$work/out"
	"$work/two" "$work/second.so" "$work/policy.conf" '{"n": 60}' "$work/policy.conf" '{"n": 61}' \
		> "$work/out" 2>&1
	grep -q "built for ABI 1.0; this limen has 2.0" "$work/out"
	report $? "and refuses those of the other" "" "$work/out"
	;;
*) skip "two major numbers in one process" "only the linker of glibc tells versions apart" ;;
esac
finish
