/* SPDX-License-Identifier: BSD-3-Clause */
/* shape.c: says how many ranks on how many hosts use how many of their cores. */
#include "config.h"
#include <stdio.h>
#include "comm/hosts.h"
#include "machine/machine.h"
#include "run/run.h"

static const char *plural(int n) { return n == 1 ? "" : "s"; }

/* "1", or "1 to 3". */
static const char *range(int least, int most, char *text, size_t size)
{
    if (least == most) snprintf(text, size, "%d", least);
    else snprintf(text, size, "%d to %d", least, most);
    return text;
}

static void say_cores(const cm_run_shape *s, char *text, size_t size)
{
    char used[32], of[32];
    const bool one = s->hosts == 1;
    const char *cores = range(s->least_cores, s->most_cores, of, sizeof of);
    if (s->computers < s->hosts)
        snprintf(text, size, "which share %d computer%s of %s core%s", s->computers,
                 plural(s->computers), cores, plural(s->most_cores));
    else if (s->most_ranks > s->most_cores)
        snprintf(text, size, "more than %s %s core%s%s", one ? "its" : "the", cores,
                 plural(s->most_cores), one ? "" : " of each");
    else
        snprintf(text, size, "%s of %s core%s%s",
                 range(s->least_ranks, s->most_ranks, used, sizeof used), cores,
                 plural(s->most_cores), one ? "" : " each");
}

void cm_run_shape_text(const cm_run_shape *s, char *text, size_t size)
{
    char cores[128];
    if (s->played) snprintf(cores, sizeof cores, "%s", s->played);
    else say_cores(s, cores, sizeof cores);
    snprintf(text, size, "%d rank%s on %d host%s, %s", s->ranks, plural(s->ranks), s->hosts,
             plural(s->hosts), cores);
}

void cm_run_meta_shape(cm_result *result)
{
    const cm_hosts *hosts = cm_hosts_of(cm_world());
    double least = cm_machine_all_cores(), most = least;
    char text[256];
    int fullest;
    cm_result_hosts_range(result, "cores", &least, &most);
    const cm_run_shape shape = {
        .ranks = cm_size(cm_world()),
        .hosts = hosts->hosts,
        .computers = cm_run_number_computers(cm_world(), &fullest),
        .least_ranks = hosts->least,
        .most_ranks = hosts->most,
        .least_cores = (int)least,
        .most_cores = (int)most,
        .played = cm_comm_has(CM_HAS_SIMULATOR)    ? "simulated"
                  : !cm_comm_has(CM_HAS_PROCESSES) ? "on a virtual clock"
                                                   : NULL,
    };
    cm_run_shape_text(&shape, text, sizeof text);
    cm_result_meta(result, "shape", "%s", text);
    double job_cores = cm_machine_job_cores();
    cm_result_hosts_range(result, "job_cores", &job_cores, &most);
    if (!shape.played) cm_result_meta_number(result, "job_cores", job_cores, "%.0f");
}
