/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_receive.c: how the master receives: from any source; by waiting for any one, or for some, of
   the receives that it has posted for the workers; or from one worker after the other. */
#include <stdlib.h>
#include "farm.h"

const char *const farm_receives[] = {"any", "waitany", "waitsome", "fixed", NULL};

typedef void receive_function(farm_receiver *receiver, farm_message *message);

struct farm_receiver {
    receive_function *function;
    int workers;
    farm_owes *owes;
    const void *context;
    int turn; /* fixed: the source of the last message */
    /* waitany, waitsome: index w - 1 is the receive of worker w */
    cm_request **request;
    farm_digest *digest;
    cm_status *status;
    int *index, ready, next; /* waitsome: the messages that arrived together */
};

static void take(farm_message *message, int source, const cm_status *status)
{
    *message = (farm_message){.source = source,
                              .tag = status->tag,
                              .failed = status->failed >= 0,
                              .digest = message->digest};
}

static void any(farm_receiver *r, farm_message *message)
{
    (void)r;
    cm_status status;
    cm_recv(cm_world(), &message->digest, sizeof message->digest, CM_ANY, CM_ANY, &status);
    take(message, status.source, &status);
}

static void fixed(farm_receiver *r, farm_message *message)
{
    cm_status status;
    do r->turn = r->turn % r->workers + 1;
    while (!r->owes(r->context, r->turn));
    cm_recv(cm_world(), &message->digest, sizeof message->digest, r->turn, CM_ANY, &status);
    take(message, r->turn, &status);
}

static void post(farm_receiver *r)
{
    for (int w = 1; w <= r->workers; w++)
        if (!r->request[w - 1] && r->owes(r->context, w))
            r->request[w - 1] =
                cm_irecv(cm_world(), &r->digest[w - 1], sizeof *r->digest, w, CM_ANY);
}

static void waitany(farm_receiver *r, farm_message *message)
{
    cm_status status;
    post(r);
    int k = cm_waitany(r->workers, r->request, &status);
    message->digest = r->digest[k];
    take(message, k + 1, &status);
}

static void waitsome(farm_receiver *r, farm_message *message)
{
    if (r->next == r->ready) {
        post(r);
        r->ready = cm_waitsome(r->workers, r->request, r->index, r->status);
        r->next = 0;
    }
    int k = r->index[r->next];
    message->digest = r->digest[k];
    take(message, k + 1, &r->status[r->next++]);
}

farm_receiver *farm_receiver_open(farm_receive_kind kind, int workers, farm_owes *owes,
                                  const void *context)
{
    static receive_function *const functions[] = {any, waitany, waitsome, fixed};
    size_t n = (size_t)workers;
    farm_receiver *r = calloc(1, sizeof *r);
    if (r) {
        *r = (farm_receiver){
            .function = functions[kind],
            .workers = workers,
            .owes = owes,
            .context = context,
            .request = calloc(n, sizeof *r->request),
            .digest = calloc(n, sizeof *r->digest),
            .status = calloc(n, sizeof *r->status),
            .index = calloc(n, sizeof *r->index),
        };
    }
    if (!r || !r->request || !r->digest || !r->status || !r->index)
        cm_abort(CM_EXIT_SYSTEM, "out of memory for receives from %d workers", workers);
    return r;
}

void farm_receiver_close(farm_receiver *r)
{
    for (int k = 0; k < r->workers; k++)
        if (r->request[k]) cm_cancel(&r->request[k]);
    free(r->request);
    free(r->digest);
    free(r->status);
    free(r->index);
    free(r);
}

void farm_receive(farm_receiver *r, farm_message *message) { r->function(r, message); }
