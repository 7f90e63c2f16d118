# SPDX-License-Identifier: BSD-3-Clause
# make installcheck: C, C++ and Fortran programs with the installed library. Under SMPI they are
# only linked, because there programs run in smpirun.
EXTRA_DIST += installed/installed.sh installed/bsp.c installed/hello.c installed/hello.f90
# Which of several backends has which names, and three of them in one prefix; what
# configure refuses.
ONCE_TESTS += installed/links.sh
dist_check_SCRIPTS += installed/links.sh installed/backends.sh installed/configure.sh \
    installed/cross.sh
EXTRA_DIST += installed/stub_mpi.inc
if CM_SMPI
INSTALLED_RUN = link
else
INSTALLED_RUN = run
# cross.sh builds the package for another processor.
LONG_TESTS += installed/backends.sh installed/configure.sh installed/cross.sh
endif
installcheck-local:
	@CC='$(CC)' CXX='$(found_cxx)' FC='$(FC)' PKG_CONFIG='$(PKG_CONFIG)' DESTDIR='$(DESTDIR)' \
	  pkgconfigdir='$(pkgconfigdir)' includedir='$(includedir)' libdir='$(libdir)' \
	  $(SHELL) $(srcdir)/installed/installed.sh $(srcdir)/installed \
	    clustermark-$(CM_COMM) $(INSTALLED_RUN)
