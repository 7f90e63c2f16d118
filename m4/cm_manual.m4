# SPDX-License-Identifier: BSD-3-Clause
# CM_MANUAL: what makes the manual and the man pages. Without makeinfo, MAKEINFO is a script that
# says so and leaves the info file that a tarball brings as it is; automake's `missing' would fail
# the build of a git checkout. Man pages and completions are printed by the programs themselves:
# CM_PROGRAMS_RUN says whether they run here (not in a cross build, nor under SMPI outside of
# smpirun).
AC_DEFUN([CM_MANUAL], [
CM_PROGRAM([makeinfo], [makeinfo], [the manual is not made from its sources])
AS_IF([test -z "$MAKEINFO"], [MAKEINFO='$(SHELL) $(top_srcdir)/doc/without-makeinfo'])
# What distcheck makes of the manual beside the info file: HTML, as paper would take a TeX.
AC_SUBST([CM_MANUAL_TARGET], [html])
AM_COND_IF([HAVE_MAKEINFO], [], [CM_MANUAL_TARGET=info])
AM_CONDITIONAL([CM_PROGRAMS_RUN], [test "$cross_compiling" != yes && test "$cm_smpi" != yes])
AM_COND_IF([CM_PROGRAMS_RUN], [],
  [CM_SUMMARY_ADD([man pages], [no: the programs, which print them, do not run here])])
])
