/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_control.c: rank 0 tells rank 1 what comes next, and hears what rank 1 found wrong. */
#include <string.h>
#include "netpipe.h"

/* The follower sends a command back as its answer, which a peer that merely echoes does too; the
   second group of fields is filled in by the follower and zero before. */
typedef struct {
    int64_t operation, bytes, iterations;
    uint64_t sequence;
    netpipe_damage damage;
    netpipe_cpus cpus;
} command;

/* How the two ends do each operation; NULL: nothing to exchange. */
static netpipe_kernel *kernel_of(const netpipe_mode *mode, int64_t operation, bool leads)
{
    switch (operation) {
    case NETPIPE_TRIAL: return leads ? mode->lead : mode->follow;
    case NETPIPE_VERIFY:
    case NETPIPE_CHECKED: return leads ? mode->lead_checked : mode->follow_checked;
    default: return NULL;
    }
}

static void obey(netpipe_channel *channel, const netpipe_mode *mode, const command *now, bool leads)
{
    netpipe_kernel *kernel = kernel_of(mode, now->operation, leads);
    if (now->operation == NETPIPE_SIZE) netpipe_buffers_size(&channel->buffers, (size_t)now->bytes);
    channel->verifying = now->operation == NETPIPE_VERIFY;
    if (kernel) kernel(channel, (size_t)now->bytes, now->iterations);
}

static command exchange(netpipe_channel *channel, const command *now)
{
    command answer;
    memset(&answer, 0, sizeof answer);
    cm_send(channel->group, now, sizeof *now, channel->peer, NETPIPE_TAG_CONTROL);
    cm_recv(channel->group, &answer, sizeof answer, channel->peer, NETPIPE_TAG_CONTROL, NULL);

    const unsigned char *sent = (const unsigned char *)now, *got = (const unsigned char *)&answer;
    netpipe_damage *damage = &channel->damage;
    for (size_t i = 0; i < offsetof(command, damage); i++) {
        if (got[i] == sent[i]) continue;
        if (damage->wrong_bytes++ == 0) {
            *damage = (netpipe_damage){.wrong_bytes = 1, .first_bytes = sizeof *now,
                                       .first_offset = i, .first_sequence = channel->sequence,
                                       .expected = sent[i], .got = got[i]};
        }
    }
    return answer;
}

double netpipe_command(netpipe_channel *channel, const netpipe_mode *mode,
                       netpipe_operation operation, int64_t bytes, int64_t iterations)
{
    command now;
    memset(&now, 0, sizeof now);   /* padding travels too */
    now.operation = operation;
    now.bytes = bytes;
    now.iterations = iterations;
    now.sequence = channel->sequence;
    exchange(channel, &now);

    double begin_s = cm_time();
    obey(channel, mode, &now, true);
    return cm_time() - begin_s;
}

uint64_t netpipe_report(netpipe_channel *channel)
{
    command now;
    memset(&now, 0, sizeof now);
    now.operation = NETPIPE_REPORT;
    now.sequence = channel->sequence;
    command answer = exchange(channel, &now);

    netpipe_damage *damage = &channel->damage;
    uint64_t all = damage->wrong_bytes + answer.damage.wrong_bytes;
    if (damage->wrong_bytes == 0) *damage = answer.damage;
    damage->wrong_bytes = all;
    return all;
}

netpipe_cpus netpipe_follower_cpus(netpipe_channel *channel)
{
    command now;
    memset(&now, 0, sizeof now);
    now.operation = NETPIPE_PLACE;
    now.sequence = channel->sequence;
    return exchange(channel, &now).cpus;
}

void netpipe_follow(netpipe_channel *channel, const netpipe_mode *mode)
{
    command now;
    do {
        cm_recv(channel->group, &now, sizeof now, channel->peer, NETPIPE_TAG_CONTROL, NULL);
        if (now.operation < 0 || now.operation >= NETPIPE_OPERATIONS || now.bytes < 0
            || now.iterations < 0
            || (now.bytes > 0
                && netpipe_buffers_bytes(channel->buffers.policy, (size_t)now.bytes)
                       > channel->buffers.memory_bytes))
            cm_abort(CM_EXIT_WRONG, "a command arrived damaged: operation %lld, %lld bytes",
                     (long long)now.operation, (long long)now.bytes);
        if (now.operation == NETPIPE_REPORT) {
            now.damage = channel->damage;
            memset(&channel->damage, 0, sizeof channel->damage);
        }
        if (now.operation == NETPIPE_PLACE) now.cpus = netpipe_own_cpus();
        cm_send(channel->group, &now, sizeof now, channel->peer, NETPIPE_TAG_CONTROL);
        channel->sequence = now.sequence;
        obey(channel, mode, &now, false);
    } while (now.operation != NETPIPE_QUIT);
}
