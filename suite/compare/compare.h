/* SPDX-License-Identifier: BSD-3-Clause */
/* compare.h: `clustermark compare`: what its files share. The first operand is the base; each
   further one, here called new, is compared with it. */
#ifndef SUITE_COMPARE_H
#define SUITE_COMPARE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include "common/child.h"
#include "common/home.h"
#include "measure/lone.h"
#include "measure/rank_test.h"
#include "measure/states_pair.h"
#include "results/metrics.h"
#include "result/read.h"
#include "common/table.h"
#include "common/unit.h"
#include "common/words.h"

/* The rate of false alarms of all headline metrics together. */
#define COMPARE_LEVEL 0.05

extern const char *const compare_fail_words[]; /* "slower", "different"; NULL-terminated */
typedef enum { COMPARE_FAIL_SLOWER, COMPARE_FAIL_DIFFERENT } compare_fail;

typedef struct {
    const char *output, *html, *json, *expect; /* files; NULL: not wanted */
    double margin_percent;
    int64_t rows; /* how many lines the text has for each kind of what is not tested */
    int fail_on;  /* compare_fail; -1: not given */
    bool force;
} suite_compare_options;

/* ---- What is measured first: compare_run.c --------------------------------------------------- */

typedef struct {
    bool on;             /* --run */
    int64_t launches;    /* 0: not given */
    const char *profile; /* words that `clustermark run` of the builds takes; NULL: not given */
    const char *only, *hosts, *hostfile, *launcher;
} suite_compare_run;

/* Runs the builds or installations a and b in turns, a launch of each a round, into dir/rounds, and
   gathers their launches in dir/base and dir/new; what is there from an earlier call is kept.
   Returns 0, or prints one line and returns the exit status: CM_EXIT_SYSTEM if one of them cannot
   run, 128 and the signal if it was interrupted. */
int compare_run(const suite_home *home, const suite_compare_run *options, const char *a,
                const char *b, const char *dir);

/* ---- What is read: compare_read.c ------------------------------------------------------------ */

/* The launches of a benchmark that have no wrong answer. Hosts that stand out are not a wrong
   answer. */
typedef struct {
    char *name; /* "patterns-ping" */
    cm_record *launch;
    char **file; /* of each launch, below the side's folder: "launches/patterns-ping.3.txt" */
    size_t n;
    char *figure; /* path of a text that figures can be drawn of; NULL: there is none */
} compare_bench;

typedef struct {
    const char *path; /* as it was typed */
    char *label;      /* the same as one line of UTF-8 */
    bool folder;
    compare_bench *bench; /* sorted by name */
    size_t n;
    suite_words notes; /* what was left out, and why */
} compare_side;

/* Reads a folder of `clustermark run` or one result. Launches are the files launches/NAME.K.txt
   of the folder; without them NAME.txt is the only launch. Returns 0, or prints one line and
   returns the exit status. Free with compare_side_free. */
int compare_side_read(const char *path, const suite_table *table, compare_side *side);
void compare_side_free(compare_side *side);
/* NULL: it has no launch of this benchmark. */
const compare_bench *compare_side_find(const compare_side *side, const char *name);

/* ---- What is compared ------------------------------------------------------------------------ */

typedef enum { COMPARE_NEITHER, COMPARE_LOW, COMPARE_HIGH } compare_better;
extern const char *const compare_better_names[];

typedef enum {
    COMPARE_UNTESTED, /* too few launches for any test at COMPARE_LEVEL */
    COMPARE_UNKNOWN,
    COMPARE_SAME,
    COMPARE_FASTER, /* for the better */
    COMPARE_SLOWER, /* for the worse */
    COMPARE_HIGHER, /* neither is better */
    COMPARE_LOWER
} compare_verdict;
extern const char *const compare_verdict_names[]; /* "cannot tell" */

/* One value a launch, sorted; those of launches that have one. */
typedef struct {
    double *value;
    size_t *launch; /* in compare_bench.launch */
    size_t n, of;   /* of: all launches */
    double median;  /* NaN: no values */
} compare_values;

/* A metric, or a column of the rows with one setting. */
typedef struct {
    char *bench;       /* "netpipe" */
    char *metric;      /* "latency_us"; of rows, the column */
    char *setting;     /* of rows: "size_bytes=8"; NULL: a metric */
    double *by_launch; /* second family: the values of base, then of new, as launched; else NULL */
    char *unit;        /* NULL: a row, whose column names it */
    compare_better better;
    compare_values base, new;
    cm_states_pair states; /* of the launches of both sides: x is base, y is new */
    cm_rank_factor factor; /* new over base, within the states */
    bool apart;            /* no launch of new has its cores at the distance of one of base */
    cm_lone lone[2];       /* launches of base, and of new, that stand alone; none of rows */
    suite_words remarks;   /* sentences that stand with the values */
    /* Tested metrics only; NaN where nothing was tested. */
    size_t family; /* number of tests that share the false alarms of the family; 0: too few launches
                      for any test */
    double p, adjusted;
    double visible; /* the smallest ratio above 1 that could have been seen */
    compare_verdict verdict;
} compare_item;

typedef struct {
    compare_item *item;
    size_t n;
} compare_items;

/* ---- Items: compare_item.c ------------------------------------------------------------------- */

/* Adds an item, which takes the strings and values given. */
compare_item *compare_items_add(compare_items *items, compare_item item);
/* Sorts items by the size of their change, the largest first. */
void compare_items_sort(compare_items *items);
void compare_items_free(compare_items *items);
/* Returns true if only one side has lone launches, or more of them. A rank test cannot tell whether
   that is a change; but it is not the same. */
bool compare_lone_differ(const compare_item *item);
/* Returns true if the tested metric has enough launches to tell any change from chance at Holm's
   first step, or at the level of its program. With states, each state needs launches of both sides.
   */
bool compare_can_tell_item(const compare_item *item);

/* ---- Pairs of sides -------------------------------------------------------------------------- */

/* A key of the metadata whose value is not the same. */
typedef struct {
    char *key, *base, *new; /* "" where there is no such key */
    suite_words benches;
    bool everywhere; /* in all benchmarks that both have */
    size_t place;    /* in the order in which they were found */
} compare_difference;

typedef struct {
    const compare_side *base, *new;
    compare_difference *difference;
    size_t n_differences, n_common; /* n_common: benchmarks that both have */
    /* Sorted by the size of the change, the largest first. headline is tested, and so is further,
       the second family. */
    compare_items headline, further, metrics, rows;
    suite_words notes;
} compare_pair;

/* All pairs of one command, and what they have in common. */
typedef struct {
    const suite_home *home;
    const suite_compare_options *options;
    suite_table table;
    compare_side *side; /* side[0] is the base */
    size_t n_sides;
    compare_pair *pair; /* n_sides - 1 */
    size_t family;      /* how many headline metrics the false alarms are shared by */
    size_t programs;    /* and by how many programs those of the second family */
    suite_metrics metrics;
    const struct compare_expectations *expectations; /* NULL: none */
    const char *figures; /* the folder of compare_figures.c; NULL: none were drawn */
    const char *report;  /* a page that the comparison's links to; NULL: none */
} comparison;

/* compare.c: compares the results at path[1] to path[n - 1] with that at path[0], and writes what
   the options ask for. Returns the exit status. */
int compare_results(const suite_home *home, const suite_compare_options *options, int n,
                    char *const *path);
/* compare.c: reads the results at path[0] to path[n - 1], compares and judges them. Returns
   0, or prints one line and returns the exit status. Close it in any case. */
int compare_open(const suite_home *home, const suite_compare_options *options, int n,
                 char *const *path, comparison *all);
void compare_close(comparison *all);
/* Writes the page to path, with figures if there is gnuplot. Returns 0, or prints one line, unless
   interrupted, and returns the exit status. */
int compare_page_write(comparison *all, suite_children *children, const char *path);

/* compare_join.c: finds what both have. */
void compare_join(comparison *all, compare_pair *pair);
/* compare_values.c: room for one value a launch; free with compare_values_free. */
compare_values compare_values_new(size_t launches);
void compare_values_add(compare_values *values, size_t launch, double value);
bool compare_values_have(const compare_values *values, size_t launch);
/* The metric's value in each launch that has it. */
compare_values compare_values_of(const compare_bench *bench, const char *name);
void compare_values_free(compare_values *values);
/* compare_remarks.c: adds remarks of launches without a value, and of values without a ratio. */
void compare_tell_gaps(compare_item *item, const compare_bench *base, const compare_bench *new);
/* The same file: adds a remark if launches have cores at different distances, and sets apart. */
void compare_tell_distances(compare_item *item, const compare_bench *base,
                            const compare_bench *new);
/* The same file: finds lone launches and adds remarks of them. */
void compare_tell_lone(compare_item *item, const compare_bench *base, const compare_bench *new);
/* The same file: adds the remark to headlines that launches without a value leave too few for a
   verdict. It follows compare_judge. */
void compare_tell_few(comparison *all);
/* The same file: lists the launches that have no value, with what they have in place of metric
   (NULL: not requested): "launches/hint.2.txt (nan), launches/hint.3.txt". The caller frees the
   text. */
char *compare_missing(const compare_bench *bench, const compare_values *values, const char *metric);
/* The same file: returns true for a ratio to others that all launches of both sides give as 1,
   having one host or rank: there are no others, so that it tells nothing. */
bool compare_is_constant(const compare_bench *base, const compare_bench *new, const char *metric);
/* compare_metric.c: by the words of RESULT lines, the first launch that has them; else what the
   program says. */
compare_better compare_metric_better(comparison *all, const compare_bench *bench, const char *name);
/* The same file: by the unit in a column's name. */
compare_better compare_column_better(const char *column);
/* The same file: returns a unit that a launch of the two has for the metric and that is not the
   given one; NULL: all have that one. */
const char *compare_other_unit(const compare_bench *base, const compare_bench *new,
                               const char *name, const char *unit);
/* compare_further.c: the second family of a program. */
void compare_further_join(comparison *all, compare_pair *pair, const compare_bench *base,
                          const compare_bench *new);
/* compare_rows.c: joins the rows that have the same setting. */
void compare_join_rows(const comparison *all, compare_pair *pair, const compare_bench *base,
                       const compare_bench *new);
/* compare_metadata.c: sets difference. */
void compare_metadata(compare_pair *pair);
void compare_pair_free(compare_pair *pair);

/* compare_judge.c: ratios and intervals of all pairs, tests and verdicts of the headlines; sorts
   the items. */
void compare_judge(comparison *all);
/* The same file: tests n rows that somebody has chosen without looking at their values, as a family
   of its own: sets ratios, intervals and verdicts. */
void compare_judge_chosen(const comparison *all, compare_item **chosen, size_t n);
/* compare_states.c: "two states: base 9.30 in 2 of 6, 22.0 in 4; ..."; of a tested item also
   whether the shares differ. Values are over divisor, that of compare_unit. Only if the item has
   states; the caller frees. */
char *compare_states_words(const compare_item *item, double divisor);
/* Returns true if no launch of that side need have the median: the side has two states. */
bool compare_states_mixed(const compare_item *item, bool of_new);
/* compare_judge_further.c: the tests of the second family, after compare_judge. */
void compare_judge_further(comparison *all);
/* The same file as compare_judge: sets the verdict of an item that was tested. Of two states that
   are further apart than the margin the shares count, too: they are the change if they differ; else
   the item is not the same, whatever it is within the states. */
void compare_judge_verdict(compare_item *item, double margin_percent);
/* Returns the advised number of launches per side: the smallest number, at least
   SUITE_LAUNCHES_ADVISED, with which each of `tests` headline metrics, or programs of the second
   family, can be told from chance. */
size_t compare_launches_for(size_t tests);
/* The same for every tested metric. */
size_t compare_launches_needed(const comparison *all);

/* compare_fail.c: what --fail-on makes of it. Returns CM_EXIT_WRONG if a tested metric is as it
   says; CM_EXIT_SYSTEM, and prints one line that names them, if a loss of 25 % could not have been
   seen in a tested metric, or if nothing was tested; else CM_EXIT_PASS. */
int compare_fail_status(const comparison *all);

/* ---- Expectations: compare_expect.c ---------------------------------------------------------- */

typedef struct {
    char *bench, *metric;
    double value, low, high; /* low and high: the bounds; infinite on a side without one */
    char *text;              /* "3.2 +-10%" */
} compare_expected;
typedef struct compare_expectations {
    compare_expected *expected;
    size_t n;
} compare_expectations;

/* Reads the file of --expect. Returns 0, or prints one line that names file and line and returns
   the exit status. Free with compare_expect_free. */
int compare_expect_read(const char *path, compare_expectations *expectations);
void compare_expect_free(compare_expectations *expectations);
/* Returns true if the side meets it: the median over its launches is from low to high. *median is
   NaN if the metric is not there. */
bool compare_expect_met(const compare_expected *expected, const compare_side *side, double *median);
/* " in 5 of 6 launches" if only some have the metric, else ""; the caller frees. */
char *compare_expect_of(const compare_expected *expected, const compare_side *side);
/* Returns true if every side but the base, or the only one, meets all. */
bool compare_expect_all_met(const comparison *all);
/* The first side that they are about. */
size_t compare_expect_first(const comparison *all);

/* ---- What is written ------------------------------------------------------------------------- */

void compare_text(const comparison *all, FILE *out); /* compare_text.c */
void compare_page(const comparison *all, FILE *out); /* compare_page.c */
/* The same file: metrics of a pair, and differences of its metadata, for another page. id begins
   the ids of what is folded and of the metrics; NULL: they have none. */
void compare_page_metrics(const compare_pair *pair, const char *id, FILE *out);
void compare_page_differences(const compare_pair *pair, const char *id, FILE *out);
/* compare_hosts.c: a table of the hosts by cm-nodes, new over base: those that stand out on a side,
   then one row for all that are alike, as for many that one side lacks; below it each of these,
   folded. id begins the ids. Returns false, and prints nothing, if not both sides have such a
   result, or there is one host. */
bool compare_page_hosts(const compare_pair *pair, const char *id, FILE *out);
bool compare_json(const comparison *all, FILE *out); /* compare_json.c; false: out of memory */

/* compare_figures.c: draws into a new folder K/NAME-FIGURE.svg of side K for each benchmark that
   the base and another side have; of all sides NAME-compare.svg where the manifest has curves or
   the benchmark figures/compare.gp; of two sides NAME-pair.svg where it has pair.
   *folder is NULL without gnuplot. Returns 0, or prints one line and returns the exit status. */
int compare_figures_draw(const comparison *all, suite_children *children, char **folder);
/* Removes and frees it, before suite_children_close; NULL does nothing. */
void compare_figures_remove(char *folder);

/* compare_words.c: an interval: "[0.97, 1.1]", a range "(0.97, 1.1)". size must be at least
   COMPARE_WORD. */
enum { COMPARE_WORD = 48 };
void compare_interval(const cm_rank_factor *factor, char *text, size_t size);
/* The unit in which both medians are easy to read, as suite_unit_easy; returns what to divide
   values by. Of a row its column says the unit. The second has "us" where that has a Greek
   letter. */
double compare_unit(const compare_item *item, char unit[SUITE_UNIT]);
double compare_unit_ascii(const compare_item *item, char unit[SUITE_UNIT]);
/* The item's name: "netpipe:latency_us", "netpipe:median_s size_bytes=8". The caller frees. */
char *compare_item_name(const compare_item *item);
/* A side's name in a figure: the last part of its path, or all of the path if another side has that
   part, too. The caller frees. */
char *compare_side_name(const comparison *all, size_t side);
/* "14 benchmarks, 5 launches"; the caller frees. */
char *compare_side_words(const compare_side *side);
/* "cannot tell" */
const char *compare_verdict_words(const compare_item *item);
/* "latency netpipe", or "14 of 15 benchmarks" of more than a few; "all"; the caller frees. */
char *compare_where(const compare_pair *pair, const compare_difference *difference);
/* Returns sentences on the methods behind all verdicts. The caller frees them. */
char *compare_method(const comparison *all);
/* Returns the consequences of too few launches, "" if there are enough. The caller frees it. */
char *compare_shortage(const comparison *all);

#endif
