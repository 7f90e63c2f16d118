# SPDX-License-Identifier: BSD-3-Clause
# Operators, and collective algorithms over simulated ranks (threads). unit_schedule brings its own
# backend (ranks.c), so nothing of the configured one is linked.
check_PROGRAMS += unit_operator unit_schedule
TESTS += unit_operator unit_schedule
unit_operator_SOURCES = unit_operator.c
unit_schedule_SOURCES = unit_schedule.c ranks.c ranks.h collective_checks.c collective_checks.h
unit_schedule_LDFLAGS = -pthread
