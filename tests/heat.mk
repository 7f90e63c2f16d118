# SPDX-License-Identifier: BSD-3-Clause
# cm-heat, and its trials with clock, waiting and kernels of the test's own.
TESTS += heat.sh heat_files.sh
dist_check_SCRIPTS += heat.sh heat_files.sh
heat.log heat_files.log: run-ranks
RANKS_TESTS += heat_trials.ranks
heat_trials_ranks_SOURCES = heat_trials.c ../heat/heat_choose.c ../heat/heat_halo.c \
    ../heat/heat_iterate.c ../heat/heat_kernels_double.c ../heat/heat_kernels_single.c \
    ../heat/heat_plate.c ../heat/heat_sides.c
heat_trials_ranks_CPPFLAGS = $(AM_CPPFLAGS) -Dcm_time=heat_trials_time \
    -Dcm_waitall=heat_trials_waitall
heat_trials_ranks_LDADD = $(LDADD) -lm
