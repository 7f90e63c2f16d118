/* SPDX-License-Identifier: BSD-3-Clause */
/* kept_take.c: the part of a result that is kept. */
#include "config.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "comm/comm.h"
#include "common/memory.h"
#include "common/say.h"
#include "export/export.h"
#include "kept.h"
#include "kept_hosts.h"
#include "result/result_internal.h" /* cm_result_clean */
#include "results/launches.h"

/* One benchmark's result and its launches; without their files it is its only one. */
typedef struct {
    const char *name;
    const cm_record *record;
    suite_launches launches;
} source;

typedef struct {
    const char *command, *path;
    export_set set;
    cm_record alone; /* of a path that is no folder */
    source *source;
    size_t n;
    json_t *run, *machine, *results, *hosts;
} taking;

static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }
static json_t *text(const char *value)
{
    return value && *value ? json_string(value) : json_null();
}
static json_t *count_of(const char *value)
{
    double is;
    if (!value || !cm_record_number(value, &is) || is < 0) return json_null();
    return json_integer((json_int_t)is);
}

/* ---- Values of the launches ------------------------------------------------------------------ */

static size_t launches_of(const source *s) { return s->launches.n ? s->launches.n : 1; }
static const cm_record *launch_of(const source *s, size_t k)
{
    return s->launches.n ? &s->launches.record[k] : s->record;
}

static json_t *values_of(const source *s, const char *name)
{
    json_t *values = json_array();
    for (size_t k = 0; k < launches_of(s); k++) {
        const cm_record_metric *metric = cm_record_metric_of(launch_of(s, k), name);
        double value;
        if (metric && cm_record_number(metric->value, &value))
            json_array_append_new(values, json_real(value));
    }
    return values;
}

/* ---- Results --------------------------------------------------------------------------------- */

/* What the metric's name says of what was measured, as its program tells; of a result in a file of
   its own no program is asked. */
static json_t *labels_of(const suite_labels *of)
{
    json_t *labels = json_object();
    for (size_t k = 0; k < of->n; k++)
        if (*of->label[k].value)
            json_object_set_new(labels, of->label[k].key, json_string(of->label[k].value));
    return labels;
}

static void add_result(taking *t, const source *s, const export_result *r)
{
    const cm_record_metric *m = r->metric;
    const bool has = isfinite(m->low) && isfinite(m->high);
    const char *better = r->better && *r->better ? r->better : "neither";
    json_t *one = json_pack(
        "{s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:b, s:o, s:o}",
        "benchmark", s->name, "metric", m->name, "unit", m->unit, "better", better, "meaning",
        text(r->meaning), "labels", labels_of(&r->of), "value", number(r->value), "low",
        number(has ? m->low : NAN), "high", number(has ? m->high : NAN), "interval",
        text(has ? m->interval : NULL), "over", text(m->over), "n",
        m->n ? json_integer((json_int_t)m->n) : json_null(), "values", values_of(s, m->name),
        "disturbed", m->disturbed, "pass", m->pass, "hosts", count_of(r->hosts), "ranks",
        count_of(r->ranks));
    json_array_append_new(t->results, suite_there(one));
}

static void add_alone(taking *t, const source *s)
{
    for (size_t k = 0; k < s->record->n_metrics; k++) {
        const cm_record_metric *m = &s->record->metric[k];
        export_result r = {.benchmark = s->name,
                           .metric = m,
                           .better = m->better,
                           .meaning = "",
                           .hosts = cm_record_meta(s->record, "hosts"),
                           .ranks = cm_record_meta(s->record, "ranks")};
        if (cm_record_metric_of(s->record, m->name) != m) continue;
        if (!cm_record_number(m->value, &r.value)) r.value = NAN;
        add_result(t, s, &r);
    }
}

static const source *source_of(const taking *t, const char *benchmark)
{
    const source *s = t->source;
    while (strcmp(s->name, benchmark) != 0) s++;
    return s;
}

/* ---- Hosts ----------------------------------------------------------------------------------- */

/* Of cm-nodes, or else those that the first result with hosts knows. */
static void add_hosts(taking *t)
{
    const source *from = NULL;
    for (size_t k = 0; k < t->n; k++) {
        const char *program = cm_record_meta(t->source[k].record, "program");
        if (t->source[k].record->n_hosts == 0) continue;
        if (!from || (program && strcmp(program, "cm-nodes") == 0)) from = &t->source[k];
    }
    if (from) suite_kept_add_hosts(t->hosts, from->record, &from->launches);
}

/* ---- Circumstances --------------------------------------------------------------------------- */

/* What run.txt says; of a result in a file, what that says. */
static void add_circumstances(taking *t)
{
    static const char *const alone[] = {"version", "comm", "hosts", "ranks", "date"};
    const cm_record *record = t->source[0].record;
    for (size_t k = 0; k < EXPORT_CIRCUMSTANCES && t->set.run[k].key; k++)
        json_object_set_new(t->run, t->set.run[k].key, text(t->set.run[k].value));
    for (size_t k = 0; k < sizeof alone / sizeof *alone; k++)
        if (!json_string_value(json_object_get(t->run, alone[k])))
            json_object_set_new(t->run, alone[k], text(cm_record_meta(record, alone[k])));
    for (size_t k = 0; k < t->n; k++) suite_kept_add_machine(t->machine, t->source[k].record);
}

/* What all hosts' names begin with: short names, without the number at their end and what joins
   it. */
static char *stem_of(const json_t *hosts)
{
    char *stem = NULL;
    size_t length = 0;
    for (size_t h = 0; h < json_array_size(hosts); h++) {
        const char *name = json_string_value(json_object_get(json_array_get(hosts, h), "host"));
        size_t end = strcspn(name, "."), same = 0;
        while (end > 0 && (isdigit((unsigned char)name[end - 1]) || strchr("-_", name[end - 1])))
            end--;
        if (!stem) {
            length = end ? end : strcspn(name, ".");
            stem = suite_copy(name);
        }
        while (same < length && same < end && stem[same] == name[same]) same++;
        if (end) length = same;
    }
    if (stem) stem[length] = '\0';
    return stem;
}

/* A line would end the name in a file's name. */
char *suite_kept_cluster(const char *name)
{
    char *cluster = suite_copy(name);
    for (char *c = cluster; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '.') *c = '_';
    return cluster;
}

/* "": the hosts' names do not tell it. */
static char *cluster_of(const taking *t, const char *given)
{
    const char *place = json_string_value(json_object_get(t->run, "place"));
    char *stem = given || place ? NULL : stem_of(t->hosts);
    char *cluster = suite_kept_cluster(given ? given : place ? place : stem ? stem : "");
    free(stem);
    return cluster;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool any_launch(const char *dir, const char *name)
{
    char *path = suite_launch_record(dir, name, 1);
    const bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

static void add_source(taking *t, const char *name, const cm_record *record)
{
    t->source = suite_longer(t->source, t->n + 1, sizeof *t->source);
    t->source[t->n++] = (source){.name = name, .record = record};
}

/* Reads the launches that the result is of, if their files are there. */
static int read_launches(const taking *t, source *s)
{
    double n = 1;
    char why[4096];
    const char *launches = cm_record_meta(s->record, "launches");
    if (launches && !cm_record_number(launches, &n)) n = 1;
    if (!any_launch(t->path, s->name)) return 0;
    if (suite_launches_read(t->path, s->name, (size_t)n, &s->launches, why, sizeof why)) return 0;
    return suite_fail(CM_EXIT_USAGE, "%s: %s: unfinished or damaged: %s", t->command, t->path, why);
}

static int refuse_wrong(const taking *t, const source *s)
{
    if (!cm_record_wrong(s->record)) return 0;
    return suite_fail(CM_EXIT_USAGE, "%s: %s: failed: %s gave a wrong answer", t->command, t->path,
                      s->name);
}

static int read_folder(const suite_home *home, taking *t)
{
    int status = export_read(home, t->command, t->path, NULL, &t->set);
    for (size_t k = 0; !status && k < t->set.table.n; k++) {
        const char *name = t->set.table.run[k].name;
        const suite_entry *entry = &t->set.entry[k];
        if (entry->state == SUITE_COMPLETE) add_source(t, name, &entry->record);
        else if (entry->state == SUITE_FAILED)
            status = suite_fail(CM_EXIT_USAGE, "%s: %s: failed: %s: %.*s", t->command, t->path,
                                name, (int)strcspn(entry->text, "\n"), entry->text);
        else if (any_launch(t->path, name))
            status = suite_fail(CM_EXIT_USAGE, "%s: %s: unfinished: %s has launches and no result",
                                t->command, t->path, name);
    }
    for (size_t k = 0; !status && k < t->n; k++) {
        status = refuse_wrong(t, &t->source[k]);
        if (!status) status = read_launches(t, &t->source[k]);
    }
    if (!status && t->n == 0)
        status =
            suite_fail(CM_EXIT_USAGE, "%s: %s holds no result that ended", t->command, t->path);
    for (size_t k = 0; !status && k < t->set.n; k++)
        add_result(t, source_of(t, t->set.result[k].benchmark), &t->set.result[k]);
    return status;
}

/* "patterns-ping" of patterns-ping.json and of patterns-ping.3.json, which a launch wrote; a file
   that somebody named otherwise is of its program, cm-patterns. */
static const char *benchmark_of(const cm_record *record, char *name)
{
    const char *program = cm_record_meta(record, "program");
    if (program && strncmp(program, "cm-", 3) == 0) program += 3;
    name[strcspn(name, ".")] = '\0';
    return !program || strncmp(name, program, strlen(program)) == 0 ? name : program;
}

static int read_file(taking *t, char *name)
{
    char why[4096];
    if (!cm_record_read(t->path, &t->alone, why, sizeof why))
        return suite_fail(CM_EXIT_USAGE, "%s: %s", t->command, why);
    if (!cm_record_complete(&t->alone))
        return suite_fail(CM_EXIT_USAGE, "%s: %s: unfinished: it has no metric", t->command,
                          t->path);
    add_source(t, benchmark_of(&t->alone, name), &t->alone);
    const int status = refuse_wrong(t, &t->source[0]);
    if (!status) add_alone(t, &t->source[0]);
    return status;
}

/* The last part of the path; the caller frees. */
static char *base_name(const char *path)
{
    char *whole = realpath(path, NULL), *slash = whole ? strrchr(whole, '/') : NULL;
    char *name = suite_copy(slash ? slash + 1 : path);
    free(whole);
    return name;
}

/* Which is parsed as if it were read. */
static int finish(taking *t, const char *given, const char *from, suite_kept *kept)
{
    char *why = NULL, *cluster;
    add_hosts(t);
    add_circumstances(t);
    cluster = cluster_of(t, given);
    if (!*cluster) {
        free(cluster);
        return suite_fail(CM_EXIT_USAGE,
                          "%s: %s: %s: of which cluster is it? expected --cluster NAME", t->command,
                          t->path,
                          json_array_size(t->hosts) ? "its hosts' names have no common beginning"
                                                    : "it names no host");
    }
    *kept = (suite_kept){.root = json_pack("{s:s, s:i, s:s, s:s, s:O, s:O, s:O, s:O}", "schema",
                                           "clustermark-kept", "schema_version", SUITE_KEPT_VERSION,
                                           "kept_from", from, "cluster", cluster, "run", t->run,
                                           "machine", t->machine, "results", t->results, "hosts",
                                           t->hosts)};
    free(cluster);
    if (suite_kept_parse(kept, &why)) return 0;
    const int status =
        suite_fail(CM_EXIT_USAGE, "%s: %s cannot be kept: %s", t->command, t->path, why);
    free(why);
    return status;
}

int suite_kept_take(const suite_home *home, const char *command, const char *path,
                    const char *cluster, suite_kept *kept)
{
    taking t = {command,
                path,
                .run = json_object(),
                .machine = json_object(),
                .results = json_array(),
                .hosts = json_array()};
    struct stat is;
    char *from = base_name(path), *name = suite_copy(from);
    *kept = (suite_kept){0};
    cm_result_clean(from); /* JSON is UTF-8 */
    const bool file = stat(path, &is) == 0 && S_ISREG(is.st_mode);
    int status = file ? read_file(&t, name) : read_folder(home, &t);
    if (!status) status = finish(&t, cluster, from, kept);
    for (size_t k = 0; k < t.n; k++) suite_launches_free(&t.source[k].launches);
    free(t.source);
    free(name);
    free(from);
    cm_record_free(&t.alone);
    export_free(&t.set);
    json_decref(t.run);
    json_decref(t.machine);
    json_decref(t.results);
    json_decref(t.hosts);
    return status;
}
