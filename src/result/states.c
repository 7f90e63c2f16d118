/* SPDX-License-Identifier: BSD-3-Clause */
/* states.c: says of which rows the samples have two levels, or a step. */
#include <config.h>
#include <stdio.h>
#include <string.h>
#include "result/result_internal.h"

void cm_result_find_states(cm_result *result, size_t row, const cm_samples *samples,
                           const char *unit)
{
    cm_states states;
    if (samples->n < CM_STATES_LEAST) return;
    if (!cm_states_find(samples, &states)) {
        result->out_of_memory = true;
        return;
    }
    result->rows_tested++;
    if (states.kind == CM_STATES_ONE) return;
    result->rows_with_states++;
    if (result->n_states == CM_RESULT_STATES) return;
    cm_result_states *found = &result->states[result->n_states++];
    *found = (cm_result_states){.row = row, .is = states};
    snprintf(found->unit, sizeof found->unit, "%s", unit ? unit : "1");
}

/* "0.21 us": seconds in a unit that needs no exponent. */
static const char *level_text(double value, const char *unit, char *text, size_t size)
{
    static const struct {
        double most_s, factor;
        const char *unit;
    } scale[] = {{1e-3, 1e6, "us"}, {1, 1e3, "ms"}};
    for (size_t k = 0; strcmp(unit, "s") == 0 && k < sizeof scale / sizeof *scale; k++)
        if (value < scale[k].most_s) {
            snprintf(text, size, "%.3g %s", value * scale[k].factor, scale[k].unit);
            return text;
        }
    snprintf(text, size, "%.3g %s", value, unit);
    return text;
}

static void say(cm_result *result, const cm_result_states *found)
{
    char first[64], second[64];
    const cm_states *s = &found->is;
    level_text(s->level[0], found->unit, first, sizeof first);
    level_text(s->level[1], found->unit, second, sizeof second);
    if (s->kind == CM_STATES_MIXED)
        cm_result_comment(result, "two states in row %zu: %s (%.0f %%) and %s (%.0f %%)",
                          found->row + 1, first, 100 * s->share[0], second, 100 * s->share[1]);
    else
        cm_result_comment(result, "a step in row %zu: %s up to sample %zu of %zu, then %s",
                          found->row + 1, first, s->step, s->n, second);
}

void cm_result_say_states(cm_result *result)
{
    for (size_t k = 0; k < result->n_states; k++) say(result, &result->states[k]);
    if (result->rows_with_states > 0)
        cm_result_comment(result,
                          "states: two in %zu of %zu rows that were tested; of rows with one state "
                          "1 in 100 is taken for two",
                          result->rows_with_states, result->rows_tested);
}
