#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# headers.sh - every public header stands alone, as strict C11 and as C++17, and
# says what each of its functions and types is for; module.h needs no other library's
# headers; options of the wrong C type do not compile, nor do methods in C++.
set -u
. "$LIMEN_SRCDIR/tests/abi/lib.sh"

strict="-pedantic -Wall -Wextra -Werror -fsyntax-only"

# alone COMPILER WORD ARGUMENT...: does each header compile by itself?
alone() {
	compiler=$1
	word=$2
	shift 2
	for header in "$LIMEN_SRCDIR"/include/limen*/*.h "$LIMEN_BUILDDIR/include/limen/version.h"; do
		name=$(basename "$(dirname "$header")")/$(basename "$header")
		flags=
		[ "$name" != limen/json.h ] || flags=$(pkg-config --cflags jansson)
		# Twice: the second time must do nothing.
		printf '#include <%s>\n#include <%s>\nint main(void);\n' "$name" "$name" \
			> "$work/one.c"
		ok "<$name> as $word" compile "$compiler" "$@" $strict $flags "$work/one.c"
	done
}

if have_compiler "$CC" "headers as C11"; then
	alone "$CC" C11 -std=c11
fi
if have_compiler "$CXX" "headers as C++17"; then
	alone "$CXX" C++17 -std=c++17 -Wold-style-cast -x c++
fi

# The header of modules in C++, and their option tables: the same rows, checked by a template.
# Fields that a row does not name are no reason for a warning.
row_cxx() {
	cat > "$work/row.cc" <<-EOF
		#include <limen/module.hpp>
		#include <limen/module.hpp>
		struct fields { $2 field; };
		extern const limen_option rows[];
		const limen_option rows[] = {
			LIMEN_OPT_$1(struct fields, field, .key = "k", .help = "h"),
			LIMEN_OPT_END
		};
	EOF
	compile "$compiler" -std=c++17 -Wold-style-cast $strict "$work/row.cc" > "$work/log" 2>&1
}

# method NAME RESULT SOURCE: is SOURCE, the members of an instance, a limit that compiles?
method() {
	cat > "$work/method.cc" <<-EOF
		#include <string>
		#include <limen/module.hpp>
		struct one { $3 };
		LIMEN_LIMIT("one", .instance_size = sizeof(one), .check = limen::method<&one::check>);
	EOF
	compile "$compiler" -std=c++17 -Wold-style-cast $strict "$work/method.cc" > "$work/log" 2>&1
	[ $(($? != 0)) -eq "$2" ]
	report $? "$compiler: $1" '' "$work/log"
}

for compiler in "$CXX" clang++; do
	have_compiler "$compiler" "module.hpp with $compiler" || continue
	for pair in INT:int64_t REAL:double BOOL:bool ENUM:int 'STRING:const char *' \
		'PATH:const limen_path *' 'STORE:limen_store *' STRINGS:limen_strings; do
		row_cxx "${pair%%:*}" "${pair#*:}"
		report $? "$compiler: LIMEN_OPT_${pair%%:*} takes '${pair#*:}'" '' "$work/log"
	done
	for pair in INT:int REAL:float BOOL:int 'STRING:char *' 'STORE:limen_table *'; do
		! row_cxx "${pair%%:*}" "${pair#*:}"
		report $? "$compiler: LIMEN_OPT_${pair%%:*} does not take '${pair#*:}'" 'it compiled'
	done
	printf '%s\n' '#include <limen/module.hpp>' 'struct pair { int a; int b; };' \
		'extern const pair own; const pair own = { 1 };' > "$work/own.cc"
	! compile "$compiler" -std=c++17 $strict "$work/own.cc" > "$work/log" 2>&1 &&
		grep -q missing-field-initializers "$work/log"
	report $? "$compiler: module.hpp turns off no warning of its user" '' "$work/log"
	method "a member function is a method" 0 \
		'limen_verdict check(const limen_request *, limen_reply *) const;'
	method "also with noexcept" 0 \
		'limen_verdict check(const limen_request *, limen_reply *) const noexcept;'
	method "a function is a method" 0 \
		'static limen_verdict check(const void *, const limen_request *, limen_reply *);'
	method "not one that changes the instance" 1 \
		'limen_verdict check(const limen_request *, limen_reply *);'
	method "nor one that returns a number" 1 'int check(const limen_request *, limen_reply *) const;'
	method "nor one of an instance with a constructor" 1 \
		'std::string text; limen_verdict check(const limen_request *, limen_reply *) const;'
	printf '%s\n' '#include <limen/module.hpp>' 'namespace acme { LIMEN_LIMIT("one", .instance_size = 0); }' \
		> "$work/space.cc"
	compile "$compiler" -std=c++17 -S -o "$work/space.s" "$work/space.cc" > "$work/log" 2>&1 &&
		grep -q '^limen_module:' "$work/space.s"
	report $? "$compiler: a descriptor in a namespace keeps its name" '' "$work/log"
done

# What has no comment above it is what nobody described; a group may share one.
for header in "$LIMEN_SRCDIR"/include/limen*/*.h "$LIMEN_SRCDIR/include/limen/module.hpp"; do
	awk '
		/^(LIMEN_API|static inline|typedef (enum|struct [a-z_]+ \{)|enum \{|#define LIMEN_)/ {
			if (before == "" || before ~ /^(#|LIMEN_BEGIN_DECLS)/ && !/^#define/) {
				print FILENAME ":" FNR ": " $0
				bare = 1
			}
		}
		{ before = $0 }
		END { exit bare }' "$header" > "$work/log"
	report $? "all of <limen/$(basename "$header")> is described" "" "$work/log"
done

# What functions return, who owns what they point to, and threads.
ok "comments say what callers must know" python3 "$LIMEN_SRCDIR/build-aux/make-api" --check \
	"$LIMEN_SRCDIR"/include/limen/*.h
for edit in 's/Returns LIMEN_OK.*//; s/LIMEN_E[A-Z]*//g' 's/[Bb]orrowed//' 's/[Tt]hread//g'; do
	mkdir -p "$work/worse" && sed "$edit" "$LIMEN_SRCDIR/include/limen/request.h" > "$work/worse/request.h"
	! python3 "$LIMEN_SRCDIR/build-aux/make-api" --check "$work/worse/request.h" > "$work/log"
	report $? "and a comment that does not is found ($(sed -n 's/.*: the comment/the comment/p' "$work/log" |
		sort -u | tr '\n' ' '))" "" "$work/log"
done
python3 "$LIMEN_SRCDIR/build-aux/make-api" "$LIMEN_SRCDIR"/include/limen/*.h > "$work/api.html"
sed 's/.*/<a id="&">/' "$LIMEN_SRCDIR/tests/abi/exports" > "$work/anchors"
[ "$(grep -oFf "$work/anchors" "$work/api.html" | sort -u | wc -l)" -eq "$(sort -u "$work/anchors" | wc -l)" ]
report $? "the page of the interface has every function" ""
python3 "$LIMEN_SRCDIR/build-aux/make-api" "$LIMEN_SRCDIR/include/limen/module.hpp" > "$work/api.html"
ok "and what is in C++, without its details" sh -c \
	'grep -A1 "<pre>namespace limen {" "$1" | grep -q " method = " && ! grep -q "struct bound" "$1"' sh "$work/api.html"

# Where GLib and jansson are on no path at all, a module compiles all the same.
printf '#include <limen/module.h>\n#if defined(__G_LIB_H__) || defined(JANSSON_H)\n#error\n#endif\n' \
	> "$work/one.c"
ok "module.h brings neither GLib nor jansson" compile "$CC" -std=c11 $strict "$work/one.c"

# row MACRO TYPE: a module whose option table points MACRO at a field of TYPE
row() {
	cat > "$work/row.c" <<-EOF
		#include <limen/module.h>
		struct fields { $2 field; };
		extern const limen_option rows[];
		const limen_option rows[] = {
			LIMEN_OPT_$1(struct fields, field, .key = "k", .help = "h"),
			LIMEN_OPT_END
		};
	EOF
	compile "$CC" -std=c11 -Wall -Wextra -Werror -fsyntax-only "$work/row.c" > "$work/log" 2>&1
}

# fits MACRO RIGHT WRONG...: only a field of the type RIGHT compiles.
fits() {
	macro=$1
	right=$2
	shift 2
	row "$macro" "$right"
	report $? "LIMEN_OPT_$macro takes '$right'" "" "$work/log"
	for wrong in "$@"; do
		! row "$macro" "$wrong"
		report $? "LIMEN_OPT_$macro does not take '$wrong'" "it compiled"
	done
}

fits STRING 'const char *' 'char *' int
fits STRINGS limen_strings 'const char **'
fits INT int64_t int uint64_t int32_t bool double
fits INTS limen_ints int64_t
fits RANGES limen_ranges limen_range
fits REAL double float int64_t
fits BOOL bool int
fits DURATION limen_duration int double
fits TIMESTAMP limen_timestamp limen_run
fits TIME_OF_DAY limen_duration limen_timestamp
fits DATE limen_date limen_timestamp
fits CIDRS 'const limen_cidr_set *' 'limen_cidr_set *'
fits MATCH 'const limen_string_match *' 'limen_string_match *'
fits ENUM int unsigned int64_t
fits PATH 'const limen_path *' 'limen_path *' 'const char *'
fits URL 'const char *' 'char *'
fits TRANSFORM limen_transform 'const char *'
fits JSON limen_value 'void *'
fits OBJECT limen_value 'void *'
fits STORE 'limen_store *' 'limen_table *'
finish
