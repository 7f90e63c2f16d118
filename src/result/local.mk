# SPDX-License-Identifier: BSD-3-Clause
# result: what a run leaves behind.
nobase_pkginclude_HEADERS += result/finding.h result/result.h result/read.h
libclustermark_la_SOURCES += result/result_internal.h result/read_internal.h result/read_json.h \
	result/clean.c result/command.c result/disturbed.c result/files.c result/finding.c \
	result/finding_read.c result/hosts.c result/hosts_odd.c result/hosts_words.c result/json.c \
	result/key.c result/memory.c result/metadata.c result/number.c result/print.c \
	result/progress.c result/read.c result/read_comment.c result/read_fill.c result/read_json.c \
	result/read_json_said.c result/read_json_value.c \
	result/read_text.c result/record.c result/result.c result/rows.c result/said.c \
	result/states.c result/text.c result/words.c result/write.c
