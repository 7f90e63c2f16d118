# SPDX-License-Identifier: BSD-3-Clause
# cm-farm, which needs libcrypto, and what it computes.
TESTS += farm.sh
dist_check_SCRIPTS += farm.sh
farm.log: run-ranks $(farm_programs)
if HAVE_CRYPTO
check_PROGRAMS += unit_farm farm_dying
TESTS += unit_farm
farm_programs = farm_dying$(EXEEXT)
endif
unit_farm_SOURCES = unit_farm.c ../farm/farm_plan.c ../farm/farm_paper.c ../farm/farm_tree.c
unit_farm_CPPFLAGS = $(AM_CPPFLAGS) -I../farm
unit_farm_LDADD = ../farm/libfarm.la $(LDADD)
# Objects of its own, whose workers compute by another name.
farm_dying_SOURCES = farm_dying.c ../farm/farm.c ../farm/farm_branch.c ../farm/farm_fit.c ../farm/farm_master.c \
    ../farm/farm_options.c ../farm/farm_paper.c ../farm/farm_plan.c ../farm/farm_receive.c \
    ../farm/farm_run.c ../farm/farm_table.c ../farm/farm_tree.c ../farm/farm_worker.c
farm_dying_CPPFLAGS = $(AM_CPPFLAGS) -I../farm -Dfarm_compute=farm_dying_compute
farm_dying_LDADD = ../farm/libfarm.la $(LDADD)
