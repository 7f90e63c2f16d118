/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_turns.c: the model of the time: it goes through the factorization panel by panel, with a
   clock for each column of the grid. A panel is a turn: the column that has the next panel updates
   its columns first, factors it and sends it; then all update the rest. The steps and what waits
   for what are those of linpack_blocked.inc. */
#include <math.h>
#include <stdlib.h>
#include "linpack_costs.h"
#include "linpack_solvers.h"

enum {
    PIECE = 256,      /* rows of an update between looks for messages, as in linpack_types.inc */
    TURNS_MOST = 256, /* of more turns, this number is computed; all change slowly */
    HEAD_BYTES = 32   /* of a record */
};
static const double patience_s = 20e-6; /* of linpack_search.inc */

typedef struct {
    const linpack_shape *shape;
    const linpack_costs *c;
    double n, nb, rows, columns, bytes;
} model;

/* ---- Steps ----------------------------------------------------------------------------------- */

static double message_s(const model *g, double bytes)
{
    const linpack_costs *c = g->c;
    if (bytes > LINPACK_RECORD_BYTES)
        return c->record_s + (bytes - LINPACK_RECORD_BYTES) * c->byte_s;
    return c->latency_s + bytes / LINPACK_RECORD_BYTES * (c->record_s - c->latency_s);
}

/* Rounds of a reduction. If the ranks are no power of two, those beyond it hand their vector to
   another rank first, and get the result from it. */
static double rounds_of(double ranks)
{
    const double whole = floor(log2(ranks));
    return exp2(whole) == ranks ? whole : whole + 2;
}

/* All ranks of a column of the grid have the next w rows of U, and solve for them: w^2 operations
   for each column, and copies. Each rank copies its own of these rows out and back, and all of them
   into place; of the displaced rows it sends and gets its share. */
static double rows_of_u_s(const model *g, double width, double w)
{
    const double copies = g->rows > 1 ? 1 + 4 / g->rows : 3;
    return width * w * (copies * g->c->move_s + w * g->c->flop_s + g->c->element_s);
}

static double update_s(const model *g, double rows, double width, double w)
{
    return rows * width * (2 * w * g->c->flop_s + g->c->element_s);
}

static double exchange_bytes(const model *g, double width, double w)
{
    return width * w * (1 + 1 / g->rows) * (g->rows - 1) / g->rows * g->bytes;
}

/* A rank gets the rows of U from each of the others, at most a rank for each row, and its share of
   the displaced rows. Their latencies are not added up. */
static double exchange_s(const model *g, double width, double w)
{
    if (g->rows == 1 || width <= 0) return 0;
    const double messages = fmin(g->rows - 1, w) + fmin(g->rows - 1, w / g->rows);
    const double one_s = message_s(g, exchange_bytes(g, width, w) / messages);
    return one_s + (messages - 1) * (g->c->gap_s + one_s - g->c->latency_s);
}

/* Each column's pivot takes a reduction over the ranks of a column of the grid, of two rows of the
   panel; of two ranks, only one sends both. A tournament has one reduction for each panel, of two
   blocks, in each round of which two sets of candidates are a panel. */
static double record_s(const model *g, double w)
{
    return message_s(g, (g->rows == 2 ? 1.5 : 2) * w * g->bytes + HEAD_BYTES);
}

static double panel_alone_s(const model *g, double rows, double w)
{
    return w * g->c->column_s
           + (rows + LINPACK_PANEL_TOP * w) * w * (g->c->entry_s + w * g->c->panel_flop_s);
}

static double search_s(const model *g, double w)
{
    if (g->rows == 1) return 0;
    if (!g->shape->tournament) return w * rounds_of(g->rows) * record_s(g, w);
    return rounds_of(g->rows) * (message_s(g, 2 * w * w * g->bytes) + panel_alone_s(g, 2 * w, w));
}

static double panel_s(const model *g, double rows, double w)
{
    const bool twice = g->shape->tournament && g->rows > 1;
    return (twice ? 2 : 1) * panel_alone_s(g, rows, w) + search_s(g, w);
}

/* Returns a column's columns of the matrix from panel k on, and the right-hand side. */
static double columns_from(const model *g, int k, int q)
{
    const int n = g->shape->n, nb = g->shape->nb, columns = g->shape->columns;
    const int last = (n - 1) / nb;
    const int first = k + ((q - k) % columns + columns) % columns;
    if (first > last) return q == last % columns;
    const int panels = (last - first) / columns + 1;
    const bool has_last = last % columns == q;
    return panels * nb - (has_last ? (last + 1) * nb - n - 1 : 0);
}

/* ---- The way of a panel ---------------------------------------------------------------------- */

/* Times of the columns of the grid. */
typedef struct {
    double *free_s;   /* when a column has updated */
    double *here_s;   /* when it has the panel */
    double *posted_s; /* when it can receive the next panel */
    double *link_s;   /* when its ranks' network is free */
    double *left_s;   /* [depth + 1] for each copy of a panel: when it has been sent on */
} clocks;

typedef struct {
    double sent_s; /* when its sender has factored it */
    double bytes;  /* of a rank's part */
    double look_s; /* between looks for messages, while a column updates */
    int panel, width;
} panel_way;

/* Returns when `steps` messages of step_s each have moved one after the other from since_s on.
   Until busy_s ranks only look for them now and then. */
static double after_steps(double since_s, double steps, double step_s, double busy_s, double look_s)
{
    const double slow_s = fmax(step_s, look_s);
    const double slow = fmax(0, busy_s - since_s) / slow_s;
    return slow >= steps ? since_s + steps * slow_s
                         : fmax(since_s, busy_s) + (steps - slow) * step_s;
}

/* The layer's segments, collective_chain.c. */
static double segment_of(double bytes, double ranks)
{
    const double latency_bytes = 32 << 10, least = 4 << 10, hops = ranks > 3 ? ranks - 2 : 1;
    double segment = least;
    while (segment < bytes && segment <= bytes / segment * latency_bytes / hops) segment *= 2;
    return fmin(segment, bytes);
}

/* Stores when the panel of column `owner` is in the others. left_s: of its copy. A rank sends one
   panel after the other, and to a rank that can receive it. */
static void send_panel(const model *g, const panel_way *p, int owner, const clocks *t,
                       double *left_s)
{
    const int columns = g->shape->columns;
    const double whole_s = message_s(g, p->bytes), rounds = ceil(log2(columns));
    const double segment = segment_of(p->bytes, columns), pieces = ceil(p->bytes / segment);
    double before_s = p->sent_s, busy_s = t->free_s[owner];
    int from = owner;
    for (int d = 1; d < columns; d++) {
        const int q = (owner + d) % columns;
        const double start_s = fmax(fmax(before_s, t->link_s[from]), t->posted_s[q]);
        double here_s = start_s + whole_s;
        switch (g->shape->way) {
        case LINPACK_STAR:
            here_s = p->sent_s + g->c->latency_s + d * (whole_s - g->c->latency_s);
            break;
        case LINPACK_TREE:
            here_s = p->sent_s + rounds * whole_s + (rounds - 1) * p->look_s / 2;
            break;
        case LINPACK_LONG:
            here_s = after_steps(p->sent_s, rounds + columns - 1, message_s(g, p->bytes / columns),
                                 busy_s, p->look_s);
            break;
        case LINPACK_PIECES:
            here_s = after_steps(fmax(p->sent_s, fmax(t->link_s[from], t->posted_s[q])),
                                 pieces + d - 1, message_s(g, segment), busy_s, p->look_s);
            break;
        case LINPACK_WHOLE:
            break;
        }
        /* The sender exchanges rows by this panel as soon as it may, on the same network. */
        const double since_s =
            from == owner ? t->free_s[from] : fmax(t->free_s[from], t->here_s[from]);
        const double rows_s =
            exchange_bytes(g, columns_from(g, p->panel + 1, from), p->width) * g->c->byte_s;
        here_s += fmin(rows_s, fmax(0, here_s - since_s));
        t->here_s[q] = here_s;
        left_s[from] = here_s - g->c->latency_s;
        t->link_s[from] = fmax(t->link_s[from], left_s[from]);
        left_s[q] = 0;
        /* A rank that updates passes a panel on when it looks for messages next. */
        before_s = here_s + (here_s < t->free_s[q] ? p->look_s / 2 : 0);
        busy_s = fmax(busy_s, t->free_s[q]);
        from = q;
    }
}

/* ---- Turns ----------------------------------------------------------------------------------- */

static double rows_from(const model *g, int row)
{
    return row < g->n ? ceil((g->n - row) / g->rows) : 0;
}

/* The update of a slice hides the rows of the next one. Each slice packs the panel again. */
static double rest_s(const model *g, double rows, double width, double w, double hidden_s)
{
    const double most = floor(width / 64), slices = fmax(1, fmin(g->shape->slices, most));
    if (width <= 0) return 0;
    const double whole_s = slices * exchange_s(g, width / slices, w);
    const double work_s = rows_of_u_s(g, width, w) + update_s(g, rows, width, w)
                          + (slices - 1) * rows * w * g->c->move_s;
    const double first_s = fmax(0, whole_s / slices - hidden_s);
    const double others_s = fmax(0, (whole_s - work_s) * (slices - 1) / slices);
    return first_s + others_s + work_s;
}

/* One column: all its ranks do the same. With look-ahead the reductions go on while the rest is
   updated, one at each look; of those that come soon, a look takes many. */
static double one_column_s(const model *g, int k)
{
    const int first = k * g->shape->nb;
    const double w = fmin(g->nb, g->n - first), width = g->n - first - w + 1;
    const double rows = rows_from(g, first), below = rows_from(g, first + (int)w);
    double pivots_s = search_s(g, w);
    if (g->shape->depth > 0 && k > 0 && !g->shape->tournament) {
        const double round_s = pivots_s / w, looks = fmin(w, floor(below * width / g->n / PIECE));
        if (round_s > patience_s) pivots_s -= looks * (round_s - patience_s);
    }
    return panel_s(g, rows, w) - search_s(g, w) + pivots_s + rest_s(g, below, width, w, 0);
}

/* Several columns, with look-ahead. */
static void turn(const model *g, int k, const clocks *t)
{
    const int nb = g->shape->nb, columns = g->shape->columns, first = k * nb;
    const int next = (k + 1) % columns, copies = g->shape->depth + 1;
    const double w = fmin(g->nb, g->n - first), below = rows_from(g, first + (int)w);
    const double part_bytes = below * w * g->bytes, ahead = fmin(nb, g->n - first - w);
    double *left_s = t->left_s + (k + 1) % copies * columns;
    double sent_s = 0;
    for (int q = 0; q < columns; q++) {
        const bool waits = q != k % columns;
        const double width = columns_from(g, k + 1, q);
        /* Processors that move messages do so when they look for them. */
        const double moved_s = g->shape->copies ? part_bytes * g->c->byte_s : 0;
        double at_s = waits ? fmax(t->free_s[q], t->here_s[q] - moved_s) + moved_s : t->free_s[q];
        double lead = 0, hidden_s = 0;
        if (q != next) at_s = fmax(at_s, left_s[q]);
        t->posted_s[q] = at_s;
        t->link_s[q] = fmax(t->link_s[q], at_s + exchange_bytes(g, width, w) * g->c->byte_s);
        if (q == next && ahead > 0 && g->shape->depth > 0) {
            const double own_s = rest_s(g, below, ahead, w, 0) + panel_s(g, below, ahead)
                                 + below * ahead * g->c->move_s;
            lead = ahead;
            hidden_s = own_s;
            at_s = sent_s = fmax(at_s + own_s, left_s[q]);
        }
        t->free_s[q] = at_s + rest_s(g, below, width - lead, w, hidden_s);
        if (q == next && ahead > 0 && g->shape->depth == 0)
            t->free_s[q] = sent_s =
                t->free_s[q] + panel_s(g, below, ahead) + below * ahead * g->c->move_s;
    }
    if (ahead <= 0) return;
    const double width = columns_from(g, k + 1, (k + 2) % columns);
    const double piece = below / fmax(1, floor(below / PIECE));
    const double rows = rows_from(g, first + (int)(w + ahead));
    const panel_way way = {sent_s, (ahead + rows) * ahead * g->bytes, update_s(g, piece, width, w),
                           k + 1, (int)ahead};
    send_panel(g, &way, next, t, left_s);
}

/* Back substitution: a reduction over all ranks for each panel, and each element of U once. */
static double solve_s(const model *g)
{
    const double ranks = g->rows * g->columns, panels = ceil(g->n / g->nb);
    return g->n * g->n / 2 / ranks * fmax(g->c->move_s, 2 * g->c->flop_s)
           + (ranks > 1 ? panels * rounds_of(ranks) * message_s(g, g->nb * g->bytes) : 0);
}

/* Returns the panel of turn t. Its column is the one after that of the turn before. */
static int panel_of(const model *g, int t, double each, int panels)
{
    const int columns = g->shape->columns, near = (int)((t + 0.5) * each);
    const int panel = near - near % columns + t % columns;
    return panel < panels ? panel : panel >= columns ? panel - columns : near;
}

double linpack_turns_s(const linpack_shape *shape, const linpack_costs *costs)
{
    const model g = {
        shape, costs, shape->n, shape->nb, shape->rows, shape->columns, (double)shape->bytes};
    const int panels = (shape->n + shape->nb - 1) / shape->nb;
    const int turns = panels < TURNS_MOST ? panels : TURNS_MOST;
    const double each = (double)panels / turns; /* turns that one stands for */
    double total_s = 0;
    if (shape->columns == 1) {
        for (int t = 0; t < turns; t++) total_s += one_column_s(&g, (int)((t + 0.5) * each));
        return each * total_s + solve_s(&g);
    }
    const size_t columns = (size_t)shape->columns;
    const size_t copies = (size_t)shape->depth + 1;
    double *memory = linpack_allocate((4 + copies) * columns, sizeof *memory, "the model");
    const clocks c = {memory, memory + columns, memory + 2 * columns, memory + 3 * columns,
                      memory + 4 * columns};
    const double first_s = panel_s(&g, rows_from(&g, 0), fmin(g.nb, g.n));
    const panel_way way = {first_s, (g.nb + g.n / g.rows) * g.nb * g.bytes, 0, 0, shape->nb};
    send_panel(&g, &way, 0, &c, c.left_s);
    c.free_s[0] = first_s;
    for (int t = 0; t < turns; t++) turn(&g, panel_of(&g, t, each, panels), &c);
    for (size_t q = 0; q < columns; q++) total_s = fmax(total_s, c.free_s[q]);
    free(memory);
    return each * total_s + solve_s(&g);
}
