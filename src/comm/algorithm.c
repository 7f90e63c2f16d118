/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithm.c: the collective algorithms by name, and the combinations that exist. */
#include <stdio.h>
#include <string.h>
#include "comm/collective.h"

#define ROW(kind, builders, name, counts, least, properties) \
    [CM_KIND_##kind] = {name, CM_COUNTS_##counts, least, properties, cm_##builders##_builders},
static const struct {
    const char *name;
    cm_algorithm_counts counts;
    int least, properties;
    const cm_algorithm_entry *entry;
} kinds[CM_KINDS] = {CM_ALGORITHM_LIST(ROW)};

static const char *const collectives[CM_COLLECTIVES] = {
    [CM_COLLECTIVE_BARRIER] = "barrier",
    [CM_COLLECTIVE_BCAST] = "bcast",
    [CM_COLLECTIVE_REDUCE] = "reduce",
    [CM_COLLECTIVE_ALLREDUCE] = "allreduce",
    [CM_COLLECTIVE_SCAN] = "scan",
    [CM_COLLECTIVE_GATHER] = "gather",
    [CM_COLLECTIVE_GATHERV] = "gatherv",
    [CM_COLLECTIVE_SCATTER] = "scatter",
    [CM_COLLECTIVE_SCATTERV] = "scatterv",
    [CM_COLLECTIVE_ALLGATHER] = "allgather",
    [CM_COLLECTIVE_ALLGATHERV] = "allgatherv",
    [CM_COLLECTIVE_ALLTOALL] = "alltoall",
    [CM_COLLECTIVE_ALLTOALLV] = "alltoallv",
    [CM_COLLECTIVE_REDUCE_SCATTER] = "reduce_scatter",
};

/* Parses a whole number without blanks or a sign, which strtoll would accept. */
static bool parse_parameter(const char *text, int64_t *parameter)
{
    int64_t value = 0;
    if (!*text) return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9') return false;
        if (__builtin_mul_overflow(value, 10, &value)) return false;
        if (__builtin_add_overflow(value, *text - '0', &value)) return false;
    }
    *parameter = value;
    return true;
}

bool cm_algorithm_parse(const char *text, cm_algorithm *algorithm)
{
    if (!text) return false;
    const size_t length = strcspn(text, ":");
    for (int kind = 0; kind < CM_KINDS; kind++) {
        if (strlen(kinds[kind].name) != length || memcmp(kinds[kind].name, text, length)) continue;
        int64_t parameter = 0;
        if (kinds[kind].counts == CM_COUNTS_NOTHING
                ? text[length] != '\0'
                : text[length] != ':' || !parse_parameter(text + length + 1, &parameter)
                      || parameter < kinds[kind].least)
            return false;
        *algorithm = CM_ALGORITHM(kind, parameter);
        return true;
    }
    return false;
}

const char *cm_algorithm_name(cm_algorithm algorithm)
{
    const int kind = algorithm.kind;
    return kind >= 0 && kind < CM_KINDS ? kinds[kind].name : "unknown";
}

void cm_algorithm_text(cm_algorithm algorithm, char *text, size_t capacity)
{
    if (cm_algorithm_parameter(algorithm.kind) != CM_COUNTS_NOTHING)
        snprintf(text, capacity, "%s:%lld", cm_algorithm_name(algorithm),
                 (long long)algorithm.parameter);
    else snprintf(text, capacity, "%s", cm_algorithm_name(algorithm));
}

cm_algorithm_counts cm_algorithm_parameter(int kind)
{
    return kind >= 0 && kind < CM_KINDS ? kinds[kind].counts : CM_COUNTS_NOTHING;
}

bool cm_algorithm_has(int kind, int property)
{
    return kind >= 0 && kind < CM_KINDS && (kinds[kind].properties & property);
}

const char *cm_collective_name(cm_collective collective)
{
    return (unsigned)collective < CM_COLLECTIVES ? collectives[collective] : "unknown";
}

cm_builder *cm_algorithm_builder(cm_collective collective, cm_algorithm algorithm)
{
    const int kind = algorithm.kind;
    if ((unsigned)collective >= CM_COLLECTIVES || kind < 0 || kind >= CM_KINDS) return NULL;
    if (kind == CM_KIND_AUTO || kind == CM_KIND_NATIVE) return cm_linear_builders[collective].build;
    if (algorithm.parameter < kinds[kind].least) return NULL;
    return kinds[kind].entry[collective].build;
}

bool cm_algorithm_available(cm_collective collective, cm_algorithm algorithm)
{
    return cm_algorithm_builder(collective, algorithm) != NULL;
}

void cm_algorithm_refuse(cm_collective collective, cm_algorithm algorithm)
{
    const int kind = algorithm.kind;
    char available[160] = "";
    for (int k = 0; k < CM_KINDS; k++) {
        if (!cm_algorithm_available(collective, CM_ALGORITHM(k, 1))) continue;
        const size_t n = strlen(available);
        snprintf(available + n, sizeof available - n, "%s%s", n ? ", " : "", kinds[k].name);
    }
    if (kind < 0 || kind >= CM_KINDS)
        cm_abort(CM_EXIT_USAGE, "cm_%s: %d is not the number of an algorithm; available: %s",
                 cm_collective_name(collective), kind, available);
    if (kinds[kind].entry[collective].build)
        cm_abort(CM_EXIT_USAGE, "cm_%s: algorithm %s:%lld: expected a parameter of at least %d",
                 cm_collective_name(collective), kinds[kind].name, (long long)algorithm.parameter,
                 kinds[kind].least);
    const char *reason = kinds[kind].entry[collective].reason;
    cm_abort(CM_EXIT_USAGE, "cm_%s: algorithm '%s'%s%s%s is not available; available: %s",
             cm_collective_name(collective), kinds[kind].name, reason ? " (" : "",
             reason ? reason : "", reason ? ")" : "", available);
}
