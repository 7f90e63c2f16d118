/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi_failed.c: the line on a launcher that fails this rank, whatever the protocol. */
#include "config.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "comm/comm.h"
#include "comm/pmi/pmi_internal.h"

int cm_pmi_failed(const cm_pmi *pmi, const char *format, ...)
{
    char host[256] = "", text[1024];
    gethostname(host, sizeof host - 1);
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fprintf(stderr, "clustermark: rank %d on %s: %s\n", pmi->rank, host, text);
    return CM_EXIT_SYSTEM;
}

int cm_pmi_lost(const cm_pmi *pmi, int error)
{
    return cm_pmi_failed(pmi, "lost the launcher (%s on PMI_FD=%d)",
                         error ? strerror(error) : "end of file", pmi->fd);
}
