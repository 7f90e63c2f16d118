/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_textbook_size.c: programs as they are written for MulticoreBSP, whose sizes are size_t
   (Bisseling, Parallel scientific computation, 2nd edition, 2020): numbers sorted into ranges, a
   sparse matrix transposed, degrees in a ring. local.mk builds it as C11, as C99 and as C++.
   Variables that a call must fill have all bits set before, so that a half left unwritten is
   noticed. */
#include <stdlib.h>
#include "bsp.h"
#include "tap.h"

enum { EACH = 20, POINTS = 4 };

static int wanted; /* set by process 0 alone */

static int compare(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

/* Every process has n numbers below p range. Process s gets those of [s range, (s + 1) range) in
   order. Returns how many. A message's tag says how many numbers it has. */
static long sort_into_ranges(const long *mine, long n, long range, long *sorted)
{
    long p = bsp_nprocs(), found = 0, *part = (long *)malloc(n * sizeof(long));
    bsp_size_t tag_bytes = sizeof(long);
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    for (long t = 0; t < p; t++) {
        long count = 0;
        for (long i = 0; i < n; i++)
            if (mine[i] / range == t) part[count++] = mine[i];
        if (count > 0) bsp_send(t, &count, part, count * sizeof(long));
    }
    free(part);
    bsp_sync();
    bsp_nprocs_t parts = -1;
    bsp_size_t bytes = -1;
    bsp_qsize(&parts, &bytes);
    for (bsp_nprocs_t k = 0; k < parts; k++) {
        bsp_size_t payload_bytes = -1;
        long count;
        bsp_get_tag(&payload_bytes, &count);
        if (payload_bytes != count * sizeof(long)) bsp_abort("%ld numbers in other bytes", count);
        bsp_move(&sorted[found], payload_bytes);
        found += count;
    }
    if (bytes != found * sizeof(long)) bsp_abort("%ld numbers in other bytes in all", found);
    qsort(sorted, found, sizeof(long), compare);
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    if (tag_bytes != sizeof(long)) bsp_abort("tags had the size of a number");
    return found;
}

/* Process s has row s of a matrix of p rows and columns, and gets column s instead. Returns how
   many elements other than 0 it got. */
typedef struct {
    size_t i, j;
} place;
static size_t transpose(double *row)
{
    size_t p = bsp_nprocs(), s = bsp_pid(), tag_bytes = sizeof(place), elements = -1, bytes = -1;
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    for (size_t j = 0; j < p; j++) {
        place where = {j, s};
        if (row[j] != 0) bsp_send(j, &where, &row[j], sizeof(double));
        row[j] = 0;
    }
    bsp_sync();
    bsp_qsize(&elements, &bytes);
    size_t status = 0, got = 0;
    place where;
    while (bsp_get_tag(&status, &where), status != (size_t)-1) {
        if (status != sizeof(double) || where.i != s) bsp_abort("a message for another process");
        bsp_move(&row[where.j], status);
        got++;
    }
    if (got != elements || bytes != got * sizeof(double)) bsp_abort("another number of messages");
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    return tag_bytes == sizeof(place) ? elements : 0;
}

static bool transposed(double *row)
{
    size_t p = bsp_nprocs(), s = bsp_pid(), rows = 0;
    for (size_t j = 0; j < p; j++) row[j] = (s + j) % 3 ? 100. * s + j + 1 : 0;
    size_t elements = transpose(row);
    for (size_t i = 0; i < p; i++) {
        rows += (s + i) % 3 != 0;
        if (row[i] != ((s + i) % 3 ? 100. * i + s + 1 : 0)) return false;
    }
    return elements == rows;
}

/* Each edge of a ring sends both its ends a message without payload. MulticoreBSP counts messages
   in an unsigned int. */
static unsigned int degree(void)
{
    unsigned int edges = -1;
    size_t bytes = -1;
    bsp_send((bsp_pid() + 1) % bsp_nprocs(), NULL, NULL, 0);
    bsp_send(bsp_pid(), NULL, NULL, 0);
    bsp_sync();
    bsp_qsize(&edges, &bytes);
    bsp_sync();
    return bytes ? 0 : edges;
}

/* One queue's sizes in all types, with NULL for either argument; then by the functions
   themselves. */
static bool every_type(void)
{
    struct {
        int n, beside, bytes, beside_it;
    } a = {-1, 77, -1, 77};
    struct {
        unsigned int n, beside;
    } b = {~0u, 77};
    size_t n = -1, bytes = -1, same_bytes = -1;
    int same = -1, status = -1, tag_bytes = 3;
    bsp_send(bsp_pid(), NULL, &n, 6);
    bsp_send(bsp_pid(), NULL, &n, 5);
    bsp_sync();
    bsp_qsize(&a.n, NULL);
    bsp_qsize(NULL, &a.bytes);
    bool right = a.n == 2 && a.bytes == 11 && a.beside == 77 && a.beside_it == 77;
    bsp_qsize(&n, NULL);
    bsp_qsize(NULL, &bytes);
    bsp_qsize(&b.n, NULL);
    right = right && n == 2 && bytes == 11 && b.n == 2 && b.beside == 77;
    bsp_qsize(&same, &same_bytes);
    right = right && same == 2 && same_bytes == 11;

    void (*ask)(int *, int *) = bsp_qsize;
    void (*look)(int *, void *) = &bsp_get_tag;
    void (*set)(int *) = bsp_set_tagsize;
    ask(&same, &status);
    right = right && same == 2 && status == 11;
    (bsp_qsize)(&same, &status);
    right = right && same == 2 && status == 11;
    look(&status, NULL);
    right = right && status == 6;
    bsp_get_tag(&n, NULL);
    set(&tag_bytes);
    bsp_set_tagsize(&bytes);
    right = right && n == 6 && tag_bytes == 0 && bytes == 3;
    tag_bytes = 0;
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    bsp_get_tag(&status, NULL);
    return right && tag_bytes == 11 && status == -1;
}

static void spmd(void)
{
    bsp_begin(wanted);
    long p = bsp_nprocs(), s = bsp_pid(), mine[EACH], sorted[EACH * EACH];
    int passed[POINTS] = {0}, *all = (int *)calloc(p * POINTS, sizeof(int));

    for (long i = 0; i < EACH; i++) mine[i] = EACH * p - 1 - (i * p + s);
    passed[0] = sort_into_ranges(mine, EACH, EACH, sorted) == EACH;
    for (long i = 0; i < EACH; i++) passed[0] &= sorted[i] == s * EACH + i;
    double *row = (double *)calloc(p, sizeof(double));
    passed[1] = transposed(row);
    free(row);
    passed[2] = degree() == 2;
    passed[3] = every_type();

    bsp_push_reg(all, p * POINTS * sizeof(int));
    bsp_sync();
    bsp_put(0, passed, all, s * POINTS * sizeof(int), POINTS * sizeof(int));
    bsp_sync();
    static const char *const names[POINTS] = {"numbers sorted into ranges",
                                              "a sparse matrix transposed", "degrees in a ring",
                                              "sizes of every type"};
    for (int k = 0; k < POINTS && s == 0; k++) {
        long n = 0;
        for (long t = 0; t < p; t++) n += all[t * POINTS + k];
        ok(n == p, "%s", names[k]);
    }
    free(all);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    wanted = bsp_nprocs();
    spmd();
    return tap_done();
}
