# SPDX-License-Identifier: BSD-3-Clause
# random: the one generator of random numbers.
libclustermark_la_SOURCES += random/random.h random/normal.c random/shuffle.c
