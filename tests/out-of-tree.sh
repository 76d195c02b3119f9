#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# out-of-tree.sh - what a stranger would do: installs limen (below a directory of
# the test's own), builds the examples and the embedder with pkg-config and nothing
# of the source tree, and decides with them.
set -u
unset LD_LIBRARY_PATH
. "$LIMEN_SRCDIR/tests/abi/lib.sh"

root=$work/root
cp -R "$LIMEN_SRCDIR/docs/examples/cap" "$work/cap" && chmod -R u+w "$work/cap" || exit 99
cp -R "$LIMEN_SRCDIR/docs/examples/events" "$work/events" && chmod -R u+w "$work/events" || exit 99
cp -R "$LIMEN_SRCDIR/docs/examples/cpp" "$work/cpp" && chmod -R u+w "$work/cpp" || exit 99
cp "$LIMEN_SRCDIR/tests/embed/embed.c" "$work/embed.c" || exit 99
examples=$LIMEN_SRCDIR/docs/examples/modules

# A make inside a make must not take part in the outer one's bookkeeping.
run_make() {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES make "$@"
}

# "make check" has installed it before its tests, of which this is the one to take it.
mv "$LIMEN_BUILDDIR/installed/root" "$root" 2> /dev/null ||
	run_make -C "$LIMEN_BUILDDIR" install DESTDIR="$root" > "$work/log" 2>&1
report $? "limen is installed" '' "$work/log"

# Programs and modules find the libraries where they are, which is not where they were configured
# for, without the loader's help: but in /usr, where it looks itself.
program=$(find "$root" -path '*/bin/limen')
case $program in
"$root"/usr/bin/limen) skip "libraries are found in a moved prefix" "installed in /usr" ;;
*)
	said=$("$program" explain --module-path "$(dirname "$(dirname "$(find "$root" -path '*/limit/rate.so')")")" \
		identifier/ip-cidr-list-url 2>&1)
	status=$?
	[ $status -eq 0 ] && ldd "$program" "$(find "$root" -path '*/identifier/ip-cidr-list-url.so')" > "$work/ldd" &&
		[ "$(grep -c "liblimen[-a-z]*\.so.* => $root" "$work/ldd")" -eq 3 ]
	report $? "libraries are found in a moved prefix" "$said" "$work/ldd"
	;;
esac

# The prefix as configured, found by the one file whose place is not known.
pc=$(find "$root" -name limen.pc)
[ -f "$pc" ]
report $? "limen.pc is installed" "found: $pc" "$work/log"
policy_tests=$(find "$root" -path '*/conf.d/tests/policy.test.yaml' ! -path '*/doc/*')
[ -f "$policy_tests" ]
report $? "the tests of the shipped policy are installed with it" "found: $policy_tests"
PKG_CONFIG_PATH=$(dirname "$pc")
PKG_CONFIG_SYSROOT_DIR=$root
export PKG_CONFIG_PATH PKG_CONFIG_SYSROOT_DIR
libdir=$(pkg-config --variable=libdir limen)
moduledir=$(pkg-config --variable=moduledir limen)
# Some pkg-config put the directory before variables, and some do not.
libdir=$root${libdir#"$root"}
moduledir=$root${moduledir#"$root"}

ok "no static library and no libtool file of a module is" test -z "$(find "$moduledir" -name '*.a' -o -name '*.la')"

abi=$(pkg-config --variable=abi limen)
[ "$(LD_LIBRARY_PATH=$libdir "$(find "$root" -path '*/bin/limen')" --version | sed 's/.*(ABI \(.*\))/\1/')" = "$abi" ] &&
	[ -n "$abi" ]
report $? "limen.pc and the command say the same ABI" "$abi"

# Go takes no flag for the linker from it, and a build needs no library behind this one.
case $(pkg-config --libs limen) in
*-Wl,* | *jansson* | *glib* | *ltdl* | *pcre* | *yaml*) status=1 ;;
*) status=0 ;;
esac
report $status "who links with it links it alone" "$(pkg-config --libs limen)"
# Those of packages that liblimen-dev depends on.
requires=$(pkg-config --print-requires --print-requires-private limen)
[ "$requires" = jansson ] && grep -q "libjansson-dev" "$LIMEN_SRCDIR/debian/control"
report $? "it requires pkg-config files of jansson alone" "$requires"

for file in share/doc/limen/README.md share/doc/limen/docs/policies.md \
	share/doc/limen/docs/examples/kubernetes/limits.yaml share/doc/limen/conf.d/30-limits.conf \
	share/doc/limen/plugins/limit/rate/rate.md share/doc/limen/plugins/limit/rate/example.json \
	share/man/man5/limen-policy.5 share/bash-completion/completions/limen share/bash-completion/completions/limend \
	share/fish/vendor_completions.d/limen.fish share/zsh/site-functions/_limen \
	share/limen/policy.schema.json; do
	[ -n "$(find "$root" -path "*/$file")" ]
	report $? "$file is installed" "$root"
done

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
if have_compiler "$CXX" "a module in C++"; then
	ok "a module in C++ is built by its own makefile" run_make -C "$work/cpp" CXX="$CXX" matches.so
fi
ok "the embedder is built" sh -c "$CC ${SANITIZE_CFLAGS-} '$work/embed.c' -o '$work/embed' \
	\$(pkg-config --cflags --libs limen)"

# guide PAGE: the commands of its section "In ten minutes", as they stand there
guide() {
	sed -n '/^## In ten minutes$/,/^## /p' "$LIMEN_SRCDIR/docs/$1" | sed -n '/^```sh$/,/^```$/p' | sed '/^```/d'
}

example=plugins/limit/test-type/example.json
mkdir -p "$work/embedder/tests/embed" "$work/embedder/$(dirname $example)"
cp "$LIMEN_SRCDIR/tests/embed/embed.c" "$work/embedder/tests/embed"
sed "s|\"schema\"|\"modules\": [\"$moduledir\"], &|" "$LIMEN_SRCDIR/$example" > "$work/embedder/$example"
guide embedders.md | sed "s|^cc |$CC ${SANITIZE_CFLAGS-} |" > "$work/embedder/commands"
(cd "$work/embedder" && LD_LIBRARY_PATH=$libdir sh ./commands) > "$work/said" 2>&1
[ "$(grep -c '^admitted: ' "$work/said")$(grep -c '^refused: ' "$work/said")" = 11 ] &&
	[ "$(wc -l < "$work/embedder/commands")" -eq 3 ]
report $? "the program of docs/embedders.md admits and refuses" '' "$work/said"

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

# Other languages, where they are; neither takes anything from the network.
if [ -n "${SANITIZE_CFLAGS-}" ]; then
	skip "examples in Go and Rust" "a library with a sanitizer is for programs with it"
else
	if have_compiler go "the embedder in Go"; then
		ok "the embedder in Go is built" env GOCACHE="$work/go" GOFLAGS= GOTOOLCHAIN=local GO111MODULE=auto \
			go build -o "$work/embed" "$LIMEN_SRCDIR/docs/examples/go/embed.go"
		answers "it admits 60" 0 "admitted: application 'Short tasks' passes" \
			'{"test": {"spec": {"count": 60}}}'
		answers "it refuses 61" 1 \
			"refused: application 'Short tasks' fails: limit 'short-tasks' failed: 61 exceeds the cap of 60" \
			'{"test": {"spec": {"count": 61}}}'
		answers "it tells what is no JSON" 2 "" '{'
		cp -R "$LIMEN_SRCDIR/docs/examples/go-module" "$work/go-module" &&
			chmod -R u+w "$work/go-module" || exit 99
		ok "the module in Go is built" env GOCACHE="$work/go" GOFLAGS= GOTOOLCHAIN=local \
			sh -c "cd '$work/go-module' && go build -buildmode=c-shared -o cap.so ."
		ok "it takes the place of the one in C" cp "$work/go-module/cap.so" "$moduledir/limit/cap.so"
		answers "the module in Go passes 60" 0 "admitted: application 'Short tasks' passes" \
			'{"test": {"spec": {"count": 60}}}'
		answers "it refuses 61, and says why" 1 \
			"refused: application 'Short tasks' fails: limit 'short-tasks' failed: 61 exceeds the cap of 60" \
			'{"test": {"spec": {"count": 61}}}'
	fi
	version=$(rustc --version 2> /dev/null | sed -n 's/^rustc 1\.\([0-9]*\).*/\1/p')
	if [ "${version:-0}" -lt 63 ]; then
		skip "the module in Rust" "no rustc 1.63"
	else
		ok "the module in Rust is built" rustc -O --edition 2021 -D warnings --crate-type cdylib -L "$libdir" \
			-o "$work/cap.so" "$LIMEN_SRCDIR/docs/examples/rust/cap.rs"
		ok "it takes the place of the one in C" cp "$work/cap.so" "$moduledir/limit/cap.so"
		answers "it passes 60" 0 "admitted: application 'Short tasks' passes" \
			'{"test": {"spec": {"count": 60}}}'
		answers "it refuses 61, and says why" 1 \
			"refused: application 'Short tasks' fails: limit 'short-tasks' failed: 61 exceeds the cap of 60" \
			'{"test": {"spec": {"count": 61}}}'
		answers "it has no opinion without a count" 0 "admitted: application 'Short tasks' passes" '{}'
		answers "a text is an error" 1 \
			"refused: application 'Short tasks' fails: limit 'short-tasks' failed: Limit short-tasks threw an exception: the module failed and gave no reason" \
			'{"test": {"spec": {"count": "60"}}}'
	fi
fi

# The Python package finds the library that is installed beside it.
package=$(find "$root" -path '*/limen/_library.py' | head -n 1)
if [ -n "$package" ] && [ -z "${SANITIZE_CFLAGS-}" ]; then
	ask="import limen, sys; print(limen.Engine(sys.argv[1]).decide({'test': {'spec': {'count': 61}}}).reason)"
	said=$(PYTHONPATH=$(dirname "$(dirname "$package")") PYTHONDONTWRITEBYTECODE=1 \
		LD_LIBRARY_PATH=$libdir python3 -c "$ask" "$work/conf.d" 2> "$work/err")
	[ "$said" = "application 'Short tasks' fails: limit 'short-tasks' failed: 61 exceeds the cap of 60" ]
	report $? "and so does the Python package" "$said" "$work/err"
fi
# ---- a module of each kind, as the guide shows it and "limen new-module" makes it ----

mkdir "$work/bin" "$work/own"
installed=$(find "$root" -path '*/bin/limen')
printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$libdir" "$installed" > "$work/bin/limen"
chmod +x "$work/bin/limen"
PATH=$work/bin:$PATH
LIMEN_MODULE_PATH=$moduledir
export PATH LIMEN_MODULE_PATH

guide module-authors.md | sed "s|^make |&MODDIR=$moduledir DESTDIR=$destination |" > "$work/commands"
(cd "$work/own" && env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u MAKEOVERRIDES LD_LIBRARY_PATH="$libdir" \
	sh -e "$work/commands") > "$work/said" 2>&1 &&
	[ -f "$moduledir/limit/office-hours.so" ] && grep -q '^admitted: ' "$work/said"
report $? "the commands of docs/module-authors.md write a limit that decides" '' "$work/said"
rm -f "$moduledir/limit/office-hours.so"

# made KIND TYPE: is what the command makes the example, save for its licence?
made() {
	if ! (cd "$work/own" && limen new-module "$1" "$2") > "$work/log" 2>&1; then
		report 1 "new-module makes $2" '' "$work/log"
		return 0
	fi
	diff -r -I SPDX-License-Identifier "$examples/$2" "$work/own/$2" > "$work/log" 2>&1
	report $? "new-module $1 $2 makes what the guide shows" '' "$work/log"
}

# works KIND TYPE: do its makefile, its test and the commands of its page?
works() {
	own=$work/own/$2
	ok "$2: make check" env LD_LIBRARY_PATH="$libdir" env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
		-u MAKEOVERRIDES make -C "$own" check MODDIR="$moduledir" CFLAGS="$CFLAGS -Werror"
	sed -n '/^limen /p' "$own/README.md" > "$own/commands"
	[ "$(wc -l < "$own/commands")" -eq 4 ] && (cd "$own" && sh -e ./commands) \
		> "$work/said" 2>&1
	report $? "$2: the commands of its page" '' "$work/said"
	ok "$2: make install" run_make -C "$own" install DESTDIR="$destination"
	[ -f "$moduledir/$1/$2.so" ]
	report $? "$2: it is where modules are looked for" "$moduledir"
}

# says STATUS TEXT TYPE ARGUMENT...: what does the installed module say?
says() {
	status=$1
	text=$2
	type=$3
	shift 3
	(cd "$work/own/$type" && limen check --policy "${policy:-example.json}" "$@") > "$work/said" 2>&1
	got=$?
	[ "$got" -eq "$status" ] && grep -Fq -e "$text" "$work/said"
	report $? "$type: installed, with ${policy:-example.json} it says: $text" "status $got" "$work/said"
}

for pair in identifier/hint-list rewriter/fill-in limit/at-most admission/replica-cap \
	prioritizer/by-hint store/small-store; do
	made "${pair%/*}" "${pair#*/}"
	works "${pair%/*}" "${pair#*/}"
done
# Further examples, which no command copies.
cp -R "$examples/admission/image-registry" "$work/own" && chmod -R u+w "$work/own/image-registry"
works admission image-registry
says 0 "application 'Staff may do anything' passes" hint-list --hint user=bob request.json
says 1 "refused" hint-list --hint user=eve request.json
says 0 '"count": 10' fill-in request.json
printf '{"test":{"spec":{"count":61}}}' > "$work/own/at-most/more.json"
says 1 "61 is above 60" at-most more.json
sed 's/"replicas": 3/"replicas": 11/' "$work/own/replica-cap/request.json" \
	> "$work/own/replica-cap/more.json"
says 1 "11 replicas are more than 10" replica-cap more.json
says 0 'example.com/image-registry' image-registry request.json
sed 's|quay.io/team/metrics|quay.io/other/metrics|' "$work/own/image-registry/request.json" \
	> "$work/own/image-registry/other.json"
says 1 "spec.containers[2].image: 'quay.io/other/metrics:3' is not from a listed registry" \
	image-registry other.json
says 0 "Priority set at 15:" by-hint --hint user=ann request.json
for n in 1 2 3 4 5 6 7 8 9 10 11; do
	printf '{"id":%s,"time":0,"hints":{"user":"ann"},"request":{}}\n' $n
done > "$work/own/small-store/eleven.jsonl"
says 0 '{"id":10,"admitted":true,"code":200' small-store --live-stores --batch eleven.jsonl
says 0 '{"id":11,"admitted":false,"code":429' small-store --live-stores --batch eleven.jsonl

# The policies of docs/module-policies.md.
policies=$LIMEN_SRCDIR/docs/examples/module-policies
policy=$policies/identifier.yaml
says 0 "application 1 passes" hint-list --hint user=bob request.json
says 1 "Made no identifications" hint-list --hint user=eve request.json
policy=$policies/rewriter.yaml
says 0 '"count": 10' fill-in request.json
policy=$policies/limit.yaml
says 1 "61 is above 60" at-most more.json
policy=$policies/admission.yaml
says 1 "11 replicas are more than 10" replica-cap more.json
policy=$policies/prioritizer.yaml
says 0 "Priority set at 15:" by-hint --hint user=ann request.json
policy=$policies/store.yaml
says 0 '{"id":10,"admitted":true,"code":200' small-store --live-stores --batch eleven.jsonl
says 0 '{"id":11,"admitted":false,"code":429' small-store --live-stores --batch eleven.jsonl
ok "these are all" test "$(find "$policies" -type f | wc -l)" -eq 6

# The store that needs a library of its own.
if pkg-config --exists sqlite3; then
	cp -R "$examples/store/sqlite" "$work/own/sqlite" && chmod -R u+w "$work/own/sqlite" || exit 99
	works store sqlite
	rm -f "$moduledir/store/sqlite.so"
else
	skip 'a store on SQLite' 'no libsqlite3-dev'
fi

# Names that C has for something else, or an example.
for pair in store/table store/bucket limit/int identifier/linux admission/A-b-c; do
	(cd "$work/own" && limen new-module "${pair%/*}" "${pair#*/}" > "$work/log" 2>&1 &&
		$CC -fsyntax-only -Wall -Wextra -Werror $(pkg-config --cflags limen) \
			"${pair#*/}/${pair#*/}.c" "${pair#*/}/test-${pair#*/}.c" >> "$work/log" 2>&1)
	report $? "a module may be called ${pair#*/}" '' "$work/log"
done
for pair in identifier/hint-list rewriter/fill-in limit/at-most admission/replica-cap \
	prioritizer/by-hint store/small-store admission/image-registry; do
	rm -f "$moduledir/$pair.so"
done

ok "limen is uninstalled" run_make -C "$LIMEN_BUILDDIR" uninstall DESTDIR="$root"
left=$(find "$root" ! -type d)
[ "$left" = "$moduledir/limit/cap.so" ]
report $? "and leaves no file behind but a module of somebody else" "$left"
left=$(cd "$root" && find . -type d -empty -path '*/limen*')
[ -z "$left" ]
report $? "nor a directory of its own that is empty" "$left"
finish
