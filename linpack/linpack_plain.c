/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_plain.c: a trial of the plain one-processor program on rank 0, while the others wait. */
#include <stdlib.h>
#include <sys/resource.h>
#include "linpack_system.h"
#include "memory/memory.h"

static double cpu_s(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec)
           + 1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/* The plain program stores the matrix by columns. */
static void prepare(void *context)
{
    const linpack_plain *p = context;
    const linpack_system *s = p->system;
    size_t n = (size_t)s->map.order;
    if (s->map.rank != 0) return;
    double *row = linpack_allocate(n, sizeof *row, "a row");
    for (size_t i = 0; i < n; i++) {
        linpack_matrix_row(s->matrix, (int)i + 1, row);
        s->solvers->store(row, (char *)p->a + i * s->solvers->bytes, n, n);
    }
    free(row);
    linpack_right_hand_side(s->matrix, p->x);
}

static double trial(void *context, int64_t operations, double *value)
{
    (void)operations; /* one */
    const linpack_plain *p = context;
    const linpack_system *s = p->system;
    int n = s->map.order, failed = 0;
    if (s->map.rank != 0) return 0;
    cm_blas_threads(1);
    double since_s = cm_time(), cpu_since_s = cpu_s();
    /* If there was no pivot, x is no solution; the check will show it. */
    s->solvers->serial(n, p->a, n, p->pivots, &failed, p->x);
    value[LINPACK_PLAIN_CPU] = cpu_s() - cpu_since_s;
    value[LINPACK_PLAIN_WALL] = cm_time() - since_s;
    cm_blas_threads((int)s->options->threads);
    return value[LINPACK_PLAIN_WALL];
}

static bool verify(void *context)
{
    linpack_plain *p = context;
    const linpack_system *s = p->system;
    cm_bcast(s->map.group, p->x, (size_t)s->map.order * sizeof *p->x, 0, CM_AUTO);
    p->worst =
        linpack_worse(p->worst, linpack_verify(&s->map, s->matrix, p->x, s->solvers->epsilon));
    return true;
}

cm_subject linpack_plain_trial(linpack_plain *plain)
{
    return (cm_subject){.who = CM_SAMPLE_OWN,
                        .series = LINPACK_PLAIN_TIMES,
                        .most_operations = 1,
                        .prepare = prepare,
                        .trial = trial,
                        .verify = verify,
                        .context = plain};
}

void linpack_plain_open(linpack_plain *p, const linpack_system *system)
{
    size_t n = (size_t)system->map.order;
    *p = (linpack_plain){.system = system, .worst = {.hpl = -1}};
    p->x = linpack_allocate(n, sizeof *p->x, "a solution");
    if (system->map.rank != 0) return;
    p->pivots = linpack_allocate(n, sizeof *p->pivots, "pivots");
    p->a = cm_run_array(n * n * system->solvers->bytes);
}

void linpack_plain_close(linpack_plain *p) { free(p->x), free(p->pivots), cm_memory_free(p->a); }
