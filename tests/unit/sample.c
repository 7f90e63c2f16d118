/* SPDX-License-Identifier: BSD-3-Clause */
/* sample.c: the sampler, on a machine whose clock and whose disturbances the test makes up. */
#include "tap.h"
#include "result/result_internal.h"
#include "sample/disturbance.h"
#include "sample/sample.h"
#include <math.h>
#include <stdlib.h>

/* What is measured: operations of op_s seconds each, on a clock that only they move. */
static double clock_s;
static double read_clock(void) { return clock_s; }

enum { MOST_SERIES = 3, MOST_LOG = 4096 };
typedef struct {
    double op_s, every_third_s; /* of an operation; what every third trial takes longer */
    double spread;              /* of the values, relative, alternating */
    int slow_trials;            /* so many trials at first take 100 times as long */
    int wrong_at;               /* the trial of this number says that something is wrong; 0:
                                     none */
    int unverified_at;          /* likewise the verification after it */
    int infinite;               /* of four values so many do not count */
    int name, trials, prepared, verified;
    size_t series;
    bool each;
} machine;

static int turn_of[MOST_LOG], turns;

static void prepare(void *context) { ((machine *)context)->prepared++; }

static double trial(void *context, int64_t operations, double *value)
{
    machine *m = context;
    int number = ++m->trials;
    double lasted_s = (double)operations * m->op_s * (number <= m->slow_trials ? 100 : 1);
    if (m->every_third_s > 0 && number % 3 == 0) lasted_s += m->every_third_s;
    clock_s += lasted_s;
    if (turns < MOST_LOG) turn_of[turns++] = m->name;
    if (number == m->wrong_at) return -1;
    double typical = lasted_s / (double)operations;
    size_t n = m->each ? (size_t)operations : m->series ? m->series : 1;
    for (size_t i = 0; i < n; i++) {
        double sign = (number + (int)i) % 2 ? 1 : -1;
        value[i] = typical * (double)(m->each ? 1 : i + 1) * (1 + sign * m->spread);
        if ((number + (int)i) % 4 < m->infinite) value[i] = INFINITY;
    }
    return lasted_s;
}

static bool verify(void *context)
{
    machine *m = context;
    return ++m->verified != m->unverified_at;
}

static cm_subject subject_of(machine *m)
{
    turns = 0;
    clock_s = 0;
    return (cm_subject){.trial = trial, .context = m, .series = m->series, .each = m->each};
}

/* Measures it by itself. Returns what is known; the samples are the caller's. */
static cm_sampled measure(const cm_sampling *sampling, machine *m, cm_samples *samples)
{
    cm_subject subject = subject_of(m);
    cm_sampled sampled = {.samples = samples};
    cm_sample(sampling, NULL, 1, &subject, &sampled);
    return sampled;
}

static unsigned undisturbed(void) { return 0; }

static cm_sampling usual(void)
{
    return (cm_sampling){
        .rule = {.relative_half_width = 0.02, .least = 10, .most = 100, .time_limit_s = INFINITY},
        .trial_s = 1e-3,
        .now_s = read_clock,
        .cause = undisturbed};
}

static void free_samples(size_t n, cm_samples *samples)
{
    for (size_t i = 0; i < n; i++) cm_samples_free(&samples[i]);
}

static void test_calibration(void)
{
    cm_sampling sampling = usual();
    machine m = {.op_s = 1e-6};
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_sampled s = measure(&sampling, &m, &samples);
    ok(s.operations >= 1000 && s.operations <= 1300, "a trial of 1 ms has %lld operations of 1 us",
       (long long)s.operations);
    ok(s.stop == CM_STOP_PRECISION && samples.n == 12, "equal samples: twelve are enough (%zu)",
       samples.n);
    ok_near(samples.value[0], 1e-6, 1e-9, "a sample is the time of one operation");
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 0.5};
    s = measure(&sampling, &m, &samples);
    ok(s.operations == 1, "an operation that is longer than a trial is a trial");
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-6};
    sampling.operations = 7;
    s = measure(&sampling, &m, &samples);
    ok(s.operations == 7 && m.trials == 13, "--repetitions: no search, one trial of warm-up (%d)",
       m.trials);
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-6};
    sampling.operations = 0;
    sampling.trial_s = 0;
    s = measure(&sampling, &m, &samples);
    ok(s.operations == 1 && m.trials == 12,
       "trial_s 0: an operation is a trial, none is thrown away");
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-6, .slow_trials = 2};
    sampling = usual();
    s = measure(&sampling, &m, &samples);
    ok(s.operations >= 1000 && s.trials == samples.n && s.operations <= 1300,
       "a calibration that was disturbed is done again (%lld)", (long long)s.operations);
    ok_near(samples.value[0], 1e-6, 1e-9, "and its samples do not count");
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-6};
    cm_subject subject = subject_of(&m);
    subject.guess = 100000;
    subject.settle = 6;
    s = (cm_sampled){.samples = &samples};
    cm_sample(&sampling, NULL, 1, &subject, &s);
    ok(s.operations >= 1000 && s.operations <= 1300, "a guess that is too high is lowered (%lld)",
       (long long)s.operations);
    free_samples(1, &samples);
}

static void test_stops(void)
{
    cm_sampling sampling = usual();
    machine m = {.op_s = 1e-6, .spread = 0.5};
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_sampled s = measure(&sampling, &m, &samples);
    ok(s.stop == CM_STOP_COUNT && samples.n == 100, "samples that differ: as many as there may be");
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-6, .spread = 0.5};
    sampling.rule.time_limit_s = 0.02;
    s = measure(&sampling, &m, &samples);
    ok(s.stop == CM_STOP_TIME && samples.n < 30, "or until the time is used up (%zu)", samples.n);
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-6};
    sampling = usual();
    sampling.most = 5;
    cm_sampling_check(&sampling);
    s = measure(&sampling, &m, &samples);
    cm_summary summary;
    ok(s.stop == CM_STOP_COUNT && samples.n == 5, "below six samples nothing is precise");
    ok(cm_summarize(&samples, &summary) && summary.interval == CM_INTERVAL_RANGE
           && summary.low == summary.min && summary.high == summary.max,
       "and their interval is least and greatest, and says so");
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-6, .wrong_at = 25};
    sampling = usual();
    sampling.rule.relative_half_width = 0;
    s = measure(&sampling, &m, &samples);
    ok(s.stop == CM_STOP_NOT && m.trials == 25, "a trial that is wrong ends it");
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-6, .unverified_at = 3};
    cm_subject subject = subject_of(&m);
    subject.prepare = prepare;
    subject.verify = verify;
    s = (cm_sampled){.samples = &samples};
    cm_sample(&sampling, NULL, 1, &subject, &s);
    ok(s.stop == CM_STOP_NOT && m.verified == 3, "and so does one that is not verified");
    ok(m.prepared == m.trials, "each trial is prepared");
    free_samples(1, &samples);
}

static void test_values(void)
{
    cm_sampling sampling = usual();
    machine m = {.op_s = 1e-6, .series = 3};
    cm_samples three[MOST_SERIES] = {CM_SAMPLES_EMPTY, CM_SAMPLES_EMPTY, CM_SAMPLES_EMPTY};
    cm_sampled s = measure(&sampling, &m, three);
    ok(three[0].n == 12 && three[1].n == 12 && three[2].n == 12, "a trial of three quantities");
    ok_near(three[2].value[4], 3e-6, 1e-9, "each has samples of its own");
    free_samples(3, three);

    cm_samples samples = CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-5, .each = true, .spread = 0.5};
    s = measure(&sampling, &m, &samples);
    ok(samples.n == 100 && s.stop == CM_STOP_COUNT,
       "each operation a sample: no more than asked for");
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-6, .infinite = 1};
    s = measure(&sampling, &m, &samples);
    ok(s.dropped > 0 && samples.n + s.dropped == s.trials, "what is not finite does not count");
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-2, .infinite = 4};
    sampling.rule.time_limit_s = 0.1;
    s = measure(&sampling, &m, &samples);
    ok(s.stop == CM_STOP_TIME && samples.n == 0 && clock_s > 2,
       "nothing counts: it ends all the same");
    free_samples(1, &samples);
}

static void test_runs(void)
{
    cm_sampling sampling = usual();
    sampling.runs = 3;
    sampling.rule.most = 0;
    sampling.trial_s = 0;
    machine m = {.op_s = 1e-2, .each = true, .spread = 0.5, .infinite = 2};
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_subject subject = subject_of(&m);
    subject.least_operations = 8;
    cm_sampled s = {.samples = &samples};
    cm_sample(&sampling, NULL, 1, &subject, &s);
    ok(s.stop == CM_STOP_COUNT && m.trials == 3 && samples.n == 12,
       "runs of several samples: as many runs as there may be (%zu samples)", samples.n);
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-2, .each = true};
    subject = subject_of(&m);
    subject.least_operations = 10;
    s = (cm_sampled){.samples = &samples};
    cm_sample(&sampling, NULL, 1, &subject, &s);
    ok(s.stop == CM_STOP_PRECISION && m.trials == 2, "or fewer, when they are precise");
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-2, .each = true, .spread = 0.5};
    subject = subject_of(&m);
    subject.least_operations = 8;
    sampling.rule.time_limit_s = 0.1;
    s = (cm_sampled){.samples = &samples};
    cm_sample(&sampling, NULL, 1, &subject, &s);
    ok(s.stop == CM_STOP_TIME && m.trials == 2, "or until the time is used up");
    free_samples(1, &samples);
}

static void test_turns(void)
{
    cm_sampling sampling = usual();
    machine quiet = {.op_s = 1e-6, .name = 1}, noisy = {.op_s = 1e-6, .name = 2, .spread = 0.5};
    cm_subject subjects[2] = {subject_of(&quiet), subject_of(&noisy)};
    cm_samples samples[2] = {CM_SAMPLES_EMPTY, CM_SAMPLES_EMPTY};
    cm_sampled s[2] = {{.samples = &samples[0], .operations = 1000},
                       {.samples = &samples[1], .operations = 1000}};
    cm_sample(&sampling, NULL, 2, subjects, s);
    bool in_turn = true;
    for (int k = 0; k < 20; k++) in_turn &= turn_of[k] == 1 + k % 2;
    ok(in_turn, "two subjects in turn, a trial of each");
    ok(s[0].stop == CM_STOP_PRECISION && samples[0].n == 12 && samples[1].n == 100,
       "who has enough leaves the others (%zu, %zu)", samples[0].n, samples[1].n);
    ok(quiet.trials == 12, "a number of operations that is given is not looked for");

    sampling.rule.relative_half_width = 0;
    sampling.rule.most = 15;
    cm_sample(&sampling, NULL, 1, subjects, s);
    ok(samples[0].n == 15, "more samples are added to those there are (%zu)", samples[0].n);
    free_samples(2, samples);
}

/* Why the next trials are disturbed; 0 at the end. */
static const unsigned *causes;
static unsigned next_cause(void) { return *causes ? *causes++ : 0; }

/* What a rank beside says of the trial before the last. */
static unsigned beside(void *context, unsigned *earlier)
{
    *earlier = ((machine *)context)->trials == 5 ? CM_DISTURBED_STOLEN : 0;
    return ((machine *)context)->trials == 8 ? CM_DISTURBED_MOVED : 0;
}

static void test_disturbed(void)
{
    enum { W = CM_DISTURBED_WAITED };
    cm_sampling sampling = usual();
    sampling.trial_s = 0;
    sampling.cause = next_cause;
    causes = (const unsigned[]){W, W, W, W, 0};
    machine m = {.op_s = 1e-6, .slow_trials = 4};
    cm_samples samples = CM_SAMPLES_EMPTY;
    cm_summary summary;
    cm_sampled s = measure(&sampling, &m, &samples);
    ok(s.stop == CM_STOP_PRECISION && samples.n == 16 && samples.disturbed == 4,
       "four disturbed trials: others are taken in their place (%zu, %zu)", samples.n,
       samples.disturbed);
    ok(cm_summarize(&samples, &summary) && summary.n == 16 && summary.counted == 12
           && summary.left_out && summary.disturbed == 4 && summary.max < 2e-6
           && summary.deviation < 1e-9,
       "and the summary leaves them out (%g)", summary.max);
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-6};
    unsigned always[200];
    for (int i = 0; i < 200; i++) always[i] = W;
    causes = always;
    s = measure(&sampling, &m, &samples);
    ok(s.stop == CM_STOP_PRECISION && samples.n >= 40 && samples.n <= 60,
       "none is undisturbed: after four times as many it is over all (%zu)", samples.n);
    ok(cm_summarize(&samples, &summary) && summary.counted == summary.n && !summary.left_out
           && summary.disturbed == summary.n,
       "and the summary says so");
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-6};
    causes = always;
    sampling.rule.most = 8;
    s = measure(&sampling, &m, &samples);
    ok(s.stop == CM_STOP_COUNT && samples.n == 8, "never more than --trials (%zu)", samples.n);
    free_samples(1, &samples);

    samples = (cm_samples)CM_SAMPLES_EMPTY;
    m = (machine){.op_s = 1e-6};
    causes = (const unsigned[]){0};
    sampling = usual();
    sampling.trial_s = 0;
    sampling.cause = next_cause;
    cm_subject subject = subject_of(&m);
    subject.others = beside;
    s = (cm_sampled){.samples = &samples};
    cm_sample(&sampling, NULL, 1, &subject, &s);
    ok(samples.disturbed == 2 && samples.cause[3] == CM_DISTURBED_STOLEN
           && samples.cause[7] == CM_DISTURBED_MOVED,
       "other ranks' words, of the last trial and of the one before it");
    ok(s.last + 1 == samples.n, "and where the last trial began");
    free_samples(1, &samples);
}

static void test_columns(void)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    for (int i = 1; i <= 9; i++)
        if (!cm_samples_add(&samples, i)) exit(99);
    struct table_row {
        int first;
        cm_summary time;
    } row = {0};
    const cm_result_column columns[] = {CM_SUMMARY_COLUMNS(struct table_row, time, "_s", "%.4e")};
    const struct {
        const char *name;
        double value;
    } want[] = {{"n", 9},         {"min_s", 1},
                {"median_s", 5},  {"low_s", 2},
                {"high_s", 8},    {"interval", CM_INTERVAL_95},
                {"mean_s", 5},    {"deviation_s", sqrt(7.5)},
                {"max_s", 9},     {"disturbed", 0},
                {"summarized", 0}};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    ok(COLUMNS == sizeof want / sizeof *want && cm_summarize(&samples, &row.time),
       "the columns of a summary");
    for (int k = 0; k < COLUMNS; k++) {
        ok_text(columns[k].name, want[k].name, "with the unit in their names");
        const cm_result_layout layout = {.offset = columns[k].offset, .cell = columns[k].cell};
        ok(fabs(cm_result_cell_value(&layout, &row) - want[k].value) < 1e-12, "its value");
    }
    free_samples(1, &samples);
}

/* Looks a second apart, of a rank that had a share of its processor, and other tasks another. */
static unsigned looks(double own, double others, double stolen, double pressed, double frequency,
                      bool bound, bool waits)
{
    const cm_machine_look before = {1, 2, 3, 4, 2e9};
    const cm_machine_look now = {1 + stolen, 2 + own + others, 3 + own, 4 + pressed, frequency};
    return cm_sample_look_causes(&before, &now, 1, bound, waits);
}

static void test_looks(void)
{
    ok(looks(1, 0.02, 0.02, 0.9, 2.05e9, true, true) == 0, "a quiet second");
    ok(looks(1, 0, 0.1, 0, 2e9, true, true) == CM_DISTURBED_STOLEN, "steal");
    ok(looks(0.5, 0.5, 0, 0, 2e9, true, true) == CM_DISTURBED_SHARED,
       "other tasks have half of the core");
    ok(looks(0.5, 0.5, 0, 0, 2e9, false, true) == 0, "which may be other ranks: not bound");
    ok(looks(0.5, 0.35, 0, 0, 2e9, true, true) == 0, "counting in ticks may be as wrong as that");
    ok(looks(0, 0.35, 0, 0, 2e9, true, true) == CM_DISTURBED_SHARED, "but not of a rank asleep");
    ok(looks(1, 0, 0, 0.5, 2e9, true, false) == CM_DISTURBED_PRESSED,
       "pressure, where the kernel does not count this rank's waiting");
    ok(looks(1, 0, 0, 0, 1.8e9, true, true) == CM_DISTURBED_CLOCKED, "a lower frequency");
    ok(looks(1, 0, 0, 0, 2.2e9, true, true) == CM_DISTURBED_CLOCKED, "a higher one");
    ok(looks(1, NAN, NAN, NAN, NAN, true, false) == 0, "what is not known is no cause");
}

int main(void)
{
    test_calibration();
    test_stops();
    test_values();
    test_runs();
    test_turns();
    test_disturbed();
    test_columns();
    test_looks();
    return tap_done();
}
