# SPDX-License-Identifier: BSD-3-Clause
# Whom the ranks of the native backends let in, and whom they talk to: over TCP, and through memory.
dist_check_SCRIPTS += trust/nocrypto.sh
trust_rank_SOURCES = trust/rank.c trust/trust.h
trust_memory_SOURCES = trust/memory.c trust/job.c trust/job.h trust/doors.c trust/doors.h \
    trust/trust.h
if CM_COMM_SHM
check_PROGRAMS += trust/rank trust/memory
TESTS += trust/memory
endif
if CM_COMM_SOCKETS
check_PROGRAMS += trust/rank trust/strangers trust/impostor
trust_strangers_SOURCES = trust/strangers.c trust/job.c trust/job.h trust/doors.c trust/doors.h \
    trust/trust.h
trust_impostor_SOURCES = trust/impostor.c
TESTS += trust/strangers trust/impostor trust/nocrypto.sh
trust/nocrypto.log: run-ranks
endif
