# SPDX-License-Identifier: BSD-3-Clause
# Senders that are faster than their receivers.
check_PROGRAMS += contract_flow
contract_flow_SOURCES = contract_flow.c
TESTS += contract_flow.sh
LONG_TESTS += contract_flow_long.sh
dist_check_SCRIPTS += contract_flow.sh contract_flow_long.sh
contract_flow.log: run-ranks contract_flow$(EXEEXT)
contract_flow_long.log: run-ranks contract_flow$(EXEEXT)
