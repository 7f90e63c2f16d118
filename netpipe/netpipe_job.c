/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_job.c: sampling as the options want it, memory, buffers, and all ranks led by rank 0. */
#include <stdlib.h>
#include <string.h>
#include "netpipe_job.h"

static netpipe_layout layout_of(int64_t upper_bytes)
{
    return (netpipe_layout){
        .policy = NETPIPE_REUSED, .upper_bytes = (size_t)upper_bytes, .receives = 1};
}

int netpipe_job_check(const cm_program *program, netpipe_job *job, const char *upper,
                      int64_t upper_bytes)
{
    cm_stop_rule *rule = &job->sampling.rule;
    rule->most = (size_t)job->most_trials;
    if (rule->least > rule->most) rule->least = rule->most;
    const netpipe_layout layout = layout_of(upper_bytes);
    return cm_run_check_memory(program, netpipe_buffers_bytes(&layout), upper, "%s %lld", upper,
                               (long long)upper_bytes);
}

void netpipe_job_open(const netpipe_job *job, const char *upper, int64_t upper_bytes,
                      netpipe_channel *channel, netpipe_pairs *pairs)
{
    const netpipe_layout layout = layout_of(upper_bytes);
    cm_run_require_memory(netpipe_buffers_bytes(&layout), upper, "%s %lld", upper,
                          (long long)upper_bytes);
    if (job->bind) cm_run_bind();
    *channel = (netpipe_channel){
        .group = cm_world(), .peer = -1, .pairs = pairs, .conduct = &netpipe_pairs_conduct};
    if (!netpipe_pairs_open(pairs, cm_world(), false)
        || !netpipe_buffers_open(&channel->buffers, &layout))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for buffers of %s %lld bytes", upper,
                 (long long)upper_bytes);
}

void netpipe_job_close(netpipe_channel *channel)
{
    netpipe_buffers_close(&channel->buffers);
    netpipe_pairs_close(channel->pairs);
}

bool netpipe_job_goes_on(const netpipe_channel *channel, bool more)
{
    int32_t answer = more;
    cm_bcast(channel->group, &answer, sizeof answer, NETPIPE_LEADER, CM_AUTO);
    return answer;
}

static void find_eager(const char *key, const char *value, void *context)
{
    if (strcmp(key, "eager_bytes") == 0) *(int64_t *)context = (int64_t)strtod(value, NULL);
}

int64_t netpipe_job_eager_bytes(void)
{
    int64_t bytes = -1;
    cm_describe(find_eager, &bytes);
    cm_bcast(cm_world(), &bytes, sizeof bytes, NETPIPE_LEADER, CM_AUTO);
    return bytes;
}
