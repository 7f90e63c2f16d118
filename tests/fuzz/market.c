/* SPDX-License-Identifier: BSD-3-Clause */
/* market.c: matrices from files (linpack/linpack_market.c). An input is the file.

   Wrong: what is accepted is no matrix of its order; a refused file has no reason. */
#include "fuzz.h"
#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../../linpack/linpack_matrix.h"
#include "../../linpack/linpack_options.h"
#include "../../linpack/linpack_solvers.h"

enum { ALLOCATIONS = 8, ENTRIES = 100000 };
static void *allocated[ALLOCATIONS];
static int n_allocated;
static jmp_buf refused;

/* A refused file ends the job, which frees nothing. */
void *linpack_allocate(size_t n, size_t bytes, const char *what)
{
    (void)what;
    FUZZ_CHECK(n_allocated < ALLOCATIONS);
    return allocated[n_allocated++] = calloc(n ? n : 1, bytes);
}

static void check_reason(const char *format, va_list list)
{
    char line[2048];
    vsnprintf(line, sizeof line, format, list);
    FUZZ_CHECK(strncmp(line, "--matrix ", 9) == 0 && strlen(line) < 1024 && !strchr(line, '\n'));
}

int cm_option_error(const cm_program *program, const char *format, ...)
{
    va_list list;
    (void)program;
    va_start(list, format);
    check_reason(format, list);
    va_end(list);
    return CM_EXIT_USAGE;
}

void cm_abort(int status, const char *format, ...)
{
    va_list list;
    FUZZ_CHECK(status == CM_EXIT_USAGE);
    va_start(list, format);
    check_reason(format, list);
    va_end(list);
    longjmp(refused, 1);
}

/* One rank. */
cm_group *cm_world(void) { return NULL; }
int cm_rank(const cm_group *group) { return group ? -1 : 0; }
void cm_bcast(cm_group *group, void *buffer, size_t bytes, int root, cm_algorithm algorithm)
{
    (void)group, (void)buffer, (void)bytes, (void)root, (void)algorithm;
}

static void check_matrix(const linpack_matrix *matrix, int order, double largest)
{
    FUZZ_CHECK(matrix->order == order && matrix->row_start[0] == 0);
    for (int i = 0; i < order; i++) {
        FUZZ_CHECK(matrix->row_start[i] <= matrix->row_start[i + 1]);
        for (int64_t k = matrix->row_start[i]; k < matrix->row_start[i + 1]; k++)
            FUZZ_CHECK(matrix->column[k] >= 0 && matrix->column[k] < order
                       && fabs(matrix->value[k]) <= largest);
    }
}

static void read_matrix(const char *path, double largest)
{
    linpack_matrix matrix = {0};
    int64_t entries = 0;
    const int order = linpack_market_order(NULL, path, &entries);
    if (order == 0) return;
    FUZZ_CHECK(order > 0 && order <= LINPACK_ORDER_MOST && entries >= 0);
    FUZZ_CHECK(linpack_market_bytes(entries) >= (size_t)entries);
    if (order > ENTRIES || entries > ENTRIES) return;
    if (setjmp(refused) == 0) {
        linpack_market_read(path, largest, &matrix);
        check_matrix(&matrix, order, largest);
        /* linpack_market_read has freed the entries, its first allocation. */
        allocated[0] = NULL;
    }
    while (n_allocated > 0) free(allocated[--n_allocated]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    char path[32];
    int file = memfd_create("matrix", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    FUZZ_CHECK(write(file, bytes, n) == (ssize_t)n);
    read_matrix(path, FLT_MAX);
    read_matrix(path, DBL_MAX);
    close(file);
    return 0;
}
