/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts_odd.c: which hosts are not as most are. */
#include <config.h>
#include <stdlib.h>
#include <string.h>
#include "result/result_internal.h"

/* Returns the number of the value that more than half of the hosts concerned have, or SIZE_MAX if
   there is none. Also sets the number of these hosts. */
static size_t usual_value(const size_t *alike, size_t hosts, size_t values, size_t *count,
                          size_t *others)
{
    size_t asked = 0, most = 0;
    memset(count, 0, (values + 1) * sizeof *count);
    for (size_t host = 0; host < hosts; host++)
        if (alike[host] != CM_RESULT_NOT_ASKED) {
            count[alike[host]]++;
            asked++;
        }
    for (size_t k = 1; k <= values; k++)
        if (count[k] > count[most]) most = k;
    *others = count[most];
    return 2 * count[most] > asked ? most : SIZE_MAX;
}

static const char *value_of(const cm_result_difference *d, size_t number)
{
    for (size_t k = 0; k < d->n; k++)
        if (d->fact[k].alike == number) return d->fact[k].value;
    return NULL;
}

static bool is_whole_thing(const cm_result_difference *d)
{
    return strchr(d->fact->key, ' ') && !d->fact->is_field;
}

static bool is_compared(const cm_result_difference *d)
{
    return strcmp(d->fact->key, "tsc_hz") != 0;
}

bool cm_result_each_odd(const cm_result *result, cm_result_odd *each, void *context)
{
    const cm_result_hosts *hosts = &result->hosts;
    size_t *alike = malloc((hosts->n + 1) * sizeof *alike), others;
    size_t *count = malloc((hosts->n + 2) * sizeof *count);
    for (size_t k = 0; alike && count && k < hosts->n_differences; k++) {
        const cm_result_difference *d = &hosts->difference[k];
        if (!is_compared(d)) continue;
        cm_result_alike(hosts, d, alike);
        size_t usual = usual_value(alike, hosts->n, d->values, count, &others);
        if (usual == SIZE_MAX || (usual == 0 && is_whole_thing(d))) continue;
        const char *text = value_of(d, usual);
        for (size_t host = 0; host < hosts->n; host++)
            if (alike[host] != usual && alike[host] != CM_RESULT_NOT_ASKED)
                each(host, d->fact->key, value_of(d, alike[host]), text, others, context);
    }
    bool done = alike && count;
    free(alike);
    free(count);
    return done;
}

bool cm_result_each_split(const cm_result *result, cm_result_split *each, void *context)
{
    const cm_result_hosts *hosts = &result->hosts;
    size_t *alike = malloc((hosts->n + 1) * sizeof *alike), others;
    size_t *count = malloc((hosts->n + 2) * sizeof *count);
    bool done = alike && count;
    for (size_t k = 0; done && k < hosts->n_differences; k++) {
        const cm_result_difference *d = &hosts->difference[k];
        if (d->values + (d->lacking > 0) < 2 || !is_compared(d)) continue;
        cm_result_alike(hosts, d, alike);
        if (usual_value(alike, hosts->n, d->values, count, &others) != SIZE_MAX) continue;
        char *words = cm_result_difference_words(hosts, d);
        done = words != NULL;
        if (words) each(d->fact->key, words, context);
        free(words);
    }
    free(alike);
    free(count);
    return done;
}
