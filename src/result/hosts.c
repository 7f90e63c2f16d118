/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts.c: compares the descriptions of the hosts of a job. */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "result/result_internal.h"

static bool is_one_of(const char *key, const char *const *list)
{
    while (*list && strcmp(*list, key) != 0) list++;
    return *list != NULL;
}

/* These differ between any two hosts, or from one moment to the next. */
static bool is_compared(const char *key)
{
    return strcmp(key, "host") != 0 && !cm_record_is_of_moment(key);
}

/* Hosts with the same memory modules differ by what their kernels keep, and two calibrations of one
   counter by what disturbed them; a missing module is more than 1 %. */
static bool is_amount(const char *key)
{
    static const char *const amounts[] = {"memory_limit_bytes", "tsc_hz", NULL};
    static const char memory[] = "memory_bytes"; /* also that of a NUMA node */
    size_t length = strlen(key), end = sizeof memory - 1;
    return is_one_of(key, amounts) || (length >= end && strcmp(key + length - end, memory) == 0);
}
static const double same_amount = 1.01;

/* Their values are "NAME FIELD=VALUE FIELD=VALUE", and a host has several of them. */
static bool has_fields(const char *key)
{
    static const char *const named[] = {"nic", "infiniband", NULL};
    return is_one_of(key, named);
}

/* ---- Descriptions to facts ------------------------------------------------------------------- */

typedef struct {
    cm_result *result;
    cm_result_fact *fact;
    size_t n, capacity;
} facts;

static void add(facts *all, size_t host, char *key, const char *value, size_t length, bool field)
{
    cm_result_fact fact = {.key = key,
                           .value = strndup(value, length),
                           .host = host,
                           .place = all->n,
                           .is_field = field};
    if (key && fact.value
        && cm_result_grow(all->result, (void **)&all->fact, all->n, &all->capacity, sizeof fact)) {
        cm_result_clean(fact.key);
        cm_result_clean(fact.value);
        all->fact[all->n++] = fact;
        return;
    }
    all->result->out_of_memory = true;
    free(fact.key);
    free(fact.value);
}

static char *joined(const char *key, const char *name, size_t name_length, const char *field,
                    size_t field_length)
{
    char *text = NULL;
    int length = asprintf(&text, "%s %.*s%s%.*s", key, (int)name_length, name,
                          field_length > 0 ? " " : "", (int)field_length, field);
    return length < 0 ? NULL : text;
}

/* The next " FIELD=" of a line, "" at the end of the line. A value may have blanks ("100 Gb/sec (4X
   EDR)"). */
static const char *next_field(const char *at)
{
    for (at += strcspn(at, " "); *at; at += 1 + strcspn(at + 1, " "))
        if (at[1 + strcspn(at + 1, " =")] == '=') break;
    return at;
}

static void add_fields(facts *all, size_t host, const char *key, const char *value)
{
    size_t name = strcspn(value, " ");
    add(all, host, joined(key, value, name, "", 0), "up", 2, false);
    const char *end;
    for (const char *at = next_field(value); *at; at = end) {
        const char *field = at + 1;
        size_t length = strcspn(field, "=");
        end = next_field(field + length);
        add(all, host, joined(key, value, name, field, length), field + length + 1,
            (size_t)(end - field) - length - 1, true);
    }
}

/* Lines "KEY: VALUE". */
static void add_description(facts *all, size_t host, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        char *line = strndup(text, length), *colon = line ? strstr(line, ": ") : NULL;
        if (!line) all->result->out_of_memory = true;
        if (colon) {
            *colon = '\0';
            const char *value = colon + 2;
            if (has_fields(line)) add_fields(all, host, line, value);
            else if (is_compared(line)) add(all, host, strdup(line), value, strlen(value), false);
        }
        free(line);
        text += length + (text[length] == '\n');
    }
}

/* ---- Facts to differences -------------------------------------------------------------------- */

/* A blank sorts before all that a name may have: the fields of a name follow it at once. */
static int by_key_and_host(const void *a, const void *b)
{
    const cm_result_fact *x = a, *y = b;
    int order = strcmp(x->key, y->key);
    if (order == 0) order = (x->host > y->host) - (x->host < y->host);
    return order ? order : (x->place > y->place) - (x->place < y->place);
}

static int by_value(const void *a, const void *b)
{
    const cm_result_fact *x = *(cm_result_fact *const *)a, *y = *(cm_result_fact *const *)b;
    if (!is_amount(x->key)) return strcmp(x->value, y->value);
    double p = strtod(x->value, NULL), q = strtod(y->value, NULL);
    return (p > q) - (p < q);
}

/* Numbers the different values of a key from 1; returns how many there are. */
static size_t number_values(cm_result_fact *fact, size_t n, cm_result_fact **sorted)
{
    size_t values = 0, first = 0;
    for (size_t i = 0; i < n; i++) sorted[i] = &fact[i];
    qsort(sorted, n, sizeof(cm_result_fact *), by_value);
    bool amount = is_amount(fact->key);
    for (size_t i = 0; i < n; i++) {
        bool same = i > 0
                    && (amount ? strtod(sorted[i]->value, NULL)
                                     <= same_amount * strtod(sorted[first]->value, NULL)
                               : strcmp(sorted[i]->value, sorted[first]->value) == 0);
        if (!same) {
            first = i;
            values++;
        }
        sorted[i]->alike = values;
    }
    return values;
}

void cm_result_alike(const cm_result_hosts *hosts, const cm_result_difference *difference,
                     size_t *alike)
{
    const cm_result_difference *whole = difference->whole;
    for (size_t host = 0; host < hosts->n; host++) alike[host] = whole ? CM_RESULT_NOT_ASKED : 0;
    for (size_t i = 0; whole && i < whole->n; i++) alike[whole->fact[i].host] = 0;
    for (size_t i = 0; i < difference->n; i++)
        alike[difference->fact[i].host] = difference->fact[i].alike;
}

/* Values that most hosts have come first. Otherwise a wrong MTU would be lost among interfaces that
   only one host has, such as those of containers. */
static int by_hosts(const void *a, const void *b)
{
    const cm_result_difference *x = a, *y = b;
    if (x->n != y->n) return x->n < y->n ? 1 : -1;
    return (x->fact->place > y->fact->place) - (x->fact->place < y->fact->place);
}

/* One a key, also of those that do not differ: a field's difference points to its name's. */
static bool find_keys(cm_result_hosts *hosts)
{
    hosts->key = calloc(hosts->n_facts, sizeof *hosts->key);
    cm_result_fact **sorted = malloc(hosts->n_facts * sizeof *sorted);
    const cm_result_difference *whole = NULL;
    for (size_t i = 0, n; hosts->key && sorted && i < hosts->n_facts; i += n) {
        cm_result_fact *fact = &hosts->fact[i];
        cm_result_difference *key = &hosts->key[hosts->n_keys++];
        for (n = 1; i + n < hosts->n_facts && strcmp(fact[n].key, fact->key) == 0;) n++;
        if (!fact->is_field) whole = NULL;
        *key = (cm_result_difference){.fact = fact,
                                      .n = n,
                                      .whole = whole,
                                      .lacking = (whole ? whole->n : hosts->n) - n,
                                      .values = number_values(fact, n, sorted)};
        if (!fact->is_field) whole = key;
    }
    free(sorted);
    return hosts->key != NULL && sorted != NULL;
}

/* A description that says one thing twice (it does not) must not count twice. */
static size_t without_repetitions(cm_result_fact *fact, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && fact[kept - 1].host == fact[i].host
            && strcmp(fact[kept - 1].key, fact[i].key) == 0) {
            free(fact[i].key);
            free(fact[i].value);
        } else {
            fact[kept++] = fact[i];
        }
    }
    return kept;
}

static bool find_differences(cm_result_hosts *hosts)
{
    hosts->difference = calloc(hosts->n_keys, sizeof *hosts->difference);
    if (!hosts->difference) return false;
    for (size_t i = 0; i < hosts->n_keys; i++) {
        const cm_result_difference *key = &hosts->key[i];
        /* A field that the first host lacks, because it lacks its name, is the same on all that are
           asked for it: it differs from the first host's, and is nothing to be told. */
        bool first_is_asked = !key->whole || key->whole->fact->host == 0;
        if (key->values > 1 || key->lacking > 0 || !first_is_asked)
            hosts->difference[hosts->n_differences++] = *key;
    }
    qsort(hosts->difference, hosts->n_differences, sizeof *hosts->difference, by_hosts);
    return true;
}

bool cm_result_hosts_compare(cm_result *result, const char *const *description)
{
    cm_result_hosts *hosts = &result->hosts;
    facts all = {.result = result};
    size_t n = 0;
    while (description && description[n]) n++;
    if (n < 2 || n != hosts->n) return true;
    for (size_t host = 0; host < n; host++) add_description(&all, host, description[host]);
    hosts->fact = all.fact;
    hosts->n_facts = all.n;
    if (all.n == 0) return true;
    qsort(hosts->fact, hosts->n_facts, sizeof *hosts->fact, by_key_and_host);
    hosts->n_facts = without_repetitions(hosts->fact, hosts->n_facts);
    return find_keys(hosts) && find_differences(hosts);
}

/* In one difference, host by host; "nan": the host lacks the key. */
static bool keep_difference(cm_result *result, const cm_result_difference *d, size_t *alike)
{
    const cm_result_fact *fact = d->fact, *end = fact + d->n;
    cm_result_alike(&result->hosts, d, alike);
    for (size_t i = 1; i < result->hosts.n; i++) {
        while (fact < end && fact->host < i) fact++;
        if (alike[i] == alike[0] || alike[i] == CM_RESULT_NOT_ASKED) continue;
        const bool there = fact < end && fact->host == i;
        double number;
        if (!cm_reader_differs(
                &result->fill, i, d->fact->key, there ? fact->value : "nan",
                !there || (cm_result_counts(fact->key) && cm_record_number(fact->value, &number))))
            return false;
    }
    return true;
}

bool cm_result_hosts_keep(cm_result *result)
{
    const cm_result_hosts *hosts = &result->hosts;
    size_t *alike = malloc((hosts->n + 1) * sizeof *alike);
    bool fine = alike != NULL;
    for (size_t i = 0; fine && i < hosts->n; i++)
        fine = cm_reader_host(&result->fill, hosts->host[i].name, hosts->host[i].ranks);
    for (size_t k = 0; fine && k < hosts->n_differences; k++)
        fine = keep_difference(result, &hosts->difference[k], alike);
    free(alike);
    return fine;
}

bool cm_result_hosts_range(const cm_result *result, const char *key, double *least, double *most)
{
    const cm_result_hosts *hosts = &result->hosts;
    for (size_t i = 0; i < hosts->n_keys; i++) {
        const cm_result_difference *d = &hosts->key[i];
        if (strcmp(d->fact->key, key) != 0 || d->lacking > 0) continue;
        *least = INFINITY;
        *most = -INFINITY;
        for (size_t k = 0; k < d->n; k++) {
            *least = fmin(*least, strtod(d->fact[k].value, NULL));
            *most = fmax(*most, strtod(d->fact[k].value, NULL));
        }
        return true;
    }
    return false;
}

void cm_result_hosts_free(cm_result_hosts *hosts)
{
    for (size_t i = 0; i < hosts->n_facts; i++)
        free(hosts->fact[i].key), free(hosts->fact[i].value);
    for (size_t i = 0; hosts->host && i < hosts->n; i++) free(hosts->host[i].name);
    free(hosts->fact);
    free(hosts->key);
    free(hosts->difference);
    free(hosts->host);
    *hosts = (cm_result_hosts){0};
}
