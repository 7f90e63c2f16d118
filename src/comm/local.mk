nobase_pkginclude_HEADERS += comm/comm.h
libclustermark_la_SOURCES += comm/backend.h
if CM_COMM_DUMMY
include comm/dummy/local.mk
endif
