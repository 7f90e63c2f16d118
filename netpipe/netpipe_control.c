/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_control.c: rank 0 tells rank 1 what comes next, and hears what rank 1 found wrong. */
#include <string.h>
#include "netpipe.h"

/* ---- What either end does, however it was told ---------------------------------------------- */

/* NULL: nothing to exchange. */
static netpipe_kernel *kernel_of(const netpipe_mode *mode, netpipe_operation operation, bool leads)
{
    switch (operation) {
    case NETPIPE_TRIAL:
        return leads ? mode->lead : mode->follow;
    case NETPIPE_VERIFY:
    case NETPIPE_CHECKED:
        return leads ? mode->lead_checked : mode->follow_checked;
    case NETPIPE_COMPUTE:
        return leads ? mode->lead_compute : mode->follow_compute;
    case NETPIPE_OVERLAP:
        return mode->overlap;
    case NETPIPE_OVERLAP_VERIFY:
        return mode->overlap_checked;
    default:
        return NULL;
    }
}

void netpipe_prepare(netpipe_channel *channel, const netpipe_mode *mode,
                     netpipe_operation operation, int64_t bytes, bool leads)
{
    netpipe_preparation *prepare = leads ? mode->prepare_lead : mode->prepare_follow;
    channel->verifying = operation == NETPIPE_VERIFY || operation == NETPIPE_OVERLAP_VERIFY;
    if (prepare && operation != NETPIPE_COMPUTE && kernel_of(mode, operation, leads))
        prepare(channel, (size_t)bytes);
}

void netpipe_obey(netpipe_channel *channel, const netpipe_mode *mode, netpipe_operation operation,
                  int64_t bytes, int64_t iterations, bool leads)
{
    netpipe_kernel *kernel = kernel_of(mode, operation, leads);
    if (operation == NETPIPE_SIZE) netpipe_buffers_size(&channel->buffers, (size_t)bytes);
    if (operation == NETPIPE_LOAD)
        channel->load = (netpipe_load){.units = iterations, .progress = bytes > 0};
    if (kernel) kernel(channel, (size_t)bytes, iterations);
}

/* ---- One leader, one follower --------------------------------------------------------------- */

/* The follower sends a command back as its answer, which a peer that merely echoes does too; the
   second group of fields is filled in by the follower and zero before. */
typedef struct {
    int64_t operation, bytes, iterations;
    uint64_t sequence;
    netpipe_damage damage;
    netpipe_cpus cpus;
} command;

static command exchange(netpipe_channel *channel, const command *now)
{
    command answer;
    memset(&answer, 0, sizeof answer);
    cm_send(channel->group, now, sizeof *now, channel->peer, NETPIPE_TAG_CONTROL);
    cm_recv(channel->group, &answer, sizeof answer, channel->peer, NETPIPE_TAG_CONTROL, NULL);

    const unsigned char *sent = (const unsigned char *)now, *got = (const unsigned char *)&answer;
    for (size_t i = 0; i < offsetof(command, damage); i++) {
        if (got[i] == sent[i]) continue;
        const netpipe_damage other = {.wrong_bytes = 1,
                                      .first_bytes = sizeof *now,
                                      .first_offset = i,
                                      .first_sequence = channel->sequence,
                                      .expected = sent[i],
                                      .got = got[i]};
        netpipe_damage_add(&channel->damage, &other);
    }
    return answer;
}

static command order(const netpipe_channel *channel, netpipe_operation operation)
{
    command now;
    memset(&now, 0, sizeof now); /* padding travels too */
    now.operation = operation;
    now.sequence = channel->sequence;
    return now;
}

static double tell(netpipe_channel *channel, const netpipe_mode *mode, netpipe_operation operation,
                   int64_t bytes, int64_t iterations)
{
    command now = order(channel, operation);
    now.bytes = bytes;
    now.iterations = iterations;
    netpipe_prepare(channel, mode, operation, bytes, true);
    exchange(channel, &now);

    double begin_s = cm_time();
    netpipe_obey(channel, mode, operation, bytes, iterations, true);
    return cm_time() - begin_s;
}

static void report(netpipe_channel *channel)
{
    command now = order(channel, NETPIPE_REPORT), answer = exchange(channel, &now);
    netpipe_damage_add(&channel->damage, &answer.damage);
}

static void place(netpipe_channel *channel, netpipe_cpus *cpus)
{
    command now = order(channel, NETPIPE_PLACE);
    cpus[NETPIPE_LEADER] = netpipe_own_cpus();
    cpus[NETPIPE_FOLLOWER] = exchange(channel, &now).cpus;
}

const netpipe_conduct netpipe_control = {.command = tell, .report = report, .place = place};

void netpipe_follow(netpipe_channel *channel, const netpipe_mode *mode)
{
    command now;
    do {
        cm_recv(channel->group, &now, sizeof now, channel->peer, NETPIPE_TAG_CONTROL, NULL);
        if (now.operation < 0 || now.operation >= NETPIPE_OPERATIONS || now.bytes < 0
            || (uint64_t)now.bytes > channel->buffers.layout.upper_bytes || now.iterations < 0)
            cm_abort(CM_EXIT_WRONG, "a command arrived damaged: operation %lld, %lld bytes",
                     (long long)now.operation, (long long)now.bytes);
        netpipe_operation operation = (netpipe_operation)now.operation;
        if (operation == NETPIPE_REPORT) {
            channel->damage.rank = cm_rank(channel->group);
            now.damage = channel->damage;
            memset(&channel->damage, 0, sizeof channel->damage);
        }
        if (operation == NETPIPE_PLACE) now.cpus = netpipe_own_cpus();
        channel->sequence = now.sequence;
        netpipe_prepare(channel, mode, operation, now.bytes, false);
        cm_send(channel->group, &now, sizeof now, channel->peer, NETPIPE_TAG_CONTROL);
        netpipe_obey(channel, mode, operation, now.bytes, now.iterations, false);
    } while (now.operation != NETPIPE_QUIT);
}
