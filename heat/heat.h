/* SPDX-License-Identifier: BSD-3-Clause */
/* heat.h: the iteration, what comes between iterations, and the run, which the files of cm-heat
   share. */
#ifndef HEAT_H
#define HEAT_H

#include <stdbool.h>
#include <stdint.h>
#include "heat_plate.h"
#include "run/ring.h"
#include "run/run.h"
#include "sample/sample.h"

enum { HEAT_LEADER = 0 };

/* ---- heat_iterate.c -------------------------------------------------------------------------- */

typedef struct heat_levels heat_levels;
typedef struct {
    heat_plate *plate;
    heat_method method;
    heat_stores stores; /* not HEAT_AUTO */
    int64_t steps;      /* iterations of Jacobi in a pass over memory */
    void *ring;         /* memory of such a pass, which stays in the caches */
    double omega, radius;
    double factor;       /* Chebyshev's factor of the last iteration */
    int64_t iteration;   /* number of iterations done */
    double halo_s;       /* time in exchanges */
    double sent_bytes;   /* by this rank */
    heat_levels *levels; /* of multigrid, else NULL */
} heat_state;

/* Begins an iteration. steps is at most the plate's depth, and 1 except with Jacobi. The state has
   ordinary stores; the caller may change them. */
heat_state heat_begin(const heat_problem *problem, heat_plate *plate, int64_t steps);
void heat_end(heat_state *state);

/* Runs this number of further iterations. */
void heat_iterate(heat_state *state, int64_t iterations);

/* Returns max |mean of four neighbours - temperature| over the whole plate, the largest change that
   a Jacobi sweep would make. Collective. */
double heat_residual(const heat_state *state);

/* Returns the factor for ||u - steady state|| <= residual * factor in the maximum norm. Let w(i) =
   2 i (m + 1 - i) across the m points of the shorter side. Then w minus the mean of its neighbours
   is 1, so residual * w bounds the error by the discrete maximum principle. The highest value of w
   is (m + 1)^2 / 2. */
double heat_error_factor(int64_t rows, int64_t columns);

/* ---- heat_relax.c ---------------------------------------------------------------------------- */

/* Makes one sweep of Gauss-Seidel or SOR, and exchanges rows. */
void heat_relax(heat_state *state);

/* Relaxes the red (black is 0) or black points of a row and, if `both`, the black ones of the row
   above after its red ones. */
typedef void heat_relax_row(void *context, int64_t row, int black, bool both);
/* Makes a sweep over a plate, or a grid of multigrid, with its exchanges. known: neighbours' black
   points are already here. */
void heat_relax_rows(heat_state *state, const heat_plate *plate, bool known, heat_relax_row *relax,
                     void *context);

/* ---- heat_exchange.c ------------------------------------------------------------------------- */

/* Begin and end an exchange of a plate's edges, whose time counts as the halo's. */
void heat_exchange_begin(heat_state *state, const heat_plate *plate, heat_halo *halo);
void heat_exchange_end(heat_state *state, heat_halo *halo);
/* Charges the cost of this number of rows under a simulator. */
void heat_cost(const heat_plate *plate, double rows);
/* Number of rows between two calls that advance messages. */
int64_t heat_rows_at_a_time(const heat_plate *plate);

/* ---- heat_split.c ---------------------------------------------------------------------------- */

/* Makes sweeps of Gauss-Seidel or SOR on rows split into even and odd columns, which lie in the
   plate's other array. The temperatures are bit for bit those of heat_relax. Splitting pays where
   heat_split_pays returns true. */
bool heat_split_pays(const heat_state *state, int64_t sweeps);
void heat_split_relax(heat_state *state, int64_t sweeps);

/* ---- heat_levels.c, heat_multigrid.c --------------------------------------------------------- */

/* The coarser grids below a plate. Collective; ends the job if there is no memory. */
heat_levels *heat_levels_open(heat_plate *plate);
void heat_levels_close(heat_levels *levels);
/* Bytes of a rank's grids below a plate whose two arrays have this many. */
size_t heat_levels_bytes(size_t plate_bytes);

/* One V cycle: two sweeps of red-black Gauss-Seidel, the correction from the next coarser grid, and
   one more sweep (Trottenberg, Oosterlee and Schueller 2001, section 2.4). The temperatures are the
   same bit for bit on any number of ranks. */
void heat_cycle(heat_state *state);

/* ---- heat_choose.c: measures what is fastest ------------------------------------------------- */

/* What interrupts the iteration. */
typedef struct {
    int64_t every;          /* a pass ends after this many iterations; 0: never */
    int64_t collect_every;  /* the plate is gathered after this many; 0: never */
    int64_t picture_points; /* as of heat_picture_open */
} heat_between;

/* Sets the stores of the state if stores is HEAT_AUTO, and its steps if steps is 0, to the fastest
   in trials; otherwise to the given values. The number of steps is at most that of heat_begin, and
   1 if the method is not Jacobi. Collective; all ranks choose the same. Trials overwrite the
   temperatures, so call heat_plate_reset afterwards. */
void heat_choose(heat_stores stores, int64_t steps, const heat_between *between, heat_state *state);

/* ---- heat_collect.c -------------------------------------------------------------------------- */

/* A plate thinned to every `thin`-th row and column, on the leader. */
typedef struct {
    int64_t rows, columns, thin;
    void *part, *whole;     /* of this rank; of the leader */
    void *gathered;         /* parts of all ranks, leader; whole, if they are rows */
    size_t *bytes, *offset; /* [rank], leader */
} heat_picture;

/* Chooses thin so that no side has more than `most` points. */
void heat_picture_open(const heat_plate *plate, int64_t most, heat_picture *picture);
void heat_picture_close(heat_picture *picture);
size_t heat_picture_bytes(const heat_problem *problem, int64_t most);
void heat_collect(const heat_plate *plate, heat_picture *picture);
double heat_picture_at(const heat_plate *plate, const heat_picture *picture, int64_t row,
                       int64_t column);

/* ---- heat_frames.c, heat_watch.c: the leader's pictures -------------------------------------- */

/* Returns 0 if frames can be written to folder, otherwise prints one line. Launch rank 0 checks; it
   creates nothing. */
int heat_frames_check(const cm_program *program, const char *folder, bool force);
/* Makes the folder and frames.txt with the range of the colours. Removes old frames unless keeps is
   true. */
void heat_frames_open(const char *folder, bool keeps, double low, double high);
/* Writes FOLDER/frame-ITERATION.dat in gnuplot's "binary matrix" format. */
void heat_frame_write(const char *folder, const heat_plate *plate, const heat_picture *picture,
                      int64_t iteration);

int heat_watch_check(const cm_program *program);
typedef struct heat_watch heat_watch;
heat_watch *heat_watch_open(double low, double high);
void heat_watch_show(heat_watch *watch, const heat_plate *plate, const heat_picture *picture,
                     int64_t iteration);
void heat_watch_close(heat_watch *watch);

/* ---- heat_file.c: checkpoints --------------------------------------------------------------- */

/* Writes the state to a temporary file beside path and then renames it. Collective; ends the job
   (status 3) if that fails. */
void heat_check_point_write(const char *path, const heat_problem *problem, const heat_state *state);

/* Checks before the run: path can be written; path has a complete checkpoint of this problem. Each
   returns 0, or prints one line. Launch rank 0 checks. *iteration: that of the checkpoint. */
int heat_check_point_writable(const cm_program *program, const char *path,
                              const heat_problem *problem, bool replaces);
int heat_check_point_check(const cm_program *program, const char *path, const heat_problem *problem,
                           int64_t *iteration);
/* Reads a checked file. Collective. */
void heat_check_point_read(const char *path, const heat_problem *problem, heat_state *state);

/* heat_walk.c: goes through an array of the plate row by row. On the leader, each is called with
   some whole rows; when reading, it fills them in. Collective. */
typedef void heat_each_rows(void *context, char *data, size_t bytes);
void heat_walk(const heat_plate *plate, int which, bool reads, heat_each_rows *each, void *context);

/* ---- heat_batches.c: times of a run's iterations --------------------------------------------- */

/* A batch is the iterations between two events. If there is no room for another one, neighbouring
   batches are merged: a run of unknown length has a bounded number of batches of similar length. */
enum { HEAT_MOST_BATCHES = 1024 };
typedef struct {
    size_t n;
    int64_t together, in_last; /* additions that make up a batch; those in the last batch so far */
    double time_s[HEAT_MOST_BATCHES];
    int64_t iterations[HEAT_MOST_BATCHES];
} heat_batches;

void heat_batches_clear(heat_batches *batches);
void heat_batches_add(heat_batches *batches, double time_s, int64_t iterations);

/* ---- heat_solve.c: iterations between events ------------------------------------------------- */

typedef struct {
    int64_t iterations;     /* stop after this number */
    double tolerance;       /* stop when the residual is at most this; 0: do not */
    int64_t check_every;    /* iterations between two checks of the residual */
    int64_t collect_every;  /* 0: never */
    int64_t picture_points; /* largest number on a side */
    const char *frames;     /* folder, or NULL */
    heat_watch *watch;      /* leader */
    bool watch_all;         /* true on every rank if the leader has a watch */
    const char *restart;    /* file that the run continues from, or NULL */
    const char *checkpoint; /* file, or NULL */
    int64_t checkpoint_every;
    cm_result *progress; /* leader; NULL elsewhere */
} heat_plan;

typedef struct {
    cm_samples iteration_s;   /* leader: time of an iteration in each batch; slowest rank */
    cm_sampled sampled;       /* a trial is a run */
    int64_t iterations;       /* timed, of all runs */
    double compute_s, halo_s; /* sums over all batches: the slowest rank; exchanges, average over
                                 the ranks */
    double sent_bytes;        /* by all ranks in a run's iterations */
    double collect_s, show_s; /* gathering; writing frames and drawing; on this rank */
    int64_t collected;
    double residual; /* at the end */
    bool converged;
} heat_times;

/* Runs the plan, each time from the beginning or the restart, until the rule is met. The state is
   that after the last run. Collective; the caller frees the samples. */
void heat_solve(const cm_sampling *sampling, const heat_plan *plan, const heat_problem *problem,
                heat_state *state, heat_times *times);

/* Returns the number of iterations before the first event of a run. */
int64_t heat_batch(const heat_plan *plan, const heat_state *state);

/* Iterates for sampling->warm_up_s; spoils the temperatures. Collective. */
void heat_warm_up(const cm_sampling *sampling, const heat_state *state);

/* ---- heat_serial.c: one rank alone ----------------------------------------------------------- */

/* Measures seconds of an iteration on the only rank of alone: of the plain program, and of the
   kernel of all ranks, with the stores, steps and precision of their state. batch: iterations
   between two events of the run. If there is one rank, its run is that of the kernel: *kernel_s is
   left as it is. Returns false if there is no memory. */
bool heat_alone(const cm_sampling *sampling, const heat_problem *problem, const heat_state *of_all,
                int64_t batch, cm_group *alone, cm_summary *plain_s, cm_summary *kernel_s);
/* Runs `iterations` of the method by plain loops over a whole plate (group of one). The state is
   that of heat_begin, with plain stores. */
void heat_serial_iterate(const heat_problem *problem, heat_state *state, int64_t iterations);

/* ---- heat_verify.c --------------------------------------------------------------------------- */

typedef struct {
    double error, error_bound; /* from the analytic solution, on the finer of two plates */
    double order;              /* log2 of the ratio of both plates' errors */
    double different;          /* number of temperatures that are not bit for bit those of the
                                     plain program */
    double asymmetric;         /* number of those that differ although symmetry makes them equal */
} heat_verdict;

/* Verifies small plates on all ranks with this method, precision, stores and steps. alone is the
   leader's own group. The leader gets the verdict. Collective. */
heat_verdict heat_verify(const heat_problem *problem, cm_group *alone, heat_stores stores,
                         int64_t steps);

/* Returns the lowest and the highest temperature that can occur on the way to the steady state;
   with a method that overshoots, at the end. */
void heat_range(const heat_problem *problem, double *low, double *high);

/* Checks the discrete maximum principle: how far temperatures are outside that range, and how far
   they may be. Collective. */
typedef struct {
    double by, bound;
} heat_beyond;
heat_beyond heat_verify_range(const heat_problem *problem, const heat_plate *plate,
                              double residual);

/* ---- Options and the run --------------------------------------------------------------------- */

enum { HEAT_MOST_SERIES = 32, HEAT_MOST_SIZE = 1 << 20 };
typedef struct {
    int64_t size, rows; /* 0: not given; rows are then as many as columns */
    const char *series_text;
    int64_t series[HEAT_MOST_SERIES];
    int n_series;
    int method, precision, stores;
    const char *methods_text; /* NULL: one method */
    heat_method methods[HEAT_METHODS];
    int n_methods;
    double omega; /* 0: the best */
    const char *side_text[HEAT_SIDES], *steps_text, *blocks_text;
    heat_problem problem; /* sizes are 0 here */
    bool choose_blocks;   /* by the model, for each plate */
    int64_t steps;        /* in a sweep; 0: auto */
    int64_t iterations;   /* 0: default */
    double tolerance;
    int64_t check_every, collect_every, picture_points;
    const char *frames;
    bool watch, serial, no_stream, plate;
    const char *checkpoint, *restart;
    int64_t checkpoint_every, restart_iteration;
    cm_sampling sampling;
    cm_result_files files;
} heat_options;

typedef struct {
    int64_t size;
    double one_ms, two_ms, speed_up;
} heat_printed;
heat_printed heat_paper(int64_t rows, int64_t columns); /* heat_paper.c; NAN: not printed */

/* heat_roofline.c, both collective: the memory that it needs on this rank; the bandwidth of all
   ranks together, which the leader gets. */
typedef struct {
    double best_B_per_s, median_B_per_s; /* of the passes; NAN: not measured */
    size_t passes;
} heat_triad;
size_t heat_roofline_bytes(void);
heat_triad heat_roofline(void);

/* The findings over all plates so far, on the leader. */
typedef struct {
    heat_triad triad;
    /* An iteration on one rank alone: of the plain program, of this kernel; NAN: not measured. */
    cm_summary serial_s, alone_s;
    heat_beyond beyond;   /* of the plate that is farthest outside its range */
    heat_verdict verdict; /* the worst of all plates */
    cm_quantity rate_GLUP_per_s, speed_up, gain_over_plain; /* of the last plate */
    int64_t sweeps; /* until the tolerance; 0: not reached */
    /* Likewise, of each method: as many iterations at the median time; 0: not reached. */
    cm_quantity solve_s[HEAT_METHODS];
    cm_sample_tally tally;
} heat_findings;

/* ---- heat_check.c: checks before anything is measured ---------------------------------------- */

int heat_check(const cm_program *program, void *options);
/* Returns 0 if all ranks have enough rows and columns, otherwise CM_EXIT_USAGE after one line. */
int heat_check_ranks(const cm_program *program, const heat_options *options);
/* heat_check_blocks.c: the same for --blocks; the first is called when methods and steps are
   known. */
int heat_check_blocks(const cm_program *program, heat_options *options);
/* Returns true if --blocks auto has blocks for this number of ranks. */
bool heat_blocks_can_be_chosen(const heat_options *options, int ranks);
int heat_check_blocks_ranks(const cm_program *program, const heat_options *options);
void heat_require_memory(const heat_options *options);

/* Returns the number of neighbours' rows and columns to keep: one for each step that is or may be
   taken. */
int64_t heat_depth(const heat_options *options, const heat_problem *problem);

/* ---- heat_model.c: --blocks auto ------------------------------------------------------------- */

enum { HEAT_MODEL_WAYS = 5 };
typedef struct {
    cm_ring network;
    int n; /* ways */
    struct {
        int64_t steps;   /* of a sweep */
        double point_s;  /* computing a point, once */
        double column_s; /* an iteration's point of a column at the edge: packing it, unpacking the
                            neighbour's, and with one step computing it a second time */
    } way[HEAT_MODEL_WAYS];
} heat_model;

/* Measures on all ranks what this plate needs. steps: of a sweep; 0: several numbers of them.
   Collective; all ranks get the same. */
heat_model heat_model_measure(const heat_problem *problem, int64_t steps);
/* Returns the grid with the least time, but rows unless that saves more than 2 %. */
heat_grid heat_model_choose(const heat_model *model, const heat_problem *problem, int ranks);
/* Writes the model and its times of all grids as comments. */
void heat_model_tell(cm_result *result, const heat_model *model, const heat_problem *problem,
                     int ranks);

/* ---- heat_result.c: the leader writes; all ranks call heat_result_plate ---------------------- */

cm_result *heat_result_open(const cm_benchmark *benchmark, const heat_problem *problem,
                            const heat_triad *triad);
/* Also sets the rate, the speed-up and the gain of the findings. */
void heat_result_row(cm_result *result, const heat_problem *problem, const heat_state *state,
                     const heat_times *times, heat_findings *findings);
/* Reports the distance from the steady state. */
void heat_result_end(cm_result *result, const heat_options *options, const heat_problem *problem,
                     const heat_times *times);
/* Writes the thinned plate as comments that the figure reads. Collective; result is NULL except on
   the leader. */
void heat_result_plate(cm_result *result, const heat_plate *plate);
void heat_result_metrics(cm_result *result, const heat_options *options,
                         const heat_findings *findings);

extern const cm_metric heat_metrics[]; /* of the RESULT lines */
extern const cm_labels heat_labels[];

int heat_run(const cm_benchmark *benchmark); /* heat_run.c */

#endif
