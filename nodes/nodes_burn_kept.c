/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_burn_kept.c: a file of the parts of a burn-in that are over, for a job that a dying host
   ends. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "nodes_burn.h"

struct nodes_kept {
    FILE *file;
    char name[];
};

nodes_kept *nodes_kept_open(const cm_result_files *files, const nodes_place *place)
{
    static const char end[] = ".parts";
    const char *of = files->output ? files->output : files->json;
    if (!of) return NULL;
    nodes_kept *kept = malloc(sizeof *kept + strlen(of) + sizeof end);
    if (!kept) cm_abort(CM_EXIT_SYSTEM, "out of memory for the burn-in");
    sprintf(kept->name, "%s%s", of, end);
    unlink(kept->name); /* of a killed run; and a link, in a folder of others, is not followed */
    kept->file = fopen(kept->name, "wx");
    if (!kept->file) {
        fprintf(stderr, "cm-nodes: %s: %s; parts of a burn-in that does not end are lost\n",
                kept->name, strerror(errno));
        free(kept);
        return NULL;
    }
    fprintf(kept->file, "# parts of a burn-in of %d hosts that has not ended\n", place->hosts);
    for (int host = 0; host < place->hosts; host++)
        fprintf(kept->file, "# host %d: %s\n", host, cm_host(cm_world(), place->first[host]));
    fflush(kept->file);
    return kept;
}

void nodes_kept_part(nodes_kept *kept, const nodes_burn *burn, int part)
{
    char text[NODES_PART_TEXT];
    for (int host = 0; kept && host < burn->hosts; host++)
        fprintf(kept->file, "# %s\n", nodes_burn_part_text(burn, host, part, text));
    if (kept) fflush(kept->file);
}

void nodes_kept_done(nodes_kept *kept)
{
    if (kept) unlink(kept->name);
}

void nodes_kept_free(nodes_kept *kept)
{
    if (kept) fclose(kept->file);
    free(kept);
}
