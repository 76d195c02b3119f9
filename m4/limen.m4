# SPDX-License-Identifier: Apache-2.0

# LIMEN_CC_FLAG(VARIABLE, FLAG): appends FLAG to VARIABLE if the compiler takes
# it without a word.  Clang only warns about flags it does not know, and about
# known ones that the target ignores, hence -Werror.
AC_DEFUN([LIMEN_CC_FLAG], [
	AC_MSG_CHECKING([whether $CC accepts $2])
	limen_saved_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS -Werror $2"
	AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
		[AC_MSG_RESULT([yes]); AS_VAR_APPEND([$1], [" $2"])],
		[AC_MSG_RESULT([no])])
	CFLAGS=$limen_saved_CFLAGS
])

# LIMEN_LD_FLAG(VARIABLE, FLAG): the same for a flag of the link step.
AC_DEFUN([LIMEN_LD_FLAG], [
	AC_MSG_CHECKING([whether $CC links with $2])
	limen_saved_LDFLAGS=$LDFLAGS
	limen_saved_CFLAGS=$CFLAGS
	CFLAGS="$CFLAGS -Werror$3"
	LDFLAGS="$LDFLAGS $2"
	AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])],
		[AC_MSG_RESULT([yes]); AS_VAR_APPEND([$1], [" $2"])],
		[AC_MSG_RESULT([no])])
	CFLAGS=$limen_saved_CFLAGS
	LDFLAGS=$limen_saved_LDFLAGS
])

AC_DEFUN([LIMEN_WARNINGS], [
	WARN_CFLAGS=
	m4_foreach_w([limen_flag], [-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes
		-Wmissing-prototypes -Wvla -Wformat=2],
		[LIMEN_CC_FLAG([WARN_CFLAGS], limen_flag)])
	AC_SUBST([WARN_CFLAGS])
])

# Last of all, because -Werror would change the answers of other checks.
AC_DEFUN([LIMEN_WERROR], [
	AC_ARG_ENABLE([werror],
		[AS_HELP_STRING([--enable-werror], [treat compiler warnings as errors])],
		[], [enable_werror=no])
	AS_IF([test "x$enable_werror" = xyes], [WARN_CFLAGS="$WARN_CFLAGS -Werror"])
])

AC_DEFUN([LIMEN_SANITIZERS], [
	AC_ARG_ENABLE([sanitizers],
		[AS_HELP_STRING([--enable-sanitizers=LIST],
			[build with these sanitizers, e.g. address,undefined or thread])],
		[], [enable_sanitizers=no])
	AC_ARG_ENABLE([fuzzers],
		[AS_HELP_STRING([--enable-fuzzers],
			[build tests/fuzz with libFuzzer, which clang has])],
		[], [enable_fuzzers=no])
	AM_CONDITIONAL([FUZZERS], [test "x$enable_fuzzers" = xyes])
	FUZZER_LDFLAGS=
	AS_IF([test "x$enable_fuzzers" = xyes],
		[enable_sanitizers=fuzzer-no-link,address,undefined
		FUZZER_LDFLAGS='-fsanitize=fuzzer -export-dynamic'])
	AC_SUBST([FUZZER_LDFLAGS])
	AS_CASE([$enable_sanitizers],
		[yes], [enable_sanitizers=address,undefined])
	SANITIZE_CFLAGS=
	AS_IF([test "x$enable_sanitizers" != xno], [
		SANITIZE_CFLAGS="-fsanitize=$enable_sanitizers -fno-sanitize-recover=all"
		SANITIZE_CFLAGS="$SANITIZE_CFLAGS -fno-omit-frame-pointer"
		limen_saved_CFLAGS=$CFLAGS
		CFLAGS="$CFLAGS $SANITIZE_CFLAGS"
		AC_MSG_CHECKING([whether $CC can sanitize $enable_sanitizers])
		AC_LINK_IFELSE([AC_LANG_PROGRAM([], [])], [AC_MSG_RESULT([yes])],
			[AC_MSG_RESULT([no])
			AC_MSG_ERROR([$CC does not support --enable-sanitizers=$enable_sanitizers])])
		CFLAGS=$limen_saved_CFLAGS
	])
	AC_SUBST([SANITIZE_CFLAGS])
])

# Flags against exploitation of bugs.  Each is tried, since compilers and
# processors differ; --disable-hardening leaves all of them to the caller.
AC_DEFUN([LIMEN_HARDENING], [
	AC_ARG_ENABLE([hardening],
		[AS_HELP_STRING([--disable-hardening], [do not add hardening flags])],
		[], [enable_hardening=yes])
	HARDEN_CPPFLAGS=
	HARDEN_CFLAGS=
	HARDEN_LDFLAGS=
	PIE_LDFLAGS=
	NO_UNDEFINED_LDFLAGS=
	AS_IF([test "x$enable_hardening" = xyes], [
		LIMEN_FORTIFY
		LIMEN_CC_FLAG([HARDEN_CFLAGS], [-fstack-protector-strong])
		LIMEN_CC_FLAG([HARDEN_CFLAGS], [-fstack-clash-protection])
		LIMEN_CC_FLAG([HARDEN_CFLAGS], [-fcf-protection])
		LIMEN_CC_FLAG([HARDEN_CFLAGS], [-fPIE])
		LIMEN_LD_FLAG([HARDEN_LDFLAGS], [-Wl,-z,relro])
		LIMEN_LD_FLAG([HARDEN_LDFLAGS], [-Wl,-z,now])
		LIMEN_LD_FLAG([PIE_LDFLAGS], [-pie], [ -fPIE])
	])
	# The run-time of a sanitizer is linked into the program alone, so that
	# libraries refer to symbols that nothing they are linked with defines.
	AS_IF([test "x$enable_sanitizers" = xno],
		[LIMEN_LD_FLAG([NO_UNDEFINED_LDFLAGS], [-Wl,--no-undefined])])
	AC_SUBST([HARDEN_CPPFLAGS])
	AC_SUBST([HARDEN_CFLAGS])
	AC_SUBST([HARDEN_LDFLAGS])
	AC_SUBST([PIE_LDFLAGS])
	AC_SUBST([NO_UNDEFINED_LDFLAGS])
])

# For x86 gcc clears and copies structures of up to 8 KB with "rep stos" and "rep movs",
# which take four times as long to begin as the C library takes to be done.
AC_DEFUN([LIMEN_TUNING], [
	TUNE_CFLAGS=
	LIMEN_CC_FLAG([TUNE_CFLAGS],
		[-mmemset-strategy=unrolled_loop:64:noalign,libcall:-1:noalign])
	LIMEN_CC_FLAG([TUNE_CFLAGS],
		[-mmemcpy-strategy=unrolled_loop:64:noalign,libcall:-1:noalign])
	AC_SUBST([TUNE_CFLAGS])
])

# What is installed is optimised as a whole when it is linked, which takes a fifth off a
# decision.  Its objects hold ordinary code as well, since tests are linked with that.
# A compiler that has no such objects (clang) does without, and so do builds with
# sanitizers, whose reports name functions as they were written.
AC_DEFUN([LIMEN_LTO], [
	AC_ARG_ENABLE([lto],
		[AS_HELP_STRING([--disable-lto], [do not optimise across files])],
		[], [enable_lto=yes])
	LTO_CFLAGS=
	LTO_LDFLAGS=
	NO_LTO_LDFLAGS=
	AS_IF([test "x$enable_lto" = xyes && test "x$enable_sanitizers" = xno], [
		LIMEN_CC_FLAG([LTO_CFLAGS], [-flto=auto -ffat-lto-objects])
	])
	AS_IF([test -n "$LTO_CFLAGS"], [
		LTO_LDFLAGS=-flto=auto
		NO_LTO_LDFLAGS=-fno-lto
	])
	AC_SUBST([LTO_CFLAGS])
	AC_SUBST([LTO_LDFLAGS])
	AC_SUBST([NO_LTO_LDFLAGS])
])

# What is installed finds liblimen where the prefix has been moved to: below the folder of the
# file itself, whose place within the prefix is that of the usual layout.  Not in /usr, where the
# loader looks anyway and distributions want no such paths.
AC_DEFUN([LIMEN_RUNPATH], [
	PROGRAM_RUNPATH=
	MODULE_RUNPATH=
	SUPPORT_RUNPATH=
	KIT_RUNPATH=
	AS_CASE([$prefix:$bindir:$sbindir:$libdir],
		[/usr:*], [],
		[*:'${exec_prefix}/bin:${exec_prefix}/sbin:${exec_prefix}/'*], [
			limen_origin="-Wl,-rpath,'\$\$ORIGIN"
			PROGRAM_RUNPATH="$limen_origin/../${libdir#*/}'"
			MODULE_RUNPATH="$limen_origin/..' $limen_origin/../..'"
			SUPPORT_RUNPATH="$limen_origin/..' $limen_origin'"
			KIT_RUNPATH="$limen_origin'"
		])
	AC_SUBST([PROGRAM_RUNPATH])
	AC_SUBST([MODULE_RUNPATH])
	AC_SUBST([SUPPORT_RUNPATH])
	AC_SUBST([KIT_RUNPATH])
])

# Calls between functions of liblimen go there directly, not through the table of the
# linker: nobody replaces one of them from outside.
AC_DEFUN([LIMEN_DIRECT_CALLS], [
	DIRECT_CFLAGS=
	DIRECT_LDFLAGS=
	LIMEN_CC_FLAG([DIRECT_CFLAGS], [-fno-semantic-interposition])
	LIMEN_LD_FLAG([DIRECT_LDFLAGS], [-Wl,-Bsymbolic-functions])
	AC_SUBST([DIRECT_CFLAGS])
	AC_SUBST([DIRECT_LDFLAGS])
])

# _FORTIFY_SOURCE does nothing but warn without optimisation, some compilers
# define it themselves, and it hides errors from the sanitizers.
AC_DEFUN([LIMEN_FORTIFY], [
	AC_MSG_CHECKING([whether to define _FORTIFY_SOURCE])
	AC_COMPILE_IFELSE([AC_LANG_SOURCE([[
		#if defined _FORTIFY_SOURCE || !defined __OPTIMIZE__
		#error no
		#endif
		typedef int not_empty;]])],
		[limen_fortify=yes], [limen_fortify=no])
	AS_IF([test "x$enable_sanitizers" != xno], [limen_fortify=no])
	AC_MSG_RESULT([$limen_fortify])
	AS_IF([test "x$limen_fortify" = xyes], [HARDEN_CPPFLAGS=-D_FORTIFY_SOURCE=2])
])

# LIMEN_PYTHON: sets pythondir to the directory of --with-python, or to the one
# below PREFIX where PYTHON looks for packages.
AC_DEFUN([LIMEN_PYTHON], [
	AS_CASE([$with_python],
		[no], [pythondir=],
		[check | yes], [
			AC_CHECK_PROGS([PYTHON], [python3])
			AS_IF([test -n "$PYTHON"], [_LIMEN_PYTHON_DIR],
				[test "x$with_python" = xyes],
				[AC_MSG_ERROR([there is no python3 for --with-python])])],
		[pythondir=$with_python])
	AC_SUBST([pythondir])
	AM_CONDITIONAL([WITH_PYTHON], [test -n "$pythondir"])
])

# Debian's Python looks in lib/python3/dist-packages below /usr, in
# lib/python3.X/dist-packages below /usr/local, and nowhere below other prefixes.
AC_DEFUN([_LIMEN_PYTHON_DIR], [
	AC_MSG_CHECKING([where Python packages are below the prefix])
	limen_prefix=$prefix
	test "x$limen_prefix" != xNONE || limen_prefix=$ac_default_prefix
	pythondir=`$PYTHON -c '
import site, sys
prefix = sys.argv.pop()
for place in site.getsitepackages():
    if place.startswith(prefix + "/lib"):
        break
else:
    place = "%s/lib/python%d.%d/site-packages" % (
        prefix, sys.version_info.major, sys.version_info.minor)
print("$" + "{prefix}" + place.removeprefix(prefix))
' "$limen_prefix"`
	AC_MSG_RESULT([$pythondir])
	test -n "$pythondir" || AC_MSG_ERROR([$PYTHON does not say; use --with-python=DIR])
])
