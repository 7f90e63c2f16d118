/* SPDX-License-Identifier: BSD-3-Clause */
/* key.c: keys of the metadata. */
#include <config.h>
#include <string.h>
#include "result/read_internal.h"
#include "result/result_internal.h"

bool cm_reader_is_key(const char *text, size_t length)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    static const char others[] = "abcdefghijklmnopqrstuvwxyz0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return length > 0 && text[0] && strchr(first, text[0]) && strspn(text, others) == length;
}

/* By its unit, not by its value: a host may be called "12", and a binding be "0" here and "0-3"
   there. */
bool cm_result_counts(const char *key)
{
    static const char *const whole[] = {"cores", "threads", "numa_nodes", "cpu_quota"};
    static const char *const end[] = {"_bytes", "_s", "_us", "_ns", "_hz", "_threads"};
    size_t length = strlen(key);
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        if (strcmp(key, whole[i]) == 0) return true;
    for (size_t i = 0; i < sizeof end / sizeof end[0]; i++)
        if (length > strlen(end[i]) && strcmp(key + length - strlen(end[i]), end[i]) == 0)
            return true;
    return false;
}

bool cm_result_comes_last(const char *key)
{
    static const char *const keys[] = {"copy", "copy_refused", "copy_ways",
                                       "unexpected_bytes_most"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(key, keys[i]) == 0) return true;
    return false;
}

bool cm_record_is_of_moment(const char *key)
{
    static const char *const keys[] = {
        "memory_free_bytes",     "copy_ways",          "unexpected_bytes_most",
        "clock_cost_s",          "clock_resolution_s", "core_clock_hz",
        "core_peak_flop_per_s",  "core_peak_from",     "core_single_peak_flop_per_s",
        "flop_per_cycle",        "fma_flop_per_s",     "fma_set",
        "fma_single_flop_per_s", "fma_units",          "fma_units_from",
        "vector_bits",           "pair_distance_ns",   "pair_distance_least_ns"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(key, keys[i]) == 0) return true;
    return false;
}
