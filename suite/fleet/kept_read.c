/* SPDX-License-Identifier: BSD-3-Clause */
/* kept_read.c: reads kept results again, and says which files are none. */
#include "config.h"
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "comm/comm.h"
#include "common/memory.h"
#include "common/say.h"
#include "kept.h"

/* ---- Fields ---------------------------------------------------------------------------------- */

static const char *string_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}
static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}
static size_t count_of(const json_t *object, const char *key)
{
    const json_int_t value = json_integer_value(json_object_get(object, key));
    return value > 0 ? (size_t)value : 0;
}
static bool truth_of(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

/* The array's finite numbers. */
static double *values_of(const json_t *object, size_t *n)
{
    const json_t *array = json_object_get(object, "values");
    double *values = suite_array(json_array_size(array) + 1, sizeof *values);
    *n = 0;
    for (size_t k = 0; k < json_array_size(array); k++)
        if (json_is_number(json_array_get(array, k)))
            values[(*n)++] = json_number_value(json_array_get(array, k));
    return values;
}

static bool is_way(const char *better)
{
    return better
           && (strcmp(better, "low") == 0 || strcmp(better, "high") == 0
               || strcmp(better, "neither") == 0);
}

static bool parse_result(const json_t *from, suite_kept_result *r)
{
    const json_t *labels = json_object_get(from, "labels");
    *r = (suite_kept_result){
        .benchmark = string_of(from, "benchmark"),
        .metric = string_of(from, "metric"),
        .unit = string_of(from, "unit"),
        .better = string_of(from, "better"),
        .meaning = string_of(from, "meaning"),
        .operation = string_of(labels, "operation"),
        .algorithm = string_of(labels, "algorithm"),
        .precision = string_of(labels, "precision"),
        .value = number_of(from, "value"),
        .low = number_of(from, "low"),
        .high = number_of(from, "high"),
        .interval = string_of(from, "interval"),
        .over = string_of(from, "over"),
        .n = count_of(from, "n"),
        .hosts = count_of(from, "hosts"),
        .ranks = count_of(from, "ranks"),
        .disturbed = truth_of(from, "disturbed"),
        .pass = truth_of(from, "pass"),
    };
    r->values = values_of(from, &r->n_values);
    return r->benchmark && r->metric && r->unit && is_way(r->better);
}

static bool parse_quantity(const json_t *from, suite_kept_quantity *q)
{
    *q = (suite_kept_quantity){.metric = string_of(from, "metric"),
                               .unit = string_of(from, "unit"),
                               .better = string_of(from, "better")};
    q->values = values_of(from, &q->n_values);
    return q->metric && q->unit && is_way(q->better) && q->n_values > 0;
}

static bool parse_host(const json_t *from, suite_kept_host *host)
{
    const json_t *all = json_object_get(from, "quantities");
    *host = (suite_kept_host){.name = string_of(from, "host"),
                              .ranks = count_of(from, "ranks"),
                              .disturbed = truth_of(from, "disturbed"),
                              .stands_out = truth_of(from, "stands_out"),
                              .machine = json_object_get(from, "machine")};
    host->quantity = suite_array(json_array_size(all) + 1, sizeof *host->quantity);
    for (size_t k = 0; k < json_array_size(all); k++)
        if (!parse_quantity(json_array_get(all, k), &host->quantity[host->n++])) return false;
    return host->name && json_is_array(all);
}

/* "2026-11-28T23:45:00Z" */
static bool parse_date(const char *date, time_t *time)
{
    struct tm utc = {0};
    const char *end = date ? strptime(date, "%Y-%m-%dT%H:%M:%SZ", &utc) : NULL;
    if (!end || *end) return false;
    *time = timegm(&utc);
    return true;
}

static bool wrong(char **why, char *text)
{
    *why = text;
    return false;
}

bool suite_kept_parse(suite_kept *kept, char **why)
{
    const json_t *root = kept->root, *results = json_object_get(root, "results");
    const json_t *hosts = json_object_get(root, "hosts");
    const char *schema = string_of(root, "schema");
    const size_t version = count_of(root, "schema_version");
    if (!schema || strcmp(schema, "clustermark-kept") != 0)
        return wrong(why, suite_copy("it is no kept result"));
    if (version != SUITE_KEPT_VERSION)
        return wrong(why,
                     suite_text("its schema_version is %zu, not %d", version, SUITE_KEPT_VERSION));
    kept->cluster = string_of(root, "cluster");
    kept->date = string_of(json_object_get(root, "run"), "date");
    if (!kept->cluster || !*kept->cluster || !parse_date(kept->date, &kept->time))
        return wrong(why, suite_copy("it has no cluster, or no date of its run"));
    if (!json_is_array(results) || !json_is_array(hosts))
        return wrong(why, suite_copy("it has no results, or no hosts"));
    kept->result = suite_array(json_array_size(results) + 1, sizeof *kept->result);
    kept->host = suite_array(json_array_size(hosts) + 1, sizeof *kept->host);
    for (size_t k = 0; k < json_array_size(results); k++)
        if (!parse_result(json_array_get(results, k), &kept->result[kept->n_results++]))
            return wrong(why, suite_text("results[%zu] lacks something", k));
    for (size_t k = 0; k < json_array_size(hosts); k++)
        if (!parse_host(json_array_get(hosts, k), &kept->host[kept->n_hosts++]))
            return wrong(why, suite_text("hosts[%zu] lacks something", k));
    return true;
}

void suite_kept_free(suite_kept *kept)
{
    for (size_t k = 0; k < kept->n_results; k++) free(kept->result[k].values);
    for (size_t h = 0; h < kept->n_hosts; h++) {
        for (size_t k = 0; k < kept->host[h].n; k++) free(kept->host[h].quantity[k].values);
        free(kept->host[h].quantity);
    }
    free(kept->result);
    free(kept->host);
    free(kept->file);
    json_decref(kept->root);
    *kept = (suite_kept){0};
}

const char *suite_kept_told(const suite_kept *kept, const char *part, const char *key)
{
    return string_of(json_object_get(kept->root, part), key);
}

/* ---- A folder -------------------------------------------------------------------------------- */

static bool is_candidate(const char *name)
{
    const size_t length = strlen(name), end = strlen(".json");
    return *name != '.' && length > end && strcmp(name + length - end, ".json") == 0;
}

/* Returns true, or false with a text in *why. */
static bool read_one(const char *path, const char *name, suite_kept *kept, char **why)
{
    json_error_t error;
    struct stat is;
    *kept = (suite_kept){0};
    /* Nobody may ever write into a pipe. */
    if (stat(path, &is) == 0 && !S_ISREG(is.st_mode))
        return wrong(why, suite_copy("it is no plain file"));
    kept->root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (!kept->root)
        return wrong(why,
                     suite_text("it is damaged or no JSON: line %d: %s", error.line, error.text));
    if (!suite_kept_parse(kept, why)) return false;
    char *right = suite_kept_name(kept);
    const bool same = strcmp(name, right) == 0;
    if (!same) *why = suite_text("it was edited or renamed: its content belongs to %s", right);
    free(right);
    kept->file = suite_copy(name);
    return same;
}

static int by_time(const void *a, const void *b)
{
    const suite_kept *x = a, *y = b;
    if (x->time != y->time) return x->time < y->time ? -1 : 1;
    return strcmp(x->file, y->file);
}

int suite_kept_read_all(const char *command, const char *dir, suite_history *history)
{
    *history = (suite_history){0};
    DIR *folder = opendir(dir);
    if (!folder)
        return suite_fail(CM_EXIT_USAGE, "%s: %s is not a folder that can be read: %s", command,
                          dir, strerror(errno));
    for (struct dirent *entry; (entry = readdir(folder));) {
        suite_kept kept;
        char *why = NULL;
        if (!is_candidate(entry->d_name)) continue;
        char *path = suite_text("%s/%s", dir, entry->d_name);
        if (read_one(path, entry->d_name, &kept, &why)) {
            history->kept = suite_longer(history->kept, history->n + 1, sizeof kept);
            history->kept[history->n++] = kept;
        } else {
            suite_say("%s: left out: %s: %s", command, path, why);
            suite_kept_free(&kept);
            history->skipped++;
        }
        free(why);
        free(path);
    }
    closedir(folder);
    if (history->n) qsort(history->kept, history->n, sizeof *history->kept, by_time);
    return 0;
}

void suite_history_free(suite_history *history)
{
    for (size_t k = 0; k < history->n; k++) suite_kept_free(&history->kept[k]);
    free(history->kept);
    *history = (suite_history){0};
}
