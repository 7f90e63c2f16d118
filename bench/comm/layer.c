/* SPDX-License-Identifier: BSD-3-Clause */
/* layer.c: the same ping-pong by cm_send and cm_recv, with any backend. Usage: layer BYTES... on
   two ranks. */
#include "config.h"
#include "comm/comm.h"
#include "pingpong.h"

typedef struct {
    cm_group *world;
    int other;
} place_t;

static void layer_send(void *place, char *data, size_t bytes)
{
    place_t *at = place;
    cm_send(at->world, data, bytes, at->other, 0);
}

static void layer_recv(void *place, char *data, size_t bytes)
{
    place_t *at = place;
    cm_recv(at->world, data, bytes, at->other, 0, NULL);
}

int main(int argc, char **argv)
{
    int status = cm_init(&argc, &argv);
    if (status) return status;
    place_t place = {cm_world(), 1 - cm_rank(cm_world())};
    if (cm_size(cm_world()) != 2)
        cm_abort(CM_EXIT_USAGE, "layer: 2 ranks needed, %d given", cm_size(cm_world()));
    bench_pin(cm_rank(cm_world()));
    status = bench_pingpong(cm_rank(cm_world()), layer_send, layer_recv, &place, argc, argv);
    cm_finalize();
    return status;
}
