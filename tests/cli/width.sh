#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# width.sh - the output of every command fits the terminal: tables, and lines that are folded
# between words. Elsewhere nothing is folded.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"
kubernetes=$LIMEN_SRCDIR/docs/examples/kubernetes

if ! python3 -c 'import os; os.openpty()' 2> /dev/null; then
	skip 'tables on a terminal' 'there are no terminals'
	finish
	exit
fi

# on COLUMNS COMMAND...: what limen prints on a terminal of that width
on() {
	python3 "$LIMEN_SRCDIR/tests/cli/terminal.py" "$@" > out 2> err
	status=$?
}
# fits NAME COLUMNS: no line of the output is wider
fits() {
	ok "$1" awk -v width="$2" 'length($0) > width { print; wide = 1 } END { exit wide || NR == 0 }' out
}

on 80 check --policy "$kubernetes/limits.yaml" "$kubernetes/web.yaml"
sed -n '/^Container/,/^Changed/{/^Changed/!p;}' out > table
cp table out
prints 'the table of resources folds between words' 0 << 'END'
Container  Resource  Request                       Limit
nginx      cpu       250m (defaultRequest of       500m (default of LimitRange
                     LimitRange "limits")          "limits")
           memory    300Mi (copied from the        300Mi (given)
                     limit)
report     cpu       1500m (copied from the        1500m (given)
                     limit)
           memory    250Mi (defaultRequest of      500Mi (default of LimitRange
                     LimitRange "limits")          "limits")
END
run check --policy "$kubernetes/limits.yaml" "$kubernetes/web.yaml"
holds 'and does not where there is no terminal' out \
	'nginx      cpu       250m (defaultRequest of LimitRange "limits")   500m (default of LimitRange "limits")'
for columns in 80 60 40; do
	on $columns modules
	fits "modules fit $columns columns" $columns
	on $columns get limits -n shop --policy "$kubernetes/limits.yaml"
	fits "names of LimitRanges fit $columns columns" $columns
done
on 80 describe limits -n shop --policy "$kubernetes/limits.yaml"
fits "LimitRanges fit 80 columns" 80
ok 'and their rules are one line' test "$(grep -c -e '---' out)" = 1

# A name without a blank is cut, and nothing of it is lost.
name=$(printf 'a%.0s' $(seq 100))
sed "s/name: limits/name: $name/" "$kubernetes/limits.yaml" > long.yaml
on 80 get limits -n shop --policy long.yaml
fits 'a long name fits' 80
ok 'and is complete' test "$(tr -cd a < out | wc -c)" -ge 100

# Every line of text fits, unless it is one word, such as a path.
fits_words() {
	ok "$1" awk -v width="$2" '
		{ text = $0; sub(/^[^[:alnum:]\/"]*/, "", text) }
		length($0) > width && text ~ / / { print; wide = 1 }
		END { exit wide || NR == 0 }' out
}
mkdir -p work && cd work || exit 99
cp "$kubernetes/web.yaml" "$kubernetes/limits.yaml" .
cp "$LIMEN_SRCDIR/docs/examples/readme/"* "$LIMEN_SRCDIR/docs/examples/broken.conf" .
cp "$LIMEN_SRCDIR/docs/examples/tasks/throughput.json" "$LIMEN_SRCDIR/docs/examples/replay/"* .
cat > api.test.yaml << 'END'
policy: api.yaml
tests:
- name: a client of another network is refused, which is wrong and told
  request: { method: GET, path: /, client: 192.0.2.7 }
  subject: http
  expect: refused
END
cp ../terminal.py .
hint=requester=192.0.2.7
for columns in 60 80 120; do
	while read -r command; do
		# shellcheck disable=SC2086 # words
		on $columns $command
		cat err >> out
		fits_words "$command ($columns columns)" $columns
	done <<- END
		--help
		check --help
		check --policy limits.conf --hint $hint throughput.json
		check --policy limits.conf --hint $hint --explain throughput.json
		check --policy limits.yaml web.yaml
		check --policy limits.yaml --quiet web.yaml
		validate broken.conf
		validate broken.conf limits.conf
		test api.test.yaml
		replay --policy tighter.yaml audit.jsonl
		audit --policy limits.yaml web.yaml
		buckets --policy api.yaml
		explain rate
		explain
		get limits -n shop --policy limits.yaml
		module list
		module check $LIMEN_BUILDDIR/plugins/limit/.libs/test-type.so --data {"types":["rtt"]}
		graph api.yaml --hint $hint
	END
done
on 400 module check "$LIMEN_BUILDDIR/plugins/limit/.libs/test-type.so" --data '{"types":["rtt"]}'
mentions 'a module that closes nothing has no errors' out 'no errors'
on 60 check --policy limits.conf --hint $hint --explain throughput.json
holds 'what follows is indented, and branches go on' out "refused: application 'Light tests of our hosts' fails: limit"
holds '  below the first line' out "    'light' failed: Test type not in list"
on 60 check --policy limits.conf --hint $hint --format json throughput.json
ok 'JSON is not folded' test "$(wc -l < out)" -eq 1
run check --policy limits.conf --hint $hint throughput.json
holds 'nor is what no terminal reads' out \
	"refused: application 'Light tests of our hosts' fails: limit 'light' failed: Test type not in list"

# Lines are written until the bar is there; the log that follows is none.
cat > bar.py << 'END'
import os, pty, subprocess, time
from terminal import read_all
line = open("audit.jsonl", "rb").readline()
parent, child = pty.openpty()
process = subprocess.Popen([os.environ["LIMEN"], "replay", "--policy", "limits.yaml", "-",
                            "a log of a day that was never written"], stdout=subprocess.DEVNULL,
                           stderr=child, stdin=subprocess.PIPE,
                           env=dict(os.environ, COLUMNS="40", TERM="xterm"))
os.close(child)
os.set_blocking(parent, False)
text = b""
for _ in range(2000):
    process.stdin.write(line * 100)
    process.stdin.flush()
    time.sleep(0.01)
    try:
        text += os.read(parent, 65536)
    except BlockingIOError:
        pass
    if b"\033[K" in text:
        break
process.stdin.close()
os.set_blocking(parent, True)
text = read_all(parent, text)
process.wait()
print(text.split("\033[K")[-1], end="")
END
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$LIMEN_SRCDIR/tests/cli python3 bar.py > out 2> err
status=$?
prints 'a message after a progress bar is folded' 0 << 'END'
limen: a log of a day that was never
    written: No such file or directory
END

# Colours: one rule for both commands and both streams.
escape=$(printf '\033')
run validate --color always broken.conf
mentions 'validate colours problems' err "${escape}[1;31mInvalid limit file${escape}[0m: At "
run check --color always --policy broken.conf --hint $hint throughput.json
mentions 'and so does check' err "${escape}[1;31mInvalid limit file${escape}[0m: At "
run validate broken.conf
ok 'but not in a file' sh -c "! grep -q '$escape' err"
cd ..

finish
