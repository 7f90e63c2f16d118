/* SPDX-License-Identifier: BSD-3-Clause */
/* rail.c: long messages over several connections at once. All other data uses rail 0, so messages
   keep the order of one connection. A striped message is announced there (READY_STRIPED). When its
   receiver has answered, each rail carries one stripe, whose header says where it belongs. The
   stripes are equal, so both sides know them from the length of the message. Only rail 0's stripe
   is shorter, by the bytes sent ahead with the announcement. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include "comm/engine/engine.h"
#include "comm/engine/transport.h"

void cm_rail_open(int rails)
{
    const cm_environment *e = &engine.environment;
    engine.rails = rails;
    engine.stripe_above = rails > 1 ? e->rail_bytes : SIZE_MAX;
    engine.eager_most = e->eager_bytes < engine.stripe_above ? e->eager_bytes : engine.stripe_above;
}

const char *cm_rail_name(int rail)
{
    static char text[64];
    if (engine.rails > 1)
        snprintf(text, sizeof text, " (rail %d, %s)", rail, cm_transport_interface(rail));
    return text;
}

/* ---- Stripes --------------------------------------------------------------------------------- */

static size_t share(size_t bytes)
{
    const size_t rails = (size_t)engine.rails;
    const size_t units = (bytes / rails + (bytes % rails > 0) + CM_AHEAD_UNIT - 1) / CM_AHEAD_UNIT;
    return units * CM_AHEAD_UNIT;
}

size_t cm_rail_ahead(size_t bytes) { return share(bytes); }

/* Above one unit there is more than one stripe. */
bool cm_rail_possible(size_t bytes, size_t ahead)
{
    return engine.rails > 1 && bytes > CM_AHEAD_UNIT && ahead <= share(bytes);
}

cm_stripe cm_rail_stripe(size_t bytes, size_t ahead, int rail)
{
    const size_t each = share(bytes), most = bytes / each;
    const size_t begin = rail == 0 ? ahead : (size_t)rail > most ? bytes : (size_t)rail * each;
    const size_t end = (size_t)rail + 1 > most ? bytes : ((size_t)rail + 1) * each;
    return (cm_stripe){begin, end - begin};
}

/* ---- Sending --------------------------------------------------------------------------------- */

void cm_rail_send(cm_request *send, uint64_t receiver_handle)
{
    cm_handle_give(send->handle);
    send->handle = 0;
    if (send->detached) engine.peer[send->peer].detached--;
    send->parts++; /* so that none of the parts below counts as the last one */
    for (int rail = engine.rails - 1; rail >= 0; rail--) { /* rail 0 already has something to do */
        cm_stripe stripe = cm_rail_stripe(send->bytes, send->ahead, rail);
        cm_wire_header header = {.kind = CM_WIRE_STRIPE,
                                 .offset = stripe.offset,
                                 .bytes = stripe.bytes,
                                 .handle = receiver_handle};
        if (stripe.bytes)
            cm_send_part(send, rail, &header, send->data + stripe.offset, stripe.bytes);
    }
    cm_rail_written(send);
}

void cm_rail_written(cm_request *send)
{
    if (--send->parts || send->handle) return;
    send->complete = true;
    if (!send->detached) return;
    engine.copied_bytes -= send->bytes;
    free(send->data);
    cm_request_give(send);
}

/* ---- Receiving ------------------------------------------------------------------------------- */

void cm_rail_expect(cm_request *receive, bool coming)
{
    receive->striped = true;
    receive->stripes = 0;
    receive->parts = coming;
    for (int rail = 0; rail < engine.rails; rail++)
        if (cm_rail_stripe(receive->status.bytes, receive->ahead, rail).bytes) {
            receive->stripes |= (uint8_t)(1u << rail);
            receive->parts++;
        }
    engine.striped++;
}

bool cm_rail_take(cm_request *receive, int rail, const cm_wire_header *header)
{
    const uint8_t bit = (uint8_t)(1u << rail);
    if (!receive->striped || !(receive->stripes & bit)) return false;
    const cm_stripe stripe = cm_rail_stripe(receive->status.bytes, receive->ahead, rail);
    if (header->offset != stripe.offset || header->bytes != stripe.bytes) return false;
    receive->stripes ^= bit;
    if (!receive->stripes) {
        cm_handle_give(receive->handle);
        receive->handle = 0;
    }
    return true;
}

bool cm_rail_arrived(cm_request *receive)
{
    if (--receive->parts) return false;
    cm_rail_forget(receive);
    return true;
}

void cm_rail_forget(cm_request *receive)
{
    if (receive->striped) engine.striped--;
    receive->striped = false;
    receive->stripes = receive->parts = 0;
}
