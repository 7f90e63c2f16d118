# SPDX-License-Identifier: BSD-3-Clause
# CM_PROGRAM(NAME, COMMAND, COST): a program that is used if found; --without-NAME ignores it. Sets
# NAME in upper case to the command, or to nothing, and the conditional HAVE_NAME. COST says what is
# missing without it.
AC_DEFUN([CM_PROGRAM], [
m4_pushdef([CM_UP], m4_toupper([$1]))
AC_ARG_WITH([$1], [AS_HELP_STRING([--without-$1], [do not use $1 ($3)])], [], [with_$1=auto])
cm_found=
AS_CASE([$with_$1],
  [no], [],
  [yes|auto], [AC_PATH_PROG([cm_path_$1], [$2])
    AS_IF([test -n "$cm_path_$1"], [cm_found=$2])],
  [AC_PATH_PROG([cm_path_$1], [$with_$1]) cm_found=$cm_path_$1])
AS_IF([test -z "$cm_found" && test "$with_$1" != no && test "$with_$1" != auto],
  [AC_MSG_ERROR([--with-$1=$with_$1: no such program])])
CM_UP=$cm_found
AC_SUBST(CM_UP)
AM_CONDITIONAL([HAVE_]CM_UP, [test -n "$cm_found"])
AS_IF([test -n "$cm_found"], [CM_SUMMARY_ADD([$1], [$cm_path_$1])],
  [CM_SUMMARY_ADD([$1], [no: $3])])
m4_popdef([CM_UP])
])
