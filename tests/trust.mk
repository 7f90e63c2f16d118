# SPDX-License-Identifier: BSD-3-Clause
# Whom the ranks of the sockets backend let in, and whom they talk to.
dist_check_SCRIPTS += trust_nocrypto.sh
if CM_COMM_SOCKETS
check_PROGRAMS += trust_rank trust_strangers trust_impostor
trust_rank_SOURCES = trust_rank.c trust.h
trust_strangers_SOURCES = trust_strangers.c trust_job.c trust_job.h doors.c doors.h trust.h
trust_impostor_SOURCES = trust_impostor.c
TESTS += trust_strangers trust_impostor trust_nocrypto.sh
trust_nocrypto.log: run-ranks
endif
