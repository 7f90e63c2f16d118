/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts_words.c: says in one line what differs between hosts, in a line that stays short with many
   hosts. */
#include <config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "result/result_internal.h"

enum { NAMES = 3, VALUES = 6 }; /* that a line lists */

typedef struct {
    size_t alike;      /* number of the value; 0: the hosts that do not have the key */
    size_t hosts;      /* that have this value */
    size_t first;      /* of them */
    const char *value; /* its */
} party;

/* The odd ones first. */
static int by_hosts(const void *a, const void *b)
{
    const party *x = a, *y = b;
    if (x->hosts != y->hosts) return x->hosts > y->hosts ? 1 : -1;
    return (x->first > y->first) - (x->first < y->first);
}

/* parties: those of the values 0, 1, ...; returns how many have hosts, sorted. */
static size_t sort_parties(const cm_result_hosts *hosts, const cm_result_difference *d,
                           const size_t *alike, party *parties)
{
    bool is_named = d->n > 0 && strchr(d->fact->key, ' ') && !d->fact->is_field;
    for (size_t i = 0; i <= d->values; i++)
        parties[i] = (party){.alike = i, .value = is_named ? "not up" : "not given"};
    for (size_t i = d->n; i-- > 0;) parties[d->fact[i].alike].value = d->fact[i].value;
    for (size_t host = hosts->n; host-- > 0;) {
        if (alike[host] == CM_RESULT_NOT_ASKED) continue;
        parties[alike[host]].hosts++;
        parties[alike[host]].first = host;
    }
    size_t n = 0;
    for (size_t i = 0; i <= d->values; i++)
        if (parties[i].hosts > 0) parties[n++] = parties[i];
    qsort(parties, n, sizeof *parties, by_hosts);
    return n;
}

/* "VALUE (node1, node2, node4 and 60 others)". */
static void put_party(FILE *line, const cm_result_hosts *hosts, const size_t *alike,
                      const party *one)
{
    /* One more name is shorter than "and 1 other". */
    size_t names = one->hosts == NAMES + 1 ? one->hosts : NAMES, named = 0;
    fprintf(line, "%s (", one->value);
    for (size_t host = one->first; host < hosts->n && named < names; host++)
        if (alike[host] == one->alike)
            fprintf(line, "%s%s", named++ > 0 ? ", " : "", hosts->host[host].name);
    if (one->hosts > named) fprintf(line, " and %zu others", one->hosts - named);
    fputc(')', line);
}

static void put(FILE *line, const cm_result_hosts *hosts, const cm_result_difference *d,
                const size_t *alike, const party *parties, size_t n)
{
    /* If there are very many values, the most frequent one is still listed, because most hosts have
       it. */
    size_t others = n > VALUES ? n - VALUES : 0, on = 0;
    fprintf(line, "%s: ", d->fact->key);
    for (size_t i = 0; i < n; i++) {
        if (others > 0 && i >= VALUES - 1 && i + 1 < n) {
            on += parties[i].hosts;
            continue;
        }
        if (on > 0)
            fprintf(line, "; %zu other value%s on %zu hosts", others, others == 1 ? "" : "s", on);
        on = 0;
        if (i > 0) fputs("; ", line);
        put_party(line, hosts, alike, &parties[i]);
    }
}

/* NULL: out of memory. */
char *cm_result_difference_words(const cm_result_hosts *hosts, const cm_result_difference *d)
{
    size_t *alike = malloc(hosts->n * sizeof *alike), bytes;
    party *parties = malloc((d->values + 1) * sizeof *parties);
    char *text = NULL;
    FILE *line = alike && parties ? open_memstream(&text, &bytes) : NULL;
    if (line) {
        cm_result_alike(hosts, d, alike);
        put(line, hosts, d, alike, parties, sort_parties(hosts, d, alike, parties));
        bool failed = ferror(line);
        if (fclose(line) != 0 || failed) {
            free(text);
            text = NULL;
        }
    }
    free(alike);
    free(parties);
    return text;
}
