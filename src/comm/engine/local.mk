# The message engine of the native backends and its transports.
libclustermark_la_SOURCES += \
  comm/engine/engine.h comm/engine/transport.h comm/engine/wire.h \
  comm/engine/auth.h comm/engine/auth.c comm/engine/greeting.c \
  comm/engine/limits.h comm/engine/limits.c \
  comm/engine/match.c comm/engine/send.c comm/engine/coalesce.c comm/engine/rail.c \
  comm/engine/receive.c comm/engine/progress.c \
  comm/engine/request.c comm/engine/group.c comm/engine/failure.c comm/engine/life.c \
  comm/engine/vigil.c comm/engine/lane.c comm/engine/transport_tcp.c \
  comm/engine/transport_rails.h comm/engine/transport_rails.c
