# The communication layer: what all backends share, and the backend that was configured.
nobase_pkginclude_HEADERS += comm/comm.h
libclustermark_la_SOURCES += comm/backend.h
if CM_COMM_SOCKETS
include comm/engine/local.mk
endif
