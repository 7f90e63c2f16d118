/* SPDX-License-Identifier: BSD-3-Clause */
/* control.c: rank 0 sends rank 1 the next operation, and receives the damage that rank 1 found. */
#include <math.h>
#include <string.h>
#include "pairs/pairs.h"

/* The follower sends each command back as its answer, so that a peer that merely echoes messages
   gives valid answers, too. The last three members are zero until the follower sets them. */
typedef struct {
    int64_t operation, bytes, iterations;
    uint64_t sequence;
    cm_pair_damage damage;
    uint64_t disturbed; /* why the follower's last exchange was disturbed */
    cm_pair_cost cost;  /* of the follower */
} command;

static command exchange(cm_pair_channel *channel, const command *now)
{
    command answer;
    memset(&answer, 0, sizeof answer);
    cm_send(channel->group, now, sizeof *now, channel->peer, CM_PAIR_TAG_CONTROL);
    cm_recv(channel->group, &answer, sizeof answer, channel->peer, CM_PAIR_TAG_CONTROL, NULL);

    const unsigned char *sent = (const unsigned char *)now, *got = (const unsigned char *)&answer;
    for (size_t i = 0; i < offsetof(command, damage); i++) {
        if (got[i] == sent[i]) continue;
        const cm_pair_damage other = {.wrong_bytes = 1,
                                      .first_bytes = sizeof *now,
                                      .first_offset = i,
                                      .first_sequence = channel->sequence,
                                      .expected = sent[i],
                                      .got = got[i]};
        cm_pair_damage_add(&channel->damage, &other);
    }
    /* Bits that stand for no cause mean that the answer arrived damaged. */
    channel->disturbed_before =
        answer.disturbed >> CM_DISTURBED_CAUSES ? 0 : (unsigned)answer.disturbed;
    return answer;
}

static command order(const cm_pair_channel *channel, cm_pair_operation operation)
{
    command now;
    memset(&now, 0, sizeof now); /* because padding is sent, too */
    now.operation = operation;
    now.sequence = channel->sequence;
    return now;
}

static double tell(cm_pair_channel *channel, const cm_pair_mode *mode, cm_pair_operation operation,
                   int64_t bytes, int64_t iterations)
{
    command now = order(channel, operation);
    now.bytes = bytes;
    now.iterations = iterations;
    cm_pair_prepare(channel, mode, operation, bytes, true);
    exchange(channel, &now);

    return cm_pair_obey_at_cost(channel, mode, operation, bytes, iterations, true);
}

static void report(cm_pair_channel *channel)
{
    command now = order(channel, CM_PAIR_REPORT), answer = exchange(channel, &now);
    cm_pair_damage_add(&channel->damage, &answer.damage);
    channel->all_cost = channel->cost;
    channel->cost = (cm_pair_cost){0};
    cm_pair_cost_add(&channel->all_cost, &answer.cost);
}

static void place(cm_pair_channel *channel, cm_machine_cpus *cpus)
{
    command now = order(channel, CM_PAIR_PLACE);
    exchange(channel, &now);
    /* A peer that merely echoes sends the empty set back. */
    cm_machine_cpus *other = &cpus[CM_PAIR_FOLLOWER];
    memset(other, 0, sizeof *other);
    cm_send(channel->group, other, sizeof *other, channel->peer, CM_PAIR_TAG_CONTROL);
    cm_recv(channel->group, other, sizeof *other, channel->peer, CM_PAIR_TAG_CONTROL, NULL);
    cpus[CM_PAIR_LEADER] = cm_pair_own_cpus();
}

static void answer_place(cm_pair_channel *channel)
{
    cm_machine_cpus own;
    cm_recv(channel->group, &own, sizeof own, channel->peer, CM_PAIR_TAG_CONTROL, NULL);
    own = cm_pair_own_cpus();
    cm_send(channel->group, &own, sizeof own, channel->peer, CM_PAIR_TAG_CONTROL);
}

static void look(cm_pair_channel *channel, cm_pair_looked *looked)
{
    command now = order(channel, CM_PAIR_LOOK);
    exchange(channel, &now);
    const double ns = cm_pair_line_look(&channel->line, channel->group, channel->peer, true);
    const int32_t peer = channel->line.page ? channel->line.peer_of_job : -1;
    looked[CM_PAIR_LEADER] = (cm_pair_looked){ns, cm_rank(cm_world()), peer};
    looked[CM_PAIR_FOLLOWER] = (cm_pair_looked){NAN, -1, -1};
}

const cm_pair_conduct cm_pair_control = {
    .command = tell, .report = report, .place = place, .look = look};

void cm_pair_follow(cm_pair_channel *channel, const cm_pair_mode *mode)
{
    command now;
    cm_sample_watch watch;
    cm_sample_watch_open(&watch);
    channel->watch = &watch;
    do {
        cm_recv(channel->group, &now, sizeof now, channel->peer, CM_PAIR_TAG_CONTROL, NULL);
        if (now.operation < 0 || now.operation >= CM_PAIR_OPERATIONS || now.bytes < 0
            || (uint64_t)now.bytes > channel->buffers.layout.upper_bytes || now.iterations < 0)
            cm_abort(CM_EXIT_WRONG, "a command arrived damaged: operation %lld, %lld bytes",
                     (long long)now.operation, (long long)now.bytes);
        cm_pair_operation operation = (cm_pair_operation)now.operation;
        if (operation == CM_PAIR_REPORT) {
            channel->damage.rank = cm_rank(channel->group);
            now.damage = channel->damage;
            memset(&channel->damage, 0, sizeof channel->damage);
            now.cost = channel->cost;
            channel->cost = (cm_pair_cost){0};
        }
        now.disturbed = channel->disturbed;
        channel->disturbed = 0;
        channel->sequence = now.sequence;
        cm_pair_prepare(channel, mode, operation, now.bytes, false);
        cm_send(channel->group, &now, sizeof now, channel->peer, CM_PAIR_TAG_CONTROL);
        if (operation == CM_PAIR_PLACE) answer_place(channel);
        if (operation == CM_PAIR_LOOK)
            cm_pair_line_look(&channel->line, channel->group, channel->peer, false);
        cm_pair_obey_at_cost(channel, mode, operation, now.bytes, now.iterations, false);
    } while (now.operation != CM_PAIR_QUIT);
    channel->watch = NULL;
    cm_sample_watch_close(&watch);
}
