/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_costs.c: measures the steps of a factorization, as the model adds them up: each in some
   rounds, which all ranks begin together and whose time is the slowest rank's, as in a
   factorization, where every panel joins all ranks. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "linpack_costs.h"
#include "linpack_solvers.h"
#include "memory/memory.h"
#include "random/random.h"
#include "run/run.h"
#include "sample/sample.h"

enum {
    ROUNDS = 7, /* six are the least for an interval */
    EDGE_MOST = 2048,
    ROWS_MOST = 4096,
    PIECE = 256, /* rows of a product, as in linpack_types.inc */
    LONG_BYTES = 1 << 18,
    BURST = 9, /* messages */
    TURNS = 8  /* of short messages in a round: some may have been sent long before */
};

/* What is timed. */
enum {
    PRODUCT,               /* of the first width, then of the second one */
    PANEL = PRODUCT + 2,   /* likewise */
    LOW_PANEL = PANEL + 2, /* of fewer rows */
    MOVE,
    SHORT,
    RECORD,
    LONG,
    TOGETHER, /* short messages */
    TIMES
};

typedef struct {
    cm_group *group;
    const linpack_cost_sizes *sizes;
    const linpack_solvers *solvers;
    int edge, rows, low_rows;
    char *u, *l, *c; /* edge x width; width x edge; edge x ld */
    char *panel, *out;
    char *sent, *got;
    size_t ld;
} bench;

/* ---- Computing ------------------------------------------------------------------------------- */

static char *numbers(const bench *b, size_t n)
{
    enum { AT_ONCE = 1024 };
    double part[AT_ONCE];
    uint64_t state = (uint64_t)cm_rank(b->group) + 1;
    char *array = cm_run_array((n + AT_ONCE) * b->solvers->bytes);
    for (size_t k = 0; k < n; k += AT_ONCE) {
        for (int i = 0; i < AT_ONCE; i++)
            part[i] = (double)(cm_random_next(&state) >> 11) * 0x1p-53 - 0.5;
        b->solvers->store(part, array + k * b->solvers->bytes, AT_ONCE, 1);
    }
    return array;
}

/* In pieces as the factorization does: width[0] is a row's of ranks, which looks for messages,
   width[1] a column's, which mostly does not and then computes it at once. */
static void product(const bench *b, int which)
{
    const size_t bytes = b->solvers->bytes;
    const int width = b->sizes->width[which], piece = which == 0 ? PIECE : b->edge;
    for (int at = 0; at < b->edge; at += piece) {
        const int n = b->edge - at < piece ? b->edge - at : piece;
        char *c = b->c + (size_t)at * b->ld * bytes, *l = b->l + (size_t)at * (size_t)width * bytes;
        if (b->sizes->precision == LINPACK_SINGLE)
            linpack_single_subtract(b->sizes->low, b->edge, n, width, (float *)b->u, b->edge,
                                    (float *)l, width, (float *)c, (int)b->ld);
        else
            linpack_double_subtract(b->sizes->low, b->edge, n, width, (double *)b->u, b->edge,
                                    (double *)l, width, (double *)c, (int)b->ld);
    }
}

/* Copies rows of the matrix out and others back, as exchanges do: not one after the other. */
static int move(const bench *b)
{
    enum { STEP = 37 };
    const size_t bytes = (size_t)b->edge * b->solvers->bytes, ld = b->ld * b->solvers->bytes;
    const int n = b->sizes->width[0];
    for (int i = 0; i < n; i++)
        memcpy(b->u + (size_t)i * bytes, b->c + (size_t)(i * STEP % b->edge) * ld, bytes);
    for (int i = 0; i < n; i++)
        memcpy(b->c + (size_t)((i * STEP + 1) % b->edge) * ld, b->u + (size_t)i * bytes, bytes);
    return 2 * n;
}

static double panel_s(const bench *b, int rows, int width)
{
    const linpack_layout map = {.group = b->group,
                                .ranks = 1,
                                .order = rows,
                                .block = 1,
                                .rows = rows,
                                .ld = linpack_ld_of(width),
                                .across = b->group,
                                .grid_columns = 1,
                                .width = width,
                                .columns = width,
                                .all = b->group,
                                .right = -1};
    return b->solvers->panel_s(&map, b->panel, b->out);
}

/* ---- Messages: every rank sends to the next, as in a factorization --------------------------- */

static void pass(const bench *b, size_t bytes, int turns)
{
    const int ranks = cm_size(b->group), rank = cm_rank(b->group);
    for (int k = 0; k < turns; k++)
        cm_sendrecv(b->group, b->sent, bytes, (rank + 1) % ranks, 0, b->got, bytes,
                    (rank + ranks - 1) % ranks, 0, NULL);
}

static void pass_together(const bench *b)
{
    const int ranks = cm_size(b->group), rank = cm_rank(b->group);
    cm_request *request[2 * BURST];
    for (int k = 0; k < BURST; k++)
        request[k] = cm_irecv(b->group, b->got + 8 * k, 8, (rank + ranks - 1) % ranks, 0);
    for (int k = 0; k < BURST; k++)
        request[BURST + k] = cm_isend(b->group, b->sent + 8 * k, 8, (rank + 1) % ranks, 0);
    cm_waitall(2 * BURST, request, NULL);
}

/* ---- Rounds ---------------------------------------------------------------------------------- */

/* Returns the seconds of one of the things that are timed, on this rank. */
static double time_s(const bench *b, int what)
{
    const int *width = b->sizes->width;
    if (what >= PANEL && what < LOW_PANEL) return panel_s(b, b->rows, width[what - PANEL]);
    if (what == LOW_PANEL) return panel_s(b, b->low_rows, width[0]);
    int parts = 1;
    const double since = cm_time();
    switch (what) {
    case PRODUCT:
    case PRODUCT + 1:
        product(b, what - PRODUCT);
        break;
    case MOVE:
        parts = move(b) * b->edge;
        break;
    case SHORT:
        pass(b, 8, parts = TURNS);
        break;
    case RECORD:
        pass(b, LINPACK_RECORD_BYTES, parts = TURNS);
        break;
    case LONG:
        pass(b, LONG_BYTES, parts = 2);
        break;
    default:
        pass_together(b);
    }
    return (cm_time() - since) / parts;
}

static bool computes(int what) { return what <= MOVE; }

/* Returns the median with its interval. The first round warms up. */
static cm_quantity measure(const bench *b, int what)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    const int rounds = cm_comm_has(CM_HAS_SIMULATOR) ? 1 : ROUNDS; /* simulated, all are the same */
    for (int round = -1; round < rounds; round++) {
        cm_barrier(b->group, CM_AUTO);
        double took_s = time_s(b, what);
        cm_allreduce(b->group, &took_s, &took_s, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
        if (round >= 0 && !cm_samples_add(&samples, took_s))
            cm_abort(CM_EXIT_SYSTEM, "out of memory for what steps cost");
    }
    const cm_summary summary = cm_sample_summary(&samples);
    cm_samples_free(&samples);
    return cm_quantity_median(&summary);
}

/* ---- Costs from times ------------------------------------------------------------------------ */

/* Two times of lines through two widths: time = at_0 + width * slope, neither below 0. */
static void line(const double time[2], const int width[2], double *at_0, double *slope)
{
    *slope =
        width[0] == width[1] ? time[0] / width[0] : (time[1] - time[0]) / (width[1] - width[0]);
    *at_0 = time[0] - *slope * width[0];
    if (*slope <= 0) *slope = 0, *at_0 = fmin(time[0], time[1]);
    if (*at_0 < 0) *at_0 = 0, *slope = fmax(time[0] / width[0], time[1] / width[1]);
}

static linpack_costs costs_of(const bench *b, const double *time)
{
    const int *width = b->sizes->width;
    const double edge = b->edge;
    const double rows = b->rows + LINPACK_PANEL_TOP * width[0];
    const double low_rows = b->low_rows + LINPACK_PANEL_TOP * width[0];
    linpack_costs c = {.move_s = time[MOVE],
                       .latency_s = time[SHORT],
                       .record_s = fmax(time[SHORT], time[RECORD]),
                       .gap_s = fmax(0, (time[TOGETHER] - time[SHORT]) / (BURST - 1))};
    /* Noise may make the long message hardly slower than the short one. */
    c.byte_s =
        fmax(time[LONG] - c.record_s, 0.1 * time[LONG]) / (LONG_BYTES - LINPACK_RECORD_BYTES);
    const double element[2] = {time[PRODUCT] / edge / edge, time[PRODUCT + 1] / edge / edge};
    line(element, width, &c.element_s, &c.flop_s);
    c.flop_s /= 2;
    const double entry_s = fmax(0, time[PANEL] - time[LOW_PANEL]) / (rows - low_rows) / width[0];
    c.column_s = fmax(0, time[LOW_PANEL] / width[0] - low_rows * entry_s);
    const double entry[2] = {fmax(0, time[PANEL] / width[0] - c.column_s) / rows,
                             fmax(0, time[PANEL + 1] / width[1] - c.column_s)
                                 / (b->rows + LINPACK_PANEL_TOP * width[1])};
    line(entry, width, &c.entry_s, &c.panel_flop_s);
    return c;
}

/* A simulator's hosts have one speed, and copies cost nothing. */
static void simulate(const linpack_cost_sizes *sizes, linpack_costs *c)
{
    const double flop_s = 1 / sizes->flop_per_s;
    c->flop_s = c->panel_flop_s = flop_s;
    c->element_s = c->column_s = c->entry_s = c->move_s = 0;
}

static void open_computing(bench *b)
{
    const linpack_cost_sizes *sizes = b->sizes;
    const size_t widest =
        (size_t)(sizes->width[0] > sizes->width[1] ? sizes->width[0] : sizes->width[1]);
    const int part = (int)(sizes->order / sqrt(cm_size(b->group)));
    b->edge = part < 2 * PIECE ? 2 * PIECE : part < EDGE_MOST ? part : EDGE_MOST;
    b->ld = (size_t)linpack_ld_of(b->edge);
    b->rows = sizes->order / 2 < ROWS_MOST ? sizes->order / 2 : ROWS_MOST;
    if (b->rows < 4 * (int)widest) b->rows = 4 * (int)widest;
    b->low_rows = b->rows / 4;
    b->u = numbers(b, (size_t)b->edge * widest);
    b->l = numbers(b, (size_t)b->edge * widest);
    b->c = numbers(b, (size_t)b->edge * b->ld);
    b->panel = numbers(b, (size_t)b->rows * (size_t)linpack_ld_of((int)widest));
    b->out = numbers(b, (size_t)b->rows * (size_t)linpack_ld_of((int)widest));
}

static void close_computing(bench *b)
{
    cm_memory_free(b->u), cm_memory_free(b->l), cm_memory_free(b->c);
    cm_memory_free(b->panel), cm_memory_free(b->out);
}

linpack_cost_range linpack_costs_measure(cm_group *group, const linpack_cost_sizes *sizes)
{
    const bool simulated = cm_comm_has(CM_HAS_SIMULATOR);
    bench b = {.group = group, .sizes = sizes, .solvers = linpack_solvers_of(sizes->precision)};
    double usual[TIMES] = {0}, least[TIMES] = {0}, most[TIMES] = {0};
    b.sent = linpack_allocate(1, LONG_BYTES, "messages");
    b.got = linpack_allocate(1, LONG_BYTES, "messages");
    if (!simulated) open_computing(&b);
    for (int what = 0; what < TIMES; what++) {
        if (simulated && computes(what)) continue;
        const cm_quantity q = measure(&b, what);
        usual[what] = q.value, least[what] = q.low, most[what] = q.high;
    }
    if (!simulated) close_computing(&b);
    free(b.sent), free(b.got);
    if (simulated) b.edge = b.rows = 2, b.low_rows = 1;
    linpack_cost_range range = {costs_of(&b, usual), costs_of(&b, least), costs_of(&b, most),
                                ROUNDS};
    linpack_costs *all[] = {&range.usual, &range.least, &range.most};
    for (int k = 0; simulated && k < 3; k++) simulate(sizes, all[k]);
    return range;
}
