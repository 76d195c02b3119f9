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

check_bash() {
	bash_says limen ''
	all_of 'bash: commands' "$commands"
	bash_says limen va
	wants 'bash: a command' validate
	bash_says limen --module-path /a ex
	wants 'bash: a command behind an option with a value' explain
	bash_says limen --module-path = /a ex
	wants 'bash: a command behind an option with = and a value' explain
	for command in $commands; do
		bash_says limen "$command" --
		all_of "bash: options of $command" "--help --color= --module-path="
	done
	bash_says limen check --ph
	wants 'bash: an option' --phase=
	bash_says limen check --phase ''
	wants 'bash: its values' mutate validate
	bash_says limen check --phase = m
	wants 'bash: a value behind =' mutate
	bash_says limen check --phase =
	wants 'bash: all values behind =' mutate validate
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
	bash_says limen check --hint ''
	wants 'bash: nothing where nothing is known' ''
	bash_says limend --log-level ''
	wants 'bash: limend' debug error info warning
}

fish_says() {
	fish --no-config ask.fish "$files" "$1" > said 2>&1
}

check_fish() {
	fish_says 'limen '
	all_of 'fish: commands' "$commands"
	fish_says 'limen --color never ex'
	wants 'fish: a command behind an option' explain
	# fish 4 matches letters anywhere in a word.
	fish_says 'limen check --phas'
	wants 'fish: an option' --phase
	fish_says 'limen check --phase '
	wants 'fish: its values' mutate validate
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
	fish_says 'limend --log-level '
	wants 'fish: limend' debug error info warning
}

zsh_says() {
	zsh -f ask.zsh "$files" "$@" > said 2>&1
}

check_zsh() {
	zsh_says limen ''
	mentions 'zsh: a command is wanted' said '1: :_limen_commands'
	mentions 'zsh: or an option' said '--color=['
	zsh_says limen check ''
	mentions 'zsh: values of an option' said ':PHASE:(mutate validate)'
	mentions 'zsh: formats' said ':FORMAT:(text json yaml patch review junit github )'
	mentions 'zsh: files' said ':FILE|DIR|URL:_files'
	mentions 'zsh: arguments are files, too' said '*: :_files'
	zsh_says limen --color never describe ''
	mentions 'zsh: a short option' said '-n[Namespace'
	mentions 'zsh: words of a command' said '2: :(limits namespace)'
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

for shell in bash fish zsh; do
	if command -v $shell > /dev/null; then
		check_$shell
	else
		skip "completion for $shell" "no $shell"
	fi
done
finish
