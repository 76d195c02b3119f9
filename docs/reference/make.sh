#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# make.sh cli|configuration - prints the part of the reference page of that name that
# the programs know themselves.  The tests compare it with the page; "make.sh --write"
# writes it, and all others of its sort, into the pages.  Run it at the top of a built
# tree: PATH=$PWD:$PATH LIMEN_MODULE_PATH=$PWD/plugins sh docs/reference/make.sh --write
set -eu

# The policy of a package stands for the one of this limen, and so does the directory of modules.
print_help() {
	printf '## %s\n\n```\n' "$2"
	"$1" $3 --help | sed -e 's|/[^ ]*/limen/conf\.d|/etc/limen/conf.d|' \
		-e 's|(then: /[^ ]*/limen)|(then: /usr/lib/limen)|'
	printf '```\n\n'
}

print_cli() {
	limend=${LIMEND:-limend}
	print_help limen limen ''
	for command in $(limen --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
		print_help limen "limen $command" "$command"
		[ "$command" = module ] || continue
		for part in $(limen module --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
			print_help limen "limen module $part" "module $part"
		done
	done
	print_help "$limend" limend ''
}

# One table for each sort of entry, from the schema that editors use; the options of
# modules stand in modules.md.
print_configuration() {
	limen explain --format schema | jq -r '
		def value:
			if .enum then .enum | map("`" + tostring + "`") | join(", ")
			elif .anyOf then [.anyOf[] | value] | unique | join(", or ")
			elif ."$ref" then ."$ref" | sub("^.*/"; "") | "[" + . + "](#" + . + ")"
			elif .type == "array" then "array of " + (.items | if . then value else "anything" end)
			elif .additionalProperties."$ref"? then "object of " + (.additionalProperties | value)
			else .type // "anything" | if type == "array" then join(" or ") else . end end;
		# What every alternative asks for is asked for always.
		def required:
			(.required // []) +
			([.anyOf[]?.required] | reduce .[] as $one (.[0] // []; . - (. - $one)));
		def table($required):
			"| key | value | required | meaning |", "|---|---|---|---|",
			(to_entries[] | select(.value | type == "object") |
				"| `\(.key)` | \(.value | value) | " +
				(if .key as $key | $required | index($key) then "yes" else "" end) +
				" | \(.value.description // "") |");
		"## A policy", "", (.properties | table([])), "",
		(."$defs" | to_entries[] | "## \(.key)", "",
			(.value | required) as $required |
			([.value | .properties // {}, (.allOf // [] | .[] | .then?.properties // {})]
				| reduce .[] as $one ({}; $one + .) | table($required)), "")'
}

# What others have built or installed is explained like what comes with limen, and
# stands on no page.  The modules of the tree are in the first directory.
refuse_foreign() {
	own=${LIMEN_MODULE_PATH:?names no modules: see the top of make.sh}
	foreign=$(limen module list --long | sed 1d | grep -vF " ${own%%:*}/") || return 0
	{
		echo "make.sh: these modules are not of $own; take them away for the moment:"
		echo "$foreign"
	} >&2
	exit 1
}

# What stands behind the line that names the command is made by it.
write_pages() {
	refuse_foreign
	for page in docs/reference/*.md; do
		command=$(sed -n 's/^<!-- output: \(.*\) -->$/\1/p' "$page")
		[ -n "$command" ] || continue
		{
			sed '/^<!-- output: .* -->$/q' "$page"
			sh -c "$command"
		} > "$page.new"
		cat "$page.new" > "$page"
		rm "$page.new"
	done
	limen explain --format schema > docs/reference/policy.schema.json
}

case ${1-} in
cli) print_cli ;;
configuration) print_configuration ;;
--write) write_pages ;;
*)
	echo "usage: make.sh cli|configuration|--write" >&2
	exit 2
	;;
esac
