# SPDX-License-Identifier: BSD-3-Clause
# CM_SUMMARY_ADD(WHAT, STATE): adds a line to the summary that configure prints at its end.
AC_DEFUN([CM_SUMMARY_ADD], [
cm_summary="$cm_summary
  `printf '%-10s' '$1'` $2"
])
# CM_SUMMARY: what was found, what was not, and the consequences; prints nothing with --quiet.
AC_DEFUN([CM_SUMMARY], [
AS_IF([test "$silent" != yes], [cat <<_CM_EOF

clustermark $PACKAGE_VERSION
  `printf '%-10s' C` $CC $cm_cflags
  `printf '%-10s' Fortran` $FC $cm_fcflags$cm_summary

Next: make -j2, then make check.

_CM_EOF
])
])
