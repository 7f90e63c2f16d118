# SPDX-License-Identifier: BSD-3-Clause
# The transport TCP.
libclustermark_la_SOURCES += \
  comm/engine/tcp/tcp.h comm/engine/tcp/tcp.c \
  comm/engine/tcp/tcp_addresses.h comm/engine/tcp/tcp_addresses.c \
  comm/engine/tcp/tcp_attempt.h comm/engine/tcp/tcp_attempt.c comm/engine/tcp/tcp_flight.c \
  comm/engine/tcp/tcp_lane.h comm/engine/tcp/tcp_lane.c \
  comm/engine/tcp/tcp_rails.h comm/engine/tcp/tcp_rails.c
