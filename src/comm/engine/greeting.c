/* SPDX-License-Identifier: BSD-3-Clause */
/* greeting.c: the first data on a connection. Nothing after it is read before the peer has proved
   itself. */
#include "config.h"
#include <string.h>
#include "comm/engine/cards.h"
#include "comm/engine/engine.h"
#include "comm/engine/transport.h"

void cm_greeting_write(cm_wire_greeting *greeting, int peer, int rail, cm_auth_role role,
                       const unsigned char *own_nonce, const unsigned char *peer_nonce)
{
    cm_auth_claim claim = {role, engine.rank, peer, own_nonce, peer_nonce, rail};
    memset(greeting, 0, sizeof *greeting);
    memcpy(greeting->magic, CM_WIRE_MAGIC, sizeof greeting->magic);
    greeting->version = CM_WIRE_VERSION;
    greeting->rank = (uint32_t)engine.rank;
    greeting->size = (uint32_t)engine.size;
    greeting->rail = (uint32_t)rail;
    memcpy(greeting->nonce, own_nonce, CM_NONCE_BYTES);
    if (!cm_auth_prove(engine.secret, &claim, greeting->proof))
        cm_engine_fail(peer, "libcrypto refuses HMAC-SHA256, by which ranks prove their identity");
}

static bool of_this_job(const cm_wire_greeting *greeting)
{
    return memcmp(greeting->magic, CM_WIRE_MAGIC, sizeof greeting->magic) == 0
           && greeting->version == CM_WIRE_VERSION && greeting->size == (uint32_t)engine.size
           && greeting->rank < greeting->size && greeting->rank != (uint32_t)engine.rank
           && (greeting->rail & ~(uint32_t)CM_WIRE_CROSSED) < (uint32_t)engine.rails;
}

/* Written at once, so that nothing of the queue to this rank can come in between. The lane's buffer
   is empty, so only a signal or the like can make a second write necessary. */
static bool write_whole(cm_lane *lane, const cm_wire_greeting *greeting)
{
    const double end_s = cm_engine_now() + engine.environment.timeout_s;
    for (size_t sent = 0; sent < sizeof *greeting;) {
        struct iovec part = {(char *)greeting + sent, sizeof *greeting - sent};
        ssize_t written = cm_lane_write(lane, &part, 1);
        if (written < 0 || (written == 0 && cm_engine_now() > end_s)) return false;
        sent += (size_t)written;
    }
    return true;
}

/* Two ranks connected to each other at the same time. Both have written on their own connection, so
   the higher rank says on its own one when it changes to the other (CM_WIRE_MOVED), and the lower
   rank does not read there before. It learns of the crossing from the higher rank's connection or
   from its answer, whichever comes first. */
static void settle_crossing(int rank, cm_rail *rail, int number)
{
    if (engine.rank > rank) cm_send_move(rank, number);
    else rail->tx->held = true;
}

/* Handles the greeting of a rank that connected to this one: verifies and answers it, and assigns
   the lane to that rank. Refuses a rank that counts as failed, because operations that waited for
   it have been told so. */
static bool take_from_stranger(cm_lane *lane, const cm_wire_greeting *greeting)
{
    int rank = (int)greeting->rank;
    if (greeting->rail & CM_WIRE_CROSSED) return false; /* this is no answer */
    cm_peer *peer = &engine.peer[rank];
    cm_rail *rail = &peer->rail[greeting->rail];
    cm_auth_claim claim = {CM_ROLE_CONNECTS, rank,         engine.rank,
                           greeting->nonce,  engine.nonce, (int)greeting->rail};
    if (rail->accepted || peer->state == CM_PEER_GONE
        || !cm_auth_verify(engine.secret, &claim, greeting->proof))
        return false;
    cm_wire_greeting answer;
    const bool crossed = rail->tx != NULL;
    cm_greeting_write(&answer, rank, claim.rail | (crossed ? CM_WIRE_CROSSED : 0), CM_ROLE_ACCEPTS,
                      engine.nonce, greeting->nonce);
    if (!write_whole(lane, &answer)) return false;
    cm_cards_need(rank); /* lines about it name its host */
    rail->accepted = lane->proven = true;
    lane->peer = rank;
    lane->rail = claim.rail;
    rail->rx = lane;
    if (crossed) settle_crossing(rank, rail, lane->rail);
    else rail->tx = lane;
    return true;
}

/* Handles the answer of the rank that this one connected to. A wrong answer means that the rank is
   lost. */
static bool take_answer(cm_lane *lane, const cm_wire_greeting *greeting)
{
    cm_peer *peer = &engine.peer[lane->peer];
    cm_auth_claim claim = {CM_ROLE_ACCEPTS, lane->peer,  engine.rank,
                           peer->nonce,     lane->nonce, (int)greeting->rail};
    const bool crossed = greeting->rail & CM_WIRE_CROSSED;
    if (greeting->rank != (uint32_t)lane->peer
        || (greeting->rail & ~(uint32_t)CM_WIRE_CROSSED) != (uint32_t)lane->rail
        || !cm_auth_verify(engine.secret, &claim, greeting->proof)) {
        cm_failure_lose(lane->peer,
                        "the process at its address (%s) could not prove its identity%s",
                        peer->card, cm_rail_name(lane->rail));
        return false;
    }
    lane->proven = true;
    if (crossed && engine.rank < lane->peer) lane->held = !peer->rail[lane->rail].moved;
    return true;
}

/* Refuses data from the other end that is not a greeting of this job. Returns false. */
static bool refuse(const cm_lane *lane)
{
    if (lane->peer >= 0)
        cm_failure_lose(lane->peer, "the process at its address (%s) does not belong to this job%s",
                        engine.peer[lane->peer].card, cm_rail_name(lane->rail));
    return false;
}

bool cm_greeting_begins(const cm_lane *lane, const char *bytes, size_t n)
{
    const size_t magic_bytes = sizeof CM_WIRE_MAGIC - 1;
    return memcmp(bytes, CM_WIRE_MAGIC, n < magic_bytes ? n : magic_bytes) == 0 || refuse(lane);
}

bool cm_greeting_take(cm_lane *lane, const cm_wire_greeting *greeting)
{
    if (!of_this_job(greeting)) return refuse(lane);
    return lane->peer < 0 ? take_from_stranger(lane, greeting) : take_answer(lane, greeting);
}
