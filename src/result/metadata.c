/* SPDX-License-Identifier: BSD-3-Clause */
/* metadata.c: what is said of a run besides its numbers. */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "machine/machine.h"
#include "result/result_internal.h"
#include "revision.h"

/* number: the value is a number in the JSON. exact: all its digits; NULL: the digits of the
   text. */
static void add(cm_result *result, const char *key, const char *text, const char *exact,
                bool number)
{
    char *shown = cm_result_copy(result, text);
    if (shown && cm_reader_meta(&result->fill, key, exact ? exact : text, number))
        cm_result_print_line(result, result->record.meta[result->record.n_meta - 1].key, shown);
    else result->out_of_memory = true;
    free(shown);
}

static void add_text(cm_result *result, const char *key, const char *text)
{
    add(result, key, text, NULL, false);
}

void cm_result_meta(cm_result *result, const char *key, const char *format, ...)
{
    char *text = NULL;
    locale_t user = uselocale(result->numbers);
    va_list list;
    va_start(list, format);
    int length = vasprintf(&text, format, list);
    va_end(list);
    if (length < 0) {
        result->out_of_memory = true;
    } else {
        add_text(result, key, text);
        free(text);
    }
    uselocale(user);
}

void cm_result_meta_number(cm_result *result, const char *key, double value, const char *format)
{
    char text[512], exact[64];
    int width;
    locale_t user = uselocale(result->numbers);
    if (!cm_result_format_width(format, &width)) format = "%.6g";
    cm_result_number_text(text, sizeof text, format, value);
    cm_result_exact_text(exact, sizeof exact, value, strcmp(format, "%.0f") == 0);
    add(result, key, text, exact, true);
    uselocale(user);
}

/* ---- what every result carries --------------------------------------------------------------- */

typedef struct {
    cm_result *result;
    size_t given;
    bool last; /* of what is known only at the end */
} described;

/* A backend's own statement (its sockets' congestion control) is closer to the truth than the
   machine's setting, so a key that was given before is not given again. */
static void add_described(const char *key, const char *value, void *context)
{
    const described *d = context;
    if (cm_result_comes_last(key) != d->last) return;
    for (size_t i = 0; i < d->given; i++)
        if (strcmp(d->result->record.meta[i].key, key) == 0) return;
    double number;
    add(d->result, key, value, NULL, cm_result_counts(key) && cm_record_number(value, &number));
}

static void version(cm_result_each *each, void *context)
{
    each("version", PACKAGE_VERSION, context);
    each("revision", CM_REVISION, context);
}

static void compilers(cm_result_each *each, void *context)
{
#ifdef CM_CC
    each("cc", CM_CC, context);
#endif
#ifdef __VERSION__
    each("cc_version", __VERSION__, context);
#endif
#ifdef CM_CFLAGS
    each("cflags", CM_CFLAGS, context);
#endif
#ifdef CM_FC
    each("fc", CM_FC, context);
#endif
#ifdef CM_FCFLAGS
    each("fcflags", CM_FCFLAGS, context);
#endif
}

void cm_result_describe_build(cm_result_each *each, void *context)
{
    version(each, context);
    compilers(each, context);
}

static void add_as_text(const char *key, const char *value, void *context)
{
    add_text(context, key, value);
}

static void add_build(cm_result *result)
{
    add_text(result, "program", result->program->name);
    version(add_as_text, result);
    add_text(result, "command", result->command);
    char date[32];
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) && strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &utc) > 0)
        add_text(result, "date", date);
    compilers(add_as_text, result);
}

typedef struct {
    const char *name;
    size_t first, ranks;
} host_count;

static int by_name(const void *a, const void *b)
{
    const host_count *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order ? order : (x->first > y->first) - (x->first < y->first);
}

static int by_first(const void *a, const void *b)
{
    const host_count *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

/* For the JSON, and for what differs between them. */
static void keep_hosts(cm_result *result, const host_count *host, size_t n)
{
    cm_result_hosts_free(&result->hosts);
    result->hosts.host = calloc(n, sizeof *result->hosts.host);
    for (size_t i = 0; result->hosts.host && i < n; i++) {
        result->hosts.host[i].name = cm_result_copy(result, host[i].name);
        result->hosts.host[i].ranks = host[i].ranks;
        if (!result->hosts.host[i].name) return;
        result->hosts.n = i + 1;
    }
    if (!result->hosts.host) result->out_of_memory = true;
}

/* Ranks, hosts, "h1:2 h2:2" in the order of the lowest ranks, and whether a computer has more ranks
   than cores; the cores are those of the host that writes, the others are taken to be like it. */
static void add_hosts(cm_result *result, const char *const *hosts, size_t n_ranks)
{
    host_count *host = malloc(n_ranks * sizeof *host);
    size_t n = 0, most = result->most_ranks, bytes = 1;
    if (!host) {
        result->out_of_memory = true;
        return;
    }
    for (size_t i = 0; i < n_ranks; i++) host[i] = (host_count){hosts[i], i, 1};
    qsort(host, n_ranks, sizeof *host, by_name);
    for (size_t i = 0; i < n_ranks; i++) {
        if (n > 0 && strcmp(host[n - 1].name, host[i].name) == 0) host[n - 1].ranks++;
        else host[n++] = host[i];
    }
    qsort(host, n, sizeof *host, by_first);
    for (size_t i = 0; i < n; i++) {
        bytes += strlen(host[i].name) + 24;
        if (host[i].ranks > most) most = host[i].ranks;
    }
    char *list = malloc(bytes), *out = list;
    if (list) {
        *out = '\0';
        for (size_t i = 0; i < n; i++)
            out += sprintf(out, "%s%s:%zu", i > 0 ? " " : "", host[i].name, host[i].ranks);
        cm_result_meta_number(result, "ranks", (double)n_ranks, "%.0f");
        cm_result_meta_number(result, "hosts", (double)n, "%.0f");
        if (result->computers && result->computers < n)
            cm_result_meta_number(result, "computers", (double)result->computers, "%.0f");
        add_text(result, "ranks_per_host", list);
        /* Ranks that wait for each other hide what others do, so no sample can be called
           undisturbed. */
        result->oversubscribed = most > (size_t)cm_machine_job_cores();
        add_text(result, "oversubscribed", result->oversubscribed ? "yes" : "no");
        keep_hosts(result, host, n);
    } else {
        result->out_of_memory = true;
    }
    free(list);
    free(host);
}

/* A result whose numbers were made worse on purpose says so in a sentence, too. */
static void add_warning(cm_result *result, size_t n_meta)
{
    for (size_t i = 0; i < n_meta; i++)
        if (strcmp(result->record.meta[i].key, "delay_ns") == 0)
            cm_result_comment(result,
                              "messages were delayed on purpose: each by %s ns at its sender "
                              "(CM_DELAY_NS)",
                              result->record.meta[i].value);
}

void cm_result_describe_computers(cm_result *result, size_t computers, size_t most_ranks)
{
    result->computers = computers;
    result->most_ranks = most_ranks;
}

void cm_result_describe_energy(cm_result *result, const char *words) { result->energy = words; }

void cm_result_describe_hosts(cm_result *result, const char *const *descriptions)
{
    result->description = descriptions;
}

/* Values that differ everywhere (interfaces of containers) must not fill pages. */
static void add_differences(cm_result *result)
{
    enum { LINES = 32 };
    const cm_result_hosts *hosts = &result->hosts;
    size_t told = 0;
    for (size_t i = 0; i < hosts->n_differences; i++) {
        const cm_result_difference *d = &hosts->difference[i];
        if (d->values + (d->lacking > 0) < 2 || told++ >= LINES) continue;
        char *line = cm_result_difference_words(hosts, d);
        if (line) add_text(result, "hosts_differ", line);
        else result->out_of_memory = true;
        free(line);
    }
    if (told > LINES) cm_result_meta(result, "hosts_differ", "and %zu more keys", told - LINES);
}

void cm_result_meta_run(cm_result *result, cm_result_describe *backend, const char *const *hosts,
                        size_t n_ranks)
{
    locale_t user = uselocale(result->numbers);
    described nothing_given = {result, 0, false};
    add_build(result);
    if (hosts && n_ranks > 0) add_hosts(result, hosts, n_ranks);
    result->backend = backend;
    if (backend) backend(add_described, &nothing_given);
    described given = {result, result->record.n_meta, false};
    cm_machine_describe(add_described, &given);
    if (result->energy) add_text(result, "energy", result->energy);
    add_warning(result, given.given);
    if (!cm_result_hosts_compare(result, result->description)) result->out_of_memory = true;
    add_differences(result);
    uselocale(user);
}

void cm_result_say_last(cm_result *result)
{
    described nothing_given = {result, 0, true};
    if (result->backend) result->backend(add_described, &nothing_given);
}
