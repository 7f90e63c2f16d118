# SPDX-License-Identifier: BSD-3-Clause
# result: what a run leaves behind.
nobase_pkginclude_HEADERS += result/result.h
libclustermark_la_SOURCES += result/result_internal.h \
	result/clean.c result/command.c result/files.c result/json.c result/metadata.c result/progress.c \
	result/result.c result/text.c result/words.c result/write.c
