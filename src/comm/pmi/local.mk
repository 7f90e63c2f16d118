# SPDX-License-Identifier: BSD-3-Clause
# PMI-1: the ranks' side, and the lines that cmrun reads too. In every build, since cmrun is.
libclustermark_la_SOURCES += comm/pmi/pmi_line.h comm/pmi/pmi_line.c \
    comm/pmi/pmi_client.h comm/pmi/pmi_client.c comm/pmi/launch_check.c
