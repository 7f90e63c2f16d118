# SPDX-License-Identifier: BSD-3-Clause
# The communication layer.
nobase_pkginclude_HEADERS += comm/comm.h
libclustermark_la_SOURCES += comm/backend.h comm/environment.c comm/launch.c
