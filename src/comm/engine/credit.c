/* SPDX-License-Identifier: BSD-3-Clause */
/* credit.c: how much of this rank's pool for unexpected messages each peer may fill. A peer's share
   of the pool is the credit that it may still use, what is held of its messages, and what it is
   owed for messages that were taken. The shares and the free rest make up the pool, so no pattern
   of messages can need more memory. Every peer starts with an equal share of half the pool. A peer
   that runs out of credit announces its message without payload; its share is then doubled as long
   as it stays below FAIR times the rest. It shrinks again when that rest has become smaller, so
   that the shares of n busy peers approach FAIR / (1 + FAIR n) of what idle ones leave; if it is
   used up, a peer that has more than twice as much is asked for the credit that it does not need
   (Choudhury and Hahne, Dynamic queue length thresholds for shared-memory packet switches, IEEE/ACM
   Transactions on Networking 6, 1998). */
#include "config.h"
#include "comm/engine/credit.h"
#include "comm/engine/engine.h"

enum { FAIR = 8 };

static size_t least(size_t a, size_t b) { return a < b ? a : b; }
static size_t most(size_t a, size_t b) { return a > b ? a : b; }

size_t cm_credit_at_start(void)
{
    const size_t pool = engine.environment.pool_bytes, peers = (size_t)engine.size - 1;
    return peers > 1 ? pool / 2 / peers : pool;
}

void cm_credit_open(void)
{
    engine.window = cm_credit_at_start();
    engine.pool_free = engine.environment.pool_bytes;
    for (int rank = 0; rank < engine.size; rank++) {
        if (rank == engine.rank) continue;
        engine.peer[rank].granted = engine.window;
        engine.pool_free -= engine.window;
    }
}

static size_t share(const cm_peer *peer) { return peer->granted + peer->held + peer->owed; }

static void grant(int rank)
{
    cm_peer *peer = &engine.peer[rank];
    cm_wire_header header = {.kind = CM_WIRE_CREDIT, .bytes = peer->owed};
    if (!peer->owed) return;
    peer->granted += peer->owed;
    peer->owed = 0;
    cm_send_header(rank, 0, &header);
}

/* Credit goes back in large amounts. What a share is too large by goes back to the pool. */
static void owe(int rank, size_t cost)
{
    cm_peer *peer = &engine.peer[rank];
    peer->owed += cost;
    const size_t all = share(peer), fair = most(engine.window, FAIR * engine.pool_free);
    if (peer->owed < all / 2) return;
    const size_t excess = all > fair ? least(all - fair, peer->owed) : 0;
    peer->owed -= excess;
    engine.pool_free += excess;
    grant(rank);
}

void cm_credit_use(int rank, size_t bytes, bool kept)
{
    cm_peer *peer = &engine.peer[rank];
    const size_t cost = bytes + CM_ENVELOPE_BYTES;
    if (cost > peer->granted)
        cm_engine_fail(rank, "sent %zu bytes unasked, beyond its credit of %zu bytes", bytes,
                       peer->granted);
    peer->granted -= cost;
    if (!kept) {
        owe(rank, cost);
        return;
    }
    peer->held += cost;
    engine.kept_bytes += cost;
    if (engine.kept_bytes > engine.kept_most) engine.kept_most = engine.kept_bytes;
}

void cm_credit_drop(int rank, size_t bytes)
{
    const size_t cost = bytes + CM_ENVELOPE_BYTES;
    engine.peer[rank].held -= cost;
    engine.kept_bytes -= cost;
    engine.pool_free += cost;
}

void cm_credit_return(int rank, size_t bytes)
{
    const size_t cost = bytes + CM_ENVELOPE_BYTES;
    cm_credit_drop(rank, bytes);
    if (engine.peer[rank].state == CM_PEER_GONE) return;
    engine.pool_free -= cost;
    owe(rank, cost);
}

/* Asks the peer with the largest share for half of what it has more than this one. Looking through
   all peers costs as much as `size` messages, so it is done no more often. */
static void recall(int rank)
{
    int richest = rank;
    if (++engine.asked_in_vain < engine.size) return;
    engine.asked_in_vain = 0;
    for (int other = 0; other < engine.size; other++)
        if (share(&engine.peer[other]) > share(&engine.peer[richest])) richest = other;
    cm_peer *peer = &engine.peer[richest];
    const size_t theirs = share(peer), ours = share(&engine.peer[rank]);
    if (theirs / 2 <= ours || peer->recalled || peer->state != CM_PEER_HERE) return;
    cm_wire_header header = {.kind = CM_WIRE_RECALL, .bytes = (theirs - ours) / 2};
    peer->recalled = true;
    cm_send_header(richest, 0, &header);
}

void cm_credit_give_up(int rank, size_t bytes)
{
    cm_peer *peer = &engine.peer[rank];
    cm_wire_header header = {.kind = CM_WIRE_RELEASE, .bytes = least(bytes, peer->credit)};
    peer->credit -= header.bytes;
    cm_send_header(rank, 0, &header);
}

bool cm_credit_take_back(int rank, size_t bytes)
{
    cm_peer *peer = &engine.peer[rank];
    if (!peer->recalled || bytes > peer->granted) return false;
    peer->recalled = false;
    peer->granted -= bytes;
    engine.pool_free += bytes;
    return true;
}

void cm_credit_ask(int rank, size_t bytes)
{
    cm_peer *peer = &engine.peer[rank];
    const size_t ahead = engine.environment.ahead.bytes;
    if (bytes > engine.eager_most && !ahead) return; /* such a message needs no credit */
    const size_t cost = least(bytes, most(engine.eager_most, ahead)) + CM_ENVELOPE_BYTES;
    if (peer->granted >= cost) return; /* it will have heard of that by its next message */
    const size_t missing = cost - peer->granted, all = share(peer);
    size_t more = missing > peer->owed ? most(missing - peer->owed, all) : 0;
    const size_t room =
        FAIR * engine.pool_free > all ? (FAIR * engine.pool_free - all) / (FAIR + 1) : 0;
    if (more > room) {
        recall(rank);
        more = room;
    }
    if (peer->owed + more < missing) return; /* would be of no use */
    engine.pool_free -= more;
    peer->owed += more;
    grant(rank);
}

void cm_credit_lose(int rank)
{
    cm_peer *peer = &engine.peer[rank];
    engine.pool_free += peer->granted + peer->owed;
    peer->credit = peer->granted = peer->owed = 0;
}
