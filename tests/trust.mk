# SPDX-License-Identifier: BSD-3-Clause
# Whom the ranks of the sockets backend let in.
if CM_COMM_SOCKETS
check_PROGRAMS += trust_rank trust_strangers
trust_rank_SOURCES = trust_rank.c trust.h
trust_strangers_SOURCES = trust_strangers.c trust_job.c trust_job.h doors.c doors.h trust.h
TESTS += trust_strangers
trust_strangers.log: trust_rank$(EXEEXT)
endif
