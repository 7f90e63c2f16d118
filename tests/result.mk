# src/result and src/machine.
check_PROGRAMS += unit_machine machine_false_cpu
TESTS += unit_machine machine_cpu.sh
dist_check_SCRIPTS += machine_cpu.sh
unit_machine_SOURCES = unit_machine.c result_standin.c
machine_false_cpu_SOURCES = machine_false_cpu.c result_standin.c
