/* SPDX-License-Identifier: BSD-3-Clause */
/* xhpl_write.c: --write-dat: an HPL.dat for the hosts, each line with its reason. N is the largest
   multiple of NB that fits, NB is the fastest of three at a moderate order, and the grid is the
   model's. */
#include "config.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "machine/machine.h"
#include "linpack_choose.h"
#include "linpack_system.h"
#include "xhpl.h"

enum { TRIED = 3, TURNS = 2, STEP = 64, LEAST_NB = 32, MOST_NB = 256, WHY = 200 };

typedef struct {
    const xhpl_options *x;
    linpack_options own; /* with the grid and the panel that were chosen */
    xhpl_hosts hosts;
    linpack_grid grid;
    int nb, n;
    int tried[TRIED], tried_order; /* 0: none was measured */
    double tried_s[TRIED];
} plan;

/* ---- N --------------------------------------------------------------------------------------- */

/* Rank 0 has the most rows and columns. */
static int fit_hosts(const linpack_options *o, const xhpl_hosts *hosts, double part)
{
    int low = 0, high = LINPACK_ORDER_MOST;
    while (low < high) {
        const int middle = low + (high - low + 1) / 2;
        const double bytes = (double)linpack_bytes(o, middle, hosts->ranks, 0);
        if (bytes <= part * hosts->share_bytes) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* The least share of a rank on the hosts of the job. All ranks call it. */
static xhpl_hosts hosts_of_job(void)
{
    const cm_group *world = cm_world();
    const int rank = cm_rank(world), here = cm_run_ranks_on_computer(world, rank);
    bool limited;
    const double share = (double)cm_machine_memory_share_bytes(here, &limited);
    xhpl_hosts hosts = {.ranks = cm_size(world), .limited = limited};
    int most;
    hosts.hosts = cm_run_number_computers(world, &most);
    cm_allreduce(cm_world(), &share, &hosts.share_bytes, 1, CM_DOUBLE, CM_MIN, CM_AUTO);
    int32_t who = share == hosts.share_bytes ? rank : INT32_MAX;
    cm_allreduce(cm_world(), &who, &who, 1, CM_INT32, CM_MIN, CM_AUTO);
    cm_bcast(cm_world(), &hosts.limited, sizeof hosts.limited, who, CM_AUTO);
    hosts.least_ranks = hosts.limited ? 1 : cm_run_ranks_on_computer(world, who);
    hosts.least_bytes = hosts.share_bytes * hosts.least_ranks;
    snprintf(hosts.least, sizeof hosts.least, "%s", cm_host(world, who));
    return hosts;
}

static int fit(const plan *p) { return fit_hosts(&p->own, &p->hosts, p->x->part); }

/* ---- NB -------------------------------------------------------------------------------------- */

/* Returns the time in which the ranks of own's group solve an order. */
static double solve_s(const linpack_options *own, int order)
{
    linpack_course course = {0}; /* shows no progress */
    linpack_matrix matrix = {.kind = own->generator};
    linpack_system s = {.options = own,
                        .solvers = linpack_solvers_of(own->precision),
                        .matrix = &matrix,
                        .course = &course};
    double value[LINPACK_TIMES];
    linpack_system_open(&s, order);
    const cm_subject subject = linpack_trial(&s);
    subject.prepare(&s);
    double took_s = subject.trial(&s, 1, value);
    if (s.failed) took_s = INFINITY;
    cm_allreduce(own->group, &took_s, &took_s, 1, CM_DOUBLE, CM_MAX, CM_AUTO);
    linpack_system_close(&s);
    return took_s;
}

/* Solves a moderate order with each of three panels, on the ranks of own's group, in turns; the
   least times count. Returns the best; that of the model if the matrix is too small to tell. */
static int choose_nb(plan *p)
{
    const int ORDER = 2500; /* of one rank; more ranks take longer by the root of their number */
    const int usual = linpack_panel(&p->own, p->n, p->grid), ranks = cm_size(p->own.group);
    const linpack_grid grid = p->own.grid_given;
    linpack_options own = p->own;
    int first = usual - STEP, best = 0;
    if (first < LEAST_NB) first = LEAST_NB;
    if (first > MOST_NB - (TRIED - 1) * STEP) first = MOST_NB - (TRIED - 1) * STEP;
    const int order = (int)fmin(p->n, ORDER * sqrt(ranks));
    if (order < 4 * (grid.columns + 1) * (first + (TRIED - 1) * STEP))
        return usual < p->n ? usual : p->n;
    for (int k = 0; k < TURNS * TRIED; k++) {
        double *least_s = &p->tried_s[k % TRIED];
        own.panel = p->tried[k % TRIED] = first + k % TRIED * STEP;
        const double took_s = solve_s(&own, order);
        if (k < TRIED || took_s < *least_s) *least_s = took_s;
    }
    for (int k = 0; k < TRIED; k++) {
        if (!isfinite(p->tried_s[k])) return usual;
        if (p->tried_s[k] < p->tried_s[best]) best = k;
    }
    p->tried_order = order;
    return p->tried[best];
}

/* ---- The lines ------------------------------------------------------------------------------- */

__attribute__((format(printf, 3, 4))) static void line(FILE *out, double value, const char *format,
                                                       ...)
{
    char why[WHY];
    va_list list;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    fprintf(out, "%-12.10g %s\n", value, why);
}

static void why_nb(const plan *p, char why[WHY])
{
    int used;
    if (!p->tried_order) {
        snprintf(why, WHY, "by the order, which is too small to measure panels");
        return;
    }
    used = snprintf(why, WHY, "the fastest of three that solved order %d:", p->tried_order);
    for (int k = 0; k < TRIED; k++)
        used += snprintf(why + used, WHY - (size_t)used, " %d %.3g s%s", p->tried[k], p->tried_s[k],
                         k + 1 < TRIED ? "," : "");
}

/* The model's times of the grid and of the fastest other one, which it may not tell from it. */
static void why_grid(const plan *p, char why[WHY])
{
    const int ranks = p->hosts.ranks;
    linpack_grid next = {0, 0};
    double next_s = INFINITY;
    linpack_options own = p->own;
    if (ranks == 1) {
        snprintf(why, WHY, "one rank");
        return;
    }
    for (int rows = 1; rows <= ranks; rows++) {
        const linpack_grid grid = {rows, ranks / rows};
        if (ranks % rows != 0 || rows == p->grid.rows) continue;
        const double s = linpack_model_s(&own, p->n, grid);
        if (s < next_s) next = grid, next_s = s;
    }
    const double s = linpack_model_s(&own, p->n, p->grid);
    snprintf(why, WHY, "by the model of the time: %dx%d %.3g s, %dx%d %.3g s%s", p->grid.rows,
             p->grid.columns, s, next.rows, next.columns, next_s,
             next_s < s && p->grid.rows < next.rows
                 ? ", which is within its error; fewer rows are simpler"
                 : "");
}

/* Ends the line with the name of a file, whose newlines and length must not move the lines of
   values. */
static void write_name(FILE *out, const char *name)
{
    enum { MOST = 150 };
    for (int k = 0; name && name[k] && k < MOST; k++)
        putc((unsigned char)name[k] < ' ' ? '?' : name[k], out);
    putc('\n', out);
}

static void write_lines(FILE *out, const plan *p)
{
    const xhpl_hosts *h = &p->hosts;
    const bool several = p->grid.columns > 2;
    char nb[WHY], grid[WHY];
    why_nb(p, nb), why_grid(p, grid);
    fprintf(out,
            "HPL.dat by cm-xhpl %s --write-dat --fit memory=%g%%, for %d rank%s on %d host%s\n",
            PACKAGE_VERSION, 100 * p->x->part, h->ranks, h->ranks == 1 ? "" : "s", h->hosts,
            h->hosts == 1 ? "" : "s");
    fprintf(out, "What stands behind a value is the reason for it%s",
            p->x->from ? "; hosts: " : "");
    write_name(out, p->x->from);
    fprintf(out, "HPL.out      output file name (if any)\n");
    line(out, 6, "device out (6=stdout,7=stderr,file)");
    line(out, 1, "# of problems sizes (N)");
    line(out, p->n, "Ns: %g %% of the %s of %.60s, %.4g GB for %d rank%s; a multiple of NB",
         100 * p->x->part,
         p->x->from   ? "whole memory"
         : h->limited ? "limit of a process (ulimit -v)"
                      : "free memory",
         h->least, 1e-9 * h->least_bytes, h->least_ranks, h->least_ranks == 1 ? "" : "s");
    line(out, 1, "# of NBs");
    line(out, p->nb, "NBs: %s", nb);
    line(out, 1,
         p->grid.rows > 1
             ? "PMAP process mapping: ranks of a host, next to each other, share a column"
             : "PMAP process mapping: the same as 0 with one row");
    line(out, 1, "# of process grids (P x Q)");
    line(out, p->grid.rows, "Ps: %s", grid);
    line(out, p->grid.columns, "Qs: as many as leave no rank idle");
    fprintf(out, "%-12.1f threshold: HPL's\n", LINPACK_ACCEPTED);
    line(out, 1, "# of panel fact");
    line(out, 2, "PFACTs: right; only HPL asks");
    line(out, 1, "# of recursive stopping criterium");
    line(out, 4, "NBMINs: only HPL asks");
    line(out, 1, "# of panels in recursion");
    line(out, 2, "NDIVs: only HPL asks");
    line(out, 1, "# of recursive panel fact.");
    line(out, 1, "RFACTs: Crout; only HPL asks");
    line(out, 1, "# of broadcast");
    line(out, several,
         several ? "BCASTs: 1rM: a ring, in which the next column does not wait"
                 : "BCASTs: 1rg: two ranks at most are in a row");
    line(out, 1, "# of lookahead depth");
    line(out, linpack_look_ahead(&p->own, p->n, p->grid, p->nb),
         "DEPTHs: 1 where another column of the grid, or host, waits for the panel");
    line(out, 0, "SWAP: 0, rows go to each rank of a column directly");
    line(out, 64, "swapping threshold: only SWAP 2 asks");
    line(out, 0, "L1: transposed; only HPL asks");
    line(out, 0, "U: transposed; only HPL asks");
    line(out, 1, "Equilibration: only SWAP 1 and 2 ask");
    line(out, 8, "memory alignment in double (> 0): only HPL asks");
}

/* Whole or not at all. */
static bool write_file(const plan *p)
{
    static const char part[] = XHPL_FILE ".part";
    remove(part); /* a link, in a folder of others, would be followed */
    FILE *out = fopen(part, "wx");
    if (out) {
        write_lines(out, p);
        const bool whole = fflush(out) == 0 && !ferror(out);
        if (fclose(out) == 0 && whole && rename(part, XHPL_FILE) == 0) return true;
    }
    fprintf(stderr, "cm-xhpl: " XHPL_FILE " cannot be written: %s\n", strerror(errno));
    if (out) remove(part);
    return false;
}

/* ---- The plan -------------------------------------------------------------------------------- */

/* The hosts of --from need not be these; panels are then measured by rank 0 alone. */
static void look_at_ranks(plan *p, linpack_options *o)
{
    const xhpl_options *x = p->x;
    linpack_choose_threads(o);
    linpack_look_at_hosts(o);
    if (!x->from) {
        double slowest_flop_per_s;
        linpack_gemm_of_all(o, o->precision, &slowest_flop_per_s);
        if (cm_size(cm_world()) > 1) linpack_measure_costs(o, slowest_flop_per_s);
        p->hosts = hosts_of_job();
        return;
    }
    o->group = cm_split(cm_world(), cm_rank(cm_world()) == 0 ? 0 : -1, 0);
    p->hosts = x->hosts;
    o->costs = p->hosts.costs;
    o->several_hosts = p->hosts.hosts > 1;
}

static void require_size(const plan *p)
{
    if (p->n >= LEAST_NB && p->n >= p->nb) return;
    if (cm_rank(cm_world()) == 0)
        cm_abort(CM_EXIT_USAGE,
                 "--fit %s: %.4g GB of %s for %d rank%s leave room for N = %d, which is less than "
                 "a panel of %d; give more",
                 p->x->linpack.fit, 1e-9 * p->x->part * p->hosts.least_bytes, p->hosts.least,
                 p->hosts.least_ranks, p->hosts.least_ranks == 1 ? "" : "s", p->n,
                 p->nb > LEAST_NB ? p->nb : LEAST_NB);
    cm_barrier(cm_world(), CM_AUTO); /* rank 0 ends the job */
}

int xhpl_write(const cm_benchmark *benchmark)
{
    xhpl_options *x = benchmark->options;
    linpack_options *o = &x->linpack;
    plan p = {.x = x};
    o->group = cm_world();
    look_at_ranks(&p, o);
    if (!o->group) return CM_EXIT_PASS;
    p.own = *o;
    p.n = fit(&p);
    require_size(&p);
    p.grid = linpack_grid_of_order(&p.own, p.n, p.hosts.ranks);
    /* The panels are measured on the ranks that there are. */
    p.own.grid_given = x->from ? (linpack_grid){1, 1} : p.grid;
    p.nb = choose_nb(&p);
    p.own.panel = p.nb;
    p.own.grid_given = (linpack_grid){0, 0}; /* with this NB another may be the fastest */
    p.grid = p.own.grid_given = linpack_grid_of_order(&p.own, p.n, p.hosts.ranks);
    p.n = fit(&p) / p.nb * p.nb;
    require_size(&p);
    const bool written = cm_rank(o->group) != 0 || write_file(&p);
    if (x->from) cm_group_free(o->group);
    return written ? CM_EXIT_PASS : CM_EXIT_SYSTEM;
}
