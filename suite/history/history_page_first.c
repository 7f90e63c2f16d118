/* SPDX-License-Identifier: BSD-3-Clause */
/* history_page_first.c: the first screen: is the cluster what it was, and which host is not? */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "history_page.h"
#include "pages.h"

enum { LINES = 6, NAMES_MOST = 8 };

/* By how many per cent a ratio is above 1, with two digits: it is an estimate. */
static double percent_of(double ratio)
{
    const double percent = 100 * (ratio - 1);
    if (!(percent > 0)) return percent;
    const double digit = pow(10, floor(log10(percent)) - 1);
    return digit * round(percent / digit);
}

/* How large a step could have been seen: of the headlines, and of the hosts. */
static void write_as_before(const history_view *v, const char *cluster)
{
    const history *all = v->all;
    size_t n = 0, values = 0, of_lines, of_values;
    for (size_t h = 0; h < all->n_hosts; h++) values += all->host[h].n;
    const history_line **line = suite_array(all->n + values + 1, sizeof *line), *most, *lame;
    for (size_t k = 0; k < all->n; k++) line[k] = &all->line[k];
    const double half = history_visible(line, all->n, &most, &of_lines);
    for (size_t h = 0; h < all->n_hosts; h++)
        for (size_t k = 0; k < all->host[h].n; k++) line[n++] = &all->host[h].line[k];
    const double half_of_hosts = history_visible(line, n, &lame, &of_values);
    piece_history_as_before(v->out, cluster, all->kept.n, most ? most->title : NULL,
                            percent_of(half), most ? percent_of(most->visible) : NAN, of_lines,
                            all->n - of_lines, percent_of(half_of_hosts),
                            lame ? percent_of(lame->visible) : NAN, of_values, n - of_values);
    free(line);
}

static void write_verdict(const history_view *v)
{
    const history *all = v->all;
    const char *cluster = all->kept.kept[all->kept.n - 1].cluster;
    size_t lines = 0, hosts = 0;
    for (size_t k = 0; k < all->n; k++) lines += history_is_worse(&all->line[k]);
    for (size_t h = 0; h < all->n_hosts; h++) hosts += history_host_is_worse(&all->host[h]);
    if (lines + hosts > 0) piece_history_worse(v->out, cluster, lines, all->n, hosts, all->n_hosts);
    else if (all->kept.n < HISTORY_FEW) piece_history_too_few(v->out, cluster, all->kept.n);
    else write_as_before(v, cluster);
}

/* ---- Hosts that differ ----------------------------------------------------------------------- */

typedef struct {
    const history_change *change;
    const history_host *host;
} own_change;

static int by_change(const void *a, const void *b)
{
    const own_change *x = a, *y = b;
    int order = (x->change->at < y->change->at) - (x->change->at > y->change->at);
    if (order == 0) order = strcmp(x->change->what, y->change->what);
    if (order == 0) order = strcmp(x->change->before, y->change->before);
    if (order == 0) order = strcmp(x->change->now, y->change->now);
    return order;
}

static bool is_same(const own_change *x, const own_change *y)
{
    return x->change->at == y->change->at && strcmp(x->change->what, y->change->what) == 0
           && strcmp(x->change->before, y->change->before) == 0
           && strcmp(x->change->now, y->change->now) == 0;
}

/* A line for each change, with the hosts that had it at the same time; the last one first. */
static void write_changes(const history_view *v, own_change *own, size_t n)
{
    const history_host **host = suite_array(n, sizeof *host);
    size_t lines = 0, k = 0;
    qsort(own, n, sizeof *own, by_change);
    while (k < n && lines < LINES) {
        const history_change *c = own[k].change;
        const own_change *first = &own[k];
        size_t hosts = 0;
        while (k < n && is_same(&own[k], first)) host[hosts++] = own[k++].host;
        char *names = history_host_names(host, hosts, NAMES_MOST);
        piece_history_differs(v->out, names, c->what, c->before, c->now,
                              history_day(v->all->kept.kept[c->at].time));
        free(names);
        lines++;
    }
    if (k < n) piece_history_differ_more(v->out, n - k);
    free(host);
}

static int by_times(const void *a, const void *b)
{
    const history_host *x = *(const history_host *const *)a, *y = *(const history_host *const *)b;
    if (x->stood_out != y->stood_out) return x->stood_out < y->stood_out ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

/* A line for the hosts that stood out equally often; the most often first. */
static void write_stood_out(const history_view *v, const history_host **host, size_t n)
{
    size_t lines = 0, k = 0;
    qsort(host, n, sizeof *host, by_times);
    while (k < n && lines < LINES) {
        const size_t times = host[k]->stood_out;
        size_t end = k;
        while (end < n && host[end]->stood_out == times) end++;
        char *names = history_host_names(host + k, end - k, NAMES_MOST);
        piece_history_stood_out(v->out, names, times, v->all->kept.n);
        free(names);
        k = end;
        lines++;
    }
    if (k < n) piece_history_stood_out_more(v->out, n - k);
}

static void write_odd(const history_view *v)
{
    const history *all = v->all;
    size_t n_own = 0, n = 0;
    for (size_t h = 0; h < all->n_hosts; h++) n_own += all->host[h].n_changes;
    own_change *own = suite_array(n_own + 1, sizeof *own);
    const history_host **host = suite_array(all->n_hosts + 1, sizeof *host);
    n_own = 0;
    for (size_t h = 0; h < all->n_hosts; h++) {
        if (all->host[h].stood_out > 0) host[n++] = &all->host[h];
        for (size_t k = 0; k < all->host[h].n_changes; k++)
            own[n_own++] = (own_change){&all->host[h].change[k], &all->host[h]};
    }
    if (n_own + n > 0) {
        piece_history_differ_begin(v->out);
        if (n_own > 0) write_changes(v, own, n_own);
        if (n > 0) write_stood_out(v, host, n);
        piece_list_end(v->out);
    }
    free(host);
    free(own);
}

static void write_alike(const history_view *v)
{
    size_t n = 0;
    char *names = history_names_alike(v->all, NAMES_MOST, &n);
    if (n > 0) piece_history_alike(v->out, n, v->all->n_hosts, names);
    free(names);
}

void history_write_first(const history_view *v)
{
    const suite_history *kept = &v->all->kept;
    char *from = suite_copy(history_day(kept->kept[0].time));
    piece_history_first_begin(v->out, kept->n, from, history_day(kept->kept[kept->n - 1].time),
                              v->all->n_hosts, PACKAGE_VERSION);
    free(from);
    write_verdict(v);
    history_write_steps(v, true);
    write_odd(v);
    write_alike(v);
    history_write_steps(v, false);
    piece_section_end(v->out);
}
