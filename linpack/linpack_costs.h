/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_costs.h: what the steps of a factorization cost, measured on all ranks at once, and the
   model that adds them up. */
#ifndef LINPACK_COSTS_H
#define LINPACK_COSTS_H

#include <stdbool.h>
#include "blas/blas.h"
#include "comm/comm.h"
#include "measure/quantity.h"

/* Seconds, on the slowest rank:
   flop_s, element_s        an update of m x c elements by a panel of w columns takes
                            m c (2 w flop_s + element_s)
   column_s, entry_s,       one rank factors m rows of a panel in
   panel_flop_s             w column_s + m w (entry_s + w panel_flop_s)
   move_s                   a number of a row that is copied
   latency_s, record_s      a message of 8 bytes, and of LINPACK_RECORD_BYTES
   gap_s                    each further message of 8 bytes that is sent at the same time
   byte_s                   each byte above LINPACK_RECORD_BYTES */
enum { LINPACK_RECORD_BYTES = 2048 };
#define LINPACK_PANEL_TOP (1 / 6.0)
typedef struct {
    double flop_s, element_s;
    double column_s, entry_s, panel_flop_s;
    double move_s;
    double latency_s, record_s, gap_s, byte_s;
} linpack_costs;

/* The medians of some rounds, and the ends of their intervals. All times of `least` and `most` are
   at the same end. */
typedef struct {
    linpack_costs usual, least, most;
    size_t rounds; /* 0: not measured */
} linpack_cost_range;

/* ---- linpack_costs.c ------------------------------------------------------------------------- */
typedef struct {
    int order;     /* the largest of the run */
    int width[2];  /* of panels, on grids of one row and of one column; may be equal */
    int precision; /* LINPACK_SINGLE, LINPACK_DOUBLE */
    const cm_blas_low *low;
    double flop_per_s; /* of a rank; the only cost of computing on a simulated host */
} linpack_cost_sizes;
/* Measures on all ranks at once; all get the same. Ends the job if there is no memory. */
linpack_cost_range linpack_costs_measure(cm_group *group, const linpack_cost_sizes *sizes);

/* ---- linpack_turns.c ------------------------------------------------------------------------- */
/* The way of a panel along a row of the grid. */
typedef enum {
    LINPACK_STAR,   /* its sender sends it to all others */
    LINPACK_TREE,   /* binomial */
    LINPACK_LONG,   /* a scatter, then a ring */
    LINPACK_PIECES, /* in segments from each rank to the next */
    LINPACK_WHOLE   /* the same in one piece */
} linpack_way;

typedef struct {
    int n, nb, rows, columns; /* order, columns of a panel, P, Q */
    int slices, depth;        /* of the look-ahead */
    size_t bytes;             /* of a number */
    bool tournament;
    bool copies; /* the processors move the messages */
    linpack_way way;
} linpack_shape;

/* Returns the seconds of a factorization and a solution. */
double linpack_turns_s(const linpack_shape *shape, const linpack_costs *costs);

#endif
