/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_textbook.c: programs as textbooks have them, in BSPlib's standard alone: the reversal of
   processes, an array written by everyone, all partial sums in log p supersteps, an inner product,
   a sparse vector by messages (after Hill et al. 1998 and Bisseling, Parallel scientific
   computation, 2004). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "bsp.h"
#include "tap.h"

static int wanted; /* set by process 0 alone */

static int reverse(int x)
{
    bsp_push_reg(&x, sizeof(int));
    bsp_sync();
    bsp_put(bsp_nprocs() - bsp_pid() - 1, &x, &x, 0, sizeof(int));
    bsp_sync();
    bsp_pop_reg(&x);
    return x;
}

/* xs[i], for the n/p elements of each process, is the position of element i in the whole array. */
static void put_array(int *xs, int n)
{
    int p = bsp_nprocs(), n_over_p = n / p;
    bsp_push_reg(xs, n_over_p * (int)sizeof(int));
    bsp_sync();
    for (int i = 0; i < n_over_p; i++)
        bsp_put(xs[i] / n_over_p, &xs[i], xs, (xs[i] % n_over_p) * (int)sizeof(int), sizeof(int));
    bsp_sync();
    bsp_pop_reg(xs);
}

static int partial_sums(int x)
{
    int left, right = x;
    bsp_push_reg(&left, sizeof(int));
    bsp_sync();
    for (int i = 1; i < bsp_nprocs(); i *= 2) {
        if (bsp_pid() + i < bsp_nprocs()) bsp_put(bsp_pid() + i, &right, &left, 0, sizeof(int));
        bsp_sync();
        if (bsp_pid() >= i) right = left + right;
    }
    bsp_pop_reg(&left);
    return right;
}

/* The inner product of x = (0, ..., n - 1) with itself, in the cyclic distribution. */
static double inner_product(int n)
{
    int p = bsp_nprocs(), s = bsp_pid();
    double sum = 0, *all = calloc((size_t)p, sizeof(double));
    bsp_push_reg(all, p * (int)sizeof(double));
    bsp_sync();
    for (int i = s; i < n; i += p) sum += (double)i * i;
    for (int t = 0; t < p; t++) bsp_put(t, &sum, all, s * (int)sizeof(double), sizeof(double));
    bsp_sync();
    double alpha = 0;
    for (int t = 0; t < p; t++) alpha += all[t];
    bsp_pop_reg(all);
    free(all);
    return alpha;
}

/* Collects the non-zero elements of all parts on process 0, and returns their number there. */
static int gather_sparse(const float *xs, int n, float *all)
{
    int tag_size = sizeof(int), found, bytes;
    bsp_set_tagsize(&tag_size);
    bsp_sync();
    for (int i = 0; i < n; i++) {
        int where = bsp_pid() * n + i;
        if (xs[i] != 0) bsp_send(0, &where, &xs[i], sizeof(float));
    }
    bsp_sync();
    bsp_qsize(&found, &bytes);
    for (int i = 0; i < found; i++) {
        int status, where;
        bsp_get_tag(&status, &where);
        if (status != (int)sizeof(float)) bsp_abort("message of %d bytes\n", status);
        bsp_move(&all[where], sizeof(float));
    }
    bsp_set_tagsize(&tag_size);
    bsp_sync();
    return found;
}

static void spmd(void)
{
    enum { EACH = 10 };
    bsp_begin(wanted);
    int p = bsp_nprocs(), s = bsp_pid(), failures[5] = {0};
    failures[0] += reverse(s) != p - 1 - s;

    int xs[EACH];
    for (int i = 0; i < EACH; i++)
        xs[i] = (7 * (s * EACH + i) + 3) % (EACH * p); /* 7 divides no 10 p below 7 */
    if (p % 7) {
        put_array(xs, EACH * p);
        for (int i = 0; i < EACH; i++) failures[1] += xs[i] != s * EACH + i;
    }
    failures[2] += partial_sums(s + 1) != (s + 1) * (s + 2) / 2;
    failures[3] += inner_product(1000) != 332833500;

    float sparse[EACH] = {0}, *all = calloc((size_t)(p * EACH), sizeof(float));
    sparse[s % EACH] = (float)(s + 1);
    int found = gather_sparse(sparse, EACH, all);
    failures[4] += found != (s ? 0 : p);
    for (int t = 0; s == 0 && t < p; t++) failures[4] += all[t * EACH + t % EACH] != (float)(t + 1);
    free(all);

    static const char *const names[5] = {"processes reversed", "an array written by everyone",
                                         "partial sums", "inner product",
                                         "sparse vector by messages"};
    int sums[5];
    memcpy(sums, failures, sizeof sums);
    bsp_push_reg(failures, sizeof failures);
    bsp_sync();
    for (int t = 0; t < p; t++) {
        int theirs[5];
        bsp_get(t, failures, 0, theirs, sizeof theirs);
        bsp_sync();
        for (int k = 0; k < 5 && t; k++) sums[k] += theirs[k];
    }
    for (int k = 0; k < 5 && s == 0; k++) ok(sums[k] == 0, "%s", names[k]);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    wanted = bsp_nprocs();
    spmd();
    return tap_done();
}
