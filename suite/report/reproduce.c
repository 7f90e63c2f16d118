/* SPDX-License-Identifier: BSD-3-Clause */
/* reproduce.c: how the results of one folder answer to an item of a paper. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "pages.h"
#include "reproduce.h"

static bool names_beside(const suite_expression *expression)
{
    for (size_t k = 0; k < expression->n; k++) {
        const char *bench = expression->source[k].bench;
        if (bench && strncmp(bench, "beside/", strlen("beside/")) == 0) return true;
    }
    return false;
}

static bool uses_beside(const suite_answer *answer)
{
    for (size_t k = 0; k < answer->n; k++)
        if (names_beside(&answer->part[k].expression) || names_beside(&answer->part[k].bound))
            return true;
    return false;
}

/* For a simulated cluster: chooses its own answer, or the reason why there is none. */
static void choose_simulated(const suite_item *item, const suite_side *side, suite_reproduced *r)
{
    const suite_place *place = side->place;
    r->own = suite_place_answer(place, item->owner, item->key);
    if (!r->own) {
        r->untested = said_untested_not_simulated(place->name);
        return;
    }
    r->answer = &r->own->answer;
    if (!place->beside || !uses_beside(r->answer)) return;
    if (!side->other || strcmp(side->other, place->beside) != 0)
        r->untested = said_untested_beside(place->beside);
}

static void choose_real(const suite_item *item, const suite_side *side, suite_reproduced *r)
{
    r->answer = &item->answer;
    if (item->answer.none) {
        r->untested = said_untested_none(item->answer.none);
        return;
    }
    char *missing = suite_needs_missing(&item->needs, r->answer, item->owner, &side->shown.results);
    if (missing) r->untested = said_untested_needs(missing);
    free(missing);
}

suite_reproduced suite_reproduce(const suite_item *item, const suite_side *side)
{
    suite_reproduced r = {.owner = item->owner};
    if (suite_place_simulates(side->place)) choose_simulated(item, side, &r);
    else choose_real(item, side, &r);
    if (!r.untested) r.found = suite_answer_find(r.answer, r.owner, &side->shown);
    return r;
}

void suite_reproduced_free(suite_reproduced *r)
{
    suite_found_free(&r->found);
    free(r->untested);
    *r = (suite_reproduced){0};
}

suite_verdict suite_reproduced_verdict(const suite_reproduced *r)
{
    return r->untested ? SUITE_UNTESTED : r->found.verdict;
}

bool suite_reproduced_number(const suite_reproduced *r, double *ours)
{
    if (r->untested || r->found.n != 1) return false;
    const char *text = r->found.part[0].value.text;
    return text && cm_record_number(text, ours);
}

bool suite_reproduced_whole(const suite_reproduced *r)
{
    return !r->untested && r->found.n > 0 && r->found.answered == r->found.n;
}

const char *suite_reproduced_how(const suite_reproduced *r)
{
    if (!r->own) return "measured";
    if (r->own->input) return "input";
    return r->own->fitted ? "fitted" : "predicted";
}

char *suite_places_of(const suite_places *places, const suite_item *item)
{
    char *all = NULL;
    for (size_t k = 0; k < places->n; k++) {
        const suite_place *place = &places->place[k];
        if (!suite_place_answer(place, item->owner, item->key)) continue;
        char *longer = suite_text("%s%s%s", all ? all : "", all ? ", " : "", place->name);
        free(all);
        all = longer;
    }
    return all;
}

char *suite_reproduce_command(const suite_places *places, const suite_item *item)
{
    char *all = suite_places_of(places, item);
    if (!all) return suite_needs_command(&item->needs);
    char *more = strchr(all, ',');
    char *command = suite_text("clustermark run --place %.*s%s%s%s", (int)strcspn(all, ","), all,
                               more ? " (or" : "", more ? more + 1 : "", more ? ")" : "");
    free(all);
    return command;
}
