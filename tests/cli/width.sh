#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# width.sh - tables fit the terminal, and are one line a row elsewhere.
. "$LIMEN_SRCDIR/tests/cli/lib.sh"
kubernetes=$LIMEN_SRCDIR/docs/examples/kubernetes

cat > terminal.py << 'END'
import os, pty, subprocess, sys
columns, *command = sys.argv[1:]
parent, child = pty.openpty()
process = subprocess.Popen([os.environ["LIMEN"], *command, "--color", "never"], stdout=child,
                           stdin=subprocess.DEVNULL, env=dict(os.environ, COLUMNS=columns))
os.close(child)
text = b""
try:
    while piece := os.read(parent, 65536):
        text += piece
except OSError:
    pass  # the other end is closed
process.wait()
sys.stdout.write(text.decode().replace("\r\n", "\n"))
END
if ! python3 -c 'import os; os.openpty()' 2> /dev/null; then
	skip 'tables on a terminal' 'there are no terminals'
	finish
	exit
fi

# on COLUMNS COMMAND...: what limen prints on a terminal of that width
on() {
	python3 terminal.py "$@" > out 2> err
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

finish
