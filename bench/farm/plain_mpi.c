/* SPDX-License-Identifier: BSD-3-Clause */
/* plain_mpi.c: cm-farm's messages by plain MPI: a master and a worker, 4 bytes out and 20 back,
   received from any source, WINDOW batches in flight, without computing or recording. Usage:
   plain_mpi WINDOW BATCHES on two ranks. Prints the time of a batch in us, the median of several
   runs. */
#include "config.h"
#include <mpi.h>
#include "../comm/pingpong.h"

enum { RUNS = 9, MOST_WINDOW = 1024, UNIT_BYTES = 4, DIGEST_BYTES = 20, WORK_TAG = 1, RESULT_TAG };

/* Messages are short, so the buffer of a send is free when it returns. */
static void lead(int window, long batches)
{
    unsigned char digest[DIGEST_BYTES];
    long sent = 0;
    for (long received = -window; received < batches; received++) {
        uint32_t unit = (uint32_t)sent;
        MPI_Status status;
        int worker = 1;
        if (received >= 0) {
            MPI_Recv(digest, DIGEST_BYTES, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                     &status);
            worker = status.MPI_SOURCE;
        }
        if (sent == batches) continue;
        MPI_Send(&unit, UNIT_BYTES, MPI_BYTE, worker, WORK_TAG, MPI_COMM_WORLD);
        sent++;
    }
}

static void work(long batches)
{
    unsigned char digest[DIGEST_BYTES] = {0};
    for (long k = 0; k < batches; k++) {
        MPI_Status status;
        MPI_Recv(digest, UNIT_BYTES, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        MPI_Send(digest, DIGEST_BYTES, MPI_BYTE, 0, RESULT_TAG, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    double run_s[RUNS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int window = argc > 1 ? atoi(argv[1]) : 1;
    long batches = argc > 2 ? atol(argv[2]) : 100000;
    if (size != 2 || window < 1 || window > MOST_WINDOW || batches < window) {
        fprintf(stderr,
                "plain_mpi: expected 2 ranks, WINDOW from 1 to %d, BATCHES at least WINDOW\n",
                MOST_WINDOW);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    bench_pin(rank);
    for (int k = 0; k < RUNS; k++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begun_s = bench_now_s();
        if (rank == 0) lead(window, batches);
        else work(batches);
        run_s[k] = bench_now_s() - begun_s;
    }
    qsort(run_s, RUNS, sizeof *run_s, bench_compare);
    if (rank == 0) printf("%.4f\n", 1e6 * run_s[RUNS / 2] / (double)batches);
    MPI_Finalize();
    return 0;
}
