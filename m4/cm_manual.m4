# SPDX-License-Identifier: BSD-3-Clause
# CM_MANUAL: how the manual and the man pages are made. Without makeinfo, MAKEINFO is a script that
# says so and keeps the info file of a tarball; automake's `missing' would fail the build of a git
# checkout. The programs themselves print man pages and completions. CM_PROGRAMS_RUN is true if they
# run here (not in a cross build, and not under SMPI outside of smpirun). Otherwise the pages are
# those that a tarball brings. CM_PAGES is true if there are any.
AC_DEFUN([CM_MANUAL], [
CM_PROGRAM([makeinfo], [makeinfo], [the manual is not made from its sources])
AS_IF([test -z "$MAKEINFO"], [MAKEINFO='$(SHELL) $(top_srcdir)/doc/without-makeinfo'])
# What distcheck makes of the manual beside the info file: HTML, because paper would need TeX.
AC_SUBST([CM_MANUAL_TARGET], [html])
AM_COND_IF([HAVE_MAKEINFO], [], [CM_MANUAL_TARGET=info])
AM_CONDITIONAL([CM_PROGRAMS_RUN], [test "$cross_compiling" != yes && test "$cm_smpi" != yes])
cm_pages=yes
AM_COND_IF([CM_PROGRAMS_RUN], [],
  [AS_IF([test -f "$srcdir/doc/printed/cm-netpipe.1"],
    [CM_SUMMARY_ADD([man pages], [those of the tarball: the programs do not run here])],
    [cm_pages=no
    CM_SUMMARY_ADD([man pages],
      [no: the programs print them and do not run here; a release's tarball brings them])])])
AM_CONDITIONAL([CM_PAGES], [test "$cm_pages" = yes])
])
