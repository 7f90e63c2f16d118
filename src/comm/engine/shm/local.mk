# SPDX-License-Identifier: BSD-3-Clause
# The transport for memory that ranks of a host share.
libclustermark_la_SOURCES += \
  comm/engine/shm/shm.c comm/engine/shm/ring.h comm/engine/shm/ring.c \
  comm/engine/shm/segment.h comm/engine/shm/segment.c \
  comm/engine/shm/door.h comm/engine/shm/door.c \
  comm/engine/shm/exchange.h comm/engine/shm/exchange.c
