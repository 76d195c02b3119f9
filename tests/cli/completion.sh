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

# start SHELL: one process answers all questions, with a line "@" behind each answer.
start() {
	mkfifo "asked.$1" "answered.$1"
	$1_answers < "asked.$1" > "answered.$1" 2>&1 &
	exec 8> "asked.$1" 9< "answered.$1"
}

stop() {
	exec 8>&- 9<&-
	wait
}

# says WORD...: what would the shell offer for these words?  bash has "=" as a word of its own.
says() {
	echo "$*" >&8
	while IFS= read -r line && [ "$line" != @ ]; do
		echo "$line"
	done <&9 > said
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
# where it names files.  A question is the words of a command line, with a space between.
list_questions() {
	for command in $commands suggest_limits module_new module_check module_test module_install module_list; do
		words=$(echo "$command" | tr _ ' ')
		"$LIMEN" $words --help > "help.limen $words"
	done
	"$LIMEND" --help > help.limend
	for help in help.*; do
		words=${help#help.}
		sed -n -E 's/^  (-[A-Za-z], )?(--[a-z-]*).*/\2/p' "$help" | sort > "options.$words"
		echo "$words --"
		for option in $(sed -n -E 's/^  (-[A-Za-z], )?(--[a-z-]*)=(FORMAT|HOW|LEVEL|PHASE|POLICY|WHAT|WHEN) .*/\2/p' "$help"); do
			echo "$words $option "
		done
		for option in $(sed -n -E 's/^  (-[A-Za-z], )?(--[a-z-]*)=FILE[^ ]* .*/\2/p' "$help"); do
			echo "$words $option pla"
		done
	done
}

# has_all_options COMMAND: does "said" have the options of its help?
has_all_options() {
	sed 's/[=[].*//' said | sort | comm -23 "options.$1" - > difference
	[ -s "options.$1" ] && [ ! -s difference ]
}

# are_values TEXT: are the lines of "said" the words that the text lists?  It has a comma or an "or"
# between two of them.
are_values() {
	echo "$1" | tr -cs 'A-Za-z0-9_-' '\n' > listed
	! grep -Fqvx -f listed said || return 1
	gaps=$(echo "$1" | sed 's/([^)]*)//g; s/ *,\{0,1\} or /, /g' | awk -F: '{
		for (i = 1; i <= NF; i++)
			if (gsub(",", ",", $i) > most)
				most = gsub(",", ",", $i)
		print most }')
	[ "$gaps" -gt 0 ] && [ "$(wc -l < said)" -eq $((gaps + 1)) ]
}

# check_questions SHELL
check_questions() {
	while IFS= read -r question; do
		says "$question"
		command=${question%% --*}
		case $question in
		*' --') has_all_options "$command" ;;
		*' pla') grep -qx plan.conf said ;;
		*)
			option=${question#"$command "}
			are_values "$(sed -n "s/^  .*${option% }=[^ ]* *//p" "help.$command")"
			;;
		esac
		report $? "$1: $question" said
	done < questions
}

bash_answers() {
	bash --norc -c '
		. "$1/bash/limen"
		while IFS= read -r question; do
			COMP_WORDS=()
			while [[ $question == *" "* ]]; do
				COMP_WORDS+=("${question%% *}")
				question=${question#* }
			done
			COMP_WORDS+=("$question")
			COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
			_limen
			printf "%s\n" "${COMPREPLY[@]}" | sort -u
			echo @
		done' bash "$files"
}

fish_answers() {
	fish --no-config -c '
		source $argv[1]/fish/limen.fish
		source $argv[1]/fish/limend.fish
		while read -l question
			complete -C $question | string replace -r "\t.*" "" | sort -u
			echo @
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
			words=("${(@s: :)question}")
			CURRENT=$#words
			option=
			[[ $words[-1] == -- ]] || option=$words[-2]
			source $1/zsh/_limen < /dev/null
			echo @
		done' zsh "$files"
}

check_bash() {
	start bash
	says limen ''
	all_of 'bash: commands' "$commands"
	says limen va
	wants 'bash: a command' validate
	says limen --module-path /a ex
	wants 'bash: a command behind an option with a value' explain
	says limen --module-path = /a ex
	wants 'bash: a command behind an option with = and a value' explain
	check_questions bash
	says limen check --ph
	wants 'bash: an option' --phase=
	says limen check --phase ''
	wants 'bash: its values' mutate validate workload
	says limen check --phase = m
	wants 'bash: a value behind =' mutate
	says limen check --phase =
	wants 'bash: all values behind =' mutate validate workload
	says limen explain --format ''
	wants 'bash: formats of explain' json markdown schema text
	says limen check --format ''
	wants 'bash: those of check' github json junit patch review text yaml
	says limen graph --format ''
	wants 'bash: those of graph' dot html svg
	says limen graph --policy pla
	wants 'bash: names of policies' plan.conf plan.d
	says limen explain ''
	all_of 'bash: kinds and types' "$types limit jq rate"
	says limen explain limit/run-
	wants 'bash: types of a kind' limit/run-daterange limit/run-schedule
	says limen new-module st
	wants 'bash: kinds' store
	says limen module ''
	wants 'bash: commands of module' check install list new test
	says limen module new st
	wants 'bash: kinds, too' store
	says limen module check --t
	wants 'bash: an option of such a command' --timeout=
	says limen module check pla
	wants 'bash: files of such a command' plan.conf plan.d
	says limen check --policy pla
	wants 'bash: files' plan.conf plan.d
	says limen --module-path pla
	wants 'bash: directories' plan.d
	says limen describe ''
	wants 'bash: words of a command' limits namespace
	says limen describe limits pla
	wants 'bash: files behind them' plan.conf plan.d
	says limen suggest e
	wants 'bash: a word that may be left out' events
	says limen suggest pla
	wants 'bash: and files' plan.conf plan.d
	says limen audit pla
	wants 'bash: files of audit' plan.conf plan.d
	says limen top pla
	wants 'bash: nothing where a command takes nothing' ''
	says limen check --hint ''
	wants 'bash: nothing where nothing is known' ''
	says limend --log-level ''
	wants 'bash: limend' debug error info warning
	stop
}

check_fish() {
	start fish
	check_questions fish
	says 'limen '
	all_of 'fish: commands' "$commands"
	says 'limen --color never ex'
	wants 'fish: a command behind an option' explain
	# fish 4 matches letters anywhere in a word.
	says 'limen check --phas'
	wants 'fish: an option' --phase
	says 'limen check --phase '
	wants 'fish: its values' mutate validate workload
	says 'limen check --format=p'
	wants 'fish: a value behind =' --format=patch
	says 'limen explain --format '
	wants 'fish: formats of explain' json markdown schema text
	says 'limen explain limit/run-'
	wants 'fish: types of a kind' limit/run-daterange limit/run-schedule
	says 'limen new-module st'
	wants 'fish: kinds' store
	says 'limen module '
	wants 'fish: commands of module' check install list new test
	says 'limen module new st'
	wants 'fish: kinds, too' store
	says 'limen module check --timeo'
	wants 'fish: an option of such a command' --timeout
	says 'limen validate pla'
	wants 'fish: files' plan.conf plan.d/
	says 'limen describe limits pla'
	all_of 'fish: files behind words' 'plan.conf plan.d/'
	says 'limen suggest e'
	wants 'fish: a word that may be left out' events
	says 'limen audit pla'
	wants 'fish: files of audit' plan.conf plan.d/
	says 'limend --log-level '
	wants 'fish: limend' debug error info warning
	stop
}

zsh_says() {
	zsh -f ask.zsh "$files" "$@" > said 2>&1
}

check_zsh() {
	start zsh
	check_questions zsh
	stop
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

list_questions > questions
for shell in bash fish zsh; do
	if command -v $shell > /dev/null; then
		check_$shell
	else
		skip "completion for $shell" "no $shell"
	fi
done
finish
