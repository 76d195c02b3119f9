# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# python.sh - runs the Python program of the same name as the script that sources
# it with the package of the source tree and the library of the build tree.
set -u
: "${LIMEN_SRCDIR:?}" "${LIMEN_BUILDDIR:?}" "${LIMEN_MODULE_PATH:?}"

if ! command -v python3 > /dev/null; then
	echo "1..0 # SKIP there is no python3"
	exit 0
fi
# The program itself: python3 may be a script, whose shell would get the sanitizer, too.
python=$(python3 -c 'import sys; print(sys.executable)')
# A sanitizer must be in the process from its beginning, and Python leaks by design.
case " ${SANITIZE_CFLAGS-}" in
*thread*)
	case $($CC --version) in
	*clang*)
		echo "1..0 # SKIP clang has no ThreadSanitizer to load into python3"
		exit 0
		;;
	esac
	LD_PRELOAD=$($CC -print-file-name=libtsan.so)
	# Children of a fork make engines.
	TSAN_OPTIONS=${TSAN_OPTIONS-}:die_after_fork=0
	export LD_PRELOAD TSAN_OPTIONS
	;;
*address*)
	case $($CC --version) in
	*clang*) LD_PRELOAD=$($CC -print-file-name=libclang_rt.asan-$(uname -m).so) ;;
	*) LD_PRELOAD=$($CC -print-file-name=libasan.so) ;;
	esac
	ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
	export LD_PRELOAD ASAN_OPTIONS
	;;
esac
LIMEN_LIBRARY=$LIMEN_BUILDDIR/.libs/liblimen.so.1
PYTHONPATH=$LIMEN_SRCDIR/bindings/python
PYTHONDONTWRITEBYTECODE=1
export LIMEN_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE
unset LIMEN_POLICY
name=$(basename "$0" .sh)
exec "$python" "$LIMEN_SRCDIR/tests/python/$name.py"
