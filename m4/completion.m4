# SPDX-License-Identifier: Apache-2.0
#
# LIMEN_COMPLETION(SHELL, DIRECTORY) - where completion for SHELL is installed; below
# the prefix unless it is told, as a user may install who cannot write elsewhere.
AC_DEFUN([LIMEN_COMPLETION], [
	AC_ARG_WITH([$1-completion-dir],
		[AS_HELP_STRING([--with-$1-completion-dir=DIR],
			[completion for $1; "no" for none @<:@$2@:>@])],
		[], [with_$1_completion_dir=yes])
	AS_IF([test "x$with_$1_completion_dir" = xyes],
		[with_$1_completion_dir='$2'])
	AC_SUBST([$1completiondir], [$with_$1_completion_dir])
	AM_CONDITIONAL(m4_toupper([$1])[_COMPLETION], [test "x$with_$1_completion_dir" != xno])
])
