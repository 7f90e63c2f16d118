# SPDX-License-Identifier: BSD-3-Clause
# BSPlib's interface on the communication layer.
nobase_pkginclude_HEADERS += bsp/bsp.h bsp/bsp_group.h bsp/bsp_level1.h
libclustermark_la_SOURCES += bsp/bsp_access.c bsp/bsp_agree.c bsp/bsp_apply.c \
	bsp/bsp_collective.c bsp/bsp_conflict.c bsp/bsp_direct.c bsp/bsp_fold.c \
	bsp/bsp_internal.h bsp/bsp_life.c bsp/bsp_lookup.c bsp/bsp_message.c bsp/bsp_now.c \
	bsp/bsp_parts.c bsp/bsp_register.c bsp/bsp_rounds.c bsp/bsp_state.c bsp/bsp_stream.c \
	bsp/bsp_sync.c bsp/bsp_trace.c
