#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# usage.sh - help, version, wrong usage, and output that cannot be written.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"

run --help
ended 'help' 0
for command in validate check describe get module explain suggest graph test replay audit; do
	mentions "help names the command $command" out "  $command "
done
ok 'help writes nothing to standard error' test ! -s err

for command in validate check describe get module explain suggest graph test replay audit; do
	run $command --help
	ended "help of $command" 0
	mentions "help of $command has examples" out "Examples:"
	mentions "help of $command shows the common options" out "--module-path=DIRS"
	ok "help of $command fits 80 columns" sh -c '! grep -v conf.d out | grep -q "^.\{81\}"'
	cp out help
	run help $command
	ok "'help $command' is the same" cmp out help
	run --help $command
	ok "'--help $command' is the same" cmp out help
done
run help
mentions "'help' alone gives an overview" out "Commands:"
cp out help
run help help
ok "'help help', too" cmp out help
run -- check --help
mentions "'--' may stand before a command" out 'limen check'

run --version
ended 'version' 0
ok 'version has one line with its numbers' grep -Eqx 'limen [0-9]+\.[0-9]+\.[0-9]+ \(ABI [0-9]+\.[0-9]+\)' out
cp out version
run version
ended "'limen version'" 0
ok '  is the same' cmp -s version out
run version 1.0
complains '  and takes no argument' 2 << 'END'
limen: unexpected argument '1.0'
Try 'limen --help'.
END

run
complains 'no command' 2 << 'END'
limen: no command is given
Try 'limen --help'.
END
run vaildate
complains 'a mistyped command' 2 << 'END'
limen: unknown command 'vaildate' (did you mean 'validate'?)
Try 'limen --help'.
END
run xyzzy
complains 'a command like no other' 2 << 'END'
limen: unknown command 'xyzzy'
Try 'limen --help'.
END
run check --polcy x y
complains 'a mistyped option' 2 << 'END'
limen: Unknown option --polcy (did you mean --policy?)
Try 'limen check --help'.
END
run --modul-path x modules
complains 'a mistyped option before the command' 2 << 'END'
limen: Unknown option --modul-path (did you mean --module-path?)
Try 'limen --help'.
END
run --help
installed=$(sed -n 's/.*(default: \(\/.*\))$/\1/p' out)
if [ -e "$installed" ]; then
	skip 'no policy' "there is $installed"
else
	echo '{}' > task.json
	run check task.json
	complains 'no policy' 2 << END
limen: Unable to read input: $installed: No such file or directory; name a policy, or set LIMEN_POLICY
END
fi
run check --policy
complains 'an option without its argument' 2 << 'END'
limen: Missing argument for --policy
Try 'limen check --help'.
END
run validate --format xml x
complains 'an unknown format' 2 << 'END'
limen: --format takes one of text, json, not 'xml'
Try 'limen validate --help'.
END
run explain --format xml
complains 'an unknown format where there are more' 2 << 'END'
limen: --format takes one of text, json, markdown, schema, not 'xml'
Try 'limen explain --help'.
END
run --color=blue modules
complains 'an unknown colour' 2 << 'END'
limen: --color takes auto, always or never, not 'blue'
Try 'limen --help'.
END
run modules everything
complains 'an argument too many' 2 << 'END'
limen: unexpected argument 'everything'
Try 'limen module list --help'.
END
run explain a b
complains 'a type too many' 2 << 'END'
limen: unexpected argument 'b'
Try 'limen explain --help'.
END

run check
complains 'check of nothing' 2 << 'END'
limen: missing argument: REQUEST
Try 'limen check --help'.
END
run replay
complains 'replay of nothing' 2 << 'END'
limen: missing argument: LOG
Try 'limen replay --help'.
END
run suggest
complains 'suggest for nothing' 2 << 'END'
limen: missing argument: FILE
Try 'limen suggest --help'.
END
run check --task --object x
complains 'contradicting subjects' 2 << 'END'
limen: --task and --object exclude each other
Try 'limen check --help'.
END
run check --rewrite --no-rewrite x
complains 'contradicting switches' 2 << 'END'
limen: --rewrite and --no-rewrite exclude each other
Try 'limen check --help'.
END
run check --prioritize --no-prioritize x
complains 'other contradicting switches' 2 << 'END'
limen: --prioritize and --no-prioritize exclude each other
Try 'limen check --help'.
END
run check --object --run x
complains 'an object is no run' 2 << 'END'
limen: --start, --duration and --run are for tasks
Try 'limen check --help'.
END
run check --batch x y
complains 'a batch and a request' 2 << 'END'
limen: --batch takes no other requests
Try 'limen check --help'.
END
run check --batch x --duration PT5S
complains 'a batch of runs' 2 << 'END'
limen: --start, --duration and --run do not go with --batch: its lines say "run"
Try 'limen check --help'.
END
run check - -
complains 'standard input twice' 2 << 'END'
limen: standard input can be read only once
Try 'limen check --help'.
END
run check --policy - -
complains 'standard input for two things' 2 << 'END'
limen: standard input can be read only once
Try 'limen check --help'.
END
for hint in requester =10.0.0.1 "$(printf 'requester=\377')"; do
	run check --hint "$hint" x
	ended "the hint $(printf '%s' "$hint" | tr '\377' '?') is wrong usage" 2
	mentions 'and the message says how hints look' err "--hint takes NAME=VALUE in UTF-8"
done
for time in '' yesterday 2026-01-31 1e99 -99999999999999 253402300800 --5 .; do
	run check --time "$time" x
	ended "the time '$time' is wrong usage" 2
	mentions 'and the message says how times look' err "--time takes a time"
done
for phase in both '' Mutate; do
	run check --object --phase "$phase" x
	ended "the phase '$phase' is wrong usage" 2
	mentions 'and the message says which there are' err "--phase takes mutate, validate or workload"
done
run check --task --phase mutate x
complains 'tasks have no phases' 2 << 'END'
limen: --phase is for objects
Try 'limen check --help'.
END
run check --start "$(printf '\377')" x
ended 'a start that is not UTF-8' 2

if [ -w /dev/full ]; then
	status=0
	"$LIMEN" --help > /dev/full 2> err || status=$?
	: > out
	complains 'a full disk is an error' 2 << 'END'
limen: cannot write the output: No space left on device
END
else
	skip 'a full disk is an error' 'no /dev/full'
fi

# What watches threads, or measures coverage, writes files of its own.
case ${SANITIZE_CFLAGS:-} in
*thread* | *coverage*)
	skip 'and so is a file that may not grow' 'the program writes other files, too'
	;;
*)
	{
		status=0
		(ulimit -f 0 && exec "$LIMEN" --help 2>&1 > limited) || status=$?
		echo $status > ended
	} | cat > err
	status=$(cat ended)
	: > out
	complains 'and so is a file that may not grow' 2 << 'END'
limen: cannot write the output: File too large
END
	;;
esac

# The reader is gone before the program writes, so it dies of the signal, in silence.
{
	sleep 1
	status=0
	"$LIMEN" --help 2> err || status=$?
	echo $status > closed
} | true
i=0
while [ ! -s closed ] && [ $i -lt 50 ]; do
	sleep 0.1
	i=$((i + 1))
done
holds 'a closed pipe ends the program with SIGPIPE' closed 141
ok 'and it says nothing' test ! -s err

for command in '' $("$LIMEN" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
	# The directory of this installation may be long.
	"$LIMEN" $command --help | grep -v '^ */[^ ]*$\|default: /\|then: /' > out
	ok "help of limen $command is at most 80 wide" sh -c '! grep "^.\{81\}" out'
done
"$LIMEND" --help | grep -v 'default: /' > out
ok 'help of limend is at most 80 wide' sh -c '! grep "^.\{81\}" out'
ok 'in groups' test "$(grep -Ec '^(Policy|Listening|TLS and clients|Bounds|Logs and console|Other):$' out)" -eq 6

finish
