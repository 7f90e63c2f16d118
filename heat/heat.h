/* SPDX-License-Identifier: BSD-3-Clause */
/* heat.h: what the parts of cm-heat share: the problem, this rank's rows of the plate, the
   iteration.

   The plate has `rows` x `columns` points at which the temperature is sought; around them stand
   rows 0 and rows + 1 and columns 0 and columns + 1, whose temperatures are given. */
#ifndef HEAT_H
#define HEAT_H

#include <stdbool.h>
#include <stdint.h>
#include "heat_kernels.h"
#include "run/run.h"
#include "sample/sample.h"

enum { HEAT_LEADER = 0 };

typedef enum { HEAT_JACOBI, HEAT_GAUSS_SEIDEL, HEAT_SOR, HEAT_CHEBYSHEV } heat_method;
typedef enum { HEAT_SINGLE, HEAT_DOUBLE } heat_precision;
typedef enum { HEAT_AUTO, HEAT_PLAIN, HEAT_ORDINARY, HEAT_PAST } heat_stores;

/* ---- heat_sides.c: temperatures around the plate --------------------------------------------- */

typedef enum { HEAT_NORTH, HEAT_EAST, HEAT_SOUTH, HEAT_WEST, HEAT_SIDES } heat_place;
extern const char *const heat_side_names[HEAT_SIDES];

typedef enum {
    HEAT_CONSTANT,
    HEAT_LINEAR,
    HEAT_SINE,
    HEAT_PARABOLA,
    HEAT_STEP,
    HEAT_FILE
} heat_profile;
typedef struct {
    heat_profile profile;
    double from, to; /* from: of a constant, or the height of sine and parabola */
    double *value;   /* of a file, points of them */
    int64_t points;
} heat_side;

/* Reads "100", "linear:0:100", "sine:100", "parabola:100", "step:0:100" or "file:PATH". 0, or one
   line and CM_EXIT_USAGE. A file is read by launch rank 0 alone; heat_side_share gives it to the
   others. */
int heat_side_parse(const cm_program *program, heat_place place, const char *text, heat_side *side);
void heat_side_share(heat_side sides[HEAT_SIDES]);

/* The temperature at point k of n between the corners, which are 0 and n + 1. */
double heat_side_at(const heat_side *side, int64_t k, int64_t n);

/* The lowest and the highest of all sides. */
void heat_sides_range(const heat_side sides[HEAT_SIDES], int64_t rows, int64_t columns, double *low,
                      double *high);

/* ---- The problem ----------------------------------------------------------------------------- */

typedef struct {
    int64_t rows, columns;
    heat_precision precision;
    heat_method method;
    double omega; /* of SOR; 1: Gauss-Seidel */
    double initial;
    heat_side sides[HEAT_SIDES];
} heat_problem;

/* Of Jacobi's iteration on this plate: its spectral radius (cos(pi / (rows + 1)) + cos(pi /
   (columns + 1))) / 2; 1 less it, without cancellation; and SOR's best factor 2 / (1 + sqrt(1 -
   radius^2)) (Young 1954). */
double heat_radius(int64_t rows, int64_t columns);
double heat_radius_gap(int64_t rows, int64_t columns);
double heat_best_omega(int64_t rows, int64_t columns);

/* ---- heat_plate.c: the rows of this rank ----------------------------------------------------- */

typedef struct {
    const heat_kernels *kernels;
    cm_group *group;       /* its ranks have the plate, in their order */
    int64_t rows, columns; /* of the whole plate */
    int64_t first, mine;   /* this rank's rows: first (from 1) to first + mine - 1 */
    int64_t depth;         /* rows of the neighbours kept on either side */
    int64_t stride;        /* numbers from row to row */
    int above, below;      /* neighbours' ranks, or -1 */
    void *memory[2];
    char *origin[2]; /* row 0 (local), column 0; rows 1 to mine are this rank's */
    int now;         /* which of the two holds the temperatures */
} heat_plate;

/* Rows of a rank: sizes differ by one at most. */
int64_t heat_first_row(int64_t rows, int ranks, int rank);
size_t heat_plate_bytes(const heat_problem *problem, int ranks, int64_t depth);

/* All points at the initial temperature, sides set. false: out of memory. */
bool heat_plate_open(const heat_problem *problem, cm_group *group, int64_t depth,
                     heat_plate *plate);
void heat_plate_reset(const heat_problem *problem, heat_plate *plate);
void heat_plate_close(heat_plate *plate);

/* Local rows first to first + rows - 1, at least as many as are exchanged at once, as a plate to
   iterate on: in the same memory, with the rows beside them as its edges. Parts of all ranks make
   up one plate; those of neighbours need not be neighbours. Not to be closed. */
heat_plate heat_plate_part(const heat_plate *plate, int64_t first, int64_t rows);

void *heat_at(const heat_plate *plate, int which, int64_t row, int64_t column);

/* ---- heat_halo.c: the neighbours' rows ------------------------------------------------------- */

typedef struct {
    cm_request *request[4];
} heat_halo;

/* Begins to exchange `deep` rows of the current temperatures with both neighbours; ends it. */
void heat_halo_begin(const heat_plate *plate, int64_t deep, heat_halo *halo);
void heat_halo_end(heat_halo *halo);

/* ---- heat_iterate.c -------------------------------------------------------------------------- */

typedef struct {
    heat_plate *plate;
    heat_method method;
    heat_stores stores; /* not HEAT_AUTO */
    int64_t steps;      /* Jacobi's iterations a pass over memory */
    void *ring;         /* what such a pass keeps in the caches */
    double omega, radius;
    double factor;     /* Chebyshev's, of the iteration that was last */
    int64_t iteration; /* so many are done */
    double halo_s;     /* time in exchanges */
} heat_state;

/* steps: at most the plate's depth, above 1 with Jacobi only. Ordinary stores, until somebody says
   otherwise. */
heat_state heat_begin(const heat_problem *problem, heat_plate *plate, int64_t steps);
void heat_end(heat_state *state);

/* So many iterations more. */
void heat_iterate(heat_state *state, int64_t iterations);

/* max |mean of four neighbours - temperature| over the whole plate: what a Jacobi sweep would
   change at most. Collective. */
double heat_residual(const heat_state *state);

/* ||u - steady state|| <= residual * this, in the maximum norm. With w(i) = 2 i (m + 1 - i) across
   the m points of the shorter side, w less the mean of its neighbours is 1, so that residual * w
   bounds the error by the discrete maximum principle; w's highest value is (m + 1)^2 / 2. */
double heat_error_factor(int64_t rows, int64_t columns);

/* ---- heat_choose.c: what is fastest here, by measuring --------------------------------------- */

/* Sets the stores of the state, unless given (HEAT_AUTO: they are not), and its steps, unless given
   (0: they are not), to what is fastest, by trials where there is a choice. Steps are at most those
   that heat_begin was called with. Collective; all ranks choose alike. Trials spoil the
   temperatures: heat_plate_reset afterwards. */
void heat_choose(heat_stores stores, int64_t steps, heat_state *state);

/* ---- heat_collect.c -------------------------------------------------------------------------- */

/* A plate thinned to every `thin`-th row and column, on the leader. */
typedef struct {
    int64_t rows, columns, thin;
    void *part, *whole;     /* of this rank; of the leader */
    size_t *bytes, *offset; /* [rank], leader */
} heat_picture;

/* Thinned so that no side has more than `most` points. */
void heat_picture_open(const heat_plate *plate, int64_t most, heat_picture *picture);
void heat_picture_close(heat_picture *picture);
size_t heat_picture_bytes(const heat_problem *problem, int64_t most);
void heat_collect(const heat_plate *plate, heat_picture *picture);
double heat_picture_at(const heat_plate *plate, const heat_picture *picture, int64_t row,
                       int64_t column);

/* ---- heat_frames.c, heat_watch.c: what the leader shows -------------------------------------- */

/* Can frames be written there? 0, or one line. Looks on launch rank 0; creates nothing. */
int heat_frames_check(const cm_program *program, const char *folder, bool force);
/* The folder, without what it holds unless that is kept, and frames.txt with the range of the
   colours. */
void heat_frames_open(const char *folder, bool keeps, double low, double high);
/* FOLDER/frame-ITERATION.dat, gnuplot's "binary matrix". */
void heat_frame_write(const char *folder, const heat_plate *plate, const heat_picture *picture,
                      int64_t iteration);

int heat_watch_check(const cm_program *program);
typedef struct heat_watch heat_watch;
heat_watch *heat_watch_open(double low, double high);
void heat_watch_show(heat_watch *watch, const heat_plate *plate, const heat_picture *picture,
                     int64_t iteration);
void heat_watch_close(heat_watch *watch);

/* ---- heat_file.c: check points --------------------------------------------------------------- */

/* Writes the state to a temporary beside path, then gives it the name. Collective; ends the job
   (status 3) when that fails. */
void heat_check_point_write(const char *path, const heat_problem *problem, const heat_state *state);

/* Before the run: can path be written? Is there a whole check point of this very problem? 0, or
   one line. Launch rank 0 looks. *iteration: that of the check point. */
int heat_check_point_writable(const cm_program *program, const char *path,
                              const heat_problem *problem, bool replaces);
int heat_check_point_check(const cm_program *program, const char *path, const heat_problem *problem,
                           int64_t *iteration);
/* Collective; the file was checked. */
void heat_check_point_read(const char *path, const heat_problem *problem, heat_state *state);

/* ---- heat_batches.c: times of a run's iterations --------------------------------------------- */

/* Iterations between two events are a batch. When there is no room for another one, neighbours
   become one: a run whose end nobody knows has a bounded number of batches of like length. */
enum { HEAT_MOST_BATCHES = 1024 };
typedef struct {
    size_t n;
    int64_t together, in_last; /* what was added makes up one batch; the last one so far */
    double time_s[HEAT_MOST_BATCHES];
    int64_t iterations[HEAT_MOST_BATCHES];
} heat_batches;

void heat_batches_clear(heat_batches *batches);
void heat_batches_add(heat_batches *batches, double time_s, int64_t iterations);

/* ---- heat_solve.c: iterations between events ------------------------------------------------- */

typedef struct {
    int64_t iterations;      /* stops after so many */
    double tolerance;        /* stops when the residual is at most this; 0: does not */
    int64_t check_every;     /* iterations between two looks at it */
    int64_t collect_every;   /* 0: never */
    int64_t picture_points;  /* of a side, at most */
    const char *frames;      /* folder, or NULL */
    heat_watch *watch;       /* leader */
    bool watch_all;          /* on every rank: the leader has one */
    const char *restart;     /* file that a run begins from, or NULL */
    const char *check_point; /* file, or NULL */
    int64_t check_point_every;
    cm_result *progress; /* leader; NULL elsewhere */
} heat_plan;

typedef struct {
    cm_samples iteration_s;   /* leader: an iteration's, of each batch; slowest rank */
    cm_sampled sampled;       /* a trial is a run */
    int64_t iterations;       /* that were timed, of all runs */
    double compute_s, halo_s; /* of all batches, the slowest rank each; in exchanges, average over
                                 the ranks */
    double collect_s, show_s; /* gathering; writing frames and drawing; as this rank sees it */
    int64_t collected;
    double residual; /* in the end */
    bool converged;
} heat_times;

/* Runs of the plan, each from the beginning or from where it restarts, until the rule is met; the
   state is that after the last one. Collective; the caller frees the samples. */
void heat_solve(const cm_sampling *sampling, const heat_plan *plan, const heat_problem *problem,
                heat_state *state, heat_times *times);

/* For sampling->warm_up_s; spoils the temperatures. Collective. */
void heat_warm_up(const cm_sampling *sampling, const heat_state *state);

/* ---- heat_serial.c: the plain program on one processor --------------------------------------- */

/* Median time of an iteration by the only rank of alone. NAN: out of memory. */
double heat_serial_s(const cm_sampling *sampling, const heat_problem *problem, cm_group *alone);
/* `iterations` of the method by plain loops over a whole plate (group of one). */
void heat_serial_iterate(const heat_problem *problem, heat_plate *plate, int64_t iterations);

/* ---- heat_verify.c --------------------------------------------------------------------------- */

typedef struct {
    double error, error_bound; /* against the analytic solution, of the finer of two plates */
    double order;              /* log2 of the ratio of both plates' errors */
    double different;          /* temperatures that are not those of the plain program, bit for
                                     bit */
    double asymmetric;         /* that differ from one that symmetry makes the same */
} heat_verdict;

/* Small plates, all ranks, with this method, precision, stores and steps; alone: the leader's own
   group. The leader gets the verdict. Collective. */
heat_verdict heat_verify(const heat_problem *problem, cm_group *alone, heat_stores stores,
                         int64_t steps);

/* The lowest and the highest temperature that there can be on the way to the steady state, or, with
   a method that overshoots on its way, in the end. */
void heat_range(const heat_problem *problem, double *low, double *high);

/* The discrete maximum principle: how far temperatures of the plate are outside that range, and how
   far they may be. Collective. */
typedef struct {
    double by, bound;
} heat_beyond;
heat_beyond heat_verify_range(const heat_problem *problem, const heat_plate *plate,
                              double residual);

/* ---- Options and the run --------------------------------------------------------------------- */

enum { HEAT_MOST_SERIES = 32, HEAT_MOST_SIZE = 1 << 20 };
typedef struct {
    int64_t size, rows; /* rows 0: as size */
    const char *series_text;
    int64_t series[HEAT_MOST_SERIES];
    int n_series;
    int method, precision, stores;
    double omega; /* 0: the best */
    const char *side_text[HEAT_SIDES], *steps_text;
    heat_problem problem; /* sizes 0 */
    int64_t steps;        /* a sweep; 0: auto */
    int64_t iterations;   /* 0: not given */
    double tolerance;
    int64_t check_every, collect_every, picture_points;
    const char *frames;
    bool watch, serial, no_stream, plate;
    const char *check_point, *restart;
    int64_t check_point_every, restart_iteration;
    cm_sampling sampling;
    cm_result_files files;
} heat_options;

typedef struct {
    int64_t size;
    double one_ms, two_ms, speed_up;
} heat_printed;
heat_printed heat_paper(int64_t rows, int64_t columns); /* heat_paper.c; NAN: not printed */

/* heat_roofline.c; both collective: bytes of this rank for it; of all ranks together. */
size_t heat_roofline_bytes(void);
double heat_roofline_B_per_s(void);

/* What is known of all plates so far, on the leader. */
typedef struct {
    double triad_B_per_s;             /* NAN: not measured */
    double serial_s;                  /* an iteration of the plain program; NAN: not measured */
    heat_beyond beyond;               /* of the plate that is farthest beyond what may be */
    heat_verdict verdict;             /* worst of all plates */
    double rate_GLUP_per_s, speed_up; /* of the last plate */
    int64_t sweeps;                   /* to the tolerance; 0: not reached */
    cm_sample_tally tally;
} heat_findings;

/* ---- heat_check.c: before anything is measured ----------------------------------------------- */

int heat_check(const cm_program *program, void *options);
/* Have all ranks rows enough? 0, or one line and CM_EXIT_USAGE. */
int heat_check_ranks(const cm_program *program, const heat_options *options);
void heat_require_memory(const heat_options *options);

/* The neighbours' rows that are kept: one for each step that is or may be taken. */
int64_t heat_depth(const heat_options *options, int64_t rows);

/* ---- heat_result.c, by the leader, but for the plate ----------------------------------------- */

cm_result *heat_result_open(const cm_benchmark *benchmark, int argc, char **argv,
                            const heat_problem *problem, double triad_B_per_s);
/* Sets the rate and the speed-up of the findings. */
void heat_result_row(cm_result *result, const heat_problem *problem, const heat_state *state,
                     const heat_times *times, heat_findings *findings);
/* How far it is from the steady state. */
void heat_result_end(cm_result *result, const heat_options *options, const heat_problem *problem,
                     const heat_times *times);
/* Rows of the plate, thinned, as comments that the figure reads. Collective; result: the leader's,
   else NULL. */
void heat_result_plate(cm_result *result, const heat_plate *plate);
void heat_result_verdicts(cm_result *result, const heat_options *options,
                          const heat_findings *findings);

extern const cm_metric heat_metrics[]; /* of the RESULT lines */

int heat_run(const cm_benchmark *benchmark, int argc, char **argv); /* heat_run.c */

#endif
