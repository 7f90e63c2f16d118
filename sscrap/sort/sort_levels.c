/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_levels.c: two levels, for many processes: keys go to groups of about sqrt(p) processes
   first, and each group then divides them among its processes, so that no process has samples or
   counts of all (M. Axtmann, T. Bingmann, P. Sanders, C. Schulz: Practical massively parallel
   sorting. SPAA 2015: AMS-sort with two levels). Five supersteps precede the three of the groups:
   samples to process 0; its splitters to all; counts to the first process of each group; from there
   to each process the place of its keys among those of the group; keys to groups. All processes of
   a group receive as many keys. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sort_state.h"

static int first_of(const sort_state *s, int group)
{
    return (int)sscrap_first(s->all.p, s->level.groups, group);
}

static int members(const sort_state *s, int group)
{
    return first_of(s, group + 1) - first_of(s, group);
}

static void enter(sort_state *s, const sort_scope *scope, int base, int parts)
{
    s->p = scope->p;
    s->pid = scope->pid;
    s->base = base;
    s->n = scope->n;
    s->own = scope->own;
    s->first = scope->first;
    s->spare = s->capacity - s->own;
    s->parts = parts;
}

void sort_among_all(sort_state *s)
{
    enter(s, &s->all, 0, s->levels == 2 ? sort_groups(s->all.p) : s->all.p);
}

void sort_first_begin(sort_state *s)
{
    sort_first_level *level = &s->level;
    int p = s->all.p, groups = sort_groups(p);
    level->groups = groups;
    while (first_of(s, level->group + 1) <= s->all.pid) level->group++;
    level->samples = sort_first_samples(s->options, s->all.n, p);
    level->counts = sscrap_memory((size_t)p * sizeof *level->counts);
    level->target = sscrap_memory((size_t)groups * sizeof *level->target);
    level->again = sscrap_memory((size_t)groups * sizeof *level->again);
    bsp_push_reg64(s->splitter, (size_t)(groups - 1) * sizeof *s->splitter);
    bsp_push_reg64(level->counts, (size_t)p * sizeof *level->counts);
    bsp_push_reg64(level->target, (size_t)groups * sizeof *level->target);
    bsp_push_reg64(level->again, (size_t)groups * sizeof *level->again);
}

void sort_first_end(sort_state *s)
{
    bsp_pop_reg(s->splitter);
    bsp_pop_reg(s->level.counts);
    bsp_pop_reg(s->level.target);
    bsp_pop_reg(s->level.again);
}

void sort_first_free(sort_state *s)
{
    free(s->level.counts);
    free(s->level.target);
    free(s->level.again);
}

/* ---- Keys to groups ------------------------------------------------------------------------- */

static void choose_splitters(sort_state *s, int attempt)
{
    int64_t samples = s->level.samples;
    size_t bytes = (size_t)samples * sizeof *s->sample;
    cm_bsp_name("sample1");
    sort_draw(s, attempt, samples, s->sample);
    if (s->pid != 0) bsp_hpput64(0, s->sample, s->sample, (size_t)s->pid * bytes, bytes);
    bsp_sync();
    cm_bsp_name("splitters");
    if (s->pid == 0) {
        sort_choose_splitters(s, samples * s->p);
        for (int pid = 1; pid < s->p; pid++)
            bsp_put64(pid, s->splitter, s->splitter, 0,
                      (size_t)(s->parts - 1) * sizeof *s->splitter);
    }
    bsp_sync();
}

/* On the first process of a group: tells all processes where their keys begin. */
static void tell_targets(sort_state *s)
{
    struct sort_target target = {0, 0};
    size_t at = (size_t)s->level.group * sizeof target;
    for (int pid = 0; pid < s->p; pid++) target.all += s->level.counts[pid];
    for (int pid = 0; pid < s->p; pid++) {
        bsp_put64(pid, &target, s->level.target, at, sizeof target);
        target.first += s->level.counts[pid];
    }
}

/* Returns true if no group has more keys than its bound. Where keys are dealt out, each process
   draws samples of its own keys (sort_deal_share), so it must have one. */
static bool balanced(const sort_state *s)
{
    for (int group = 0; group < s->level.groups; group++) {
        double q = members(s, group), all = (double)s->level.target[group].all;
        if (all > sort_bound(2) * (double)s->n / s->p * q + q) return false;
        if (s->way == SORT_DEALT && all < q) return false;
    }
    return true;
}

/* Groups the keys in the result's memory, keys[group] of each. */
static void group_keys(sort_state *s, const int64_t *keys)
{
    int64_t at[s->parts], next = 0;
    for (int group = 0; group < s->parts; next += keys[group++]) at[group] = next;
    for (int64_t from = 0, to; from < s->own; from = to) {
        to = sort_limits_from(s, from);
        s->k->scatter(sort_key_at(s, s->in, from), to - from, s->limit, s->limits, s->out, at);
    }
}

static void send_to_group(sort_state *s, int group, unsigned char *keys, int64_t n)
{
    struct sort_target target = s->level.target[group];
    int q = members(s, group);
    int64_t from = target.first, to = from + n;
    for (int member = 0; member < q; member++) {
        int64_t begin = sscrap_first(target.all, q, member);
        int64_t end = sscrap_first(target.all, q, member + 1);
        if (end <= from || begin >= to) continue;
        int64_t low = begin > from ? begin : from, high = end < to ? end : to;
        bsp_hpput64(first_of(s, group) + member, sort_key_at(s, keys, low - from), s->in,
                    (size_t)(low - begin) * s->k->bytes, (size_t)(high - low) * s->k->bytes);
    }
}

static void to_groups(sort_state *s)
{
    int64_t keys[s->parts], next = 0;
    int attempt = 0;
    do {
        sort_check_attempt(attempt);
        choose_splitters(s, attempt++);
        cm_bsp_name("count1");
        sort_cost(s->own, s->parts);
        sort_count_here(s, keys);
        for (int group = 0; group < s->parts; group++)
            bsp_put64(first_of(s, group), &keys[group], s->level.counts,
                      (size_t)s->pid * sizeof *keys, sizeof *keys);
        bsp_sync();
        cm_bsp_name("places");
        if (s->pid == first_of(s, s->level.group)) tell_targets(s);
        group_keys(s, keys);
        bsp_sync();
    } while (!balanced(s));
    cm_bsp_name("to_groups");
    for (int group = 0; group < s->parts; next += keys[group++])
        send_to_group(s, group, sort_key_at(s, s->out, next), keys[group]);
    bsp_sync();
}

/* ---- Within groups -------------------------------------------------------------------------- */

static void enter_group(sort_state *s)
{
    int group = s->level.group, base = first_of(s, group);
    sort_scope scope = {.p = members(s, group), .pid = s->all.pid - base};
    scope.n = s->level.target[group].all;
    scope.first = sscrap_first(scope.n, scope.p, scope.pid);
    scope.own = sscrap_first(scope.n, scope.p, scope.pid + 1) - scope.first;
    enter(s, &scope, base, scope.p);
}

/* All processes learn of a group that must try again, and wait for it. */
void sort_divide_twice(sort_state *s)
{
    bool fits = false, again = true;
    memset(s->level.again, 0, (size_t)s->level.groups * sizeof *s->level.again);
    to_groups(s);
    enter_group(s);
    for (int64_t attempt = 1; again; attempt++) {
        sort_check_attempt((int)attempt - 1);
        if (fits) {
            bsp_sync();
            bsp_sync();
        } else {
            sort_sample_all(s, (int)attempt - 1);
            fits = sort_count(s);
            if (fits) sort_exchange(s);
            else if (s->pid == 0)
                for (int pid = 0; pid < s->all.p; pid++)
                    bsp_put64(pid, &attempt, s->level.again,
                              (size_t)s->level.group * sizeof attempt, sizeof attempt);
        }
        bsp_sync();
        again = false;
        for (int group = 0; group < s->level.groups; group++)
            again = again || s->level.again[group] == attempt;
    }
}
