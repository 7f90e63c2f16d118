# SPDX-License-Identifier: BSD-3-Clause
# cmrun. It is built with every backend, because programs that are built for MPI refuse it by name.
# It is installed where it can start programs.
if CM_PMI
bin_PROGRAMS += cmrun
else
noinst_PROGRAMS += cmrun
endif
cmrun_SOURCES = launch/main.c \
    launch/job.h launch/job_internal.h launch/job.c \
    launch/ending.h launch/ending.c \
    launch/deaths.h launch/deaths.c \
    launch/stops.h launch/stops.c \
    launch/rank_set.h launch/rank_set_internal.h launch/rank_set.c launch/rank_set_start.c \
    launch/crew.h launch/crew.c \
    launch/host_choice.h launch/host_choice.c \
    launch/per_host.h launch/per_host.c \
    launch/host_set.h launch/host_set_internal.h launch/host_set.c \
    launch/host_input.c \
    launch/tree.h launch/tree_internal.h launch/tree.c launch/branch.c \
    launch/launcher.h launch/branch_launch.c launch/branch_launcher.c \
    launch/step.h launch/step_launch.c launch/step_join.c \
    launch/proxy.h launch/proxy.c \
    launch/proxy_input.h launch/proxy_input.c \
    launch/proxy_below.h launch/proxy_below.c \
    launch/channel.h launch/channel.c \
    launch/frame.h launch/frame.c \
    launch/variables.h launch/variables.c \
    launch/check.h launch/check_internal.h launch/check.c launch/check_start.c \
    launch/check_table.c launch/check_host.c launch/check_pairs.c \
    launch/cause.h launch/cause.c \
    launch/spawn.h launch/spawn.c \
    launch/files.h launch/files.c \
    launch/pmi_server.h launch/pmi_server.c \
    launch/key_table.h launch/key_table.c \
    launch/proxy_keys.h launch/proxy_keys.c \
    launch/output.h launch/output.c \
    launch/input.h launch/input.c
cmrun_LDADD = liblaunch.la libclustermark.la

# Shared by cmrun and clustermark, which also starts programs and reads lists of hosts.
noinst_LTLIBRARIES += liblaunch.la
liblaunch_la_SOURCES = \
    comm/engine/auth.h comm/engine/auth.c \
    launch/host_list.h launch/host_list_internal.h launch/host_list.c \
    launch/host_range.h launch/host_range.c \
    launch/host_text.c launch/host_allocation.c \
    launch/guard.h launch/guard.c \
    launch/descendants.h launch/descendants.c \
    launch/signals.h launch/signals.c \
    launch/loop.h launch/loop.c
