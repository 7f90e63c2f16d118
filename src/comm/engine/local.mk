# The message engine of the native backends and its transports.
libclustermark_la_SOURCES += \
  comm/engine/engine.h comm/engine/transport.h comm/engine/transport_table.h \
  comm/engine/wire.h \
  comm/engine/auth.h comm/engine/auth.c comm/engine/handshake.c \
  comm/engine/cards.h comm/engine/cards.c comm/engine/limits.h comm/engine/limits.c \
  comm/engine/bins.h comm/engine/bins.c comm/engine/match.c \
  comm/engine/credit.h comm/engine/credit.c \
  comm/engine/send.c comm/engine/coalesce.c comm/engine/rail.c \
  comm/engine/share.h comm/engine/share.c comm/engine/copy.h comm/engine/copy.c \
  comm/engine/copying.h comm/engine/copying.c comm/engine/direct.c \
  comm/engine/receive.c comm/engine/progress.c \
  comm/engine/request.c comm/engine/group.c comm/engine/failure.c comm/engine/leftover.c \
  comm/engine/life.c \
  comm/engine/liveness.c comm/engine/companion.h comm/engine/companion.c \
  comm/engine/events.h comm/engine/events.c comm/engine/pending.h comm/engine/pending.c \
  comm/engine/allocate.c comm/engine/region.h comm/engine/region.c \
  comm/engine/lane.c comm/engine/transport.c
if CM_TRANSPORT_TCP
include comm/engine/tcp/local.mk
endif
if CM_TRANSPORT_SHM
include comm/engine/shm/local.mk
endif
