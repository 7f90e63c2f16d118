/* SPDX-License-Identifier: BSD-3-Clause */
/* pgetrf.c: the time of ScaLAPACK's factorization in single precision.
       mpiexec -n ROWS*COLUMNS pgetrf ORDER BLOCK ROWS COLUMNS REPEATS
   Prints the median and the minimum of the slowest rank's times, in seconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include "../scalapack.h"

void psgetrf_(const int *m, const int *n, float *a, const int *ia, const int *ja,
              const int *descriptor, int *pivots, int *info);

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc != 6) return fprintf(stderr, "usage: pgetrf ORDER BLOCK ROWS COLUMNS REPEATS\n"), 2;
    int n = atoi(argv[1]), block = atoi(argv[2]), rows = atoi(argv[3]), columns = atoi(argv[4]);
    int repeats = atoi(argv[5]), context, row, column, zero = 0, one = 1, info, descriptor[9];
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", rows, columns);
    Cblacs_gridinfo(context, &rows, &columns, &row, &column);
    int my_rows = numroc_(&n, &block, &row, &zero, &rows);
    int my_columns = numroc_(&n, &block, &column, &zero, &columns);
    int lda = my_rows > 1 ? my_rows : 1;
    descinit_(descriptor, &n, &n, &block, &block, &zero, &zero, &context, &lda, &info);
    size_t elements = (size_t)lda * (size_t)my_columns;
    float *a = malloc(elements * sizeof *a);
    int *pivots = malloc(((size_t)my_rows + (size_t)block) * sizeof *pivots);
    double *took_s = malloc((size_t)repeats * sizeof *took_s);
    if (!a || !pivots || !took_s) MPI_Abort(MPI_COMM_WORLD, 3);
    openblas_set_num_threads(1);
    for (int k = 0; k < repeats; k++) {
        unsigned long long state = 1 + (unsigned long long)(row + rows * column);
        for (size_t i = 0; i < elements; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            a[i] = (float)((double)(state >> 11) * 0x1p-53 - 0.5);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        double took = MPI_Wtime();
        psgetrf_(&n, &n, a, &one, &one, descriptor, pivots, &info);
        took = MPI_Wtime() - took;
        MPI_Allreduce(&took, &took_s[k], 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (info) MPI_Abort(MPI_COMM_WORLD, 1);
    }
    qsort(took_s, (size_t)repeats, sizeof *took_s, ascending);
    if (row == 0 && column == 0) printf("%.6f %.6f\n", took_s[repeats / 2], took_s[0]);
    Cblacs_gridexit(context);
    MPI_Finalize();
    return 0;
}
