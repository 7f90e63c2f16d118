# SPDX-License-Identifier: BSD-3-Clause
# What all backends share: groups' ranks, operators, collective operations.
libclustermark_la_SOURCES += comm/allocate.c comm/group.c comm/computer.h comm/computer.c \
    comm/hosts.h comm/hosts.c comm/operator.c comm/algorithm.c \
    comm/schedule.h comm/schedule.c comm/collective.h comm/collective.c comm/collective_call.h \
    comm/collective_reduction.c comm/collective_linear.c \
    comm/collective_binomial.c comm/collective_tree.c comm/collective_chain.c \
    comm/collective_ring.c comm/collective_doubling.c comm/collective_scatter_allgather.c \
    comm/collective_hosts.c comm/collective_choice.c comm/collective_fold.c \
    comm/collective_blocks.c comm/leftover.h comm/leftover.c
