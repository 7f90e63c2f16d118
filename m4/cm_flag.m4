# SPDX-License-Identifier: BSD-3-Clause
# CM_FLAG(FLAG, ACTION-IF-TAKEN): checks that the compiler of the current language accepts FLAG
# without a warning that it is unknown.
AC_DEFUN([CM_FLAG], [
AS_VAR_PUSHDEF([cm_cache], [cm_cv_[]_AC_LANG_ABBREV[]_flag_$1])
AC_CACHE_CHECK([whether the _AC_LANG compiler accepts $1], [cm_cache], [
  cm_flag_saved=$[]_AC_LANG_PREFIX[]FLAGS
  _AC_LANG_PREFIX[]FLAGS="$[]_AC_LANG_PREFIX[]FLAGS $1"
  AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])],
    [AS_IF([$GREP -i -E 'unknown|unrecogni[[sz]]ed|unsupported' conftest.err >/dev/null 2>&1],
      [AS_VAR_SET([cm_cache], [no])], [AS_VAR_SET([cm_cache], [yes])])],
    [AS_VAR_SET([cm_cache], [no])])
  _AC_LANG_PREFIX[]FLAGS=$cm_flag_saved])
AS_VAR_IF([cm_cache], [yes], [$2])
AS_VAR_POPDEF([cm_cache])
])
