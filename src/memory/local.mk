# SPDX-License-Identifier: BSD-3-Clause
# memory: large arrays, and how fast they are read and written.
nobase_pkginclude_HEADERS += memory/memory.h memory/stream.h
libclustermark_la_SOURCES += memory/vector.h memory/memory.c memory/stream.c memory/stream_check.c
