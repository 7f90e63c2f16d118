/* SPDX-License-Identifier: BSD-3-Clause */
/* osu_loop.c: the loop of osu_latency: one page-aligned buffer to send from and one to receive
   into; untimed round trips, then a fixed number of timed ones, whose mean counts. Here the trials
   are short, so that there is a median and a minimum beside cm-netpipe's. Usage: osu_loop BYTES...
   Prints a line for each size: bytes, median and minimum of half the round trip in us. */
#include "config.h"
#include <mpi.h>
#include "comm/pingpong.h"

/* OSU's numbers: 10000 timed and 100 untimed up to 8 KiB, above that 1000 and 10. A trial here has
   100 of these round trips. */
enum {
    LARGE_BYTES = 8192,
    TURNS = 100,
    SMALL_TRIALS = 100,
    LARGE_TRIALS = 10,
    SMALL_SKIP = 100,
    LARGE_SKIP = 10
};

static void turns(int rank, char *out, char *in, int bytes, int n)
{
    for (int i = 0; i < n; i++) {
        if (rank == 0) {
            MPI_Send(out, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(in, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(in, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(out, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != 2) {
        if (rank == 0) fprintf(stderr, "osu_loop: expected 2 ranks\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    bench_pin(rank);
    for (int k = 1; k < argc; k++) {
        int bytes = atoi(argv[k]), large = bytes > LARGE_BYTES;
        int trials = large ? LARGE_TRIALS : SMALL_TRIALS;
        char *out = bench_allocate((size_t)bytes), *in = bench_allocate((size_t)bytes);
        double sample[SMALL_TRIALS];
        if (!out || !in) MPI_Abort(MPI_COMM_WORLD, 3);
        memset(out, 'a', (size_t)bytes);
        memset(in, 'b', (size_t)bytes);
        MPI_Barrier(MPI_COMM_WORLD);
        turns(rank, out, in, bytes, large ? LARGE_SKIP : SMALL_SKIP);
        for (int trial = 0; trial < trials; trial++) {
            double start_s = MPI_Wtime();
            turns(rank, out, in, bytes, TURNS);
            sample[trial] = (MPI_Wtime() - start_s) / (2 * TURNS);
        }
        qsort(sample, (size_t)trials, sizeof *sample, bench_compare);
        if (rank == 0) printf("%d %.4f %.4f\n", bytes, 1e6 * sample[trials / 2], 1e6 * sample[0]);
        fflush(stdout);
        bench_free(out);
        bench_free(in);
    }
    MPI_Finalize();
    return 0;
}
