/* SPDX-License-Identifier: BSD-3-Clause */
/* combine.c: three made launches of cm-nodes: a finding of one of them is not lost, and only its
   own verdict fails. */
#include <math.h>
#include <string.h>
#include "launches.h"
#include "tap.h"

static cm_record launch(char **comment, size_t n, cm_record_verdict *verdict)
{
    return (cm_record){.comment = comment, .n_comments = n, .verdict = verdict, .n_verdicts = 2};
}

static bool has_comment(const cm_record *record, const char *text)
{
    for (size_t k = 0; k < record->n_comments; k++)
        if (strcmp(record->comment[k], text) == 0) return true;
    return false;
}

#define VERDICT(pass_, metric_, value_)                                                   \
    {                                                                                     \
        .pass = (pass_), .metric = (metric_), .value = (value_), .unit = "1", .low = NAN, \
        .high = NAN                                                                       \
    }

static char *slow[] = {
    "finding: n5: sends at 0.35 of the others (43 deviations; 14 count): its card",
    "finding: n7: nic eth0 mtu_bytes 1400; 7 others: 1500", "pairs: 28 of 28"};
static char *again[] = {
    "finding: n5: sends at 0.36 of the others (39 deviations; 14 count): its card"};
static char *quiet[] = {"no finding: no host and no pair stands out; a host below 0.87 ...",
                        "pairs: 27 of 28"};
static cm_record_verdict found[] = {VERDICT(false, "findings", "2"),
                                    VERDICT(true, "gemm_Mflop_per_s", "2000")};
static cm_record_verdict nothing[] = {VERDICT(true, "findings", "0"),
                                      VERDICT(true, "gemm_Mflop_per_s", "2100")};
static cm_record_verdict wrong[] = {VERDICT(false, "findings", "0"),
                                    VERDICT(false, "gemm_Mflop_per_s", "2100")};
static char *file[] = {"1", "2", "3"};

static void test_findings(void)
{
    cm_record record[] = {launch(slow, 3, found), launch(again, 1, found),
                          launch(quiet, 2, nothing)};
    const suite_launches l = {.file = file, .record = record, .n = 3, .middle = 2};
    cm_record all;
    suite_combine(&l, "host", &all);
    ok(has_comment(&all, "finding: n5: sends at 0.35 of the others (43 deviations; 14 count): its "
                         "card (in 2 of 3 launches)"),
       "a finding of two launches is said once, and how often");
    ok(has_comment(&all,
                   "finding: n7: nic eth0 mtu_bytes 1400; 7 others: 1500 (in 1 of 3 launches)"),
       "one of a single launch is not lost");
    ok(all.n_comments == 3 && has_comment(&all, "pairs: 27 of 28"),
       "other comments are those of the middle launch, which does not say that nothing was found");
    ok(!cm_record_verdict_of(&all, "findings")->pass, "the verdict of the findings fails");
    ok(cm_record_verdict_of(&all, "gemm_Mflop_per_s")->pass, "that of the product passes");
    cm_record_free(&all);
}

static void test_none(void)
{
    cm_record record[] = {launch(quiet, 2, nothing), launch(quiet, 2, nothing)};
    const suite_launches l = {.file = file, .record = record, .n = 2, .middle = 0};
    cm_record all;
    suite_combine(&l, "host", &all);
    ok(has_comment(&all, quiet[0]) && all.n_comments == 2, "where nothing was found, that is said");
    cm_record_free(&all);
}

/* A check that fails makes all verdicts of its launch fail. */
static void test_wrong(void)
{
    cm_record record[] = {launch(quiet, 2, nothing), launch(quiet, 2, wrong)};
    const suite_launches l = {.file = file, .record = record, .n = 2, .middle = 0};
    cm_record all;
    suite_combine(&l, "host", &all);
    ok(!cm_record_verdict_of(&all, "gemm_Mflop_per_s")->pass, "a wrong answer fails, too");
    cm_record_free(&all);
}

int main(void)
{
    test_findings();
    test_none();
    test_wrong();
    return tap_done();
}
