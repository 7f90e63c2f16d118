/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_burn_result.c: what a burn-in showed: each part of each host, and who got slower. */
#include "config.h"
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include "nodes_burn.h"

/* The units of the text and of JSON; of latency the time, not the rate. */
static const struct {
    const char *name, *unit, *format;
    double factor;
} columns[NODES_BURN_KINDS] = {
    [NODES_TRIAD] = {"triad_MB_per_s", "MB/s", "%.5g", 1e-6},
    [NODES_GEMM] = {"gemm_Mflop_per_s", "Mflop/s", "%.5g", 1e-6},
    [NODES_QUIET] = {"quiet", "1", "%.4f", 1},
    [NODES_LATENCY] = {"latency_us", "us", "%.4g", 1e6},
    [NODES_SEND] = {"send_MB_per_s", "MB/s", "%.4g", 1e-6},
    [NODES_RECEIVE] = {"receive_MB_per_s", "MB/s", "%.4g", 1e-6},
    [NODES_BURN_CLOCK] = {"clock_MHz", "MHz", "%.0f", 1e-6},
    [NODES_BURN_TEMPERATURE] = {"temperature_C", "C", "%.1f", 1},
    [NODES_BURN_MOVED] = {"counters_moved", "1", "%.0f", 1},
};

static const char *plural(int n) { return n == 1 ? "" : "s"; }

static double told_value(const nodes_burn *burn, int kind, int host, int part)
{
    const double value = burn->value[kind][(size_t)host * (size_t)burn->stride + (size_t)part];
    if (kind == NODES_BURN_CLOCK && value == 0) return NAN;
    return columns[kind].factor * (kind == NODES_LATENCY ? 1 / value : value);
}

void nodes_burn_samples(cm_result *result, const nodes_burn *burn, int host)
{
    double value[NODES_PARTS];
    cm_result_row_samples(result, "burn_in_minute", "min", (size_t)burn->parts, burn->end_min);
    for (int kind = 0; kind < NODES_BURN_KINDS; kind++) {
        char of[64];
        size_t known = 0;
        for (int part = 0; part < burn->parts; part++) {
            value[part] = told_value(burn, kind, host, part);
            known += !isnan(value[part]);
        }
        snprintf(of, sizeof of, "burn_in_%s", columns[kind].name);
        if (known)
            cm_result_row_samples(result, of, columns[kind].unit, (size_t)burn->parts, value);
    }
}

const char *nodes_burn_part_text(const nodes_burn *burn, int host, int part,
                                 char text[NODES_PART_TEXT])
{
    const size_t size = NODES_PART_TEXT;
    size_t used = (size_t)snprintf(text, size, "part of the burn-in: minute %.4g host %d",
                                   burn->end_min[part], host);
    for (int kind = 0; kind < NODES_BURN_KINDS && used < size; kind++) {
        char number[32];
        /* NOLINTNEXTLINE: one of the formats above */
        snprintf(number, sizeof number, columns[kind].format, told_value(burn, kind, host, part));
        used += (size_t)snprintf(text + used, size - used, " %s %s", columns[kind].name, number);
    }
    return text;
}

/* ---- Each host's state ----------------------------------------------------------------------- */

static void range_of(const nodes_burn *burn, int kind, int host, double *least, double *most)
{
    *least = *most = NAN;
    for (int part = 0; part < burn->parts; part++) {
        *least = fmin(*least, told_value(burn, kind, host, part));
        *most = fmax(*most, told_value(burn, kind, host, part));
    }
}

static void range_words(const nodes_burn *burn, int kind, int host, const char *unit, char text[64])
{
    double least, most;
    range_of(burn, kind, host, &least, &most);
    if (isnan(least)) snprintf(text, 64, "not readable");
    else snprintf(text, 64, "%.4g to %.4g %s", least, most, unit);
}

/* "host in the burn-in: n3: temperature 45 to 81 C, clock 2400 to 3000 MHz, counters moved in 2 of
   48 parts, first by minute 12.5". */
static void tell_state(cm_result *result, const nodes_burn *burn, int host, const char *name)
{
    char temperature[64], clock[64], first[64] = "";
    int moved = 0;
    range_words(burn, NODES_BURN_TEMPERATURE, host, "C", temperature);
    range_words(burn, NODES_BURN_CLOCK, host, "MHz", clock);
    for (int part = 0; part < burn->parts; part++) {
        if (!(told_value(burn, NODES_BURN_MOVED, host, part) > 0)) continue;
        if (moved++ == 0)
            snprintf(first, sizeof first, ", first by minute %.3g", burn->end_min[part]);
    }
    cm_result_comment(
        result,
        "host in the burn-in: %s: temperature %s, clock %s, counters of errors moved in %d of %d "
        "part%s%s",
        name, temperature, clock, moved, burn->parts, plural(burn->parts), first);
}

/* ---- Who got slower -------------------------------------------------------------------------- */

static const char *const words[NODES_RATES] = {
    [NODES_TRIAD] = "triad",          [NODES_GEMM] = "matrix product",
    [NODES_QUIET] = "fixed work",     [NODES_LATENCY] = "rate of short messages",
    [NODES_SEND] = "rate of sending", [NODES_RECEIVE] = "rate of receiving",
};

static const char *quantity_of(int kind, char text[64])
{
    snprintf(text, 64, "%s_over_time", nodes_names[kind]);
    return text;
}

static void tell_fall(cm_result *result, const nodes_burn *burn, const nodes_drift *drift,
                      const nodes_fall *fall, const char *name)
{
    char quantity[64], when[64];
    const cm_finding finding = {
        .who = name,
        .what = CM_FINDING_STANDS_OUT,
        .quantity = {.name = quantity_of(fall->kind, quantity), .value = fall->ratio, .unit = "1"},
        .bound = drift->bound[fall->kind]};
    if (fall->steady) snprintf(when, sizeof when, "steadily, over %.3g minutes", burn->minutes);
    else
        snprintf(when, sizeof when, "at minute %.3g",
                 fall->part > 0 ? burn->end_min[fall->part - 1] : 0);
    cm_result_finding(result, &finding,
                      "got slower: %s fell to %.2g of what it was, %s (%.3g deviations; "
                      "threshold %.3g)",
                      words[fall->kind], fall->ratio, when, fall->z, drift->limit);
}

static int hosts_of(const nodes_drift *drift)
{
    int hosts = 0;
    for (int k = 0; k < drift->falls; k++) {
        bool again = false;
        for (int before = 0; before < k; before++)
            again = again || drift->fall[before].host == drift->fall[k].host;
        hosts += !again;
    }
    return hosts;
}

/* Writes the smallest fall that could have been detected. Returns false if not even a fall to half
   could have been detected in some kind. */
static bool tell_bounds(cm_result *result, const nodes_burn *burn, const nodes_drift *drift)
{
    bool told = true;
    for (int kind = 0; kind < NODES_RATES; kind++) {
        char quantity[64];
        const bool blind = drift->bound[kind] < 0.5;
        const cm_finding finding = {.what = blind ? CM_FINDING_CANNOT_TELL : CM_FINDING_LIMIT,
                                    .quantity = {.name = quantity_of(kind, quantity), .value = NAN},
                                    .bound = drift->bound[kind]};
        if (isnan(drift->bound[kind])) continue;
        told = told && !blind;
        if (blind)
            cm_result_finding(result, &finding,
                              "in a burn-in of %.3g minutes no fall to half would have been seen "
                              "of: %s",
                              burn->minutes, words[kind]);
        else
            cm_result_finding(result, &finding,
                              "a host whose %s fell in the middle of the burn-in to below %.2g",
                              words[kind], drift->bound[kind]);
    }
    return told;
}

static void tell_all(cm_result *result, const nodes_drift *drift)
{
    for (int kind = 0; kind < NODES_RATES; kind++)
        if (!isnan(drift->all[kind]))
            cm_result_comment(
                result,
                "%s of the median host in the last quarter of the burn-in: %.3g of the "
                "first",
                words[kind], drift->all[kind]);
}

static void tell_length(cm_result *result, const nodes_burn *burn, const nodes_options *options)
{
    const cm_finding covered = {
        .what = CM_FINDING_BURN_IN,
        .quantity = {.name = "burn_in_minutes", .value = burn->minutes, .unit = "min"},
        .bound = options->minutes};
    cm_result_finding(result, &covered, "%.3g minutes, %d round%s in %d part%s%s", burn->minutes,
                      burn->rounds, plural(burn->rounds), burn->parts, plural(burn->parts),
                      burn->signal == SIGINT    ? "; SIGINT ended it"
                      : burn->signal == SIGTERM ? "; SIGTERM ended it"
                                                : "");
}

int nodes_burn_tell(cm_result *result, const nodes_burn *burn, const nodes_options *options,
                    const char *const *name, bool *told)
{
    nodes_drift drift;
    const double limit = nodes_drift_limit(burn->hosts, burn->parts, options->false_alarms);
    if (!nodes_drift_find(burn->hosts, burn->parts, burn->value, limit, &drift))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the burn-in of %d hosts", burn->hosts);
    for (int host = 0; host < burn->hosts; host++)
        for (int part = 0; part < burn->parts; part++) {
            char text[NODES_PART_TEXT];
            cm_result_comment(result, "%s", nodes_burn_part_text(burn, host, part, text));
        }
    for (int host = 0; host < burn->hosts; host++) tell_state(result, burn, host, name[host]);
    tell_length(result, burn, options);
    if (burn->parts < NODES_FEWEST_PARTS)
        cm_result_finding(result, &(cm_finding){.what = CM_FINDING_CANNOT_TELL},
                          "who got slower: %d part%s of a burn-in, expected %d or more",
                          burn->parts, plural(burn->parts), NODES_FEWEST_PARTS);
    for (int k = 0; k < drift.falls; k++)
        tell_fall(result, burn, &drift, &drift.fall[k], name[drift.fall[k].host]);
    tell_all(result, &drift);
    *told = tell_bounds(result, burn, &drift) && burn->parts >= NODES_FEWEST_PARTS;
    const int hosts = hosts_of(&drift);
    nodes_drift_free(&drift);
    return hosts;
}
