libclustermark_la_SOURCES += comm/dummy/dummy.h comm/dummy/settings.c comm/dummy/network.c \
    comm/dummy/peer.c comm/dummy/life.c comm/dummy/message.c comm/dummy/request.c \
    comm/dummy/collective.c comm/dummy/direct.c
