/* SPDX-License-Identifier: BSD-3-Clause */
/* farm.h: what the parts of cm-farm share. Rank 0 is the master, the others are workers. */
#ifndef FARM_H
#define FARM_H

#include "farm_unit.h"
#include "run/run.h"
#include "sample/disturbance.h"
#include "sample/sample.h"

typedef enum { FARM_PAPER, FARM_CREDIT, FARM_GUIDED, FARM_TREE } farm_protocol;
extern const char *const farm_protocols[]; /* NULL at the end; so below */
typedef enum { FARM_ANY, FARM_WAITANY, FARM_WAITSOME, FARM_FIXED } farm_receive_kind;
extern const char *const farm_receives[];
extern const char *const farm_sha1_kinds[];
typedef enum { FARM_COALESCE_ON, FARM_COALESCE_OFF } farm_coalesce;

enum { FARM_MOST_COUNTS = 64, FARM_MOST_CREDIT = 1024 };

typedef struct {
    int n;
    int64_t value[FARM_MOST_COUNTS];
} farm_counts;

typedef struct {
    int64_t units, unit_bytes, batch;
    bool series;
    int protocol;    /* farm_protocol */
    int64_t credit;  /* batches in flight a worker; 0: the protocol's */
    int64_t masters; /* of FARM_TREE, below the first; 0: as many as suit the ranks */
    int receive;     /* farm_receive_kind */
    int coalesce;    /* farm_coalesce */
    const char *work_text, *workers_text;
    farm_work work;
    bool survive;
    cm_sampling sampling; /* a sample is a run */
    cm_result_files files;
    farm_counts workers; /* of workers_text; none: the default */
} farm_options;

/* ---- farm_check.c ---------------------------------------------------------------------------- */

/* cm_benchmark's check: everything beyond the range of a single option. */
int farm_check(const cm_program *program, void *options);

/* Called in the started job, on every rank. Returns 0, or a status after one line that says what
   cannot be run with these ranks or this backend. */
int farm_refuse(const cm_program *program, const farm_options *options);

/* Ends the job if a host has too little memory for these options. */
void farm_require_memory(const farm_options *options);

/* ---- farm_plan.c: which runs ----------------------------------------------------------------- */

/* Batch sizes, the largest last, and numbers of workers, ascending, for a job with `available`
   workers. */
void farm_plan_batches(const farm_options *options, farm_counts *batches);
void farm_plan_workers(const farm_options *options, int available, farm_counts *workers);

/* Units of the runs with this number of workers. In a series --units is rounded up to a multiple of
   workers times the largest batch: then every worker gets equally many batches of each size, and
   none is idle while others compute the last ones. Such a tail in the time of the largest batch
   would make overheads negative. */
int64_t farm_plan_units(const farm_options *options, int64_t workers);

/* A rate, an overhead and a speed-up's fit need at least this many messages, 10 for each worker and
   100 in all: the first and the last message of each worker take another time than the others. */
int64_t farm_plan_least_messages(int64_t workers);

/* Returns the number of masters below the first, in a job with `ranks` ranks beside rank 0. */
int farm_plan_masters(const farm_options *options, int ranks);

/* Returns the units of the next message if `left` units are left for `receivers` receivers: half a
   receiver's share of them, so that all end together (factoring: Hummel, Schonberg, Flynn 1992),
   within least to most. */
uint32_t farm_plan_share(uint32_t left, int receivers, uint32_t least, uint32_t most);

/* Returns the number of messages by which the units are so shared out. Sets *batches to the number
   of batches of `batch` units into which these messages are cut. */
int64_t farm_plan_shares(uint32_t units, int receivers, uint32_t least, uint32_t most,
                         int64_t batch, int64_t *batches);

/* ---- farm_tree.c: who works for whom with FARM_TREE ------------------------------------------ */

/* Returns the number of masters for `ranks` ranks beside rank 0: about as many as each master then
   has workers; 0 if there are too few ranks. */
int farm_tree_masters(int ranks);

/* Ranks 1 .. ranks are cut into as many neighbourhoods as there are masters; the first of each is
   its master, the next ones work for it. Master number k, from 0, and its workers first, first + 1,
   ... */
typedef struct {
    int master, first, workers;
} farm_branch;
farm_branch farm_tree_branch(int ranks, int masters, int workers, int k);

/* ---- farm_round_trips.c: how times are distributed ------------------------------------------- */

/* Counts in bins: 1 ns wide below 128 ns, then 64 bins per doubling. */
enum { FARM_BINS = 64 * 60 };
typedef struct {
    uint64_t n, count[FARM_BINS];
    double longest_s;
} farm_round_trips;
void farm_round_trips_add(farm_round_trips *trips, double time_s);

/* Returns the quantile for a fraction of 0 to 1; NaN if n (1 - fraction) < 1, because then no round
   trip lies above it. */
double farm_round_trips_quantile(const farm_round_trips *trips, double fraction);

/* Counts of the round trips in ten bins per decade, from a nanosecond on; bin k begins at
   farm_coarse_edge_s(k). */
enum { FARM_COARSE_BINS = 130 };
void farm_round_trips_coarse(const farm_round_trips *trips, uint64_t count[FARM_COARSE_BINS]);
double farm_coarse_edge_s(int bin);

/* ---- farm_worker.c --------------------------------------------------------------------------- */

/* Messages, in the world: from the master START, WORK, QUIT, END; from a worker GREETING, RESULT,
   REPORT. */
enum {
    FARM_TAG_START = 1,
    FARM_TAG_WORK,
    FARM_TAG_QUIT,
    FARM_TAG_END,
    FARM_TAG_GREETING,
    FARM_TAG_RESULT,
    FARM_TAG_REPORT
};

/* Begins a run on a worker, or on a master below the first, which has workers. */
typedef struct {
    int64_t most_units;     /* of a message to it */
    int64_t batch;          /* units of its messages to its workers, at most */
    int32_t kind;           /* farm_work_kind */
    int32_t master;         /* from whom it gets work */
    int32_t first, workers; /* its own workers, from this rank on */
    int32_t credit;         /* messages in flight to each of them */
    int32_t coalesce;       /* short results may wait for others */
} farm_start;

/* The report that a worker sends after QUIT, or that a master sends for its workers. */
typedef struct {
    double computing_s;
    int64_t batches, units;
    uint64_t disturbed; /* why, in the whole run; CM_DISTURBED_... */
} farm_report;

/* With coalescing, a result that took less than this waits for the next one. It is about the time
   of a write of a short message. */
#define FARM_WRITE_S 2e-6

/* Serves runs until END. Returns the exit status. */
int farm_worker(const farm_options *options);

/* ---- farm_branch.c: a master below the first ------------------------------------------------- */

enum { FARM_BLOCKS = 2 }; /* messages from the first in flight to it */
void farm_branch_serve(const farm_start *start, cm_sample_watch *watch);

/* ---- farm_receive.c: ways to receive results ------------------------------------------------- */

typedef struct {
    int source, tag;
    bool failed;
    farm_digest digest;
} farm_message;

/* Returns whether this worker still owes the master a message. */
typedef bool farm_owes(const void *context, int worker);

typedef struct farm_receiver farm_receiver;
farm_receiver *farm_receiver_open(farm_receive_kind kind, int workers, farm_owes *owes,
                                  const void *context);

/* Cancels the posted receives at the end of a run. */
void farm_receiver_close(farm_receiver *receiver);

/* Waits for the next message; some worker must owe one. failed: the rank source has failed. */
void farm_receive(farm_receiver *receiver, farm_message *message);

/* ---- farm_master.c --------------------------------------------------------------------------- */

typedef struct {
    int workers;
    int64_t units, batch;
    farm_protocol protocol;
    int credit, masters;
    farm_receive_kind receive;
    farm_work_kind kind;
    bool coalesce;
} farm_run;

/* The outcome of a run. Times are the master's. */
typedef struct {
    double time_s;    /* from the first START to the last result */
    double waiting_s; /* inside receives */
    farm_digest digest;
    /* with work that rank 0 has to send; with nobody lost it sends as many */
    int64_t messages;
    int64_t batches;        /* that workers have to get */
    int64_t sent, received; /* rank 0's messages with work; greetings and results */
    int64_t again;          /* batches given once more, those of the lost */
    int64_t alone;          /* units that the master had to do itself */
    int lost;               /* workers that failed during the run */
    double computing_s;     /* of the workers that are left, together */
    int64_t computed;       /* units, as they count them */
    int64_t served;         /* batches, as they count them */
    unsigned disturbed;     /* why some of them were; CM_DISTURBED_... */
    farm_round_trips *trips;
} farm_outcome;

/* Performs one run and clears trips before. The computer is for a master without workers. Ends the
   job on failure. */
void farm_master(const farm_run *run, farm_computer *computer, farm_outcome *outcome);

/* Returns the number of workers alive in the job, and ends them all. */
int farm_master_alive(void);
void farm_master_end(void);

/* ---- farm_table.c: all rows, and what follows from them -------------------------------------- */

typedef struct {
    int workers; /* of the last run */
    int64_t units, batch;
    cm_summary summary;      /* of the runs' times */
    farm_outcome last;       /* of the last run, without trips */
    farm_round_trips *trips; /* of all runs */
    double master_busy;      /* share of its time outside of receives */
    double workers_busy;     /* share of the workers' time that they computed; NaN: not timed */
    /* messages per second with nothing computed and as many workers; NaN: not known */
    double ceiling_per_s;
    double coalesced_per_s, uncoalesced_per_s; /* the same, and what it would be otherwise */
    /* Set by farm_table_derive; NaN: there is none, or the data do not determine it. */
    double messages_per_s;     /* from the masters */
    double overhead_s;         /* time above that of the largest batch with as many workers */
    double overhead_message_s; /* the same over 2 messages a batch (pelikan-2007) */
} farm_point;

typedef struct {
    const farm_options *options;
    int n;
    farm_point *point;   /* by workers, then by batch */
    double plain_unit_s; /* of a unit in a plain loop; NaN: there is none */
} farm_table;

const farm_point *farm_table_find(const farm_table *table, int workers, int64_t batch); /* NULL */

/* Returns whether the run had enough messages for a rate. */
bool farm_has_messages(const farm_point *point);

/* The time above that of the largest batch with as many workers, and the spread of this difference:
   half the intervals of both times, in quadrature (0: one run each). NaN: one of the two has not
   been measured, or has too few messages. */
typedef struct {
    double time_s, spread_s;
} farm_excess;
farm_excess farm_table_excess(const farm_table *table, const farm_point *point);

/* Sets messages_per_s and the overheads of a point of the table, whose largest batch has been
   measured. The overhead of the largest batch is 0 by definition. An overhead below 0 or below its
   spread is not determined. */
void farm_table_derive(const farm_table *table, farm_point *point);

/* Rate over that of one worker with the same batch; NaN: one worker has not been measured. */
double farm_speed_up(const farm_table *table, const farm_point *point);

double farm_per_million(const farm_point *point); /* from the run's units to the paper's */

/* ---- farm_run.c: rank 0's part --------------------------------------------------------------- */

typedef struct {
    farm_table table;
    farm_counts workers, batches; /* to run */
    int masters;                  /* below the first */
    cm_result *result;
    farm_computer *computer;
    bool coalesces;       /* coalescing was requested, several messages are in flight, and this
                             backend supports it */
    farm_digest expected; /* of expected_units */
    int64_t expected_units;
    farm_digest digest; /* of --units */
    const char *digest_from;
    cm_sample_tally tally;
    int64_t wrong_digests, wrong_counts; /* runs */
    int64_t lost, again, alone;          /* as in farm_outcome, of all runs */
} farm_lead;

/* cm_benchmark's run. */
int farm_run_job(const cm_benchmark *benchmark);

/* farm_computer_open, which ends the job when it fails. */
farm_computer *farm_computer_or_end(const farm_work *work);

/* Sets the lead's digest, that of --units: the known one, or the plain program's. */
void farm_expect_first(farm_lead *lead);
/* Sets the lead's expected digest to that of units 0 .. units - 1, units >= --units. */
void farm_expect(farm_lead *lead, int64_t units);

/* ---- farm_measure.c: what rank 0 samples ----------------------------------------------------- */

/* Returns the seconds of a unit in a plain loop with libcrypto, without master and messages; NaN if
   there is no work. */
double farm_measure_plain_s(const farm_options *options);

void farm_measure_warm_up(farm_lead *lead, int64_t workers);

/* Runs of one number of workers and one batch size, after the master's ceiling with both: the next
   point of the table, and its row in the result. */
void farm_measure_row(farm_lead *lead, int64_t workers, int64_t batch);

/* ---- farm_result.c --------------------------------------------------------------------------- */

extern const cm_metric farm_metrics[]; /* of the RESULT lines */

/* Opens the result or ends the job. Then, in this order: metadata, rows, and what follows from all
   rows. */
cm_result *farm_result_open(const cm_benchmark *benchmark);
void farm_result_meta(const farm_lead *lead);
void farm_result_row(const farm_lead *lead, const farm_point *point, const cm_samples *times);
void farm_result_end(const farm_lead *lead);

/* ---- farm_compare.c -------------------------------------------------------------------------- */

/* Writes the paper's three tables as comments, with its numbers beside ours. */
void farm_compare_paper(cm_result *result, const farm_table *table);

/* ---- farm_fit.c ------------------------------------------------------------------------------ */

/* Write comments to the result. farm_write_fits: Amdahl's law and the universal scalability law for
   each batch size, and the paper's speed-ups. farm_write_saturation: the number of workers at which
   the master saturates. */
void farm_write_fits(cm_result *result, const farm_table *table);
void farm_write_saturation(cm_result *result, const farm_table *table);

/* ---- farm_paper.c ---------------------------------------------------------------------------- */

typedef struct {
    double time_s, messages_per_s, message_us, overhead_s, overhead_message_us;
} farm_printed;
farm_printed farm_paper(int64_t workers, int64_t batch); /* NaN where it has none */
enum { FARM_PAPER_UNITS = 1000000, FARM_PAPER_UNIT_BYTES = 32768 };
extern const farm_counts farm_paper_workers, farm_paper_batches;

#endif
