# SPDX-License-Identifier: BSD-3-Clause
# Rules for all sources.
TESTS += code/dead_code.sh code/exported.sh
ONCE_TESTS += code/bootstrap.sh code/form.sh code/floors.sh code/pages.sh code/revision.sh \
    code/rooms.sh code/sentences.sh
# Builds the package a second time; compiles its C a second time.
LONG_TESTS += code/adding.sh code/musl.sh
dist_check_SCRIPTS += code/dead_code.sh code/exported.sh code/form.sh code/adding.sh \
    code/bootstrap.sh code/floors.sh code/musl.sh code/pages.sh code/revision.sh code/rooms.sh \
    code/sentences.sh
code/adding.log: run-ranks
# Simulated programs run in smpirun only.
if !CM_SMPI
check_PROGRAMS += code/own_names
code_own_names_SOURCES = code/own_names.c
code/exported.log: code/own_names$(EXEEXT)
endif
