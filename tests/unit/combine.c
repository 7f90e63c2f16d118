/* SPDX-License-Identifier: BSD-3-Clause */
/* combine.c: three made launches of cm-nodes: a finding of one of them is not lost, and only its
   own metric fails. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "results/hosts_named.h"
#include "results/launches.h"
#include "tap.h"

static cm_record launch(cm_record_finding *finding, size_t n, cm_record_metric *metric)
{
    return (cm_record){.finding = finding, .n_findings = n, .metric = metric, .n_metrics = 2};
}

static bool has(const cm_record *record, const char *line)
{
    bool found = false;
    for (size_t k = 0; k < record->n_findings; k++) {
        char *said = cm_record_finding_said(&record->finding[k]);
        found |= said && strcmp(said, line) == 0;
        free(said);
    }
    return found;
}

#define METRIC(pass_, name_, value_)                                                              \
    {                                                                                             \
        .pass = (pass_), .name = (name_), .value = (value_), .unit = "1", .low = NAN, .high = NAN \
    }

#define NUMBERS(value_) .value = (value_), .low = NAN, .high = NAN, .bound = NAN
#define SAMPLES(what_, cause_, value_, words_)                                     \
    {                                                                              \
        .what = (what_), .quantity = (cause_), NUMBERS(value_), .unit = "samples", \
        .words = (words_)                                                          \
    }
static cm_record_finding slow[] = {{.who = "n5",
                                    .what = CM_FINDING_STANDS_OUT,
                                    .quantity = "send",
                                    NUMBERS(0.35),
                                    .words = "sends at 0.35 of the others"},
                                   {.who = "n7",
                                    .what = CM_FINDING_STANDS_OUT,
                                    .quantity = "nic eth0 mtu_bytes",
                                    NUMBERS(NAN),
                                    .words = "mtu 1400"},
                                   {.what = CM_FINDING_COVERED, NUMBERS(28), .words = "28 of 28"}};
static cm_record_finding again[] = {{.who = "n5",
                                     .what = CM_FINDING_STANDS_OUT,
                                     .quantity = "send",
                                     NUMBERS(0.36),
                                     .words = "crawls at 0.36 of the others"}};
static cm_record_finding quiet[] = {
    {.what = CM_FINDING_NONE, NUMBERS(NAN), .words = "no host stands out"},
    {.what = CM_FINDING_COVERED, NUMBERS(27), .words = "27 of 28"}};
static cm_record_metric found[] = {METRIC(false, "findings", "2"),
                                   METRIC(true, "gemm_Mflop_per_s", "2000")};
static cm_record_metric nothing[] = {METRIC(true, "findings", "0"),
                                     METRIC(true, "gemm_Mflop_per_s", "2100")};
static cm_record_metric wrong[] = {METRIC(false, "findings", "0"),
                                   METRIC(false, "gemm_Mflop_per_s", "2100")};
static char *file[] = {"1", "2", "3"};

static void test_findings(void)
{
    cm_record record[] = {launch(slow, 3, found), launch(again, 1, found),
                          launch(quiet, 2, nothing)};
    const suite_launches l = {.file = file, .record = record, .n = 3, .middle = 2};
    cm_record all;
    suite_combine(&l, "host", &all);
    ok(has(&all, "finding: n5: sends at 0.35 of the others (in 2 of 3 launches)"),
       "a finding of two launches in different words is said once, and how often");
    ok(has(&all, "finding: n7: mtu 1400 (in 1 of 3 launches)"),
       "one of a single launch is not lost");
    ok(all.n_findings == 3 && has(&all, "pairs: 27 of 28"),
       "others are those of the middle launch, which does not say that nothing was found");
    ok(!cm_record_metric_of(&all, "findings")->pass, "the metric of the findings fails");
    ok(cm_record_metric_of(&all, "gemm_Mflop_per_s")->pass, "that of the product passes");
    cm_record_free(&all);
}

static void test_none(void)
{
    cm_record record[] = {launch(quiet, 2, nothing), launch(quiet, 2, nothing)};
    const suite_launches l = {.file = file, .record = record, .n = 2, .middle = 0};
    cm_record all;
    suite_combine(&l, "host", &all);
    ok(has(&all, "no finding: no host stands out") && all.n_findings == 2,
       "where nothing was found, that is said");
    cm_record_free(&all);
}

/* A launch that lacks a metric fails for it only if a check failed, not because hosts stand out. */
static void test_missing(void)
{
    cm_record record[] = {launch(quiet, 2, nothing), launch(slow, 3, found)};
    cm_record_check failed = {.text = "wrong_bytes: 3 == 0  FAIL"};
    const suite_launches l = {.file = file, .record = record, .n = 2, .middle = 0};
    cm_record all;
    record[1].n_metrics = 1;
    suite_combine(&l, "host", &all);
    ok(cm_record_metric_of(&all, "gemm_Mflop_per_s")->pass && !cm_record_wrong(&all),
       "a finding is no wrong answer");
    cm_record_free(&all);
    record[1].check = &failed;
    record[1].n_checks = 1;
    suite_combine(&l, "host", &all);
    ok(!cm_record_metric_of(&all, "gemm_Mflop_per_s")->pass && cm_record_wrong(&all),
       "a check that failed is one");
    cm_record_free(&all);
}

/* A check that fails makes all metrics of its launch fail. */
static void test_wrong(void)
{
    cm_record record[] = {launch(quiet, 2, nothing), launch(quiet, 2, wrong)};
    const suite_launches l = {.file = file, .record = record, .n = 2, .middle = 0};
    cm_record all;
    suite_combine(&l, "host", &all);
    ok(!cm_record_metric_of(&all, "gemm_Mflop_per_s")->pass, "a wrong answer fails, too");
    cm_record_free(&all);
}

/* The disturbances of any launch are reported, although the middle one is quiet. */
static void test_disturbed(void)
{
    cm_record_finding some[] = {SAMPLES(CM_FINDING_DISTURBED, "samples", 12, "12 of 340 samples"),
                                SAMPLES(CM_FINDING_DISTURBED_BY, "steal", 8, ""),
                                SAMPLES(CM_FINDING_DISTURBED_BY, "waited for a core", 5, "")};
    cm_record_finding more[] = {SAMPLES(CM_FINDING_DISTURBED, "samples", 3, "3 of 340 samples"),
                                SAMPLES(CM_FINDING_DISTURBED_BY, "waited for a core", 3, "")};
    cm_record_finding calm[] = {SAMPLES(CM_FINDING_DISTURBED, "samples", 0, "0 of 340 samples")};
    cm_record record[] = {launch(some, 3, nothing), launch(more, 2, nothing),
                          launch(calm, 1, nothing)};
    some[0].bound = more[0].bound = calm[0].bound = 340;
    suite_launches l = {.file = file, .record = record, .n = 3, .middle = 2};
    cm_record all;
    suite_combine(&l, "host", &all);
    ok(has(&all,
           "disturbed: 15 of 1020 samples: steal (8), waited for a core (8) (in 2 of 3 launches)"),
       "disturbed samples of all launches are counted together");
    const cm_record_finding *by = cm_record_finding_of(&all, CM_FINDING_DISTURBED_BY, 1);
    ok(all.n_findings == 3 && by && strcmp(by->quantity, "waited for a core") == 0
           && by->value > 7.5 && by->value < 8.5,
       "and so are those of each cause");
    cm_record_free(&all);
    l.record = &record[2];
    l.n = 1;
    l.middle = 0;
    suite_combine(&l, "host", &all);
    ok(has(&all, "disturbed: 0 of 340 samples"), "one launch says what it said");
    cm_record_free(&all);
}

/* Alone, in a pair, in a list; a name may have hyphens. */
static void test_named(void)
{
    cm_record_finding some[] = {{.what = CM_FINDING_STANDS_OUT, .who = "n1-x"},
                                {.what = CM_FINDING_STANDS_OUT, .who = "a-b-c, n4"},
                                {.what = CM_FINDING_EXTREME, .who = "n5"},
                                {.what = CM_FINDING_STANDS_OUT}};
    const cm_record record = {.finding = some, .n_findings = 4};
    suite_index named = suite_hosts_named(&record);
    static const char *const are[] = {"n1-x", "n1", "x", "a-b", "b-c", "b", "c", "n4"};
    static const char *const are_not[] = {"n", "", "n5", "a-c", "n4, n1"};
    bool all = true, none = true;
    for (size_t k = 0; k < sizeof are / sizeof *are; k++)
        all &= suite_hosts_is_named(&named, are[k]);
    for (size_t k = 0; k < sizeof are_not / sizeof *are_not; k++)
        none &= !suite_hosts_is_named(&named, are_not[k]);
    ok(all && none, "whom findings name");
    suite_index_free(&named);
}

int main(void)
{
    test_named();
    test_disturbed();
    test_findings();
    test_none();
    test_missing();
    test_wrong();
    return tap_done();
}
