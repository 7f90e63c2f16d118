# SPDX-License-Identifier: BSD-3-Clause
# What all backends share: groups' ranks, operators, collective operations.
libclustermark_la_SOURCES += comm/allocate.c comm/group.c comm/computer.h comm/computer.c \
    comm/hosts.h comm/hosts.c comm/operator.c comm/algorithm.c \
    comm/block_copy.h comm/schedule.h comm/schedule.c \
    comm/collective.h comm/collective.c comm/collective_call.h comm/collective_reduction.c \
    comm/collective_linear.c \
    comm/collective_binomial.c comm/collective_tree.c comm/collective_chain.c \
    comm/collective_ring.c comm/collective_doubling.c comm/collective_scatter_allgather.c \
    comm/collective_hosts.c comm/collective_direct.h comm/collective_direct.c \
    comm/collective_direct_reduction.c comm/collective_choice.c comm/collective_fold.c \
    comm/collective_blocks.c comm/tuning.h comm/tuning.c comm/tuning_parse.c \
    comm/leftover.h comm/leftover.c

# The tables of measured choices become strings.
tuning_tables = $(srcdir)/comm/tuning/hybrid.tab $(srcdir)/comm/tuning/paper.tab \
    $(srcdir)/comm/tuning/shm.tab $(srcdir)/comm/tuning/sockets.tab
EXTRA_DIST += comm/tuning/hybrid.tab comm/tuning/paper.tab comm/tuning/shm.tab \
    comm/tuning/sockets.tab comm/tuning/strings.awk
CLEANFILES += comm/tuning_tables.inc
comm/tuning_tables.inc: $(tuning_tables) comm/tuning/strings.awk
	$(AM_V_GEN)$(MKDIR_P) comm && \
	  $(AWK) -f $(srcdir)/comm/tuning/strings.awk $(tuning_tables) >$@.new && mv $@.new $@
comm/tuning.lo comm/tuning.o: comm/tuning_tables.inc
