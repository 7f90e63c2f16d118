/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_textbook_more.c: further programs after the descriptions in Bisseling (Parallel scientific
   computation, 2nd edition, 2020), with MulticoreBSP's types: the sieve of Eratosthenes and twin
   primes, conjugate gradients, and a matching of a graph by dominant edges. */
#include <math.h>
#include <stdlib.h>
#include "bsp.h"
#include "tap.h"

static long P; /* set by process 0 alone */

static long block(long n) { return (n + bsp_nprocs() - 1) / bsp_nprocs(); }

/* Sum over all processes. */
static double sum(double mine)
{
    double *all = calloc((size_t)bsp_nprocs(), sizeof *all), total = 0;
    bsp_push_reg(all, bsp_nprocs() * sizeof *all);
    bsp_sync();
    for (bsp_pid_t t = 0; t < bsp_nprocs(); t++)
        bsp_put(t, &mine, all, bsp_pid() * sizeof mine, sizeof mine);
    bsp_sync();
    for (bsp_pid_t t = 0; t < bsp_nprocs(); t++) total += all[t];
    bsp_pop_reg(all);
    free(all);
    return total;
}

/* ---- The primes below n ---------------------------------------------------------------------- */

/* Blocks of numbers; all processes sieve with the primes up to sqrt(n), which each finds by itself.
   A pair of twins may be in two blocks: the next block's first two numbers are fetched. */
static void sieve(long n, long *primes, long *twins)
{
    const long b = block(n), first = b * bsp_pid(), end = first + b < n ? first + b : n;
    char *composite = calloc((size_t)b + 2, 1);
    bsp_push_reg(composite, (bsp_size_t)b + 2);
    bsp_sync();
    for (long q = 2; q * q < n; q++) {
        long d = 2;
        while (d * d <= q && q % d) d++;
        if (d * d <= q) continue;
        for (long k = (first + q - 1) / q * q; k < end; k += q)
            if (k > q) composite[k - first] = 1;
    }
    for (long k = first; k < 2 && k < end; k++) composite[k - first] = 1;
    for (long k = end > first ? end - first : 0; k < b + 2; k++) composite[k] = 1;
    bsp_sync();
    for (long k = 0; k < 2; k++) {
        const long owner = (first + b + k) / b;
        if (first + b + k < n && owner < (long)bsp_nprocs())
            bsp_get(owner, composite, (first + b + k) % b, composite + b + k, 1);
    }
    bsp_sync();
    long found = 0, pairs = 0;
    for (long k = 0; k < b; k++) {
        found += !composite[k];
        pairs += !composite[k] && !composite[k + 2];
    }
    bsp_pop_reg(composite);
    *primes = (long)sum((double)found);
    *twins = (long)sum((double)pairs);
    free(composite);
}

/* ---- Conjugate gradients --------------------------------------------------------------------- */

/* The matrix has 2 on its diagonal and -1 beside it; x = 1. Returns the largest error. */
static double solve(long n)
{
    const long b = block(n), first = b * bsp_pid();
    const long here = first >= n ? 0 : first + b < n ? b : n - first;
    double *u = calloc((size_t)b + 2, sizeof *u), *w = calloc((size_t)b + 2, sizeof *w);
    double *r = calloc((size_t)b + 2, sizeof *r), *x = calloc((size_t)b + 2, sizeof *x);
    double rho = 0, error = 0;
    bsp_push_reg(u, (b + 2) * sizeof *u);
    bsp_sync();
    for (long i = 1; i <= here; i++) {
        u[i] = r[i] = first + i == 1 || first + i == n;
        rho += r[i] * r[i];
    }
    rho = sum(rho);
    for (long k = 0; k < 2 * n && rho > 1e-24; k++) {
        double gamma = 0, next = 0;
        if (here && first > 0) bsp_put(bsp_pid() - 1, &u[1], u, (b + 1) * sizeof *u, sizeof *u);
        if (here == b && first + b < n) bsp_put(bsp_pid() + 1, &u[b], u, 0, sizeof *u);
        bsp_sync();
        for (long i = 1; i <= here; i++) {
            const double right = first + i < n ? u[i + 1] : 0;
            w[i] = 2 * u[i] - u[i - 1] - right;
            gamma += u[i] * w[i];
        }
        const double alpha = rho / sum(gamma);
        for (long i = 1; i <= here; i++) {
            x[i] += alpha * u[i];
            r[i] -= alpha * w[i];
            next += r[i] * r[i];
        }
        next = sum(next);
        for (long i = 1; i <= here; i++) u[i] = r[i] + next / rho * u[i];
        rho = next;
    }
    for (long i = 1; i <= here; i++) error = fmax(error, fabs(x[i] - 1));
    bsp_pop_reg(u);
    free(u), free(w), free(r), free(x);
    return sum(error);
}

/* ---- Matching -------------------------------------------------------------------------------- */

/* A ring of n vertices with chords of length 5; all weights differ. */
enum { VERTICES = 60, DEGREE = 4 };

static long neighbour(long v, int k)
{
    static const long to[DEGREE] = {1, -1, 5, -5};
    return (v + to[k] + VERTICES) % VERTICES;
}

static long weight(long v, long u)
{
    const long low = v < u ? v : u, high = v < u ? u : v;
    return ((low * 7919 + high * 104729) % 1000) * 10000 + low * 100 + high;
}

/* Returns the free vertex that v prefers, or -1. */
static long preference(long v, const char *taken)
{
    long best = -1;
    for (int k = 0; k < DEGREE; k++) {
        const long u = neighbour(v, k);
        if (!taken[u] && (best < 0 || weight(v, u) > weight(v, best))) best = u;
    }
    return best;
}

/* One after the other, the heaviest edge that is left. */
static long greedy(void)
{
    char taken[VERTICES] = {0};
    for (long total = 0;;) {
        long from = -1, to = -1;
        for (long v = 0; v < VERTICES; v++) {
            const long u = taken[v] ? -1 : preference(v, taken);
            if (u >= 0 && (from < 0 || weight(v, u) > weight(from, to))) from = v, to = u;
        }
        if (from < 0) return total;
        taken[from] = taken[to] = 1;
        total += weight(from, to);
    }
}

/* Each vertex proposes to the one it prefers; two that propose to each other are matched, and tell
   their neighbours. The tag is the kind of the message. */
static long match(void)
{
    enum { PROPOSAL, TAKEN };
    const long p = bsp_nprocs(), s = bsp_pid();
    char taken[VERTICES] = {0};
    long total = 0, open = 1;
    bsp_size_t tag_bytes = sizeof(int);
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    while (open) {
        long wish[VERTICES], mine = 0;
        bsp_nprocs_t messages;
        for (long v = s; v < VERTICES; v += p) {
            const int tag = PROPOSAL;
            wish[v] = taken[v] ? -1 : preference(v, taken);
            const long pair[2] = {v, wish[v]};
            if (wish[v] >= 0) bsp_hpsend(wish[v] % p, &tag, pair, sizeof pair);
        }
        bsp_sync();
        bsp_qsize(&messages, NULL);
        for (bsp_nprocs_t k = 0; k < messages; k++) {
            long pair[2];
            const int tag = TAKEN;
            bsp_move(pair, sizeof pair);
            if (wish[pair[1]] != pair[0]) continue;
            if (pair[1] < pair[0]) total += weight(pair[0], pair[1]);
            for (bsp_pid_t t = 0; t < bsp_nprocs(); t++)
                bsp_send(t, &tag, &pair[1], sizeof pair[1]);
        }
        bsp_sync();
        bsp_qsize(&messages, NULL);
        for (bsp_nprocs_t k = 0; k < messages; k++) {
            long v;
            bsp_size_t status;
            int tag = -1;
            bsp_get_tag(&status, &tag);
            if (status != sizeof v || tag != TAKEN) bsp_abort("a message of tag %d\n", tag);
            bsp_move(&v, sizeof v);
            taken[v] = 1;
        }
        for (long v = s; v < VERTICES; v += p) mine += !taken[v] && preference(v, taken) >= 0;
        open = (long)sum((double)mine);
    }
    tag_bytes = 0;
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    return (long)sum((double)total);
}

static void spmd(void)
{
    bsp_begin(P);
    long primes[3], twins[3];
    static const long below[3] = {1000, 30, 3};
    for (int k = 0; k < 3; k++) sieve(below[k], &primes[k], &twins[k]);
    const double error = solve(37);
    const long matched = match();
    if (bsp_pid() == 0) {
        ok(primes[0] == 168 && twins[0] == 35, "%ld primes, %ld twins below 1000", primes[0],
           twins[0]);
        ok(primes[1] == 10 && twins[1] == 4, "%ld primes, %ld twins below 30", primes[1], twins[1]);
        ok(primes[2] == 1 && twins[2] == 0, "%ld prime, %ld twins below 3", primes[2], twins[2]);
        ok(error < 1e-9, "conjugate gradients: error %.1e", error);
        ok(matched == greedy(), "the matching by dominant edges is the greedy one: %ld", matched);
    }
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    P = bsp_nprocs();
    spmd();
    return tap_done();
}
