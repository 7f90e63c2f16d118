/* SPDX-License-Identifier: BSD-3-Clause */
/* companion.c: watches the next rank while this one waits; see companion.h. */
#include "config.h"
#include "comm/engine/cards.h"
#include "comm/engine/companion.h"
#include "comm/engine/engine.h"

/* Times are counted in checks, as in liveness.c, because this rank may have been stopped. */
static struct {
    uint64_t activity; /* engine.activity at the last check */
    int quiet_looks;   /* checks since then */
    int ended;         /* rank whose connection ended in cm_finalize, plus 1; 0: none */
    int ended_looks;   /* checks since then */
} companion;

static int next_rank(void) { return (engine.rank + 1) % engine.size; }

/* Returns true if no other process would notice the companion's death. */
static bool is_unwatched(void)
{
    if (engine.size == 1 || !engine.pmi || cm_pmi_by_cmrun(engine.pmi)) return false;
    const cm_peer *peer = &engine.peer[next_rank()];
    return peer->state == CM_PEER_HERE && !peer->rail[0].tx && !peer->rail[0].rx;
}

void cm_companion_hold(void)
{
    engine.companion_due = false;
    if (!is_unwatched()) return;
    cm_cards_need(next_rank());
    cm_send_connect(next_rank(), 0);
}

void cm_companion_ended(int rank)
{
    if (!companion.ended && engine.pmi && !cm_pmi_by_cmrun(engine.pmi)) companion.ended = rank + 1;
}

bool cm_companion_look(double interval_s)
{
    if (engine.finalizing) {
        if (!companion.ended
            || ++companion.ended_looks * interval_s <= engine.environment.timeout_s)
            return false;
        return cm_failure_lose(companion.ended - 1, "it ended before all ranks were done");
    }
    if (companion.activity != engine.activity) {
        companion.activity = engine.activity;
        companion.quiet_looks = 0;
    }
    if (++companion.quiet_looks * interval_s < engine.environment.timeout_s / 2 || !is_unwatched())
        return false;
    companion.quiet_looks = 0;
    engine.companion_due = true;
    return true;
}
