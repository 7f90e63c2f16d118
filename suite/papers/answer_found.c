/* SPDX-License-Identifier: BSD-3-Clause */
/* answer_found.c: what a run found for an item, and how the page says it. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "answer.h"
#include "common/html.h"
#include "common/memory.h"
#include "common/quantity.h"
#include "pages.h"

/* Those of papers.tsv, which programs read; the page has its own. */
const char *const suite_verdict_words[] = {"holds", "cannot tell", "cannot be tested here",
                                           "does not hold"};

/* ---- tests ----------------------------------------------------------------------------------- */

/* Both sides are known between two ends each. What is true wherever they are holds; what is true
   nowhere does not. */
static suite_verdict judge(const char *relation, double low, double high, double bound_low,
                           double bound_high)
{
    if (relation[0] == '>') {
        double swap = low;
        low = bound_low;
        bound_low = swap;
        swap = high;
        high = bound_high;
        bound_high = swap;
    }
    if (relation[0] == '=') {
        if (low > bound_high || high < bound_low) return SUITE_FAILS;
        return low == high && bound_low == bound_high ? SUITE_HOLDS : SUITE_CANNOT_TELL;
    }
    bool equal = relation[1] == '=';
    if (high < bound_low || (equal && high == bound_low)) return SUITE_HOLDS;
    if (low > bound_high || (!equal && low == bound_high)) return SUITE_FAILS;
    return SUITE_CANNOT_TELL;
}

static void find_bound(const suite_part *part, const char *owner, const suite_results *results,
                       suite_found_part *found)
{
    suite_value bound = suite_expression_value(&part->bound, owner, results);
    found->bound = bound.text;
    found->value.oversubscribed |= bound.oversubscribed;
    if (!found->value.problem) found->value.problem = bound.problem;
    if (found->value.problem) return;
    /* A count is right however many ranks share a core. */
    bool measured = strcmp(part->relation, "=") != 0;
    const cm_quantity q = found->quantity,
                      b = suite_expression_quantity(&part->bound, owner, results);
    found->bound_quantity = b;
    if (isnan(q.value) || isnan(b.value)) found->value.problem = SAID_FOUND_NO_NUMBER;
    else if (!measured || !found->value.oversubscribed)
        found->verdict = judge(part->relation, q.low, q.high, b.low, b.high);
}

/* ---- parts ----------------------------------------------------------------------------------- */

static bool is_shown(const suite_shown *shown, const char *figure)
{
    for (size_t k = 0; k < shown->n_figures; k++)
        if (strcmp(shown->figure[k], figure) == 0) return true;
    return false;
}

static const char *problem_of_link(const suite_part *part, const suite_shown *shown)
{
    if (part->kind == SUITE_PART_MACHINE) return NULL;
    const cm_record *record = suite_results_find(&shown->results, part->bench);
    if (!record) return SAID_FOUND_NOT_MEASURED;
    if (cm_record_wrong(record)) return SAID_FOUND_WRONG;
    if (part->kind == SUITE_PART_FIGURE && !is_shown(shown, part->id)) return SAID_FOUND_NOT_DRAWN;
    return NULL;
}

static suite_found_part find_part(const suite_part *part, const char *owner,
                                  const suite_shown *shown)
{
    suite_found_part found = {.quantity = cm_quantity_of(NAN), .verdict = SUITE_UNTESTED};
    if (part->kind == SUITE_PART_EXPRESSION || part->kind == SUITE_PART_TEST) {
        found.value = suite_expression_value(&part->expression, owner, &shown->results);
        if (found.value.text)
            found.quantity = suite_expression_quantity(&part->expression, owner, &shown->results);
    } else found.value.problem = problem_of_link(part, shown);
    if (part->kind == SUITE_PART_TEST) find_bound(part, owner, &shown->results, &found);
    return found;
}

suite_found suite_answer_find(const suite_answer *answer, const char *owner,
                              const suite_shown *shown)
{
    suite_found found = {.part = suite_array(answer->n, sizeof(suite_found_part)), .n = answer->n};
    for (size_t k = 0; k < answer->n; k++) {
        suite_found_part *part = &found.part[k];
        *part = find_part(&answer->part[k], owner, shown);
        found.answered += !part->value.problem;
        found.oversubscribed |= part->value.oversubscribed;
        if (answer->part[k].kind != SUITE_PART_TEST) continue;
        found.tests++;
        if (part->verdict > found.verdict) found.verdict = part->verdict;
    }
    if (found.tests == 0) found.verdict = SUITE_UNTESTED;
    return found;
}

void suite_found_free(suite_found *found)
{
    for (size_t k = 0; k < found->n; k++) {
        free(found->part[k].value.text);
        free(found->part[k].bound);
    }
    free(found->part);
    *found = (suite_found){0};
}

/* ---- on the page ----------------------------------------------------------------------------- */

/* A number with its interval, or another text. */
static void print_value(FILE *out, const cm_quantity *quantity, const char *text)
{
    if (isfinite(quantity->value)) suite_quantity_print(out, quantity, "", NULL);
    else html_escape(out, text);
}

/* "0.970, 0.950 to 0.990; claimed: <= 1.10" */
static void print_test(FILE *out, const suite_part *part, const suite_found_part *found)
{
    print_value(out, &found->quantity, found->value.text);
    piece_found_test(out, part->relation);
    if (part->bound.n == 1 && part->bound.source[0].kind == SUITE_SOURCE_NUMBER)
        html_escape(out, found->bound); /* as the paper writes it */
    else print_value(out, &found->bound_quantity, found->bound);
}

static void print_part(FILE *out, const suite_part *part, const suite_found_part *found)
{
    const char *problem = found->value.problem;
    if (part->label) piece_found_label(out, part->label);
    if (problem) piece_quiet(out, problem);
    else if (part->kind == SUITE_PART_MACHINE) piece_link(out, "machine", SAID_FOUND_MACHINE);
    else if (part->kind == SUITE_PART_SECTION) piece_link(out, part->bench, SAID_FOUND_SECTION);
    else if (part->kind == SUITE_PART_FIGURE) piece_link(out, part->id, SAID_FOUND_FIGURE);
    else if (part->kind == SUITE_PART_TEST) print_test(out, part, found);
    else print_value(out, &found->quantity, found->value.text);
}

/* The problem that all parts have, or NULL. */
static const char *same_problem(const suite_found *found)
{
    const char *problem = found->part[0].value.problem;
    for (size_t k = 1; problem && k < found->n; k++) {
        const char *other = found->part[k].value.problem;
        if (!other || strcmp(other, problem) != 0) problem = NULL;
    }
    return problem;
}

void suite_found_print(FILE *out, const suite_answer *answer, const suite_found *found)
{
    /* Said once where it holds for every part. */
    const char *problem = found->n > 1 ? same_problem(found) : NULL;
    if (problem) {
        piece_quiet(out, problem);
        return;
    }
    for (size_t k = 0; k < found->n; k++) {
        if (k > 0) piece_found_more(out);
        print_part(out, &answer->part[k], &found->part[k]);
    }
    if (found->oversubscribed) piece_found_oversubscribed(out);
}
