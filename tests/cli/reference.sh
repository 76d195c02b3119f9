#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# reference.sh - what CONTRIBUTING.md asks of a new path of limend and of a new command
# of limen: the pages name every path with its methods, every command, and every family
# of metrics.  (What limen knows of itself is compared by docs.sh.)  And links lead
# somewhere.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

same() {
	diff "$1" "$2" > difference
	report $? "$3" difference
}

# "PATH METHOD, METHOD" of the daemon's endpoints.
sed -n 's/^	{ "\(\/[^"]*\)", \(HTTP_[A-Z_| ]*\),.*/\1 \2/p' \
	"$LIMEN_SRCDIR/programs/limend/endpoint/endpoints.c" |
	sed -e 's/HTTP_//g' -e 's/ | /, /' | sort > served
sed -n 's/^| `\(\/[^|]*\)` | \([A-Z, ]*\) |.*/\1|\2/p' "$LIMEN_SRCDIR/docs/reference/http.md" |
	awk -F '|' '{ n = split($1, path, "`, `"); for (i = 1; i <= n; i++) print path[i] " " $2 }' |
	sort > described
[ "$(wc -l < served)" -gt 8 ]
report $? 'limend has paths' served
same described served 'reference/http.md has them, and their methods'

while read -r path _; do
	ok "a test asks for $path" grep -qF "\"$path" "$LIMEN_SRCDIR/tests/daemon/all_endpoints.py" \
		"$LIMEN_SRCDIR/tests/daemon/console.py"
done < served

# Each command has its pages.
"$LIMEN" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p' | grep -v '^version$' > commands
[ "$(wc -l < commands)" -gt 10 ]
report $? 'limen has commands' commands
while read -r command; do
	ok "limen $command has a manual page" grep -q "limen-$command\.1" "$LIMEN_SRCDIR/docs/man/man.mk"
	ok "limen(1) names $command" grep -qE "^\.It Cm $command( |\$)" "$LIMEN_SRCDIR/docs/man/limen.1"
	ok "reference/cli.md has limen $command" grep -qE "^#+ .*limen $command" \
		"$LIMEN_SRCDIR/docs/reference/cli.md"
done < commands

# A histogram is one family; its series have endings.
grep -ho '"limend_[a-z_]*' "$LIMEN_SRCDIR"/programs/limend/*/*.c | tr -d '"' |
	sed 's/^\(limend_decision_seconds\)_.*/\1/' | sort -u > counted
sed -n 's/^| `\(limend_[a-z_]*\)` | \(gauge\|counter\|histogram\) .*/\1/p' \
	"$LIMEN_SRCDIR/docs/observability.md" | sort > described
[ "$(wc -l < counted)" -gt 20 ]
report $? 'limend counts' counted
same described counted 'observability.md has every family'

# Links lead to files, and those with a "#" to headings.
(
	cd "$LIMEN_SRCDIR" || exit
	find ./*.md docs plugins -name '*.md' | sed 's,^\./,,' > "$work/pages"
	while read -r page; do
		sed '/^```/,/^```/d' "$page" | sed -n 's/^#\{1,\} //p' | tr '[:upper:]' '[:lower:]' |
			sed -e 's/\[\([^]]*\)\]([^)]*)/\1/g' -e 's/[^a-z0-9_ -]//g' -e 's/ /-/g' -e "s|^|$page#|"
	done < "$work/pages" > "$work/headings"
	while read -r page; do
		sed '/^```/,/^```/d' "$page" | grep -o '](\([^) ]\{1,\}\)' | sed -e 's/^](//' -e '/:/d' |
			while read -r link; do
				target=${link%%#*}
				[ -z "$target" ] && target=$page || target=$(dirname "$page")/$target
				[ -e "$target" ] || echo "$page: $link"
				case $link in
				*.md#* | \#*) grep -qxF "$(realpath --relative-to=. "$target")#${link#*#}" "$work/headings" ||
					echo "$page: $link: no such heading" ;;
				esac
			done
	done < "$work/pages"
) > broken
[ ! -s broken ]
report $? 'all links of pages lead to files and headings' broken
finish
