#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# programs.sh - the program of docs/embedders.md, compiled as C and as C++ against
# the build tree with the public headers only, decides as the guide says.
set -u
. "$LIMEN_SRCDIR/tests/abi/lib.sh"

policy=$work/conf.d
mkdir -p "$policy"
cp "$LIMEN_SRCDIR/docs/examples/cap/limits.conf" "$policy/limits.conf"
printf '{"modules": ["%s", "%s"]}\n' "$work/modules" "$LIMEN_BUILDDIR/plugins" \
	> "$policy/modules.conf"
ok "the example module compiles" build_module limit cap "$LIMEN_SRCDIR/docs/examples/cap/cap.c"

# answers NAME STATUS TEXT TASK: what does the program say about TASK?
answers() {
	said=$("$work/embed" "$policy" "$4" 2> "$work/err")
	got=$?
	[ "$got" -eq "$2" ] && [ "$said" = "$3" ]
	report $? "$1" "$said (status $got)" "$work/err"
}

check_answers() {
	answers "$1: admitted" 0 "admitted: application 'Short tasks' passes" \
		'{"test": {"spec": {"count": 60}}}'
	answers "$1: refused" 1 \
		"refused: application 'Short tasks' fails: limit 'short-tasks' failed: 61 exceeds the cap of 60" \
		'{"test": {"spec": {"count": 61}}}'
	answers "$1: what is no JSON has no decision" 2 "" '{'
}

if have_compiler "$CC" "compiled as C11"; then
	ok "compiles as C11" compile "$CC" -std=c11 -pedantic -Wall -Wextra -Werror \
		"$LIMEN_SRCDIR/tests/embed/embed.c" -o "$work/embed" $liblimen
	check_answers "C11"
fi
if have_compiler "$CXX" "compiled as C++17"; then
	ok "compiles as C++17" compile "$CXX" -std=c++17 -x c++ -pedantic -Wall -Wextra -Werror \
		"$LIMEN_SRCDIR/tests/embed/embed.c" -x none -o "$work/embed" $liblimen
	check_answers "C++17"
fi

# serves NAME: the second program of the guide, with hints and the account.
serves() {
	"$work/server" "$policy" 192.0.2.1 '{"test": {"spec": {"count": 61}}}' '[' > "$work/out" 2>&1
	{ head -n 3 "$work/out"; tail -n 1 "$work/out"; } > "$work/ends"
	printf '%s\n' 403 Hints: '  requester: 192.0.2.1' '400 the task is not JSON' |
		cmp -s - "$work/ends"
	report $? "$1" '' "$work/out"
}

ok "the server compiles as C11" compile "$CC" -std=c11 -pedantic -Wall -Wextra -Werror \
	"$LIMEN_SRCDIR/tests/embed/server.c" -o "$work/server" $liblimen
serves "the server tells who asked, and answers for what is no JSON"

# answered NAME KIND INPUT STATUS START: how does the answer begin?
answered() {
	printf '%s\n' "$3" | "$work/answer" "$policy" "$2" > "$work/out" 2> "$work/err"
	[ $? -eq "$4" ] && [ "$(head -c ${#5} "$work/out")" = "$5" ]
	report $? "$1" '' "$work/out" "$work/err"
}

ok "the program with two calls compiles as C11" compile "$CC" -std=c11 -pedantic -Wall -Wextra \
	-Werror "$LIMEN_SRCDIR/tests/embed/answer.c" -o "$work/answer" $liblimen
answered "a question is answered" question '{"id": 7, "task": {"test": {"spec": {"count": 60}}}}' 0 \
	"{\"id\":7,\"admitted\":true,\"code\":200,\"reason\":\"application 'Short tasks' passes\","
answered "a question with hints is refused" question '{"task": {}, "hints": {}}' 2 ''
answered "an AdmissionReview is answered" review '{"apiVersion": "admission.k8s.io/v1",
	"kind": "AdmissionReview", "request": {"uid": "u1", "operation": "CREATE"}}' 0 \
	'{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"u1","allowed":false,'
answered "an AdmissionReview without uid is refused" review '{"apiVersion": "admission.k8s.io/v1",
	"kind": "AdmissionReview", "request": {"operation": "CREATE"}}' 2 ''

# The third: a main loop of GLib, with decisions on threads of a pool.
ok "the loop compiles as C11" compile "$CC" -std=c11 -pedantic -Wall -Wextra -Werror \
	$(pkg-config --cflags glib-2.0) "$LIMEN_SRCDIR/tests/embed/loop.c" -o "$work/loop" \
	$liblimen $(pkg-config --libs glib-2.0)
loop_answers() {
	printf '%s\n' '{"test": {"spec": {"count": 60}}}' '{"test": {"spec": {"count": 61}}}' '[' \
		> "$work/tasks"
	"$work/loop" "$policy" < "$work/tasks" > "$work/out" 2> "$work/err"
	status=$?
	printf '%s\n' "1: application 'Short tasks' passes" \
		"2: application 'Short tasks' fails: limit 'short-tasks' failed: 61 exceeds the cap of 60" \
		'3: no decision' > "$work/wanted"
	sort "$work/out" | cmp -s - "$work/wanted" && [ "$status" -eq 0 ]
	report $? "the loop answers every task and ends" "status $status" "$work/out" "$work/err"
	n=0
	while [ "$n" -lt 200 ]; do
		n=$((n + 1))
		sed q "$work/tasks"
	done | "$work/loop" "$policy" > "$work/out" 2>&1
	[ "$(grep -c "application 'Short tasks' passes" "$work/out")" -eq 200 ]
	report $? "the loop answers many at once" '' "$work/out"
}

# GLib's own locks are nothing that ThreadSanitizer sees.
case " ${SANITIZE_CFLAGS-}" in
*thread*)
	skip "the loop answers every task and ends" "GLib is not built for ThreadSanitizer"
	skip "the loop answers many at once" "GLib is not built for ThreadSanitizer"
	;;
*) loop_answers ;;
esac
"$work/loop" "$work/nowhere" < /dev/null > "$work/out" 2>&1
[ $? -eq 2 ]
report $? "the loop ends without a policy" '' "$work/out"

# A module without a file: the policy names no directory that has one.
mkdir "$work/plain"
cp "$policy/limits.conf" "$work/plain"
printf '{"modules": ["%s"]}\n' "$LIMEN_BUILDDIR/plugins" > "$work/plain/modules.conf"
ok "the module compiles as part of a program" compile "$CC" -std=c11 -pedantic -Wall -Wextra -Werror \
	-DLIMEN_MODULE_SYMBOL=cap_module -c "$LIMEN_SRCDIR/docs/examples/cap/cap.c" -o "$work/cap.o"
ok "the program with a module of its own compiles" compile "$CC" -std=c11 -pedantic -Wall -Wextra \
	-Werror "$LIMEN_SRCDIR/tests/embed/built_in.c" "$work/cap.o" -o "$work/built_in" $liblimen
said=$("$work/built_in" "$work/plain" '{"test": {"spec": {"count": 61}}}' 2> "$work/err")
[ $? -eq 1 ] && [ "$said" = "refused: application 'Short tasks' fails: limit 'short-tasks' failed: 61 exceeds the cap of 60" ]
report $? "its module decides" "$said" "$work/err"

# A module in C++, whose exceptions are errors of the module and end nothing else.
build_cxx() {
	mkdir -p "$work/modules/limit"
	compile "$CXX" -std=c++17 -pedantic -Wall -Wextra -Werror -fPIC -shared -fvisibility=hidden \
		-o "$work/modules/limit/$1.so" "$2"
}

# cxx_says NAME STATUS TEXT TASK: as answers, with a policy of the module in C++
cxx_says() {
	said=$("$work/embed" "$work/cxx" "$4" 2>&1)
	got=$?
	[ "$got" -eq "$2" ] && printf '%s\n' "$said" | grep -Fq -e "$3"
	report $? "$1" "$said (status $got)"
}

if have_compiler "$CXX" "a module in C++"; then
	mkdir "$work/cxx"
	cp "$LIMEN_SRCDIR/docs/examples/cpp/limits.conf" "$policy/modules.conf" "$work/cxx"
	ok "the module in C++ compiles" build_cxx matches "$LIMEN_SRCDIR/docs/examples/cpp/matches.cc"
	cxx_says "what matches is admitted" 0 "admitted" '{"test": {"type": "rtt"}}'
	cxx_says "what does not is refused" 1 "'rttx' does not match 'rtt|trace'" \
		'{"test": {"type": "rttx"}}'
	sed 's/rtt|trace/rtt|(/' "$LIMEN_SRCDIR/docs/examples/cpp/limits.conf" > "$work/cxx/limits.conf"
	cxx_says "what open() throws is a problem of the load" 2 \
		"error: At /limits/0/data: " '{"test": {"type": "rtt"}}'
	sed 's/"matches", "data": {[^}]*}/"throws", "data": {}/' \
		"$LIMEN_SRCDIR/docs/examples/cpp/limits.conf" > "$work/cxx/limits.conf"
	for thrown in 'std::out_of_range("too far")/too far' '7/unknown exception'; do
		cat > "$work/throws.cc" <<-EOF
			#include <stdexcept>
			#include <limen/module.hpp>
			static limen_verdict
			check(const void *, const limen_request *, limen_reply *)
			{
				throw ${thrown%/*};
			}
			LIMEN_LIMIT("throws", .check = limen::method<&check>);
		EOF
		rm -f "$work/modules/limit/throws.so"
		ok "a module that throws compiles" build_cxx throws "$work/throws.cc"
		cxx_says "what check() throws is its reason" 1 "${thrown#*/}" '{}'
	done
fi

# What pkg-config says of a static library is enough to link with one.  It is made
# for this test alone: of two copies of the core in one process a program must export
# its own, all of it, to the modules.
mkdir "$work/static"
cp "$LIMEN_BUILDDIR/.libs/libcore.a" "$work/static/liblimen.a"
static_libs=$(PKG_CONFIG_PATH=$LIMEN_BUILDDIR pkg-config --static --libs limen |
	sed 's/-llimen/-Wl,-Bstatic,--whole-archive -llimen -Wl,--no-whole-archive,-Bdynamic/')
# Each of these links would compile the core once more, where its objects were made for that.
ok "the program links statically" compile "$CC" -fno-lto "$LIMEN_SRCDIR/tests/embed/embed.c" \
	-o "$work/embed" -rdynamic -L"$work/static" $static_libs
ldd "$work/embed" > "$work/log"
! grep -q liblimen "$work/log"
report $? "and needs no shared one itself" "$static_libs" "$work/log"
check_answers "static"

# So is it for a program that is static as a whole, with its modules in it.
static_libs=$(PKG_CONFIG_PATH=$LIMEN_BUILDDIR pkg-config --static --libs limen)
echo 'int main(void) { return 0; }' > "$work/empty.c"
if [ -n "${SANITIZE_CFLAGS-}" ] ||
	! $CC -static -fno-lto "$work/empty.c" -o "$work/empty" -L"$work/static" $static_libs 2> /dev/null; then
	skip "a program is static as a whole" "a library that limen needs is shared alone"
else
	ok "a program is static as a whole" compile "$CC" -static -fno-lto -DLIMEN_MODULE_SYMBOL=cap_module \
		"$LIMEN_SRCDIR/tests/embed/built_in.c" "$LIMEN_SRCDIR/docs/examples/cap/cap.c" \
		-o "$work/built_in" -L"$work/static" $static_libs
	echo '{"limits": [{"name": "n", "type": "cap", "data": {"path": "/n", "max": 1}}]}' > "$work/static.conf"
	"$work/built_in" "$work/static.conf" '{}' > "$work/log" 2>&1
	[ $? -eq 1 ] && grep -q '^refused: Made no identifications' "$work/log"
	report $? "and decides" "" "$work/log"
fi
finish
