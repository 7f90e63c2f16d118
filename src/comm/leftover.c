/* SPDX-License-Identifier: BSD-3-Clause */
/* leftover.c: words for what is left when a program calls cm_finalize. That is an error of the
   program, but no result depends on it any more. */
#include "config.h"
#include <stdio.h>
#include <string.h>
#include "comm/comm.h"
#include "comm/leftover.h"

void cm_leftover_append(char *line, const char *label, const cm_leftover *first, int n)
{
    const size_t used = strlen(line);
    char peer[24] = "any rank", tag[40] = ", any tag", more[32] = "";
    if (n == 0) return;
    if (first->peer != CM_ANY) snprintf(peer, sizeof peer, "rank %d", first->peer);
    if (first->collective) snprintf(tag, sizeof tag, ", in a collective operation");
    else if (first->tag != CM_ANY) snprintf(tag, sizeof tag, ", tag %d", first->tag);
    if (n > 1) snprintf(more, sizeof more, " (and %d more)", n - 1);
    snprintf(line + used, CM_LEFTOVER_BYTES - used, "%s%s: %s%zu bytes %s %s%s%s", used ? "; " : "",
             label, first->what, first->bytes, first->way, peer, tag, more);
}

void cm_leftover_print(int rank, const char *host, const char *line)
{
    if (*line) fprintf(stderr, "clustermark: rank %d on %s: cm_finalize: %s\n", rank, host, line);
}
