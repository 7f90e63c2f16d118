/* SPDX-License-Identifier: BSD-3-Clause */
/* run_sizes.c: sizes of runs that grow with the ranks, so that a run takes as long on many, within
   the memory of the hosts. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include "common/memory.h"
#include "run.h"

/* Two digits: sizes are to be read, and the same in all launches. */
static double rounded_down(double number)
{
    const double unit = pow(10, floor(log10(number)) - 1);
    return unit > 1 ? unit * floor(number / unit * (1 + 1e-9)) : floor(number);
}

static double size_of(const suite_size *size, int profile, int ranks, double memory_bytes)
{
    const double of_two = size->of_two[profile];
    double number = of_two;
    if (ranks > 2) number = fmax(of_two, rounded_down(of_two * pow(ranks / 2.0, 1 / size->root)));
    if (!(memory_bytes > 0)) return number;
    const double most = pow(memory_bytes / size->bytes, 1 / size->power);
    return number > most ? rounded_down(most) : number;
}

/* Half of the memory; the other half is for the system, the layer and a second copy. */
static double memory_of(const suite_session *s, const suite_run *run, int ranks)
{
    int hosts = s->n_hosts < 1 || run->shape == SUITE_SHAPE_NODE ? 1 : s->n_hosts;
    if (suite_run_simulates(s)) return 0;
    return s->host_memory_bytes * (ranks < hosts ? ranks : hosts) / 2;
}

char *suite_run_options_of(const suite_session *s, const suite_run *run)
{
    const char *options = run->options[s->options.profile];
    if (s->options.minutes > 0)
        return suite_text("%s --minutes %g", options ? options : "", s->options.minutes);
    if (!options || !run->size.name) return suite_copy(options ? options : "");
    const int ranks = suite_run_ranks(s, run);
    /* More ranks than cores compute no faster. */
    const int working = s->cores > 0 && s->cores < ranks ? s->cores : ranks;
    const double memory_bytes = memory_of(s, run, ranks);
    const double number = size_of(&run->size, s->options.profile, working, memory_bytes);
    char *text = suite_text("%.0f", number), *all = suite_replace(options, run->size.name, text);
    free(text);
    return all;
}
