/* SPDX-License-Identifier: BSD-3-Clause */
/* history_page_words.c: what several parts of the page say: factors, days, names of hosts. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "results/host_names.h"
#include "history_page.h"
#include "pages.h"

void history_write_factor(FILE *out, const cm_rank_factor *f)
{
    const bool up = f->ratio > 1;
    const double one = 100 * fabs(f->ratio - 1), a = 100 * (f->low - 1), b = 100 * (f->high - 1);
    piece_history_factor(out, !isnan(f->ratio), one, up, up ? a : -b, up ? b : -a,
                         f->interval != CM_INTERVAL_95);
}

const char *history_way(const history_step *step)
{
    return step->worse ? "slower" : step->better ? "faster" : "";
}

const char *history_day_of(const history *all, const history_line *line, size_t point)
{
    return history_day(all->kept.kept[line->point[point].at].time);
}

static int by_number(const void *a, const void *b)
{
    const history_host *x = *(const history_host *const *)a, *y = *(const history_host *const *)b;
    return (x->number > y->number) - (x->number < y->number);
}

char *history_host_names(const history_host *const *host, size_t n, size_t most)
{
    const history_host **sorted = suite_array(n + 1, sizeof *sorted);
    const char **name = suite_array(n + 1, sizeof *name);
    memcpy(sorted, host, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_number);
    for (size_t h = 0; h < n; h++) name[h] = sorted[h]->name;
    char *names = suite_host_names(name, n, most);
    free(name);
    free(sorted);
    return names;
}

char *history_names_alike(const history *all, size_t most, size_t *n)
{
    const history_host **host = suite_array(all->n_hosts + 1, sizeof *host);
    *n = 0;
    for (size_t h = 0; h < all->n_hosts; h++)
        if (!history_host_is_odd(&all->host[h])) host[(*n)++] = &all->host[h];
    char *names = history_host_names(host, *n, most);
    free(host);
    return names;
}
