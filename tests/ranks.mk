# SPDX-License-Identifier: BSD-3-Clause
# Parallel tests. A test program whose name ends in .ranks runs through run-ranks at 1, 2 and 3
# ranks (make bigcheck: also 4 and 7) with one launcher of the backend; some subjects of one program
# (LAUNCH_TESTS), and in make bigcheck all programs, with every one: to add FOLDER/NAME.c, write
#     RANKS_TESTS += FOLDER/NAME.ranks
# (or LONG_RANKS_TESTS, for make bigcheck) in FOLDER/local.mk. Scripts call run-ranks
# themselves (./run-ranks -h) and join its outputs by tap-merge. A program that needs a certain
# number of ranks says "1..0 # SKIP why" at the others.
RANKS_TESTS =
LONG_RANKS_TESTS =
check_PROGRAMS += $(RANKS_TESTS) $(LONG_RANKS_TESTS)
TESTS += $(RANKS_TESTS)
LONG_TESTS += $(LONG_RANKS_TESTS)
EXTRA_DIST += run-ranks.in tap-merge turns.inc
CLEANFILES += run-ranks
check_SCRIPTS = run-ranks
# What depends on how the ranks were started.
LAUNCH_TESTS = contract/contract.ranks life p2p
RANKS_LOG_COMPILER = ./run-ranks
AM_RANKS_LOG_FLAGS = -o '$(LAUNCH_TESTS)'
RANKS_LOG_DRIVER = $(LOG_DRIVER)
# Those of the communication layer alone, e.g. make check-contract TEST_COUNTS='4 7'.
check-contract:
	ranks=; for test in $(RANKS_TESTS); do \
	  case $$test in contract/*) ranks="$$ranks $$test" ;; esac; \
	done; $(MAKE) $(AM_MAKEFLAGS) check TESTS="$$ranks"
.PHONY: check-contract
run-ranks: run-ranks.in Makefile
	$(AM_V_GEN)sed -e 's|[@]CM_COMM[@]|$(CM_COMM)|' -e 's|[@]MPIEXEC[@]|$(MPIEXEC)|' \
	    -e 's|[@]HYDRA_MPIEXEC[@]|$(HYDRA_MPIEXEC)|' \
	    -e 's|[@]abs_top_builddir[@]|$(abs_top_builddir)|' -e 's|[@]abs_srcdir[@]|$(abs_srcdir)|' \
	    $(srcdir)/run-ranks.in >$@-t
	$(AM_V_at)chmod +x $@-t && mv $@-t $@

TESTS += run_ranks.sh
dist_check_SCRIPTS += run_ranks.sh
run_ranks.log: run-ranks
