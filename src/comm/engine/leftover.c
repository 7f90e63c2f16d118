/* SPDX-License-Identifier: BSD-3-Clause */
/* leftover.c: finds messages that nobody received and operations that never completed. */
#include "config.h"
#include "comm/engine/engine.h"
#include "comm/leftover.h"

static cm_leftover of_request(const char *what, const char *way, const cm_request *request)
{
    return (cm_leftover){.what = what,
                         .way = way,
                         .bytes = request->bytes,
                         .peer = request->peer,
                         .tag = request->tag,
                         .collective = cm_context_collective(request->context)};
}

static void add_messages(char *line)
{
    const cm_message *first = engine.message_first;
    if (!first) return;
    const cm_leftover leftover = {.what = "",
                                  .way = "from",
                                  .bytes = first->bytes,
                                  .peer = first->peer,
                                  .tag = first->tag,
                                  .collective = cm_context_collective(first->context)};
    cm_leftover_append(line, "never received", &leftover, engine.messages);
}

/* Sends that are complete for the program are not among them. */
static void add_sends(char *line)
{
    int n = 0;
    cm_leftover first = {0};
    for (uint32_t slot = 0; slot < engine.n_handles; slot++) {
        const cm_request *send = engine.handles[slot];
        if (!send || send->kind != CM_REQUEST_RENDEZVOUS || send->detached) continue;
        if (n++ == 0) first = of_request("a send of ", "to", send);
    }
    cm_leftover_append(line, "never completed", &first, n);
}

static void add_receives(char *line)
{
    int n = engine.any.n;
    const cm_request *first = engine.any.first;
    for (int rank = 0; rank < engine.size; rank++) {
        const cm_queue *posted = &engine.peer[rank].posted;
        n += posted->n;
        if (posted->first && (!first || posted->first->order < first->order)) first = posted->first;
    }
    if (!first) return;
    const cm_leftover leftover = of_request("a receive of up to ", "from", first);
    cm_leftover_append(line, "never completed", &leftover, n);
}

void cm_leftover_say(void)
{
    char line[CM_LEFTOVER_BYTES] = "";
    add_messages(line);
    add_sends(line);
    add_receives(line);
    cm_leftover_print(engine.rank, engine.host, line);
}
