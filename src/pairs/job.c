/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c: checks the options and memory, opens the buffers, and lets rank 0 control all ranks. */
#include <stdlib.h>
#include <string.h>
#include "job.h"

static cm_pair_layout layout_of(int64_t upper_bytes)
{
    return (cm_pair_layout){
        .policy = CM_PAIR_REUSED, .upper_bytes = (size_t)upper_bytes, .receives = 1};
}

int cm_pair_check_sizes(const cm_program *program, int64_t lower_bytes, int64_t upper_bytes)
{
    if (upper_bytes >= lower_bytes) return 0;
    return cm_option_error(program,
                           "--upper %lld is below --lower %lld; expected at least the same",
                           (long long)upper_bytes, (long long)lower_bytes);
}

int cm_pair_check_memory(const cm_program *program, const char *upper, int64_t upper_bytes)
{
    const cm_pair_layout layout = layout_of(upper_bytes);
    return cm_run_check_memory(program, cm_pair_buffers_bytes(&layout), upper, "%s %lld", upper,
                               (long long)upper_bytes);
}

int cm_pair_job_check(const cm_program *program, cm_pair_job *job, const char *upper,
                      int64_t upper_bytes)
{
    cm_sampling_check(&job->sampling);
    return cm_pair_check_memory(program, upper, upper_bytes);
}

void cm_pair_job_open(const cm_pair_job *job, const char *upper, int64_t upper_bytes,
                      cm_pair_channel *channel, cm_pairs *pairs)
{
    const cm_pair_layout layout = layout_of(upper_bytes);
    cm_run_require_memory(cm_pair_buffers_bytes(&layout), upper, "%s %lld", upper,
                          (long long)upper_bytes);
    cm_run_bind(job->sampling.bind);
    *channel = (cm_pair_channel){.group = cm_world(),
                                 .integrity = job->integrity,
                                 .peer = -1,
                                 .pairs = pairs,
                                 .conduct = &cm_pairs_conduct};
    if (!cm_pairs_open(pairs, cm_world(), false)
        || !cm_pair_buffers_open(&channel->buffers, &layout))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for buffers of %s %lld bytes", upper,
                 (long long)upper_bytes);
}

void cm_pair_job_close(cm_pair_channel *channel)
{
    cm_pair_look_close(channel);
    cm_pair_buffers_close(&channel->buffers);
    cm_pairs_close(channel->pairs);
}

bool cm_pair_job_goes_on(const cm_pair_channel *channel, bool more)
{
    int32_t answer = more;
    cm_bcast(channel->group, &answer, sizeof answer, CM_PAIR_LEADER, CM_AUTO);
    return answer;
}

static void find_eager(const char *key, const char *value, void *context)
{
    if (strcmp(key, "eager_bytes") == 0) *(int64_t *)context = (int64_t)strtod(value, NULL);
}

int64_t cm_pair_job_eager_bytes(void)
{
    int64_t bytes = -1;
    cm_describe(find_eager, &bytes);
    cm_bcast(cm_world(), &bytes, sizeof bytes, CM_PAIR_LEADER, CM_AUTO);
    return bytes;
}
