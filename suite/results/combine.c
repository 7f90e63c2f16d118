/* SPDX-License-Identifier: BSD-3-Clause */
/* combine.c: metadata, checks, fits, metrics and comments over launches. */
#include "config.h"
#include <fnmatch.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "launches.h"
#include "measure/states_few.h"
#include "common/memory.h"
#include "distances.h"
#include "hosts_named.h"
#include "over.h"
#include "together.h"
#include "took.h"

static const char *or_none(const char *text) { return text ? text : "none"; }

/* ---- Metadata -------------------------------------------------------------------------------- */

static void add_meta(cm_record *combined, const char *key, char *value, bool number)
{
    combined->meta = suite_longer(combined->meta, combined->n_meta + 1, sizeof *combined->meta);
    combined->meta[combined->n_meta++] = (cm_record_entry){suite_copy(key), value, number};
}

bool suite_is_measured(const char *key)
{
    /* The last two are fits, which stand before the columns of a text. */
    static const char *const measured[] = {"*_free_bytes",
                                           "memory_limit_of_rank_bytes",
                                           "*_per_s",
                                           "ring_latency_us",
                                           "plain_unit_us",
                                           "triad_passes",
                                           "quantum_steps",
                                           "blas_threads_busy",
                                           "pair_distance_*",
                                           "costs",
                                           "model"};
    bool found = cm_record_is_of_moment(key);
    for (size_t k = 0; k < sizeof measured / sizeof *measured && !found; k++)
        found = fnmatch(measured[k], key, 0) == 0;
    return found && strcmp(key, "udp_rate_Mbit_per_s") != 0; /* that of --udp-rate */
}

/* Values that are measured in each launch, or that come from the clock, differ between launches and
   say nothing. */
static bool may_differ(const char *key)
{
    return suite_is_measured(key) || strcmp(key, "date") == 0 || strcmp(key, "command") == 0
           || strcmp(key, "partners_seed") == 0 || strcmp(key, "interval_over") == 0
           || strcmp(key, SUITE_LAUNCH_S) == 0;
}

/* Only if each launch says how long it took: results of old stay as they are. */
static void add_took(const suite_launches *l, cm_record *combined)
{
    const char *begun = NULL;
    double seconds = 0;
    for (size_t k = 0; k < l->n; k++) {
        const char *date = suite_took_begun(&l->record[k]);
        if (date && (!begun || strcmp(date, begun) < 0)) begun = date;
        seconds += suite_took_s(&l->record[k]);
    }
    if (isnan(seconds)) return;
    if (begun) add_meta(combined, SUITE_LAUNCHES_BEGUN, suite_copy(begun), false);
    add_meta(combined, SUITE_LAUNCHES_S, suite_took_number(seconds), true);
}

/* The values of a key in all launches, if they differ: "0 (launch 1, 3); 1 (launch 2)"; NULL: they
   do not. */
static char *differences(const suite_launches *l, const char *key)
{
    char *all = NULL;
    bool differ = false;
    for (size_t k = 0; k < l->n; k++) {
        const char *value = or_none(cm_record_meta(&l->record[k], key));
        bool seen = false;
        for (size_t j = 0; j < k && !seen; j++)
            seen = strcmp(value, or_none(cm_record_meta(&l->record[j], key))) == 0;
        if (seen) continue;
        if (k > 0) differ = true;
        char *longer =
            suite_text("%s%s%s (launch %zu", all ? all : "", all ? "; " : "", value, k + 1);
        for (size_t j = k + 1; j < l->n; j++)
            if (strcmp(value, or_none(cm_record_meta(&l->record[j], key))) == 0) {
                char *more = suite_text("%s, %zu", longer, j + 1);
                free(longer);
                longer = more;
            }
        free(all);
        all = suite_text("%s)", longer);
        free(longer);
    }
    if (differ) return all;
    free(all);
    return NULL;
}

static char *copy_or_null(const char *text) { return text ? suite_copy(text) : NULL; }

/* The hosts of the middle launch. */
static void combine_hosts(const suite_launches *l, cm_record *combined)
{
    const cm_record *middle = &l->record[l->middle];
    combined->host = suite_array(middle->n_hosts, sizeof *combined->host);
    combined->n_hosts = middle->n_hosts;
    for (size_t k = 0; k < middle->n_hosts; k++) {
        const cm_record_host *host = &middle->host[k];
        cm_record_host *own = &combined->host[k];
        *own = (cm_record_host){.name = suite_copy(host->name),
                                .ranks = host->ranks,
                                .differs = suite_array(host->n_differs, sizeof *own->differs),
                                .n_differs = host->n_differs};
        for (size_t d = 0; d < host->n_differs; d++)
            own->differs[d] =
                (cm_record_entry){suite_copy(host->differs[d].key),
                                  suite_copy(host->differs[d].value), host->differs[d].number};
    }
}

static void combine_meta(const suite_launches *l, cm_record *combined)
{
    const cm_record *middle = &l->record[l->middle];
    for (size_t m = 0; m < middle->n_meta; m++) {
        const cm_record_entry *entry = &middle->meta[m];
        if (strcmp(entry->key, SUITE_LAUNCH_S) == 0) continue;
        const char *value = strcmp(entry->key, "interval_over") == 0 ? "launches" : entry->value;
        add_meta(combined, entry->key, suite_copy(value), entry->number);
    }
    add_meta(combined, "launches", suite_text("%zu", l->n), true);
    add_meta(combined, "launch_of_comments", suite_text("%zu", l->middle + 1), true);
    add_took(l, combined);
    const char *last = "";
    for (size_t m = 0; m < middle->n_meta; m++) {
        const char *key = middle->meta[m].key;
        char *values = may_differ(key) || strcmp(key, last) == 0 ? NULL : differences(l, key);
        last = key;
        if (!values) continue;
        add_meta(combined, "differs_between_launches", suite_text("%s: %s", key, values), false);
        free(values);
    }
}

/* ---- Checks, fits, comments ------------------------------------------------------------------ */

/* The text of a check up to its colon is its name. */
static bool same_check(const char *a, const char *b)
{
    size_t length = strcspn(a, ":");
    return strcspn(b, ":") == length && strncmp(a, b, length) == 0;
}

static bool has_check(const cm_record *record, const char *text)
{
    for (size_t c = 0; c < record->n_checks; c++)
        if (same_check(record->check[c].text, text)) return true;
    return false;
}

/* Adds the check of the first launch in which it failed, else the one given. */
static void add_check(const suite_launches *l, const cm_record_check *own, cm_record *combined)
{
    const cm_record_check *worst = own;
    for (size_t k = 0; k < l->n && worst->pass; k++)
        for (size_t j = 0; j < l->record[k].n_checks && worst->pass; j++)
            if (!l->record[k].check[j].pass && same_check(l->record[k].check[j].text, own->text))
                worst = &l->record[k].check[j];
    combined->check =
        suite_longer(combined->check, combined->n_checks + 1, sizeof *combined->check);
    cm_record_check *added = &combined->check[combined->n_checks++];
    *added = *worst;
    added->text = suite_copy(worst->text);
    added->name = copy_or_null(worst->name);
    added->relation = copy_or_null(worst->relation);
}

/* Keeps the checks of the middle launch, then adds those that only other launches have, because one
   of these may fail. */
static void combine_checks(const suite_launches *l, cm_record *combined)
{
    const cm_record *middle = &l->record[l->middle];
    for (size_t c = 0; c < middle->n_checks; c++) add_check(l, &middle->check[c], combined);
    for (size_t k = 0; k < l->n; k++)
        for (size_t j = 0; j < l->record[k].n_checks; j++)
            if (!has_check(combined, l->record[k].check[j].text))
                add_check(l, &l->record[k].check[j], combined);
}

/* A standard error becomes that of the median over launches, 1.25 standard deviations over the root
   of their number (asymptotic, for normal values), if that is larger. */
static double fit_error(const suite_launches *l, const cm_record_fit *fit, double own)
{
    static const double of_median = 1.2533;
    cm_samples values = CM_SAMPLES_EMPTY;
    char *key = suite_text("%.*s", (int)(strlen(fit->key) - strlen("_error")), fit->key);
    for (size_t k = 0; k < l->n; k++) {
        const char *value = cm_record_fit_value(&l->record[k], fit->model, key);
        if (value) suite_over_add(&values, value);
    }
    cm_summary over = suite_over_summary(&values);
    double error = over.n ? of_median * over.deviation / sqrt((double)over.n) : NAN;
    cm_samples_free(&values);
    free(key);
    return error > own ? error : own;
}

static bool is_error(const char *key)
{
    size_t length = strlen(key), end = strlen("_error");
    return length > end && strcmp(key + length - end, "_error") == 0;
}

static void combine_fits(const suite_launches *l, cm_record *combined)
{
    const cm_record *middle = &l->record[l->middle];
    combined->fit = suite_array(middle->n_fits, sizeof *combined->fit);
    combined->n_fits = middle->n_fits;
    for (size_t f = 0; f < middle->n_fits; f++) {
        const cm_record_fit *fit = &middle->fit[f];
        cm_samples values = CM_SAMPLES_EMPTY;
        for (size_t k = 0; k < l->n; k++) {
            const char *value = cm_record_fit_value(&l->record[k], fit->model, fit->key);
            if (value) suite_over_add(&values, value);
        }
        cm_summary over = suite_over_summary(&values);
        cm_samples_free(&values);
        double value = is_error(fit->key) ? fit_error(l, fit, over.median) : over.median;
        combined->fit[f] =
            (cm_record_fit){suite_copy(fit->model), suite_copy(fit->key),
                            over.n ? suite_text("%.6g", value) : suite_copy(fit->value)};
    }
}

static char **copy_texts(char *const *texts, size_t n)
{
    char **copy = suite_array(n, sizeof *copy);
    for (size_t k = 0; k < n; k++) copy[k] = suite_copy(texts[k]);
    return copy;
}

static void combine_comments(const suite_launches *l, cm_record *combined)
{
    const cm_record *middle = &l->record[l->middle];
    combined->comment = copy_texts(middle->comment, middle->n_comments);
    combined->n_comments = middle->n_comments;
    combined->fastest = copy_texts(middle->fastest, middle->n_fastest);
    combined->n_fastest = middle->n_fastest;
}

/* ---- Metrics --------------------------------------------------------------------------------- */

static bool check_failed(const cm_record *record)
{
    for (size_t c = 0; c < record->n_checks; c++)
        if (!record->check[c].pass) return true;
    return false;
}

static cm_record_metric combine_metric(const suite_launches *l, const cm_record_metric *own)
{
    cm_samples values = CM_SAMPLES_EMPTY;
    cm_record_metric all = {.name = suite_copy(own->name),
                            .unit = suite_copy(own->unit),
                            .pass = true,
                            .over = suite_copy("launches"),
                            .better = copy_or_null(own->better)};
    bool told = true;
    for (size_t k = 0; k < l->n; k++) {
        const cm_record_metric *m = cm_record_metric_of(&l->record[k], own->name);
        /* A check that failed is of all metrics of its launch, another metric's FAIL is not. */
        all.pass = all.pass && (m ? m->pass : !check_failed(&l->record[k]));
        if (!m || strcmp(m->unit, own->unit) != 0) continue;
        suite_over_add(&values, m->value);
        all.disturbed = all.disturbed || m->disturbed;
        told = told && m->tells;
    }
    cm_summary over = suite_over_summary(&values);
    cm_samples_free(&values);
    /* That none was disturbed is known only if each launch says so. */
    all.tells = told || all.disturbed;
    all.n = over.n;
    all.low = over.low;
    all.high = over.high;
    all.interval = suite_copy(over.n < CM_INTERVAL_LEAST ? "range" : "95%");
    all.value = over.n ? suite_text("%.6g", over.median) : suite_copy(own->value);
    return all;
}

/* How many stand out, each in anything. */
static size_t count_united(const cm_record *combined)
{
    size_t found = 0;
    for (size_t k = 0; k < combined->n_findings; k++) {
        const cm_record_finding *f = &combined->finding[k];
        bool again = false;
        for (size_t j = 0; j < k && f->who; j++) {
            const cm_record_finding *g = &combined->finding[j];
            again = again || (strcmp(f->what, g->what) == 0 && g->who && !strcmp(f->who, g->who));
        }
        found += strcmp(f->what, CM_FINDING_STANDS_OUT) == 0 && !again;
    }
    return found;
}

/* Findings are united, so their number is not the median of the launches' numbers. judged: they are
   those of all launches together, and PASS or FAIL is, too. */
static void unite(const cm_record *combined, bool judged, cm_record_metric *metric)
{
    const size_t found = count_united(combined);
    if (judged) metric->pass = found == 0;
    else if (found == 0) return; /* results of old have their findings in comments */
    free(metric->value);
    metric->value = suite_text("%zu", found);
    if (metric->high < (double)found) metric->high = (double)found;
    if (metric->low > (double)found) metric->low = (double)found;
}

static void add_metric(const suite_launches *l, const cm_record_metric *own, bool judged,
                       cm_record *combined)
{
    const bool findings = strcmp(own->name, CM_FINDINGS_METRIC) == 0;
    /* Where it could not be told, there is no metric. */
    if (findings && judged && count_united(combined) == 0
        && cm_record_finding_of(combined, CM_FINDING_CANNOT_TELL, 0))
        return;
    cm_record_metric metric = combine_metric(l, own);
    if (findings && l->n > 1) unite(combined, judged, &metric);
    combined->metric =
        suite_longer(combined->metric, combined->n_metrics + 1, sizeof *combined->metric);
    combined->metric[combined->n_metrics++] = metric;
}

/* Those of the middle launch, then what only others have. */
static void combine_metrics(const suite_launches *l, bool judged, cm_record *combined)
{
    static const cm_record_metric findings = {
        .name = (char *)CM_FINDINGS_METRIC, .unit = (char *)"1", .value = (char *)"0"};
    const cm_record *middle = &l->record[l->middle];
    for (size_t v = 0; v < middle->n_metrics; v++)
        add_metric(l, &middle->metric[v], judged, combined);
    for (size_t k = 0; k < l->n; k++)
        for (size_t v = 0; v < l->record[k].n_metrics; v++)
            if (!cm_record_metric_of(combined, l->record[k].metric[v].name))
                add_metric(l, &l->record[k].metric[v], judged, combined);
    /* No launch alone could tell. */
    if (judged && !cm_record_metric_of(combined, CM_FINDINGS_METRIC))
        add_metric(l, &findings, judged, combined);
}

static bool is_of_clock(const cm_record_finding *f)
{
    return f->quantity && strcmp(f->quantity, "clock") == 0;
}

/* Of cm-nodes' rows: who is slow. A metric of all launches is no median of theirs. */
static void mark_slow(cm_record *combined)
{
    const int slow = cm_record_column(combined, "slow");
    if (slow < 0) return;
    suite_index named = suite_hosts_named_by(combined, suite_together_is_of_rates);
    suite_index clocks = suite_hosts_named_by(combined, is_of_clock);
    for (size_t row = 0; row < combined->n_rows && row < combined->n_hosts; row++) {
        const char *name = combined->host[row].name;
        char **cell = &combined->cell[row * combined->n_columns + (size_t)slow];
        const bool is = suite_hosts_is_named(&named, name) || suite_hosts_is_named(&clocks, name);
        free(*cell);
        *cell = suite_copy(is ? "yes" : "no");
    }
    suite_index_free(&named);
    suite_index_free(&clocks);
}

/* ---- States over launches -------------------------------------------------------------------- */

static void add_comment(cm_record *combined, char *text)
{
    combined->comment = suite_longer(combined->comment, combined->n_comments + 1, sizeof(char *));
    combined->comment[combined->n_comments++] = text;
}

/* A median of some of the launches is not taken for one of all. */
static void add_missing(const suite_launches *l, const cm_record_metric *all, bool judged,
                        cm_record *combined)
{
    if (all->n < l->n && !(judged && strcmp(all->name, CM_FINDINGS_METRIC) == 0))
        add_comment(combined,
                    suite_text("not in all launches: %s: in %zu of %zu", all->name, all->n, l->n));
}

/* The median over two states may be a value that no launch had, so that it is not left alone. */
static void add_states(const suite_launches *l, const cm_record_metric *own, cm_record *combined)
{
    double *value = suite_array(l->n, sizeof *value);
    size_t n = 0;
    cm_states_few states;
    for (size_t k = 0; k < l->n; k++) {
        const cm_record_metric *m = cm_record_metric_of(&l->record[k], own->name);
        if (m && strcmp(m->unit, own->unit) == 0 && cm_record_number(m->value, &value[n])) n++;
    }
    if (!cm_states_few_find(n, value, &states)) suite_there(NULL);
    free(value);
    if (states.low == 0) return;
    const char *unit = strcmp(own->unit, "1") == 0 ? "" : own->unit, *blank = *unit ? " " : "";
    add_comment(
        combined,
        suite_text("two states over launches: %s: %.4g%s%s in %zu of %zu launches, %.4g%s%s in %zu",
                   own->name, states.level[0], blank, unit, states.low, n, states.level[1], blank,
                   unit, states.high));
}

/* Launches whose cores are at different distances measure different machines. */
static void add_distances(const suite_launches *l, cm_record *combined)
{
    double *ns = suite_array(l->n, sizeof *ns);
    size_t classes;
    for (size_t k = 0; k < l->n; k++) ns[k] = suite_distance_of(&l->record[k]);
    char *words = suite_distances_words(l->n, ns, &classes);
    if (classes > 1)
        add_comment(combined, suite_text("the cores of the pairs are not at the same distance in "
                                         "all launches: %s",
                                         words));
    free(words);
    free(ns);
}

void suite_combine(const suite_launches *launches, const char *rows, cm_record *combined)
{
    *combined = (cm_record){0};
    combine_meta(launches, combined);
    combine_hosts(launches, combined);
    suite_combine_rows(launches, rows, combined);
    combine_checks(launches, combined);
    combine_fits(launches, combined);
    const bool judged = suite_combine_findings(launches, combined);
    combine_comments(launches, combined);
    combine_metrics(launches, judged, combined);
    if (judged) mark_slow(combined);
    add_distances(launches, combined);
    for (size_t v = 0; v < combined->n_metrics; v++) {
        add_missing(launches, &combined->metric[v], judged, combined);
        add_states(launches, &combined->metric[v], combined);
    }
}
