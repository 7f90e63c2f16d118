# SPDX-License-Identifier: BSD-3-Clause
# PMI-1: the side of the ranks, and the lines that cmrun also reads. In every build, as cmrun is.
libclustermark_la_SOURCES += comm/pmi/pmi_line.h comm/pmi/pmi_line.c \
    comm/pmi/pmi_client.h comm/pmi/pmi_client.c comm/pmi/launch_check.c \
    comm/pmi/pmi_internal.h comm/pmi/pmi_failed.c comm/pmi/pmi_wait.c \
    comm/pmi/pmi2_message.h comm/pmi/pmi2_message.c comm/pmi/pmi2_client.c \
    comm/pmi/pmix_client.c
