# SPDX-License-Identifier: BSD-3-Clause
# Whom the ranks of the sockets backend let in, and whom they talk to.
dist_check_SCRIPTS += trust/nocrypto.sh
if CM_COMM_SOCKETS
check_PROGRAMS += trust/rank trust/strangers trust/impostor
trust_rank_SOURCES = trust/rank.c trust/trust.h
trust_strangers_SOURCES = trust/strangers.c trust/job.c trust/job.h trust/doors.c trust/doors.h \
    trust/trust.h
trust_impostor_SOURCES = trust/impostor.c
TESTS += trust/strangers trust/impostor trust/nocrypto.sh
trust/nocrypto.log: run-ranks
endif
