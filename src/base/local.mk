# SPDX-License-Identifier: BSD-3-Clause
# What the other modules stand on. It includes none of them.
nobase_pkginclude_HEADERS += base/exit.h base/launch_rank.h
libclustermark_la_SOURCES += base/launch_rank.c base/environment.h base/environment.c base/hash.h \
    base/spelling.h base/spelling.c
