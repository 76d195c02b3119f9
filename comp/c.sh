#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Completion of command lines for bash, zsh and fish, as the shells would ask for it;
# shells that are not installed are skipped.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

files=$LIMEN_SRCDIR/programs/completions
mkdir bin plan.d
ln -s "$LIMEN" bin/limen
ln -s "$LIMEND" bin/limend
echo '{}' > plan.conf
PATH=$PWD/bin:$PATH
export PATH

# Answers for the words of a command line; "=" is a word of its own, as bash has it.
cat > ask.bash <<'END'
. "$1/bash/$2"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_limen
printf '%s\n' "${COMPREPLY[@]}" | sort -u
END

cat > ask.fish <<'END'
source $argv[1]/fish/limen.fish
source $argv[1]/fish/limend.fish
complete -C $argv[2] | string replace -r '\t.*' '' | sort -u
END

# What _arguments and compadd are given; zsh's own words it with menus.
cat > ask.zsh <<'END'
files=$1
shift
words=("$@")
CURRENT=$#
_arguments() { print -rl -- "$@" }
_describe() { print -rl -- ${(P)2} }
compadd() { [[ $1 != -a ]] && print -rl -- "$@" || print -rl -- ${(P)2} }
source $files/zsh/_limen
END

# wants NAME LINE...: are these the lines of "said"?
wants() {
	name=$1
	shift
	printf '%s\n' "$@" > wanted
	diff wanted said > difference
	report $? "$name" difference
}

# bash_says WORD...: what bash would offer for these words
bash_says() {
	bash --norc ask.bash "$files" "$@" > said 2>&1
}

# all_of NAME TEXT: does every word of TEXT stand in "said"?
all_of() {
	missing=
	for word in $2; do
		grep -Fqx -e "$word" said || missing="$missing $word"
	done
	test -z "$missing"
	report $? "$1${missing:+: no$missing}" said
}

commands=$("$LIMEN" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p')
ok 'limen names its commands' test "$(echo "$commands" | wc -l)" -ge 10
types=$("$LIMEN" explain | sed 's/ .*//')

# Every option of every command is offered, and so are the values that its help lists, and files
# where it names files.  A question is the words of a command line, with tabs between.
list_questions() {
	for command in $commands suggest_limits module_new module_check module_test module_install module_list; do
		"$LIMEN" $(echo "$command" | tr _ ' ') --help > "help.limen_$command"
	done
	"$LIMEND" --help > help.limend
	for help in help.*; do
		words=$(echo "${help#help.}" | tr _ '\t')
		printf '%s\t--\n' "$words"
		for option in $(sed -n -E 's/^  (-[A-Za-z], )?(--[a-z-]*)=(FORMAT|HOW|LEVEL|PHASE|POLICY|WHAT|WHEN) .*/\2/p' "$help"); do
			printf '%s\t%s\t\n' "$words" "$option"
		done
		for option in $(sed -n -E 's/^  (-[A-Za-z], )?(--[a-z-]*)=FILE[^ ]* .*/\2/p' "$help"); do
			printf '%s\t%s\tpla\n' "$words" "$option"
		done
	done
}

# has_all_options HELP: does "said" have the options of the help?
has_all_options() {
	sed -n -E 's/^  (-[A-Za-z], )?(--[a-z-]*).*/\2/p' "$1" | sort > wanted
	sed 's/[=[].*//' said | sort > offered
	comm -23 wanted offered > difference
	[ -s wanted ] && [ ! -s difference ]
}

# are_values TEXT: are the lines of "said" the words that the text lists?  It has a comma or an "or"
# between two of them.
are_values() {
	while read -r word; do
		echo "$1" | grep -qw -e "$word" || return 1
	done < said
	gaps=$(echo "$1" | sed 's/([^)]*)//g; s/ *,\{0,1\} or /, /g' | awk -F: '{
		for (i = 1; i <= NF; i++)
			if (gsub(",", ",", $i) > most)
				most = gsub(",", ",", $i)
		print most }')
	[ "$gaps" -gt 0 ] && [ "$(wc -l < said)" -eq $((gaps + 1)) ]
}

# check_questions SHELL: the answers stand behind lines "@".
check_questions() {
	$1_answers < questions > answers 2>&1
	tab=$(printf '\t')
	number=0
	while IFS= read -r question; do
		number=$((number + 1))
		awk -v number="$number" '$0 == "@" { n++; next } n == number' answers > said
		command=${question%%"$tab"--*}
		help=help.$(echo "$command" | tr '\t' _)
		option=${question#"$command$tab"}
		option=${option%"$tab"*}
		title="$1: $(echo "$question" | tr '\t' ' ')"
		case $question in
		*"$tab--") has_all_options "$help" ;;
		*"$tab"pla) grep -qx plan.conf said ;;
		*) are_values "$(sed -n "s/^  .*$option=[^ ]* *//p" "$help")" ;;
		esac
		report $? "$title" said
	done < questions
}

bash_answers() {
	bash --norc -c '
		. "$1/bash/limen"
		while IFS= read -r question; do
			COMP_WORDS=()
			while [[ $question == *$'"'\\t'"'* ]]; do
				COMP_WORDS+=("${question%%$'"'\\t'"'*}")
				question=${question#*$'"'\\t'"'}
			done
			COMP_WORDS+=("$question")
			COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
			_limen
			echo @
			printf "%s\n" "${COMPREPLY[@]}"
		done' bash "$files"
}

fish_answers() {
	fish --no-config -c '
		source $argv[1]/fish/limen.fish
		source $argv[1]/fish/limend.fish
		while read -l question
			echo @
			complete -C (string replace -a \t " " -- $question) | string replace -r "\t.*" "" | sort -u
		end' "$files"
}

# zsh's own _arguments gets all options; what it offers for one stands last in its specification.
zsh_answers() {
	zsh -f -c '
		_arguments() {
			local spec
			for spec in "$@"; do
				if [[ $option != --* ]]; then
					print -r -- $spec
				elif [[ $spec == $option=* ]]; then
					spec=${spec##*:}
					[[ $spec != _files ]] && print -rl -- ${=spec//[()]/} || print -rl -- *
				fi
			done
		}
		while IFS= read -r question; do
			words=("${(@ps:\t:)question}")
			CURRENT=$#words
			option=
			[[ $words[-1] == -- ]] || option=$words[-2]
			echo @
			source $1/zsh/_limen < /dev/null
		done' zsh "$files"
}

check_bash() {
	bash_says limen ''
	all_of 'bash: commands' "$commands"
	bash_says limen va
	wants 'bash: a command' validate
	bash_says limen --module-path /a ex
	wants 'bash: a command behind an option with a value' explain
	bash_says limen --module-path = /a ex
	wants 'bash: a command behind an option with = and a value' explain
	check_questions bash
	bash_says limen check --ph
	wants 'bash: an option' --phase=
	bash_says limen check --phase ''
	wants 'bash: its values' mutate validate workload
	bash_says limen check --phase = m
	wants 'bash: a value behind =' mutate
	bash_says limen check --phase =
	wants 'bash: all values behind =' mutate validate workload
	bash_says limen explain --format ''
	wants 'bash: formats of explain' json markdown schema text
	bash_says limen check --format ''
	wants 'bash: those of check' github json junit patch review text yaml
	bash_says limen graph --format ''
	wants 'bash: those of graph' dot html svg
	bash_says limen graph --policy pla
	wants 'bash: names of policies' plan.conf plan.d
	bash_says limen explain ''
	all_of 'bash: kinds and types' "$types limit jq rate"
	bash_says limen explain limit/run-
	wants 'bash: types of a kind' limit/run-daterange limit/run-schedule
	bash_says limen new-module st
	wants 'bash: kinds' store
	bash_says limen module ''
	wants 'bash: commands of module' check install list new test
	bash_says limen module new st
	wants 'bash: kinds, too' store
	bash_says limen module check --t
	wants 'bash: an option of such a command' --timeout=
	bash_says limen module check pla
	wants 'bash: files of such a command' plan.conf plan.d
	bash_says limen check --policy pla
	wants 'bash: files' plan.conf plan.d
	bash_says limen --module-path pla
	wants 'bash: directories' plan.d
	bash_says limen describe ''
	wants 'bash: words of a command' limits namespace
	bash_says limen describe limits pla
	wants 'bash: files behind them' plan.conf plan.d
	bash_says limen suggest e
	wants 'bash: a word that may be left out' events
	bash_says limen suggest pla
	wants 'bash: and files' plan.conf plan.d
	bash_says limen audit pla
	wants 'bash: files of audit' plan.conf plan.d
	bash_says limen top pla
	wants 'bash: nothing where a command takes nothing' ''
	bash_says limen check --hint ''
	wants 'bash: nothing where nothing is known' ''
	bash_says limend --log-level ''
	wants 'bash: limend' debug error info warning
}

fish_says() {
	fish --no-config ask.fish "$files" "$1" > said 2>&1
}

check_fish() {
	check_questions fish
	fish_says 'limen '
	all_of 'fish: commands' "$commands"
	fish_says 'limen --color never ex'
	wants 'fish: a command behind an option' explain
	# fish 4 matches letters anywhere in a word.
	fish_says 'limen check --phas'
	wants 'fish: an option' --phase
	fish_says 'limen check --phase '
	wants 'fish: its values' mutate validate workload
	fish_says 'limen check --format=p'
	wants 'fish: a value behind =' --format=patch
	fish_says 'limen explain --format '
	wants 'fish: formats of explain' json markdown schema text
	fish_says 'limen explain limit/run-'
	wants 'fish: types of a kind' limit/run-daterange limit/run-schedule
	fish_says 'limen new-module st'
	wants 'fish: kinds' store
	fish_says 'limen module '
	wants 'fish: commands of module' check install list new test
	fish_says 'limen module new st'
	wants 'fish: kinds, too' store
	fish_says 'limen module check --timeo'
	wants 'fish: an option of such a command' --timeout
	fish_says 'limen validate pla'
	wants 'fish: files' plan.conf plan.d/
	fish_says 'limen describe limits pla'
	all_of 'fish: files behind words' 'plan.conf plan.d/'
	fish_says 'limen suggest e'
	wants 'fish: a word that may be left out' events
	fish_says 'limen audit pla'
	wants 'fish: files of audit' plan.conf plan.d/
	fish_says 'limend --log-level '
	wants 'fish: limend' debug error info warning
}

zsh_says() {
	zsh -f ask.zsh "$files" "$@" > said 2>&1
}

check_zsh() {
	check_questions zsh
	zsh_says limen ''
	mentions 'zsh: a command is wanted' said '1: :_limen_commands'
	mentions 'zsh: or an option' said '--color=['
	zsh_says limen check ''
	mentions 'zsh: values of an option' said ':PHASE:(mutate validate workload)'
	mentions 'zsh: formats' said ':FORMAT:(text json yaml patch review junit github)'
	mentions 'zsh: files' said ':FILE|DIR|URL:_files'
	mentions 'zsh: arguments are files, too' said '*: :_files'
	zsh_says limen --color never describe ''
	mentions 'zsh: a short option' said '-n[Namespace'
	mentions 'zsh: words of a command' said '2: :(limits namespace)'
	zsh_says limen suggest limits ''
	mentions 'zsh: options of limen suggest limits' said '--cluster[Read'
	zsh_says limen audit ''
	mentions 'zsh: files of audit' said '*: :_files'
	zsh_says limen module check ''
	mentions 'zsh: options of limen module check' said '--timeout=[Stop'
	zsh_says limend ''
	mentions 'zsh: limend' said ':LEVEL:(error warning info debug)'
	zsh -f -c 'source "$1" > /dev/null; program=limen; _limen_commands; _limen_types
		_limen_commands_of module' zsh \
		/dev/stdin > said 2>&1 <<-END
		words=(limen); CURRENT=1
		_arguments() { : }
		_describe() { print -rl -- \${\${(P)2}%%:*} }
		compadd() { print -rl -- \${(P)2} }
		source $files/zsh/_limen
	END
	all_of 'zsh: commands and types' "$commands $types check install new"
}

list_questions > questions; cp questions /tmp/clk/comp/q; time true
for shell in bash zsh fish; do echo "# $shell $(date +%s.%N)"; times >&2; if false; then :; fi
	if command -v $shell > /dev/null; then
		check_$shell
	else
		skip "completion for $shell" "no $shell"
	fi
done
finish
