/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp.c: the BSP layer on two ranks: an empty superstep, words of 8 bytes by bsp_put, and 512 KB by
   bsp_hpput beside the same by the communication layer. Prints "KEY VALUE" lines with medians. */
#include <stdio.h>
#include <stdlib.h>
#include "bsp/bsp_group.h"

enum { BATCHES = 41, SINGLES = 1001, LARGE = 512 * 1024, STREAM = 32 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *time_s, int n)
{
    qsort(time_s, (size_t)n, sizeof *time_s, by_value);
    return time_s[n / 2];
}

static double words[1 << 16], area[1 << 16];
static char *from, *to;

static void empty(void) { bsp_sync(); }

/* A message each way: the least that an empty superstep needs. */
static void exchange(void)
{
    int other = 1 - bsp_pid();
    static char out[8], in[8];
    cm_sendrecv(cm_world(), out, 8, other, 9, in, 8, other, 9, NULL);
}

static int h;
static void puts_of_words(void)
{
    int other = 1 - bsp_pid();
    for (int k = 0; k < h; k++) bsp_put(other, &words[k], area, 8 * k, 8);
    bsp_sync();
}

static void puts_scattered(void)
{
    int other = 1 - bsp_pid();
    for (int k = 0; k < h; k++) bsp_put(other, &words[k], area, 8 * ((k * 40503) & (h - 1)), 8);
    bsp_sync();
}

/* Words to registered areas in turn, as sparse codes have them. */
static int areas;
static double *place[10000];
static void puts_to_areas(void)
{
    int other = 1 - bsp_pid();
    for (int k = 0; k < h; k++) bsp_put(other, &words[k], place[k % areas], 0, 8);
    bsp_sync();
}

/* One way, as a stream. */
static void hpputs(void)
{
    if (bsp_pid() == 0)
        for (int k = 0; k < STREAM; k++) bsp_hpput(1, from, to, 0, LARGE);
    bsp_sync();
}

static void layer(void)
{
    cm_request *request[STREAM];
    if (bsp_pid() == 0)
        for (int k = 0; k < STREAM; k++) request[k] = cm_isend(cm_world(), from, LARGE, 1, 7);
    else
        for (int k = 0; k < STREAM; k++) request[k] = cm_irecv(cm_world(), to, LARGE, 0, 7);
    cm_waitall(STREAM, request, NULL);
    cm_sendrecv(cm_world(), NULL, 0, 1 - bsp_pid(), 8, NULL, 0, 1 - bsp_pid(), 8, NULL);
}

static double of_batches(void (*superstep)(void), int repetitions, int batches)
{
    double time_s[SINGLES];
    superstep();
    for (int batch = 0; batch < batches; batch++) {
        bsp_sync();
        double begin_s = bsp_time();
        for (int k = 0; k < repetitions; k++) superstep();
        time_s[batch] = (bsp_time() - begin_s) / repetitions;
    }
    return median(time_s, batches);
}

static double of(void (*superstep)(void), int repetitions)
{
    return of_batches(superstep, repetitions, BATCHES);
}

/* Of many supersteps, each on its own: a rank that another process drives from its core for a tick
   (4 ms) costs as much as 40 of them. A mean of 10 or 100 would be a matter of who else runs. */
static double of_singles(void (*superstep)(void)) { return of_batches(superstep, 1, SINGLES); }

/* Nanoseconds of a word, with n registered areas. */
static double areas_ns(int n)
{
    for (int k = 0; k < n; k++) bsp_push_reg(place[k] = &words[k], 8);
    bsp_sync();
    areas = n;
    const double ns = 1e9 * of_singles(puts_to_areas) / h;
    for (int k = 0; k < n; k++) bsp_pop_reg(place[k]);
    bsp_sync();
    return ns;
}

int main(int argc, char **argv)
{
    if (cm_init(&argc, &argv)) return 3;
    cm_bsp_begin(cm_world());
    if (bsp_nprocs() != 2) bsp_abort("expected 2 ranks");
    from = calloc(LARGE, 1);
    to = calloc(LARGE, 1);
    bsp_push_reg(area, sizeof area);
    bsp_push_reg(to, LARGE);
    bsp_sync();
    double sync_s = of(empty, 1000), exchange_s = of(exchange, 1000);
    h = 1 << 14;
    double words_s = of_singles(puts_of_words), scattered_s = of_singles(puts_scattered);
    double hpput_s = of(hpputs, 1), layer_s = of(layer, 1);
    double areas_1000_ns = areas_ns(1000), areas_10000_ns = areas_ns(10000);
    if (bsp_pid() == 0)
        printf("sync_us %.3f\nexchange_us %.3f\ng_ns_per_word %.2f\ng_scattered_ns_per_word %.2f\n"
               "hpput_GB_per_s %.2f\nlayer_GB_per_s %.2f\n"
               "areas_1000_ns_per_word %.2f\nareas_10000_ns_per_word %.2f\n",
               1e6 * sync_s, 1e6 * exchange_s, 1e9 * words_s / h, 1e9 * scattered_s / h,
               1e-9 * STREAM * LARGE / hpput_s, 1e-9 * STREAM * LARGE / layer_s, areas_1000_ns,
               areas_10000_ns);
    cm_bsp_end();
    cm_finalize();
    return 0;
}
