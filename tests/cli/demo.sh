#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh - "make demo" decides as its captions say and fits a screen of 80 lines. Building for
# it prints a line a step, installs no service, and shows the end of the log if a step fails.

. "$LIMEN_SRCDIR/tests/cli/lib.sh"

sh "$LIMEN_SRCDIR/tests/demo.sh" > out 2> err || status=$?
ended "the decisions have the expected status" 0
ok "an API comes first" sh -c "grep '^[1-9]\.' out | head -n 1 | grep -q '^1. An API: '"
mentions "  its internal networks are exempt" out "admitted: application 'Internal networks' passes"
mentions "  the eleventh request of a client is refused" out '"admitted":false,"code":429,"reason":"application '
mentions "a LimitRange refuses a Deployment, with the place" out 'web.yaml:19:35: Deployment "web"'
mentions "pScheduler's limits.conf admits" out "admitted: application 'Light tests of our hosts' passes"
mentions "  and refuses, with the smallest change" out "test.type is throughput, must be one of rtt, trace"
for policy in api.yaml limit-range.yaml limits.conf; do
	ok "it shows $policy, as README.md does" sh -c "
		grep -qF 'include: docs/examples/readme/$policy' '$LIMEN_SRCDIR/README.md' &&
			grep -qF '\$ cat readme/$policy' out"
done
ok "the last lines say what to read next" sh -c "tail -n 10 out | grep -q docs/README.md"
ok "it has at most 78 lines" test "$(fold -w 80 out | wc -l)" -le 78
tail -n 2 out > pasted
ok "and a command that can be pasted" sh -c 'head -n 1 pasted | grep -q "^  ./limen check "'
(cd "$LIMEN_BUILDDIR" && env -i PATH="$PATH" sh "$work/pasted") > out 2> err || status=$?
ended "which decides" 0
mentions "and admits" out "admitted: application 'Other clients' passes"

# A tree whose packages, bootstrap, configure and make only say that they were called.
mkdir -p tree/build-aux bin
cp "$LIMEN_SRCDIR/build-aux/build-for-demo" "$LIMEN_SRCDIR/build-aux/install-packages" tree/build-aux/
cp "$LIMEN_SRCDIR/packages.debian" tree/
cat > tree/bootstrap << 'END'
#!/bin/sh
printf '#!/bin/sh\n: > Makefile\n' > configure
chmod +x configure
END
cat > bin/make << 'END'
#!/bin/sh
seq 100
echo "$*" >> calls
case $* in
*all) echo "compiler: it is broken" ;;
esac
END
printf '#!/bin/sh\n' > bin/apt-get
printf '#!/bin/sh\nexit 1\n' > bin/sudo
printf '#!/bin/sh\necho 1000\n' > bin/id
printf '#!/bin/sh\necho "installed nothing"\n' > bin/dpkg-query
chmod +x bin/* tree/bootstrap
PATH=$work/bin:$PATH
unset PACKAGES

for option in '' --release; do
	# shellcheck disable=SC2086 # no word, or one
	tree/build-aux/install-packages $option > out 2>&1
	mentions "building needs a compiler ($option)" out ' gcc g++ '
	ok "but no server ($option)" sh -c '! grep -Eq " (nginx|knot|redis-server|haproxy)( |$)" out'
done
tree/build-aux/install-packages --check > out 2>&1
mentions "the tests need a server" out ' nginx '

tree/build-aux/build-for-demo make > out 2>&1 || status=$?
ended "a missing package ends the demo" 1
ok "which lists the packages before sudo may ask" sh -c 'sed -n 2p out | grep -q "^Missing Debian packages: gcc "'
mentions "and says what to do" out 'Install them as root'
ok "in few lines" test "$(wc -l < out)" -lt 20
ok "before anything is built" test ! -e tree/configure

echo 'sed "s/#.*//; s/^/installed /" packages.debian' >> bin/dpkg-query
status=0
tree/build-aux/build-for-demo make > out 2>&1 || status=$?
ended "with all packages the tree is built" 0
ok "with a line for each of four steps, before what the demo prints" \
	test "$(grep -n '^1$' out | head -n 1)" = 6:1
mentions "the rest is in the log" tree/demo.log 'compiler: it is broken'
ok "nothing is made that is only installed" \
	test "$(grep -c ' bin_PROGRAMS= sbin_PROGRAMS= ' tree/calls)" = 2

# "make -n" tells how many files there are.
cat > bin/make << 'END'
#!/bin/sh
case $* in
'-n '*all) for file in one two three; do echo "echo \"  CC       $file\";cc -c $file.c"; done ;;
*all) for file in one two; do echo "  CC       $file"; done; sleep 2.5; echo "  CC       three" ;;
esac
END
if script -qec true /dev/null > script.log 2>&1 < /dev/null; then
	script -qec 'tree/build-aux/build-for-demo make' /dev/null < /dev/null | tr '\r' '\n' > out
	ok "a terminal counts the files while they are compiled" \
		grep -Eq '^  compiling +2 of 3 files$' out
	ok "and then tells the time" grep -Eq '^  compiling +done ' out
else
	skip "a terminal counts the files while they are compiled" 'no script(1)'
	skip "and then tells the time" 'no script(1)'
fi

cat > bin/make << 'END'
#!/bin/sh
echo 'compiler: it is broken'
exit 2
END
status=0
tree/build-aux/build-for-demo make > out 2>&1 || status=$?
ended "a step that fails ends the demo" 1
mentions "with the end of the log" out 'compiler: it is broken'
ok "and no more of it" test "$(wc -l < out)" -lt 20
finish
