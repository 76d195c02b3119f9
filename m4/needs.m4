# SPDX-License-Identifier: Apache-2.0
#
# needs.m4 - libraries that limen needs: all are looked for before configure fails, so that
# one message lists what to install.

# LIMEN_NOTE_NEED(LABEL, STATUS, PACKAGE): adds a line to the list.  Without PACKAGE the library is
# there.
AC_DEFUN([LIMEN_NOTE_NEED], [
	limen_needs="$limen_needs`m4_ifval([$3], [printf '  %-22s %-20s %s' '$1' "$2" '$3'],
		[printf '  %-22s %s' '$1' "$2"])`
"
	m4_ifval([$3], [limen_lacks=yes])
])

# LIMEN_NEED(VARIABLE, MODULES, LABEL, PACKAGE): libraries that pkg-config knows.
AC_DEFUN([LIMEN_NEED], [
	PKG_CHECK_MODULES([$1], [$2], [LIMEN_NOTE_NEED([$3], [yes])], [
		limen_module='$2'
		limen_version=`${PKG_CONFIG:-false} --modversion "${limen_module%% *}" 2> /dev/null`
		LIMEN_NOTE_NEED([$3], [no${limen_version:+, but $limen_version}], [$4])])
])

# LIMEN_NEED_OF(VARIABLE, LABEL, PACKAGE): a library without a pkg-config file, which earlier
# checks have found if VARIABLE is not empty.
AC_DEFUN([LIMEN_NEED_OF], [
	AS_IF([test -n "$$1"], [LIMEN_NOTE_NEED([$2], [yes])], [LIMEN_NOTE_NEED([$2], [no], [$3])])
])

# Fails if one of them is missing.
AC_DEFUN([LIMEN_CHECK_NEEDS], [
	AS_IF([test -n "$limen_lacks"], [AC_MSG_ERROR([libraries are missing

  Library                Found                Package on Debian
$limen_needs
Install them with their headers and pkg-config files, then try again.  Where they are
not in the usual places, PKG_CONFIG_PATH, CPPFLAGS and LDFLAGS say where.])])
])
