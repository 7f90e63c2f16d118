/* SPDX-License-Identifier: BSD-3-Clause */
/* export_read.c: gathers the RESULTs of a folder, and what has none. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "export.h"
#include "common/memory.h"
#include "result/result_internal.h" /* cm_result_clean */
#include "results/distances.h"
#include "results/results.h"
#include "results/united.h"

static const char *const keys[EXPORT_CIRCUMSTANCES] = {"version", "comm",  "profile",  "place",
                                                       "hosts",   "ranks", "launches", "date"};

const char *export_told(const export_set *set, const char *key)
{
    for (size_t k = 0; k < EXPORT_CIRCUMSTANCES; k++)
        if (strcmp(set->run[k].key, key) == 0) return set->run[k].value;
    return NULL;
}

const char *export_label(const export_result *result, const char *key)
{
    for (size_t k = 0; k < result->of.n; k++)
        if (strcmp(result->of.label[k].key, key) == 0) return result->of.label[k].value;
    return NULL;
}

bool export_has_interval(const export_result *result)
{
    return isfinite(result->metric->low) && isfinite(result->metric->high);
}

/* The result says which way is better, or the program does. */
static const char *better_of(const cm_record_metric *metric, const char *told)
{
    return metric->better ? metric->better : told;
}

/* The one host of a run; NULL: several, or not told. */
static const char *host_of(const cm_record *record)
{
    const char *hosts = cm_record_meta(record, "hosts");
    if (record->n_hosts == 1) return record->host[0].name;
    return hosts && strcmp(hosts, "1") == 0 ? cm_record_meta(record, "host") : NULL;
}

static void add_results(const suite_home *home, export_set *set, size_t r, const char *better)
{
    const suite_run *run = &set->table.run[r];
    const cm_record *record = &set->entry[r].record;
    char *path = suite_home_program(home, run->folder, run->program);
    for (size_t k = 0; k < record->n_metrics; k++) {
        const cm_record_metric *metric = &record->metric[k];
        if (cm_record_metric_of(record, metric->name) != metric) continue;
        export_result result = {.benchmark = run->name,
                                .program = run->program,
                                .metric = metric,
                                .value = NAN,
                                .hosts = cm_record_meta(record, "hosts"),
                                .ranks = cm_record_meta(record, "ranks"),
                                .host = host_of(record),
                                .oversubscribed = suite_result_oversubscribed(record),
                                .pair_distance_ns = suite_distance_of(record)};
        result.better = better_of(metric, suite_metrics_better(&set->metrics, path, metric->name));
        result.meaning = suite_metrics_meaning(&set->metrics, path, metric->name);
        if (!cm_record_number(metric->value, &result.value)) result.value = NAN;
        if (better && strcmp(better, result.better) != 0) continue;
        result.of = suite_metrics_labels(&set->metrics, path, metric->name);
        set->result = suite_longer(set->result, set->n + 1, sizeof result);
        set->result[set->n++] = result;
    }
    free(path);
}

static void add_missing(export_set *set, size_t r)
{
    const suite_entry *entry = &set->entry[r];
    export_missing missing = {.benchmark = set->table.run[r].name,
                              .failed = entry->state == SUITE_FAILED,
                              .why =
                                  suite_text("%.*s", (int)strcspn(entry->text, "\n"), entry->text)};
    cm_result_clean(missing.why);
    set->missing = suite_longer(set->missing, set->n_missing + 1, sizeof missing);
    set->missing[set->n_missing++] = missing;
}

int export_read(const suite_home *home, const char *command, const char *dir, const char *better,
                export_set *set)
{
    for (size_t k = 0; k < EXPORT_CIRCUMSTANCES; k++) set->run[k].key = keys[k];
    if (!suite_folder_require(command, dir)) return CM_EXIT_USAGE;
    if (!suite_table_of_folder(home, dir, &set->table, &set->place)) return CM_EXIT_SYSTEM;
    for (size_t k = 0; k < EXPORT_CIRCUMSTANCES; k++) {
        set->run[k].value = suite_folder_metadata(dir, keys[k]);
        if (set->run[k].value) cm_result_clean(set->run[k].value);
    }
    int status = suite_united_check(command, dir, &set->table, SUITE_UNITED_READ);
    if (status) return status;
    set->entry = suite_array(set->table.n, sizeof *set->entry);
    for (size_t r = 0; r < set->table.n; r++) {
        suite_entry_read(dir, &set->table.run[r], &set->entry[r]);
        if (set->entry[r].state == SUITE_COMPLETE) add_results(home, set, r, better);
        else add_missing(set, r);
    }
    return 0;
}

void export_free(export_set *set)
{
    for (size_t r = 0; set->entry && r < set->table.n; r++) suite_entry_free(&set->entry[r]);
    for (size_t k = 0; k < EXPORT_CIRCUMSTANCES; k++) free(set->run[k].value);
    for (size_t k = 0; k < set->n_missing; k++) free(set->missing[k].why);
    for (size_t k = 0; k < set->n; k++) suite_labels_free(&set->result[k].of);
    free(set->missing);
    free(set->result);
    free(set->entry);
    suite_metrics_free(&set->metrics);
    suite_table_free(&set->table);
    suite_place_free(&set->place);
    *set = (export_set){0};
}
