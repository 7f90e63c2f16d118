/* SPDX-License-Identifier: BSD-3-Clause */
/* write.c: writes into a result where the ranks run, what a sample is, and any damage. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "write.h"
#include "result/finding.h"
#include "run/run.h"

/* Two ranks have one key each. More ranks have a list in a single key. */
static void write_cpus(cm_result *result, int ranks, const cm_machine_cpus *cpus)
{
    enum { ONE = 256 };
    char text[ONE], key[32];
    if (ranks == CM_PAIR_RANKS) {
        for (int rank = 0; rank < ranks; rank++) {
            snprintf(key, sizeof key, "cpus_of_rank_%d", rank);
            cm_result_meta(result, key, "%s", cm_machine_cpus_text(&cpus[rank], text, sizeof text));
        }
        return;
    }
    size_t capacity = (size_t)ranks * ONE, used = 0;
    char *list = malloc(capacity);
    if (!list) cm_abort(CM_EXIT_SYSTEM, "out of memory for the processors of %d ranks", ranks);
    for (int rank = 0; rank < ranks; rank++)
        used += (size_t)snprintf(list + used, capacity - used, "%s%s", rank ? " " : "",
                                 cm_machine_cpus_text(&cpus[rank], text, sizeof text));
    cm_result_meta(result, "cpus_of_ranks", "%s", list);
    free(list);
}

void cm_pair_write_first_distances(cm_result *result, const cm_pair_distances_said *said)
{
    if (said->pairs == 0) return;
    cm_result_meta_number(result, "pair_distance_ns", said->most_ns, "%.4g");
    if (said->pairs > 1)
        cm_result_meta_number(result, "pair_distance_least_ns", said->least_ns, "%.4g");
}

/* value: the last distance, or the greatest of several pairs. */
static cm_finding finding_of(const char *what, double value, double low, double high, double bound)
{
    return (cm_finding){.what = what,
                        .quantity = {.name = "pair_distance_ns",
                                     .value = value,
                                     .low = low,
                                     .high = high,
                                     .unit = "ns"},
                        .bound = bound};
}

static void write_one(cm_result *result, const cm_distance *d)
{
    const cm_finding finding =
        finding_of(CM_FINDING_DISTANCE, d->now_ns, d->least_ns, d->most_ns, d->first_ns);
    cm_result_finding(result, &finding,
                      "a flag takes %.3g ns from core to core at first and %.3g ns at last; %.3g "
                      "to %.3g ns in %zu looks",
                      d->first_ns, d->now_ns, d->least_ns, d->most_ns, d->looks);
}

static void write_several(cm_result *result, const cm_pair_distances_said *said)
{
    const cm_finding finding =
        finding_of(CM_FINDING_DISTANCE, said->most_ns, said->least_ns, said->most_ns, 0);
    cm_result_finding(result, &finding,
                      "a flag takes %.3g to %.3g ns from core to core at last, in %zu pairs within "
                      "a host",
                      said->least_ns, said->most_ns, said->pairs);
}

static void write_changed(cm_result *result, const cm_pair_distances_said *said)
{
    char who[64], others[64] = "";
    cm_finding finding = finding_of(CM_FINDING_DISTANCE_CHANGED, said->to_ns, 0, 0, said->from_ns);
    snprintf(who, sizeof who, "ranks %d and %d", said->changed_rank, said->changed_peer);
    if (said->changed > 1)
        snprintf(others, sizeof others, "; %zu pairs' distances changed", said->changed);
    finding.who = who;
    cm_result_finding(result, &finding,
                      "the pair's distance changed from %.3g to %.3g ns within this launch%s",
                      said->from_ns, said->to_ns, others);
}

void cm_pair_write_distances(cm_result *result, const cm_pair_distances_said *said)
{
    if (said->pairs == 1) write_one(result, &said->one);
    if (said->pairs > 1) write_several(result, said);
    if (said->changed > 0) write_changed(result, said);
}

void cm_pair_write_place(cm_result *result, cm_pair_channel *channel, int bind)
{
    int ranks = cm_size(cm_world());
    cm_run_meta(result);
    cm_machine_cpus *cpus = calloc((size_t)ranks, sizeof *cpus);
    if (!cpus) cm_abort(CM_EXIT_SYSTEM, "out of memory for the processors of %d ranks", ranks);
    channel->conduct->place(channel, cpus);
    write_cpus(result, ranks, cpus);
    cm_run_meta_bound(result, bind);
    /* The key oversubscribed covers more ranks than cores. This one covers ranks that are bound to
       the same cores although there are others. */
    cm_result_meta(result, "core_shared", "%s",
                   cm_pair_cores_shared(cm_world(), cpus) ? "yes" : "no");
    free(cpus);
    cm_pair_look(channel);
    const cm_pair_distances_said said = cm_pair_distances_say(channel);
    cm_pair_write_first_distances(result, &said);
}

void cm_pair_write_sampling(cm_result *result, const cm_sampling *sampling, bool integrity,
                            const char *sample)
{
    cm_sample_meta(result, sampling, sample);
    cm_result_meta(result, "timing", "%s",
                   integrity ? "includes filling and checking every message (--integrity)"
                             : "messages only; each size verified beforehand, untimed");
}

static void write_damage(cm_result *result, const cm_pair_damage *damage)
{
    char what[128];
    if (damage->expected == damage->got)
        snprintf(what, sizeof what, "%llu bytes arrived", (unsigned long long)damage->first_offset);
    else
        snprintf(what, sizeof what, "first wrong byte at offset %llu: expected 0x%02x, got 0x%02x",
                 (unsigned long long)damage->first_offset, damage->expected, damage->got);
    cm_result_comment(result,
                      "wrong data: message %llu of size %llu bytes at rank %d, %s; stopped "
                      "there",
                      (unsigned long long)damage->first_sequence,
                      (unsigned long long)damage->first_bytes, (int)damage->rank, what);
}

bool cm_pair_write_check(cm_result *result, const cm_pair_damage *damage, const char *metric)
{
    bool right = damage->wrong_bytes == 0;
    if (!right) write_damage(result, damage);
    cm_result_check(result, "wrong_bytes", (double)damage->wrong_bytes, "==", 0);
    if (!right) cm_result_metric(result, false, metric, cm_quantity_of(NAN));
    return right;
}
