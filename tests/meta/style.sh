#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# style.sh - the size gates of CONTRIBUTING.md.  Run from the top of the sources
# (make style).  Fails on a function of more than 60 lines or a cyclomatic
# complexity above 12, on a file of more than 800 lines, on the name of a document
# that is nowhere, on an include that breaks the order of rooms, on a file of the core
# without a test of its name or a line in tests/core/covered.txt, on a source without the
# licence in its first lines, and on a fuzzer without corpus.
set -eu

# All but tables that are made by building, in the sources when that is done there.
c_files() {
	find core plugins programs -name '*.[ch]' ! -name skeletons.c ! -name ui_assets.c ! -name look.c | LC_ALL=C sort
}

# pmccabe prints: complexity with a switch counted once, and with its cases
# counted; statements; first line; lines; place and name.
check_functions() {
	if ! command -v pmccabe > /dev/null; then
		echo "style: functions not checked (no pmccabe)" >&2
		return 0
	fi
	c_files | grep '\.c$' | xargs -r pmccabe | sort -n -k 5,5 | awk -F '\t' '
		{
			lines[NR] = $5
			split($6, place, ": ")
			if ($5 > 60) {
				printf "%s: %s: %d lines (at most 60)\n", place[1], place[2], $5
				failed = 1
			}
			if ($2 > 12) {
				printf "%s: %s: complexity %d (at most 12)\n", place[1], place[2], $2
				failed = 1
			}
		}
		END {
			if (NR == 0)
				exit 0
			printf "style: %d functions, lines: median %d, p90 %d, longest %d\n", NR,
				lines[int((NR + 1) / 2)], lines[int((9 * NR + 9) / 10)], lines[NR]
			exit failed
		}'
}

check_files() {
	c_files | xargs -r awk '
		FNR == 1 { files++ }
		FNR == 801 { print FILENAME ": more than 800 lines"; failed = 1 }
		END { printf "style: %d files\n", files; exit failed }'
}

# Behind the licence a source begins with what it does and owns.
check_comments() {
	c_files | grep '\.c$' | xargs -r awk '
		FNR == 1 { next_line = 1 }
		NF > 0 && next_line && FNR > 1 {
			next_line = 0
			if ($1 != "/*" && $1 !~ /^\/\*/) {
				print FILENAME ": no opening comment"
				failed = 1
			}
		}
		END { exit failed }'
}

# Whoever reads the name of a document must be able to open it.
check_documents() {
	named=$(find core docs include plugins programs tests ./*.md -type f \( \
		-name '*.[ch]' -o -name '*.md' -o -name '*.sh' -o -name '*.mk' -o -name '*.json' \) \
		-exec grep -hoE '[A-Za-z0-9_-]+\.md\b' {} + | grep -vx TYPE.md | LC_ALL=C sort -u)
	missing=0
	for name in $named; do
		if [ -z "$(find ./*.md docs plugins tests -name "$name")" ]; then
			echo "style: $name is named and is not there" >&2
			missing=1
		fi
	done
	return $missing
}

# Each file of the core has a test file of its name, or a line that says what covers it.
check_tested() {
	find core -name '*.c' | LC_ALL=C sort | sed 's|^core/||; s|\.c$||' | {
		failed=0
		while read -r file; do
			by=$(awk -v file="$file.c" '$1 == file { print $2 }' tests/core/covered.txt)
			if [ -e "tests/core/${file%/*}/test_${file##*/}.c" ]; then
				[ -z "$by" ] && continue
				echo "tests/core/covered.txt: $file.c has a test of its name: remove its line" >&2
			elif [ -z "$by" ]; then
				echo "core/$file.c: add tests/core/${file%/*}/test_${file##*/}.c, or a line to tests/core/covered.txt" >&2
			elif [ ! -e "$by" ]; then
				echo "tests/core/covered.txt: $by, named for $file.c, does not exist" >&2
			else
				continue
			fi
			failed=1
		done
		return $failed
	}
	awk '/^[a-z]/ { print $1 }' tests/core/covered.txt | while read -r file; do
		[ -e "core/$file" ] || {
			echo "tests/core/covered.txt: core/$file does not exist" >&2
			exit 1
		}
	done
}

# check_rooms ROOT [faces]: ROOT/rooms names the folders of ROOT, bottom first ("#" begins a
# comment); those on one line do not use each other.  A file includes headers of its own folder as "file.h", and those of folders
# further down as "folder/file.h".  With "faces", only "folder/folder.h" may be included from
# another folder, and any header of base.
check_rooms() {
	root=$1
	find "$root" -name '*.[ch]' ! -name ui_assets.c ! -name look.c | LC_ALL=C sort | {
		sed 's/#.*//; s/[ \t]*$//; /^$/d' "$root/rooms"
		echo
		cat
	} | awk -v root="$root" -v faces="${2:-}" '
		function complain(text) { print path ":" line ": " text; failed = 1 }
		function check(header,  parts, count, room) {
			sub(/^(\.\.\/)+/, "", header)
			count = split(header, parts, "/")
			room = parts[count - 1]
			if (count == 1) {
				if (!((own "/" header) in known))
					complain("\"" header "\" is not in its folder: write \"folder/" header "\"")
			} else if (!(header in known) || room == own)
				return
			else if (own != "" && rank[room] >= rank[own])
				complain("\"" header "\" is of a room above " own " (" root "/rooms)")
			else if (faces != "" && room != "base" && parts[count] != room ".h")
				complain("include \"" room "/" room ".h\", not \"" header "\"")
		}
		!listed && NF == 0 { listed = 1; next }
		!listed { rooms++; for (i = 1; i <= NF; i++) rank[$i] = rooms; next }
		{ paths[++files] = $1; known[substr($1, length(root) + 2)] = 1 }
		END {
			for (i = 1; i <= files; i++) {
				path = paths[i]
				own = substr(path, length(root) + 2)
				line = 0
				if (!sub(/\/.*/, "", own)) {
					if (own != "main.c")
						complain("no room: move it to a folder of " root "/rooms")
					own = ""
				} else if (!(own in rank))
					complain("the folder is missing in " root "/rooms")
				while ((getline text < path) > 0) {
					line++
					if (text ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
						split(text, quoted, "\"")
						check(quoted[2])
					}
				}
				close(path)
			}
			exit failed
		}'
}

# Data has none: policies, cases, seeds of fuzzers and documents.
check_licences() {
	if ! git ls-files --error-unmatch configure.ac > /dev/null 2>&1; then
		echo "style: licences not checked (no checkout of git)" >&2
		return 0
	fi
	git ls-files | grep -vE '^tests/(cases|fuzz/seeds)/' | {
		failed=0
		while read -r file; do
			case $file in
			*.[ch1-9] | *.hpp | *.sh | *.py | *.js | *.css | *.html | *.go | *.rs | *.jq | *.lua) ;;
			*.mk | *.map | *.m4 | *.ac | *.am | *.in | *.postrm | Makefile | */Makefile) ;;
			*) [ -f "$file" ] && [ -x "$file" ] || continue ;;
			esac
			head -n 8 "$file" | grep -q 'SPDX-License-Identifier: Apache-2\.0' ||
				{ echo "$file: add the line \"SPDX-License-Identifier: Apache-2.0\" to its head" >&2; failed=1; }
		done
		return $failed
	}
}

# Programs use what every embedder has, and the one face of the HTTP client.
check_programs() {
	! grep -rnE '^[ \t]*#[ \t]*include[ \t]*".*(core|plugins)/' programs |
		grep -v '"[./]*plugins/support/http/http\.h"' >&2 || return 1
	! grep -rn 'core/.*\.[ch]' programs --include=sources.mk >&2
}

# Each fuzzer has seeds, and a corpus of at most 256 KiB that "make fuzz-all" wrote.
check_corpora() {
	failed=0
	for file in tests/fuzz/fuzz_*.c; do
		name=$(basename "$file" .c)
		name=${name#fuzz_}
		[ "$name" != engine ] || continue
		[ -n "$(find "tests/fuzz/seeds/$name" -type f 2> /dev/null)" ] ||
			{ echo "$file: no seeds in tests/fuzz/seeds/$name" >&2; failed=1; }
		[ -n "$(find tests/fuzz/corpus -name "$name.tar.gz" -size -513 2> /dev/null)" ] ||
			{ echo "$file: no tests/fuzz/corpus/$name.tar.gz of at most 256 KiB: make fuzz-all" >&2; failed=1; }
	done
	return $failed
}

status=0
check_programs || status=1
check_rooms core faces || status=1
check_rooms programs/limend || status=1
check_rooms programs/limen || status=1
check_functions || status=1
check_files || status=1
check_comments || status=1
check_documents || status=1
check_tested || status=1
check_licences || status=1
check_corpora || status=1
exit $status
