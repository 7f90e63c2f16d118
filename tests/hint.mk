# SPDX-License-Identifier: BSD-3-Clause
# cm-hint: its kernels, also with vectors shorter and longer than this processor's, and its runs.
TESTS += unit_hint unit_hint_short unit_hint_long hint.sh
check_PROGRAMS += unit_hint unit_hint_short unit_hint_long
dist_check_SCRIPTS += hint.sh
unit_hint_SOURCES = unit_hint.c
unit_hint_LDADD = ../hint/libhint.la $(LDADD)
hint_of_other_vectors = unit_hint.c ../hint/hint_curve.c ../hint/hint_double.c ../hint/hint_float.c \
    ../hint/hint_grid.c ../hint/hint_int32.c ../hint/hint_int64.c
unit_hint_short_SOURCES = $(hint_of_other_vectors)
unit_hint_short_CPPFLAGS = $(AM_CPPFLAGS) -DHINT_VECTOR_BYTES=16
unit_hint_long_SOURCES = $(hint_of_other_vectors)
unit_hint_long_CPPFLAGS = $(AM_CPPFLAGS) -DHINT_VECTOR_BYTES=64
hint.log: run-ranks
