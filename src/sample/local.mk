# SPDX-License-Identifier: BSD-3-Clause
libclustermark_la_SOURCES += sample/calibrate.c sample/disturbance.c sample/disturbance.h \
	sample/internal.h sample/sample.c sample/tell.c \
	sample/trial.c sample/warm_up.c
nobase_pkginclude_HEADERS += sample/sample.h
