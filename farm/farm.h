/* SPDX-License-Identifier: BSD-3-Clause */
/* farm.h: what the parts of cm-farm share. Rank 0 is the master, the others are workers. */
#ifndef FARM_H
#define FARM_H

#include "farm_unit.h"
#include "run/run.h"
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

/* cm_benchmark's check: what goes beyond one option's range. */
int farm_check(const cm_program *program, void *options);

/* In the started job, on every rank. 0, or the status after one line about what cannot be run with
   these ranks or this backend. */
int farm_refuse(const cm_program *program, const farm_options *options);

/* Ends the job when the memory of a host does not hold what the options ask for. */
void farm_require_memory(const farm_options *options);

/* ---- farm_plan.c: which runs ----------------------------------------------------------------- */

/* Batch sizes, the largest last, and numbers of workers, ascending, for a job with so many of
   them. */
void farm_plan_batches(const farm_options *options, farm_counts *batches);
void farm_plan_workers(const farm_options *options, int available, farm_counts *workers);

/* Masters below the first, in a job with so many ranks beside rank 0. */
int farm_plan_masters(const farm_options *options, int ranks);

/* Units of the next message, of so many that are left, for so many receivers: a share of half of
   what is left, so that all end together (factoring: Hummel, Schonberg, Flynn 1992), but least to
   most. */
uint32_t farm_plan_share(uint32_t left, int receivers, uint32_t least, uint32_t most);

/* Messages that share units out so; *batches: into batches of so many units, these messages are
   cut. */
int64_t farm_plan_shares(uint32_t units, int receivers, uint32_t least, uint32_t most,
                         int64_t batch, int64_t *batches);

/* ---- farm_tree.c: who works for whom with FARM_TREE ------------------------------------------ */

/* Masters of a job with so many ranks beside rank 0: about as many as each has workers; 0: too
   few. */
int farm_tree_masters(int ranks);

/* Ranks 1 .. ranks are cut into as many neighbourhoods as there are masters; the first of each is
   its master, the next ones work for it. Master number k, from 0, and its workers first, first + 1,
   ... */
typedef struct {
    int master, first, workers;
} farm_branch;
farm_branch farm_tree_branch(int ranks, int masters, int workers, int k);

/* ---- farm_round_trips.c: how times are distributed ------------------------------------------- */

/* Counts in bins: exact below 128 ns, then 64 a doubling, whatever their number. */
enum { FARM_BINS = 64 * 60 };
typedef struct {
    uint64_t n, count[FARM_BINS];
    double longest_s;
} farm_round_trips;
void farm_round_trips_add(farm_round_trips *trips, double time_s);

/* fraction 0 to 1; NaN where n (1 - fraction) < 1: then no round trip stands for what lies
   above. */
double farm_round_trips_quantile(const farm_round_trips *trips, double fraction);

/* So many took from_s <= time < to_s; ten bins a decade, from a nanosecond. */
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

/* Begins a run on a worker, or on a master below the first: that one has workers. */
typedef struct {
    int64_t most_units;     /* of a message to it */
    int64_t batch;          /* units of its messages to its workers, at most */
    int32_t kind;           /* farm_work_kind */
    int32_t master;         /* from whom it gets work */
    int32_t first, workers; /* its own, from this rank on */
    int32_t credit;         /* messages in flight to each of them */
    int32_t coalesce;       /* short results may wait for others */
} farm_start;

/* What a worker has to say after QUIT, or a master of its workers. */
typedef struct {
    double computing_s;
    int64_t batches, units;
} farm_report;

/* With coalescing a result waits for the next one where it took less than this, about what the
   system takes for a short message. */
#define FARM_WRITE_S 2e-6

/* Serves runs until END. Returns the exit status. */
int farm_worker(const farm_options *options);

/* ---- farm_branch.c: a master below the first ------------------------------------------------- */

enum { FARM_BLOCKS = 2 }; /* messages from the first in flight to it */
void farm_branch_serve(const farm_start *start);

/* ---- farm_receive.c: ways to receive results ------------------------------------------------- */

typedef struct {
    int source, tag;
    bool failed;
    farm_digest digest;
} farm_message;

/* Who still owes the master a message? */
typedef bool farm_owes(const void *context, int worker);

typedef struct farm_receiver farm_receiver;
farm_receiver *farm_receiver_open(farm_receive_kind kind, int workers, farm_owes *owes,
                                  const void *context);

/* Takes back what is posted; the run is over. */
void farm_receiver_close(farm_receiver *receiver);

/* Waits for the next message; failed: source has. Somebody owes one. */
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

/* What a run was. Times are the master's. */
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
    farm_round_trips *trips;
} farm_outcome;

/* One run; computer is for a master that is left alone. Clears trips. Ends the job where it
   cannot. */
void farm_master(const farm_run *run, farm_computer *computer, farm_outcome *outcome);

/* Workers still alive (survive), of all in the job; ends them all. */
int farm_master_alive(void);
void farm_master_end(void);

/* ---- farm_table.c: all rows, and what follows from them -------------------------------------- */

typedef struct {
    int workers; /* of the last run */
    int64_t batch;
    cm_summary summary;      /* of the runs' times */
    farm_outcome last;       /* of the last run, without trips */
    farm_round_trips *trips; /* of all runs */
    double master_busy;      /* share of its time outside of receives */
    double workers_busy;     /* share of the workers' time that they computed; NaN: not timed */
    /* messages that the master can send with nothing computed; NaN: not known */
    double ceiling_per_s;
    double coalesced_per_s, uncoalesced_per_s; /* the same, and what it would be otherwise */
} farm_point;

typedef struct {
    const farm_options *options;
    int n;
    farm_point *point;   /* by workers, then by batch */
    double plain_unit_s; /* of a unit in a plain loop; NaN: there is none */
} farm_table;

const farm_point *farm_table_find(const farm_table *table, int workers, int64_t batch); /* NULL */

/* Messages from the master a second; rate over that of one worker. NaN where there is nothing to
   compare with. */
double farm_messages_per_s(const farm_point *point);
double farm_speed_up(const farm_table *table, const farm_point *point);

/* Time above that of the largest batch with as many workers (pelikan-2007), and the same over
   2 * batches messages; NaN where there is nothing to compare with. */
double farm_overhead_s(const farm_table *table, const farm_point *point);
double farm_overhead_message_s(const farm_table *table, const farm_point *point);

double farm_per_million(const farm_table *table); /* from this run's units to the paper's */

/* ---- farm_run.c: rank 0's part --------------------------------------------------------------- */

typedef struct {
    farm_table table;
    farm_counts workers, batches; /* to run */
    int masters;                  /* below the first */
    cm_result *result;
    farm_computer *computer;
    bool coalesces; /* asked for, several in flight, and this backend does */
    farm_digest expected;
    const char *expected_from;
    cm_sample_tally tally;
    int64_t wrong_digests, wrong_counts; /* runs */
    int64_t lost, again, alone;          /* as in farm_outcome, of all runs */
} farm_lead;

/* cm_benchmark's run. */
int farm_run_job(const cm_benchmark *benchmark, int argc, char **argv);

/* farm_computer_open, which ends the job when it fails. */
farm_computer *farm_computer_or_end(const farm_work *work);

/* ---- farm_measure.c: what rank 0 samples ----------------------------------------------------- */

/* Seconds of a unit in a plain loop by libcrypto, without master and messages; NaN: there is no
   work. */
double farm_measure_plain_s(const farm_options *options);

void farm_measure_warm_up(farm_lead *lead, int64_t workers);

/* Runs of one number of workers and one batch size: the next point of the table, and its row in the
   result. ceiling: the master's is measured before. */
void farm_measure_row(farm_lead *lead, int64_t workers, int64_t batch, bool ceiling);

/* ---- farm_result.c --------------------------------------------------------------------------- */

extern const cm_metric farm_metrics[]; /* of the RESULT lines */

/* Opens it, or ends the job; then, in this order, metadata, rows, what follows from all rows. */
cm_result *farm_result_open(const cm_benchmark *benchmark, int argc, char **argv);
void farm_result_meta(const farm_lead *lead);
void farm_result_row(const farm_lead *lead, const farm_point *point, const cm_samples *times);
void farm_result_end(const farm_lead *lead);

/* ---- farm_compare.c -------------------------------------------------------------------------- */

/* The paper's three tables, as comments, its numbers beside ours. */
void farm_compare_paper(cm_result *result, const farm_table *table);

/* ---- farm_fit.c ------------------------------------------------------------------------------ */

/* Amdahl's law and the universal scalability law, for each batch size; the paper's speed-ups; where
   the master saturates. As comments. */
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
