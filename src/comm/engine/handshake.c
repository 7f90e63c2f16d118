/* SPDX-License-Identifier: BSD-3-Clause */
/* handshake.c: the first data on a connection. Nothing after it is read before the peer has proved
   itself. */
#include "config.h"
#include <string.h>
#include "comm/engine/cards.h"
#include "comm/engine/engine.h"
#include "comm/engine/transport.h"

void cm_handshake_write(cm_wire_handshake *handshake, int peer, int rail, cm_auth_role role,
                        const unsigned char *own_nonce, const unsigned char *peer_nonce)
{
    cm_auth_claim claim = {role, engine.rank, peer, own_nonce, peer_nonce, rail};
    memset(handshake, 0, sizeof *handshake);
    memcpy(handshake->magic, CM_WIRE_MAGIC, sizeof handshake->magic);
    handshake->version = CM_WIRE_VERSION;
    handshake->rank = (uint32_t)engine.rank;
    handshake->size = (uint32_t)engine.size;
    handshake->rail = (uint32_t)rail;
    memcpy(handshake->nonce, own_nonce, CM_NONCE_BYTES);
    if (!cm_auth_prove(engine.secret, &claim, handshake->proof))
        cm_engine_fail(peer, "libcrypto refuses HMAC-SHA256, by which ranks prove their identity");
}

static bool of_this_job(const cm_wire_handshake *handshake)
{
    return memcmp(handshake->magic, CM_WIRE_MAGIC, sizeof handshake->magic) == 0
           && handshake->version == CM_WIRE_VERSION && handshake->size == (uint32_t)engine.size
           && handshake->rank < handshake->size && handshake->rank != (uint32_t)engine.rank
           && (handshake->rail & ~(uint32_t)CM_WIRE_CROSSED) < (uint32_t)engine.rails;
}

/* Written at once, so that nothing of the queue to this rank can come in between. The lane's buffer
   is empty, so only a signal or the like can make a second write necessary. */
static bool write_whole(cm_lane *lane, const cm_wire_handshake *handshake)
{
    const double end_s = cm_engine_now() + engine.environment.timeout_s;
    for (size_t sent = 0; sent < sizeof *handshake;) {
        struct iovec part = {(char *)handshake + sent, sizeof *handshake - sent};
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

/* Handles the handshake of a rank that connected to this one: verifies and answers it, and assigns
   the lane to that rank. Refuses a rank that counts as failed, because operations that waited for
   it have been told so. */
static bool take_from_stranger(cm_lane *lane, const cm_wire_handshake *handshake)
{
    int rank = (int)handshake->rank;
    if (handshake->rail & CM_WIRE_CROSSED) return false; /* this is no answer */
    cm_peer *peer = &engine.peer[rank];
    cm_rail *rail = &peer->rail[handshake->rail];
    cm_auth_claim claim = {CM_ROLE_CONNECTS, rank,         engine.rank,
                           handshake->nonce, engine.nonce, (int)handshake->rail};
    if (rail->accepted || peer->state == CM_PEER_GONE
        || !cm_auth_verify(engine.secret, &claim, handshake->proof))
        return false;
    cm_wire_handshake answer;
    const bool crossed = rail->tx != NULL;
    cm_handshake_write(&answer, rank, claim.rail | (crossed ? CM_WIRE_CROSSED : 0), CM_ROLE_ACCEPTS,
                       engine.nonce, handshake->nonce);
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
static bool take_answer(cm_lane *lane, const cm_wire_handshake *handshake)
{
    cm_peer *peer = &engine.peer[lane->peer];
    cm_auth_claim claim = {CM_ROLE_ACCEPTS, lane->peer,  engine.rank,
                           peer->nonce,     lane->nonce, (int)handshake->rail};
    const bool crossed = handshake->rail & CM_WIRE_CROSSED;
    if (handshake->rank != (uint32_t)lane->peer
        || (handshake->rail & ~(uint32_t)CM_WIRE_CROSSED) != (uint32_t)lane->rail
        || !cm_auth_verify(engine.secret, &claim, handshake->proof)) {
        cm_failure_lose(lane->peer,
                        "the process at its address (%s) could not prove its identity%s",
                        peer->card, cm_rail_name(lane->rail));
        return false;
    }
    lane->proven = true;
    lane->leaves = crossed && engine.rank > lane->peer;
    if (crossed && engine.rank < lane->peer) lane->held = !peer->rail[lane->rail].moved;
    return true;
}

/* Refuses data from the other end that is not a handshake of this job. Returns false. */
static bool refuse(const cm_lane *lane)
{
    if (lane->peer >= 0)
        cm_failure_lose(lane->peer, "the process at its address (%s) does not belong to this job%s",
                        engine.peer[lane->peer].card, cm_rail_name(lane->rail));
    return false;
}

bool cm_handshake_begins(const cm_lane *lane, const char *bytes, size_t n)
{
    const size_t magic_bytes = sizeof CM_WIRE_MAGIC - 1;
    return memcmp(bytes, CM_WIRE_MAGIC, n < magic_bytes ? n : magic_bytes) == 0 || refuse(lane);
}

bool cm_handshake_take(cm_lane *lane, const cm_wire_handshake *handshake)
{
    if (!of_this_job(handshake)) return refuse(lane);
    return lane->peer < 0 ? take_from_stranger(lane, handshake) : take_answer(lane, handshake);
}
