/* SPDX-License-Identifier: BSD-3-Clause */
/* answer_found.c: what a run found for an item, and how the page says it. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "answer.h"
#include "html.h"
#include "memory.h"

static bool is_shown(const suite_shown *shown, const char *figure)
{
    for (size_t k = 0; k < shown->n_figures; k++)
        if (strcmp(shown->figure[k], figure) == 0) return true;
    return false;
}

static suite_value find_part(const suite_part *part, const char *owner, const suite_shown *shown)
{
    suite_value value = {0};
    const cm_record *record;
    switch (part->kind) {
    case SUITE_PART_MACHINE:
        break;
    case SUITE_PART_FIGURE:
        if (!is_shown(shown, part->id)) value.problem = "not measured in this run";
        break;
    case SUITE_PART_SECTION:
        record = suite_results_find(&shown->results, part->bench);
        if (!record) value.problem = "not measured in this run";
        else if (cm_record_failed(record)) value.problem = "wrong answer (FAIL)";
        break;
    default:
        return suite_expression_value(&part->expression, owner, &shown->results);
    }
    return value;
}

suite_found suite_answer_find(const suite_answer *answer, const char *owner,
                              const suite_shown *shown)
{
    suite_found found = {.value = suite_array(answer->n, sizeof(suite_value)), .n = answer->n};
    for (size_t k = 0; k < answer->n; k++) {
        found.value[k] = find_part(&answer->part[k], owner, shown);
        found.answered += !found.value[k].problem;
        found.crowded |= found.value[k].crowded;
    }
    return found;
}

void suite_found_free(suite_found *found)
{
    for (size_t k = 0; k < found->n; k++) free(found->value[k].text);
    free(found->value);
    *found = (suite_found){0};
}

static void print_part(FILE *out, const suite_part *part, const suite_value *value)
{
    if (part->label) html_print(out, "%h: ", part->label);
    if (value->problem) html_print(out, "<span class=\"none\">%s</span>", value->problem);
    else if (part->kind == SUITE_PART_MACHINE) html_link(out, "machine", "the machine");
    else if (part->kind == SUITE_PART_SECTION) html_link(out, part->bench, "its rows");
    else if (part->kind == SUITE_PART_FIGURE) html_link(out, part->id, "figure");
    else html_print(out, "%h", value->text);
}

/* The problem that all parts have, or NULL. */
static const char *same_problem(const suite_found *found)
{
    const char *problem = found->value[0].problem;
    for (size_t k = 1; problem && k < found->n; k++)
        if (!found->value[k].problem || strcmp(found->value[k].problem, problem) != 0)
            problem = NULL;
    return problem;
}

void suite_found_print(FILE *out, const suite_answer *answer, const suite_found *found)
{
    /* Said once where it holds for every part. */
    const char *problem = found->n > 1 ? same_problem(found) : NULL;
    if (problem) {
        html_print(out, "<span class=\"none\">%s</span>", problem);
        return;
    }
    for (size_t k = 0; k < found->n; k++) {
        if (k > 0) html_print(out, "; ");
        print_part(out, &answer->part[k], &found->value[k]);
    }
    if (found->crowded) html_print(out, " <span class=\"none\">(more ranks than cores)</span>");
}
