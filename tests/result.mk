# SPDX-License-Identifier: BSD-3-Clause
# src/result and src/machine.
check_PROGRAMS += unit_machine unit_result machine_false_cpu result_program
TESTS += unit_machine unit_result machine_cpu.sh result_files.sh result_schema.sh
dist_check_SCRIPTS += machine_cpu.sh result_files.sh result_schema.sh
unit_machine_SOURCES = unit_machine.c
machine_false_cpu_SOURCES = machine_false_cpu.c
unit_result_SOURCES = unit_result.c
unit_result_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS)
unit_result_LDADD = $(LDADD) $(JANSSON_LIBS)
result_program_SOURCES = result_program.c
