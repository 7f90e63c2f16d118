/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_method.c: which method ranks a list. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "listrank.h"

static const char *const names[] = {[LISTRANK_COPIES] = "copies",
                                    [LISTRANK_RUNS] = "runs",
                                    [LISTRANK_RULERS] = "rulers",
                                    [LISTRANK_TOKENS] = "tokens"};
enum { METHODS = LISTRANK_METHODS - 1 };

/* The fastest come first (doc/listrank.texi). On several hosts that depends on the network, so
   trials decide there. */
static const int on_one_host[METHODS] = {LISTRANK_COPIES, LISTRANK_RUNS, LISTRANK_TOKENS,
                                         LISTRANK_RULERS};
static const int of_many[METHODS] = {LISTRANK_RULERS, LISTRANK_TOKENS, LISTRANK_COPIES,
                                     LISTRANK_RUNS};
static const int on_several[METHODS] = {LISTRANK_RUNS, LISTRANK_TOKENS, LISTRANK_RULERS,
                                        LISTRANK_COPIES};

const char *listrank_method_name(int method) { return names[method]; }

bool listrank_is_short(const listrank_options *options, int64_t n)
{
    return listrank_fits(n,
                         (uint64_t)n * (options->distance == LISTRANK_UNIT ? 1 : LISTRANK_JITTER));
}

static bool can(const listrank_options *options, int method, int64_t n, int p)
{
    if (method == LISTRANK_COPIES)
        return p <= LISTRANK_MOST_COPIES && listrank_is_short(options, n);
    if (method == LISTRANK_RUNS) return p == 2;
    return method != LISTRANK_AUTO;
}

double listrank_method_bytes(const listrank_options *options, int method, int64_t n, int p)
{
    int64_t own = (n + p - 1) / p;
    double beyond = method == LISTRANK_COPIES ? listrank_copy_bytes(n, own, p)
                    : method == LISTRANK_RUNS ? listrank_pair_bytes(own)
                    : method == LISTRANK_RULERS
                        ? listrank_by_rulers_bytes(n, p)
                        : listrank_by_tokens_bytes(n, p, listrank_is_short(options, n));
    return (double)sizeof(listrank_node) * (double)own + beyond;
}

static bool fits(const listrank_options *options, int method, int64_t n, int p)
{
    const listrank_place *place = &options->place;
    int here = place->here > 0 && place->here < p ? place->here : p;
    return place->free_bytes <= 0
           || listrank_method_bytes(options, method, n, p) * here <= place->free_bytes;
}

bool listrank_method_usable(const listrank_options *options, int method, int64_t n, int p)
{
    return can(options, method, n, p) && fits(options, method, n, p);
}

/* Trials of more processes tell nothing of two, which have a method of their own. */
static bool is_tried(const listrank_options *options, int p, bool one_host)
{
    return !one_host && options->place.tried && (p > 2 || options->place.processes == 2);
}

static double tried_s(const listrank_options *options, int method)
{
    double s = options->place.tried_s[method];
    return s > 0 ? s : INFINITY;
}

static void set_order(const listrank_options *options, int p, bool one_host, int *order)
{
    memcpy(order,
           !one_host                  ? on_several
           : p > LISTRANK_MOST_COPIES ? of_many
                                      : on_one_host,
           sizeof on_several);
    if (!is_tried(options, p, one_host)) return;
    for (int k = 1; k < METHODS; k++) {
        int method = order[k], j = k;
        for (; j > 0 && tried_s(options, method) < tried_s(options, order[j - 1]); j--)
            order[j] = order[j - 1];
        order[j] = method;
    }
}

/* Returns the first method that can be used, or, if only is true, the first of those that fit;
   LISTRANK_AUTO if none does. */
static int first_of(const listrank_options *options, const int *order, int64_t n, int p,
                    bool only_fitting)
{
    for (int k = 0; k < METHODS; k++)
        if (can(options, order[k], n, p) && (!only_fitting || fits(options, order[k], n, p)))
            return order[k];
    return LISTRANK_AUTO;
}

int listrank_method_of(const listrank_options *options, int64_t n, int p, bool one_host)
{
    if (p == 1) return LISTRANK_TOKENS;
    if (can(options, options->method, n, p)) return options->method;
    int order[METHODS];
    set_order(options, p, one_host, order);
    int method = first_of(options, order, n, p, true);
    if (method != LISTRANK_AUTO) return method;
    for (int k = 0; k < METHODS; k++)
        if (can(options, order[k], n, p)
            && (method == LISTRANK_AUTO
                || listrank_method_bytes(options, order[k], n, p)
                       < listrank_method_bytes(options, method, n, p)))
            method = order[k];
    return method;
}

/* The time of each method that was tried, the fastest first. */
static void tell_trials(const listrank_options *options, char *text, size_t room)
{
    const listrank_place *place = &options->place;
    int order[METHODS];
    set_order(options, place->processes, false, order);
    size_t used = (size_t)snprintf(
        text, room, "fastest in trials with %lld nodes (ms:", (long long)place->tried);
    for (int k = 0; k < METHODS && used < room; k++)
        if (place->tried_s[order[k]] > 0)
            used += (size_t)snprintf(text + used, room - used, " %s %.3g", names[order[k]],
                                     1e3 * place->tried_s[order[k]]);
    if (used < room) snprintf(text + used, room - used, ")");
}

void listrank_method_tell(const listrank_options *options, char *text, size_t room)
{
    const listrank_place *place = &options->place;
    int64_t n = options->job.size;
    int p = place->processes, method = listrank_method_of(options, n, p, place->one_host);
    listrank_options unlimited = *options;
    unlimited.place.free_bytes = 0;
    int wanted = listrank_method_of(&unlimited, n, p, place->one_host);
    const char *by = options->method == LISTRANK_AUTO ? "auto: " : "", *why = "several hosts";
    char trials[160];
    if (p == 1) snprintf(text, room, "%sone process alone", by);
    else if (options->method == method) snprintf(text, room, "%s", names[method]);
    else if (method != wanted)
        snprintf(
            text, room,
            "%s%s: %s take %.0f bytes on each of %d processes, but %.0f are free on a computer", by,
            names[method], names[wanted], listrank_method_bytes(options, wanted, n, p), p,
            place->free_bytes);
    else if (options->method == LISTRANK_COPIES)
        snprintf(text, room, "%s: copies are for up to %d processes and words of four bytes",
                 names[method], LISTRANK_MOST_COPIES);
    else if (options->method == LISTRANK_RUNS)
        snprintf(text, room, "%s: runs are for two processes", names[method]);
    else {
        if (place->one_host)
            why = p > LISTRANK_MOST_COPIES              ? "one host, more than 8 processes"
                  : can(options, LISTRANK_COPIES, n, p) ? "one host, up to 8 processes"
                                                        : "one host, words of eight bytes";
        else if (place->tried) {
            tell_trials(options, trials, sizeof trials);
            why = trials;
        }
        snprintf(text, room, "auto: %s: %s", names[method], why);
    }
}
