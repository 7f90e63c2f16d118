/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_burn.h: a burn-in: the checks again and again under full load. */
#ifndef NODES_BURN_H
#define NODES_BURN_H

#include "nodes_drift.h"
#include "nodes_job.h"

/* The values of each part of a burn-in. The kinds that are rates come first. */
enum {
    NODES_BURN_CLOCK = NODES_RATES, /* Hz, mean of the host's processors; 0: not told */
    NODES_BURN_TEMPERATURE,         /* C, of the hottest sensor; NaN: not readable */
    NODES_BURN_MOVED,               /* number of counters of errors that moved */
    NODES_BURN_KINDS
};

typedef struct nodes_burn {
    int hosts, parts, rounds;
    int stride;     /* parts of a host in value: NODES_PARTS while it lasts, then parts */
    double minutes; /* that it lasted */
    int signal;     /* that ended it early; 0: none did */
    double end_min[NODES_PARTS];     /* [part]: minutes after the begin */
    double *value[NODES_BURN_KINDS]; /* [host * stride + part], on rank 0; a rate is the mean of its
                                        rounds; NaN: not measured */
    struct nodes_kept *kept;         /* its file, on rank 0; NULL: none */
} nodes_burn;

/* nodes_burn.c: all ranks call it. Repeats rounds for options->minutes, in NODES_PARTS parts or as
   many as there are rounds; SIGINT or SIGTERM at any rank ends it after its round. */
void nodes_burn_run(nodes_job *job, nodes_burn *burn);
void nodes_burn_free(nodes_burn *burn);

/* nodes_burn_kept.c, on rank 0: a file of the completed parts, which remains if a host dies and
   ends the job. It is beside the result's file; its name ends in ".parts". */
typedef struct nodes_kept nodes_kept;
/* Returns NULL if the run writes no file, or, after one line on stderr, if there can be none. A
   file that an earlier run left is replaced. */
nodes_kept *nodes_kept_open(const cm_result_files *files, const nodes_place *place);
void nodes_kept_part(nodes_kept *kept, const nodes_burn *burn, int part); /* kept may be NULL */
/* Removes the file: the result has all of it. Before nodes_kept_free. */
void nodes_kept_done(nodes_kept *kept);
void nodes_kept_free(nodes_kept *kept);

/* Returns a part of a host as the result has it, "part of the burn-in: minute 0.63 host 2
   triad_MB_per_s 46880 ... temperature_C nan", for awk. */
enum { NODES_PART_TEXT = 512 };
const char *nodes_burn_part_text(const nodes_burn *burn, int host, int part,
                                 char text[NODES_PART_TEXT]);

/* nodes_burn_result.c, on rank 0: writes the parts as comments and who got slower as findings; name
   has the hosts' names. Returns the number of hosts that got slower. Sets *told to whether each
   kind of check would have shown a fall to half. */
int nodes_burn_tell(cm_result *result, const nodes_burn *burn, const nodes_options *options,
                    const char *const *name, bool *told);
/* The same numbers as samples of the last row, that of the host. */
void nodes_burn_samples(cm_result *result, const nodes_burn *burn, int host);

#endif
