/* SPDX-License-Identifier: BSD-3-Clause */
/* hosts_program.c: a small program for jobs on several hosts: `check` verifies allreduce and
   ping-pong between all pairs with rank 0; `wait FILE` says it is there and exchanges messages
   until it is ended. */
#include "config.h"
#include "comm/comm.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int check(void)
{
    int rank = cm_rank(cm_world()), size = cm_size(cm_world());
    int64_t own[2] = {rank + 1, rank * rank}, sum[2], want[2] = {0, 0};
    cm_allreduce(cm_world(), own, sum, 2, CM_INT64, CM_SUM, CM_AUTO);
    for (int i = 0; i < size; i++) {
        want[0] += i + 1;
        want[1] += i * i;
    }
    bool right = sum[0] == want[0] && sum[1] == want[1];
    static const size_t lengths[] = {0, 1, 1000, 65536, 1 << 20};
    for (int peer = 1; peer < size; peer++)
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            if (rank != 0 && rank != peer) continue;
            size_t n = lengths[k];
            unsigned char *data = malloc(n + 1);
            if (!data) cm_abort(3, "out of memory");
            memset(data, rank == 0 ? peer : 255, n);
            if (rank == 0) cm_send(cm_world(), data, n, peer, 1);
            else cm_recv(cm_world(), data, n, 0, 1, NULL);
            for (size_t i = 0; i < n; i++) data[i] = (unsigned char)(data[i] + 1);
            if (rank == 0) cm_recv(cm_world(), data, n, peer, 2, NULL);
            else cm_send(cm_world(), data, n, 0, 2);
            for (size_t i = 0; i < n; i++) right &= data[i] == (unsigned char)(peer + 1);
            free(data);
        }
    int32_t mine = right, all;
    cm_allreduce(cm_world(), &mine, &all, 1, CM_INT32, CM_MIN, CM_AUTO);
    if (rank == 0) printf("%d ranks %s\n", size, all ? "right" : "wrong");
    return all ? 0 : 1;
}

int main(int argc, char **argv)
{
    int status = cm_init(&argc, &argv);
    if (status) return status;
    if (argc == 3 && strcmp(argv[1], "wait") == 0) {
        char name[256] = "", line[320];
        gethostname(name, sizeof name - 1);
        cm_barrier(cm_world(), CM_AUTO);
        FILE *file = fopen(argv[2], "a");
        snprintf(line, sizeof line, "%s %d %ld\n", name, cm_rank(cm_world()), (long)getpid());
        if (!file || fputs(line, file) < 0 || fclose(file) != 0) cm_abort(3, "%s", argv[2]);
        for (;;) {
            cm_barrier(cm_world(), CM_AUTO);
            usleep(10000);
        }
    }
    status = check();
    cm_finalize();
    return status;
}
