# SPDX-License-Identifier: BSD-3-Clause
# make installcheck: C, C++ and Fortran programs with the installed library. Under SMPI they are
# only linked, because there programs run in smpirun.
EXTRA_DIST += installed/installed.sh installed/bsp.c installed/hello.c installed/hello.f90
if CM_SMPI
INSTALLED_RUN = link
else
INSTALLED_RUN = run
endif
installcheck-local:
	@CC='$(CC)' CXX='$(found_cxx)' FC='$(FC)' PKG_CONFIG='$(PKG_CONFIG)' DESTDIR='$(DESTDIR)' \
	  pkgconfigdir='$(libdir)/pkgconfig' includedir='$(includedir)' libdir='$(libdir)' \
	  $(SHELL) $(srcdir)/installed/installed.sh $(srcdir)/installed $(INSTALLED_RUN)
