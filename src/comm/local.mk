nobase_pkginclude_HEADERS += comm/comm.h
libclustermark_la_SOURCES += comm/backend.h
include comm/shared.mk
