/* SPDX-License-Identifier: BSD-3-Clause */
/* greeting.c: the first words on a connection. Nothing that follows is read before they are
   proved. */
#include "config.h"
#include <string.h>
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
        cm_engine_fail(peer, "libcrypto refuses HMAC-SHA256, by which ranks prove who they are");
}

static bool of_this_job(const cm_wire_greeting *greeting)
{
    return memcmp(greeting->magic, CM_WIRE_MAGIC, sizeof greeting->magic) == 0
           && greeting->version == CM_WIRE_VERSION && greeting->size == (uint32_t)engine.size
           && greeting->rank < greeting->size && greeting->rank != (uint32_t)engine.rank
           && greeting->rail < (uint32_t)engine.rails;
}

/* All of it now, so that nothing of the queue to this rank can come between: the lane's buffer is
   empty, and only a signal or the like can make this take a second write. */
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

/* From one who connected here: verified, answered, and from now on that rank's lane. Not from one
   that counts as failed: what waited for it has been told. */
static bool take_from_stranger(cm_lane *lane, const cm_wire_greeting *greeting)
{
    int rank = (int)greeting->rank;
    cm_peer *peer = &engine.peer[rank];
    cm_rail *rail = &peer->rail[greeting->rail];
    cm_auth_claim claim = {CM_ROLE_CONNECTS, rank,         engine.rank,
                           greeting->nonce,  engine.nonce, (int)greeting->rail};
    if (rail->accepted || peer->state == CM_PEER_GONE
        || !cm_auth_verify(engine.secret, &claim, greeting->proof))
        return false;
    cm_wire_greeting answer;
    cm_greeting_write(&answer, rank, claim.rail, CM_ROLE_ACCEPTS, engine.nonce, greeting->nonce);
    if (!write_whole(lane, &answer)) return false;
    rail->accepted = lane->proven = true;
    lane->peer = rank;
    lane->rail = claim.rail;
    rail->rx = lane;
    if (!rail->tx) rail->tx = lane;
    return true;
}

/* From the one this rank connected to. Whoever answers wrongly there, the rank is lost. */
static bool take_answer(cm_lane *lane, const cm_wire_greeting *greeting)
{
    cm_peer *peer = &engine.peer[lane->peer];
    cm_auth_claim claim = {CM_ROLE_ACCEPTS, lane->peer,  engine.rank,
                           peer->nonce,     lane->nonce, lane->rail};
    if (greeting->rank != (uint32_t)lane->peer || greeting->rail != (uint32_t)lane->rail
        || !cm_auth_verify(engine.secret, &claim, greeting->proof)) {
        cm_failure_lose(lane->peer, "whoever listens at its address (%s) cannot prove to be it%s",
                        peer->card, cm_rail_name(lane->rail));
        return false;
    }
    lane->proven = true;
    return true;
}

/* What the other end of this lane says is no greeting of this job. False. */
static bool refuse(const cm_lane *lane)
{
    if (lane->peer >= 0)
        cm_failure_lose(lane->peer, "whoever listens at its address (%s) is not of this job%s",
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
