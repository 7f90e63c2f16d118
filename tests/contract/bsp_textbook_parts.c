/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_textbook_parts.c: programs in the style of Bisseling (Parallel scientific computation, 2nd
   edition, 2020) on so few elements that some processes have none, and register NULL: a sparse
   matrix times a vector, a broadcast in two phases, a redistribution of complex numbers, and a
   computation that runs until no process has work. */
#include <complex.h>
#include <stdlib.h>
#include "bsp.h"
#include "tap.h"

enum { N = 3, POINTS = 4 };

static long P; /* set by process 0 alone */

static long nloc(long p, long s, long n) { return (n + p - s - 1) / p; }

/* NULL for 0 bytes. */
static void *array(size_t n, size_t bytes)
{
    void *at = n ? calloc(n, bytes) : NULL;
    if (n && !at) bsp_abort("no memory for %d elements\n", (long)n);
    return at;
}

/* u = A v of a_ij = 10 i + j + 1, both vectors cyclic, element (i, j) on process (i + j) mod p. The
   values of v are fetched, and the partial sums are sent to their rows. */
static long multiply(void)
{
    long p = bsp_nprocs(), s = bsp_pid(), nl = nloc(p, s, N), wrong = 0;
    double *v = array(nl, sizeof(double)), *u = array(nl, sizeof(double)), there[N];
    bsp_push_reg(v, nl * sizeof(double));
    bsp_size_t tag_size = sizeof(long);
    bsp_set_tagsize(&tag_size);
    bsp_sync();
    for (long i = 0; i < nl; i++) v[i] = i * p + s + 1;
    for (long j = 0; j < N; j++) bsp_get(j % p, v, j / p * sizeof(double), &there[j], sizeof *v);
    bsp_sync();
    for (long i = 0; i < N; i++) {
        double sum = 0;
        for (long j = 0; j < N; j++)
            if ((i + j) % p == s) sum += (10 * i + j + 1) * there[j];
        long where = i / p;
        if (sum != 0) bsp_send(i % p, &where, &sum, sizeof sum);
    }
    bsp_sync();
    bsp_nprocs_t sums;
    bsp_size_t bytes, status;
    long i;
    bsp_qsize(&sums, &bytes);
    bsp_get_tag(&status, &i);
    for (long k = 0; k < sums; k++) {
        double sum;
        bsp_move(&sum, sizeof sum);
        u[i] += sum;
        bsp_get_tag(&status, &i); /* the last time of an empty queue */
    }
    for (i = 0; i < nl; i++) wrong += u[i] != 60 * (i * p + s) + 14;
    bsp_pop_reg(v);
    free(v);
    free(u);
    bsp_set_tagsize(&tag_size);
    return wrong;
}

/* One phase of a broadcast of n elements from process 0, in blocks of which the last may be short
   or, beyond the end, of a negative size. */
static void phase(double *x, long n, long which)
{
    long p = bsp_nprocs(), s = bsp_pid(), b = n % p ? n / p + 1 : n / p;
    for (long t = 0; t < p && (which == 1 || s == 0); t++) {
        long part = which ? s : t, left = n - part * b;
        long nbytes = (b < left ? b : left) * (long)sizeof(double);
        if (nbytes > 0 && t != 0) bsp_put(t, &x[part * b], x, part * b * sizeof(double), nbytes);
    }
}

static long broadcast(void)
{
    long n, s = bsp_pid(), wrong = 0;
    if (s == 0) n = 11;
    bsp_push_reg(&n, sizeof(long));
    bsp_sync();
    bsp_get(0, &n, 0, &n, sizeof(long));
    bsp_sync();
    bsp_pop_reg(&n);
    double *x = array(n, sizeof(double));
    bsp_push_reg(x, n * sizeof(double));
    bsp_sync();
    for (long i = 0; i < n && s == 0; i++) x[i] = i + 0.5;
    for (long which = 0; which < 2; which++) {
        phase(x, n, which);
        bsp_sync();
    }
    for (long i = 0; i < n; i++) wrong += x[i] != i + 0.5;
    bsp_pop_reg(x);
    free(x);
    return wrong;
}

/* From the cyclic distribution to blocks and back, with the vector and a table registered that some
   processes do not have. */
static long redistribute(void)
{
    long p = bsp_nprocs(), s = bsp_pid(), nl = nloc(p, s, N), b = (N + p - 1) / p, wrong = 0;
    double complex *x = array(nl, sizeof *x), *y = array(b, sizeof *y);
    long *table = array(s % 2 ? 0 : p, sizeof(long));
    bsp_push_reg(x, nl * sizeof *x);
    bsp_push_reg(table, (s % 2 ? 0 : p) * sizeof(long));
    bsp_push_reg(y, b * sizeof *y);
    bsp_sync();
    for (long i = 0; i < nl; i++) {
        long g = i * p + s;
        x[i] = g - g * g * I;
        bsp_put(g / b, &x[i], y, g % b * sizeof *y, sizeof *y);
    }
    for (long t = 0; t < p; t += 2) bsp_put(t, &s, table, s * sizeof(long), sizeof(long));
    bsp_sync();
    for (long i = 0; i < nl; i++) x[i] = 0;
    bsp_sync();
    for (long i = 0; i < b && s * b + i < N; i++) {
        long g = s * b + i;
        wrong += creal(y[i]) != g || cimag(y[i]) != -g * g;
        bsp_put(g % p, &y[i], x, g / p * sizeof *x, sizeof *x);
    }
    bsp_sync();
    for (long i = 0; i < nl; i++) {
        long g = i * p + s;
        wrong += creal(x[i]) != g || cimag(x[i]) != -g * g;
    }
    for (long t = 0; t < p && table; t++) wrong += table[t] != t;
    bsp_pop_reg(y);
    free(y);
    bsp_pop_reg(table);
    free(table);
    bsp_pop_reg(x);
    free(x);
    return wrong;
}

typedef struct {
    long i, j;
} indexpair;

/* Process 0 begins with tokens, each with a number of steps to go. A token moves on to the next
   process, and the work ends when all processes report that they have none. Returns the number of
   steps made. */
static long pass_on(long tokens)
{
    long p = bsp_nprocs(), s = bsp_pid(), steps = 0, *done = array(p, sizeof(long));
    bsp_push_reg(done, p * sizeof(long));
    bsp_size_t tag_size = sizeof(indexpair);
    bsp_set_tagsize(&tag_size);
    bsp_sync();
    for (long k = 0; k < tokens && s == 0; k++) {
        indexpair tag = {k, k};
        bsp_send(0, &tag, &s, sizeof s);
    }
    bsp_sync();
    for (bool alldone = false; !alldone;) {
        for (long t = 0; t < p; t++) done[t] = false;
        bsp_nprocs_t messages;
        bsp_size_t bytes;
        bsp_qsize(&messages, &bytes);
        long mine = messages == 0;
        for (long t = 0; t < p && mine; t++)
            bsp_put(t, &mine, done, s * sizeof(long), sizeof(long));
        for (long k = 0; k < messages; k++) {
            bsp_size_t status;
            indexpair tag;
            long from;
            bsp_get_tag(&status, &tag);
            bsp_move(&from, sizeof(long));
            steps++;
            if (tag.j-- > 0) bsp_send((s + 1) % p, &tag, &s, sizeof(long));
        }
        bsp_sync();
        alldone = true;
        for (long t = 0; t < p; t++) alldone = alldone && done[t];
    }
    bsp_pop_reg(done);
    free(done);
    bsp_set_tagsize(&tag_size);
    return steps;
}

static void parts(void)
{
    bsp_begin(P);
    long p = bsp_nprocs(), s = bsp_pid();
    long mine[POINTS] = {multiply(), broadcast(), redistribute(), pass_on(6)};
    bsp_sync();
    long *all = array(p * POINTS, sizeof(long)); /* registered to the end of the part */
    bsp_push_reg(all, p * POINTS * sizeof(long));
    bsp_sync();
    bsp_put(0, mine, all, s * POINTS * sizeof(long), POINTS * sizeof(long));
    bsp_sync();
    static const char *const names[POINTS] = {
        "a sparse matrix times a vector", "a broadcast in two phases",
        "complex numbers from cyclic to blocks and back", "tokens until all processes have none"};
    for (int k = 0; k < POINTS && s == 0; k++) {
        long sum = 0;
        for (long t = 0; t < p; t++) sum += all[t * POINTS + k];
        ok(sum == (k == 3 ? 21 : 0), "%s: %ld", names[k], sum);
    }
    free(all);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(parts, argc, argv);
    P = bsp_nprocs();
    if (P > bsp_nprocs()) {
        printf("Sorry, only %u processors available.\n", bsp_nprocs());
        exit(EXIT_FAILURE);
    }
    parts();
    exit(tap_done());
}
