/* SPDX-License-Identifier: BSD-3-Clause */
/* history_gather.c: the kept results of a folder as lines over time. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "common/index.h"
#include "common/memory.h"
#include "common/say.h"
#include "history.h"

/* ---- What does not belong here --------------------------------------------------------------- */

static void leave_out(history *all, const suite_kept *kept, char *why)
{
    suite_say("history: left out: %s: %s", kept->file, why);
    all->left_out = suite_longer(all->left_out, all->n_left_out + 1, sizeof *all->left_out);
    all->left_out[all->n_left_out++] = suite_text("%s: %s", kept->file, why);
    free(why);
}

/* The cluster of most results; of equally many, the one of the last. */
static const char *most_frequent(const suite_history *kept)
{
    const char *best = NULL;
    size_t most = 0;
    for (size_t k = kept->n; k-- > 0;) {
        size_t n = 0;
        for (size_t i = 0; i < kept->n; i++)
            n += strcmp(kept->kept[i].cluster, kept->kept[k].cluster) == 0;
        if (n > most) {
            most = n;
            best = kept->kept[k].cluster;
        }
    }
    return best;
}

static void keep_cluster(history *all, const char *cluster)
{
    size_t n = 0;
    char *ours = cluster ? suite_kept_cluster(cluster) : suite_copy(most_frequent(&all->kept));
    for (size_t k = 0; k < all->kept.n; k++) {
        suite_kept *kept = &all->kept.kept[k];
        if (strcmp(kept->cluster, ours) == 0) {
            all->kept.kept[n++] = *kept;
            continue;
        }
        /* Who names a cluster need not be told of the others. */
        if (!cluster)
            leave_out(all, kept, suite_text("it is of cluster %s, not of %s", kept->cluster, ours));
        suite_kept_free(kept);
    }
    all->kept.n = n;
    free(ours);
}

/* ---- Headlines ------------------------------------------------------------------------------- */

static const suite_kept_result *result_of(const suite_kept *kept, const suite_run *run)
{
    for (size_t k = 0; k < kept->n_results; k++) {
        const suite_kept_result *r = &kept->result[k];
        if (strcmp(r->metric, run->headline) == 0 && strcmp(r->benchmark, run->name) == 0) return r;
    }
    return NULL;
}

static bool has_shape(const suite_kept_result *r, size_t hosts, size_t ranks)
{
    return r->hosts == hosts && r->ranks == ranks;
}

/* The hosts and ranks that most results of this run have; of equally many, those of the last. */
static void set_shape(const history *all, const suite_kept_result *const *result,
                      history_line *line)
{
    size_t most = 0;
    for (size_t k = all->kept.n; k-- > 0;) {
        size_t n = 0;
        if (!result[k]) continue;
        for (size_t i = 0; i < all->kept.n; i++)
            n += result[i] && has_shape(result[i], result[k]->hosts, result[k]->ranks);
        if (n <= most) continue;
        most = n;
        line->hosts = result[k]->hosts;
        line->ranks = result[k]->ranks;
    }
}

static void add_point(history_line *line, history_point point)
{
    line->point = suite_longer(line->point, line->n + 1, sizeof point);
    line->point[line->n++] = point;
}

static bool is_over_launches(const suite_kept_result *r)
{
    return r->over && strcmp(r->over, "launches") == 0;
}

/* A wrong answer has no value. */
static void add_result(history *all, size_t k, const suite_kept_result *r, history_line *line)
{
    if (!r->pass || !isfinite(r->value)) return;
    if (!has_shape(r, line->hosts, line->ranks)) {
        leave_out(all, &all->kept.kept[k],
                  suite_text("%s has %zu hosts and %zu ranks, not %zu and %zu", r->benchmark,
                             r->hosts, r->ranks, line->hosts, line->ranks));
        return;
    }
    const bool has = isfinite(r->low) && isfinite(r->high);
    add_point(line, (history_point){.at = k,
                                    .value = r->value,
                                    .low = has ? r->low : NAN,
                                    .high = has ? r->high : NAN,
                                    .range = r->interval && strcmp(r->interval, "range") == 0,
                                    .launches = is_over_launches(r) ? r->n : 0,
                                    .disturbed = r->disturbed});
}

static void add_line(history *all, const suite_run *run)
{
    const suite_kept_result **result = suite_array(all->kept.n, sizeof *result), *last = NULL;
    history_line line = {.title = run->heading, .benchmark = run->name, .metric = run->headline};
    for (size_t k = 0; k < all->kept.n; k++) {
        result[k] = result_of(&all->kept.kept[k], run);
        if (result[k]) last = result[k];
    }
    set_shape(all, result, &line);
    for (size_t k = 0; k < all->kept.n; k++)
        if (result[k] && strcmp(result[k]->unit, last->unit) == 0)
            add_result(all, k, result[k], &line);
    if (line.n > 0) {
        line.unit = last->unit;
        line.better = last->better;
        line.meaning = last->meaning;
        all->line = suite_longer(all->line, all->n + 1, sizeof line);
        all->line[all->n++] = line;
    }
    free(result);
}

/* ---- Hosts ----------------------------------------------------------------------------------- */

static history_host *host_of(history *all, suite_index *names, const char *name)
{
    const size_t place = suite_index_add(names, name);
    if (place < all->n_hosts) return &all->host[place];
    all->host = suite_longer(all->host, all->n_hosts + 1, sizeof *all->host);
    all->host[all->n_hosts] = (history_host){.name = name, .number = place};
    return &all->host[all->n_hosts++];
}

static history_line *line_of(history_host *host, const suite_kept_quantity *q)
{
    for (size_t k = 0; k < host->n; k++)
        if (strcmp(host->line[k].metric, q->metric) == 0
            && strcmp(host->line[k].unit, q->unit) == 0)
            return &host->line[k];
    host->line = suite_longer(host->line, host->n + 1, sizeof *host->line);
    host->line[host->n] = (history_line){.metric = q->metric, .unit = q->unit, .better = q->better};
    return &host->line[host->n++];
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_of(const suite_kept_quantity *q)
{
    double *sorted = suite_array(q->n_values, sizeof *sorted);
    memcpy(sorted, q->values, q->n_values * sizeof *sorted);
    qsort(sorted, q->n_values, sizeof *sorted, by_value);
    const double median = (sorted[(q->n_values - 1) / 2] + sorted[q->n_values / 2]) / 2;
    free(sorted);
    return median;
}

static void add_hosts(history *all, suite_index *names, size_t k)
{
    const suite_kept *kept = &all->kept.kept[k];
    for (size_t h = 0; h < kept->n_hosts; h++) {
        const suite_kept_host *from = &kept->host[h];
        history_host *host = host_of(all, names, from->name);
        host->results++;
        host->stood_out += from->stands_out;
        for (size_t q = 0; q < from->n; q++)
            add_point(line_of(host, &from->quantity[q]),
                      (history_point){.at = k,
                                      .value = median_of(&from->quantity[q]),
                                      .low = NAN,
                                      .high = NAN,
                                      .disturbed = from->disturbed});
    }
}

int history_read(const suite_home *home, const char *dir, const char *cluster, history *all)
{
    *all = (history){0};
    int status = suite_kept_read_all("history", dir, &all->kept);
    if (status) return status;
    if (!suite_table_read(home, &all->table)) return CM_EXIT_SYSTEM;
    if (all->kept.n > 0) keep_cluster(all, cluster);
    if (all->kept.n == 0)
        return suite_fail(CM_EXIT_USAGE,
                          "history: %s has no kept result%s%s; `clustermark baseline "
                          "add %s RESULT` keeps one",
                          dir, cluster ? " of cluster " : "", cluster ? cluster : "", dir);
    for (size_t r = 0; r < all->table.n; r++)
        if (all->table.run[r].headline) add_line(all, &all->table.run[r]);
    suite_index names = {0};
    for (size_t k = 0; k < all->kept.n; k++) add_hosts(all, &names, k);
    suite_index_free(&names);
    return 0;
}

static void free_lines(history_line *line, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        free(line[k].point);
        free(line[k].step);
    }
    free(line);
}

void history_free(history *all)
{
    for (size_t h = 0; h < all->n_hosts; h++) {
        free_lines(all->host[h].line, all->host[h].n);
        free(all->host[h].change);
    }
    for (size_t k = 0; k < all->n_left_out; k++) free(all->left_out[k]);
    free_lines(all->line, all->n);
    free(all->host);
    free(all->change);
    free(all->left_out);
    suite_table_free(&all->table);
    suite_history_free(&all->kept);
    *all = (history){0};
}
