/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion_check.c: the lists of victims and aggressors, and their memory. */
#include <string.h>
#include "congestion.h"

/* Sets chosen[k] for the names of the list, from names[first] on. Returns false if a word of the
   list is none of them. */
static bool choose(const char *list, const char *const *names, int first, bool *chosen)
{
    bool all = strcmp(list, "all") == 0;
    for (int k = first; names[k]; k++) chosen[k] = all;
    while (!all && list) {
        size_t n = strcspn(list, ",");
        int k = first;
        while (names[k] && !(strlen(names[k]) == n && memcmp(names[k], list, n) == 0)) k++;
        if (!names[k]) return false;
        chosen[k] = true;
        list = list[n] ? list + n + 1 : NULL;
    }
    return true;
}

/* An option that no victim and no placement uses is refused. */
static int check_used(const cm_program *program, const congestion_options *o)
{
    const bool latency = o->victim[CONGESTION_PINGPONG] || o->victim[CONGESTION_ALLREDUCE];
    if (o->placement == CONGESTION_ALTERNATE && o->seed >= 0)
        return cm_option_error(program,
                               "--seed %lld: needs --placement random, this is --placement "
                               "alternate, which draws nothing",
                               (long long)o->seed);
    if (!latency && o->size_bytes > 0)
        return cm_option_error(program,
                               "--size %lld: needs --victims pingpong, allreduce or all, this is "
                               "--victims %s",
                               (long long)o->size_bytes, o->victims_text);
    if (!o->victim[CONGESTION_BANDWIDTH] && o->bandwidth_bytes > 0)
        return cm_option_error(program,
                               "--bandwidth-size %lld: needs --victims bandwidth or all, this is "
                               "--victims %s",
                               (long long)o->bandwidth_bytes, o->victims_text);
    if (!o->victim[CONGESTION_BANDWIDTH] && o->window > 0)
        return cm_option_error(program,
                               "--window %lld: needs --victims bandwidth or all, this is "
                               "--victims %s",
                               (long long)o->window, o->victims_text);
    return 0;
}

static void set_defaults(congestion_options *o)
{
    if (o->seed < 0) o->seed = 1;
    if (o->size_bytes == 0) o->size_bytes = 8;
    if (o->bandwidth_bytes == 0) o->bandwidth_bytes = 128 << 10;
    if (o->window == 0) o->window = 8;
}

int congestion_check(const cm_program *program, void *given)
{
    congestion_options *o = given;
    if (!choose(o->victims_text, congestion_victim_names, 0, o->victim))
        return cm_option_error(program,
                               "--victims %s: expected all, or a list of pingpong, allreduce, "
                               "bandwidth, separated by commas",
                               o->victims_text);
    if (!choose(o->aggressors_text, congestion_load_names, CONGESTION_ALONE + 1, o->load))
        return cm_option_error(program,
                               "--aggressors %s: expected all, or a list of alltoall, incast, "
                               "broadcast, separated by commas",
                               o->aggressors_text);
    o->load[CONGESTION_ALONE] = true;
    if (o->sampling.rule.time_limit_s <= 0)
        return cm_option_error(program, "--time-limit 0: expected a time above 0, in seconds");
    int status = check_used(program, o);
    if (status) return status;
    set_defaults(o);
    status = cm_run_check_memory(program, congestion_victim_bytes(o), "--bandwidth-size",
                                 "--bandwidth-size %lld with --window %lld",
                                 (long long)o->bandwidth_bytes, (long long)o->window);
    if (status) return status;
    return cm_run_check_memory(program, congestion_load_bytes(o, CONGESTION_LEAST_OF_A_KIND),
                               "--load-size", "--load-size %lld", (long long)o->load_bytes);
}
