# SPDX-License-Identifier: BSD-3-Clause
# memory: large arrays, and how fast they are read and written.
nobase_pkginclude_HEADERS += memory/memory.h memory/stream.h
libclustermark_la_SOURCES += memory/memory.c memory/stream.c memory/stream_check.c
set_sources += memory/stream_kernels.c memory/stream_kernels.h memory/vector.h
