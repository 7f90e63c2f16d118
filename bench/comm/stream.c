/* SPDX-License-Identifier: BSD-3-Clause */
/* stream.c: sends messages of one length from rank 0 to rank 1, one after the other; the last one
   is answered. Usage: stream SECONDS WINDOW BYTES...; WINDOW 1: cm_send and cm_recv; above 1:
   WINDOW isends or irecvs at a time, then waitall. Rank 0 prints a line for each length: bytes,
   median and minimum over the batches in us per message. */
#include "config.h"
#include "comm/comm.h"
#include "pingpong.h"

enum { BATCHES = 60, WIDEST = 256 };

static void windows(cm_group *world, char *data, size_t bytes, int window, int64_t n)
{
    cm_request *requests[WIDEST];
    const bool sends = cm_rank(world) == 0;
    for (int64_t i = 0; i < n; i++) {
        if (window == 1) {
            if (sends) cm_send(world, data, bytes, 1, 0);
            else cm_recv(world, data, bytes, 0, 0, NULL);
            continue;
        }
        for (int k = 0; k < window; k++)
            requests[k] = sends ? cm_isend(world, data, bytes, 1, 0)
                                : cm_irecv(world, data + (size_t)k * bytes, bytes, 0, 0);
        cm_waitall(window, requests, NULL);
    }
    char done = 1;
    if (sends) cm_recv(world, &done, 1, 1, 1, NULL);
    else cm_send(world, &done, 1, 0, 1);
}

static double batch_s(cm_group *world, char *data, size_t bytes, int window, int64_t n)
{
    cm_barrier(world, CM_NATIVE);
    double start_s = bench_now_s();
    windows(world, data, bytes, window, n);
    return (bench_now_s() - start_s) / (double)(n * window);
}

int main(int argc, char **argv)
{
    int status = cm_init(&argc, &argv);
    if (status) return status;
    cm_group *world = cm_world();
    int window = argc > 2 ? atoi(argv[2]) : 0;
    if (window < 1 || window > WIDEST || cm_size(world) != 2)
        cm_abort(CM_EXIT_USAGE, "stream: usage: SECONDS WINDOW(1..%d) BYTES... on 2 ranks", WIDEST);
    bench_pin(cm_rank(world));
    for (int k = 3; k < argc; k++) {
        size_t bytes = (size_t)strtoull(argv[k], NULL, 10);
        char *data = bench_allocate((size_t)window * bytes);
        if (!data) cm_abort(CM_EXIT_SYSTEM, "stream: out of memory");
        memset(data, 7, (size_t)window * bytes);
        double samples[BATCHES], each_s = batch_s(world, data, bytes, window, 8);
        int64_t n = (int64_t)(atof(argv[1]) / BATCHES / (each_s * window)) + 1;
        cm_bcast(world, &n, sizeof n, 0, CM_NATIVE);
        for (int i = 0; i < BATCHES; i++) samples[i] = batch_s(world, data, bytes, window, n);
        qsort(samples, BATCHES, sizeof *samples, bench_compare);
        if (cm_rank(world) == 0)
            printf("%zu %.4f %.4f\n", bytes, 1e6 * samples[BATCHES / 2], 1e6 * samples[0]);
        bench_free(data);
    }
    cm_finalize();
    return 0;
}
