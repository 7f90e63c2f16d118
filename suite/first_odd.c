/* SPDX-License-Identifier: BSD-3-Clause */
/* first_odd.c: which hosts cm-nodes names, from the comments of its result:
       finding: n17: triad at 0.7 of the others (9.1 deviations; 4.2 count): its processor ...
       finding: n3-n9: latency 1.4 times what the two reach with others: that pair alone (...) */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "first.h"
#include "memory.h"

/* The words of nodes/nodes_findings.c. */
static const struct {
    const char *words;
    suite_quantity quantity;
    const char *what;
} kinds[] = {
    {"triad at ", SUITE_MEMORY, "memory"},
    {"matrix product at ", SUITE_ARITHMETIC, "arithmetic"},
    {"fixed work gets ", SUITE_CORE, "time for programs"},
    {"latency ", SUITE_LATENCY, "latency"},
    {"sends at ", SUITE_BANDWIDTH, "sending"},
    {"receives at ", SUITE_BANDWIDTH, "receiving"},
    {" sends to ", SUITE_BANDWIDTH, "link"},
};

static void add(suite_odds *odds, suite_quantity quantity, char *who, double ratio,
                const char *what)
{
    odds->odd = suite_longer(odds->odd, odds->n + 1, sizeof odds->odd[0]);
    odds->odd[odds->n++] = (suite_odd){quantity, who, ratio, what};
}

/* The first number at or behind " at ", or right behind the words. */
static double ratio_of(const char *text, const char *words)
{
    const char *at = text + strlen(words);
    if (strcmp(words, " sends to ") == 0) {
        at = strstr(at, " at ");
        at = at ? at + strlen(" at ") : "";
    }
    char *end;
    double ratio = strtod(at, &end);
    return end == at ? NAN : ratio;
}

static void add_finding(suite_odds *odds, const char *text)
{
    size_t length = strcspn(text, ":"), before = odds->n;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const char *at = strstr(text + length, kinds[k].words);
        if (!at) continue;
        add(odds, kinds[k].quantity, suite_text("%.*s", (int)length, text),
            ratio_of(at, kinds[k].words), kinds[k].what);
    }
    if (odds->n == before)
        add(odds, SUITE_QUANTITIES, suite_text("%.*s", (int)length, text), NAN, "clock");
}

suite_odds suite_odds_find(const suite_measured *measured)
{
    static const char finding[] = "finding: ";
    enum { FEWEST = 4 }; /* cm-nodes names nobody among fewer hosts */
    suite_odds odds = {0};
    const cm_record *record = suite_measured_record(measured, "nodes");
    if (!record || suite_is_dummy(measured)) return odds;
    odds.compared = suite_meta_number(record, "hosts", 1) >= FEWEST;
    for (size_t k = 0; k < record->n_comments; k++)
        if (strncmp(record->comment[k], finding, strlen(finding)) == 0)
            add_finding(&odds, record->comment[k] + strlen(finding));
    return odds;
}

void suite_odds_free(suite_odds *odds)
{
    for (size_t k = 0; k < odds->n; k++) free(odds->odd[k].who);
    free(odds->odd);
    *odds = (suite_odds){0};
}
