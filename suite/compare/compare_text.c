/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_text.c: the comparison as text, for 80 columns. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare.h"
#include "common/memory.h"
#include "option/text.h"
#include "common/unit.h"

enum { WIDTH = 80 };

static void fill(FILE *out, const char *text, size_t indent)
{
    fprintf(out, "%*s", (int)indent, "");
    cm_text_fill(out, text, strlen(text), indent, indent + 2, "");
}

/* ---- What differs ---------------------------------------------------------------------------- */

static void print_difference(FILE *out, const compare_pair *pair,
                             const compare_difference *difference)
{
    const char *base = difference->base, *new = difference->new;
    char *benches = compare_where(pair, difference);
    char *where = difference->everywhere ? suite_copy("") : suite_text("  (%s)", benches);
    char *line = suite_text("%s: %s -> %s%s", difference->key, base, new, where);
    if (strlen(line) + 2 <= WIDTH) fprintf(out, "  %s\n", line);
    else {
        char *head = suite_text("%s%s", difference->key, where);
        char *from = suite_text("base: %s", base), *to = suite_text("new: %s", new);
        fill(out, head, 2);
        fill(out, from, 4);
        fill(out, to, 4);
        free(head);
        free(from);
        free(to);
    }
    free(line);
    free(where);
    free(benches);
}

static void print_differences(FILE *out, const compare_pair *pair)
{
    if (pair->n_differences == 0) {
        fputs("\nMachine, build and settings are the same, as far as the metadata say.\n", out);
        return;
    }
    fputs("\nDifferences in the metadata (base -> new):\n", out);
    for (size_t k = 0; k < pair->n_differences; k++)
        print_difference(out, pair, &pair->difference[k]);
}

static void print_notes(FILE *out, const suite_words *notes)
{
    if (notes->n > 0) fputs("\nNotes:\n", out);
    for (size_t k = 0; k < notes->n; k++) fill(out, notes->word[k], 2);
}

/* ---- Tables ---------------------------------------------------------------------------------- */

typedef struct {
    char ratio[COMPARE_WORD], interval[COMPARE_WORD], visible[COMPARE_WORD], base[COMPARE_WORD],
        new[COMPARE_WORD], unit[SUITE_UNIT];
    double divisor;
    char *name;
} item_words;

/* A median over two states may be one that no launch had: the line below says both. */
static void print_median(const compare_item *item, bool of_new, double divisor, char *text,
                         size_t size)
{
    if (compare_states_mixed(item, of_new)) snprintf(text, size, "mixed");
    else suite_number((of_new ? item->new.median : item->base.median) / divisor, text, size);
}

static item_words words_of(const compare_item *item)
{
    item_words words = {.name = compare_item_name(item)};
    words.divisor = compare_unit_ascii(item, words.unit);
    suite_number(item->factor.ratio, words.ratio, sizeof words.ratio);
    compare_interval(&item->factor, words.interval, sizeof words.interval);
    suite_number(item->visible, words.visible, sizeof words.visible);
    print_median(item, false, words.divisor, words.base, sizeof words.base);
    print_median(item, true, words.divisor, words.new, sizeof words.new);
    return words;
}

/* A line; a name that is too long for its rest stands below it, as do states and remarks. Takes the
   line. */
static void print_item(FILE *out, const compare_item *item, const item_words *words, char *line)
{
    bool fits = strlen(line) + 2 + strlen(words->name) <= WIDTH;
    for (size_t end = strlen(line); !fits && end > 0 && line[end - 1] == ' ';) line[--end] = '\0';
    fprintf(out, "%s%s%s\n", line, fits ? "  " : "\n        ", words->name);
    if (item->states.kind != CM_STATES_PAIR_ONE) {
        char *states = compare_states_words(item, words->divisor);
        fill(out, states, 8);
        free(states);
    }
    for (size_t k = 0; k < item->remarks.n; k++) fill(out, item->remarks.word[k], 8);
    free(line);
    free(words->name);
}

static void print_tested(FILE *out, const compare_items *items, const char *what)
{
    if (items->n == 0) return;
    fprintf(out, "\n%s, the largest change first:\n%-11s %5s %-14s %7s %5s %5s %-4s  %s\n", what,
            "verdict", "ratio", "over launches", "visible", "base", "new", "unit", "metric");
    for (size_t k = 0; k < items->n; k++) {
        const compare_item *item = &items->item[k];
        item_words words = words_of(item);
        print_item(out, item, &words,
                   suite_text("%-11s %5s %-14s %7s %5s %5s %-4s", compare_verdict_words(item),
                              words.ratio, words.interval, words.visible, words.base, words.new,
                              words.unit));
    }
}

static void print_explored(FILE *out, const compare_items *items, int64_t most, const char *what)
{
    static const char *const better[] = {"-", "low", "high"};
    size_t shown = most > 0 && (size_t)most < items->n ? (size_t)most : items->n;
    if (items->n == 0) return;
    fprintf(out, "\n%s, not tested (exploratory), the largest change first", what);
    if (shown < items->n) fprintf(out, ", %zu of %zu", shown, items->n);
    fprintf(out, ":\n%5s %-14s %5s %5s %-4s %-4s  %s\n", "ratio", "over launches", "base", "new",
            "unit", "best", "metric");
    for (size_t k = 0; k < shown; k++) {
        const compare_item *item = &items->item[k];
        item_words words = words_of(item);
        print_item(out, item, &words,
                   suite_text("%5s %-14s %5s %5s %-4s %-4s", words.ratio, words.interval,
                              words.base, words.new, words.unit, better[item->better]));
    }
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void print_side(FILE *out, const char *what, const compare_side *side)
{
    char *words = compare_side_words(side);
    fprintf(out, "%s %s (%s)\n", what, side->label, words);
    free(words);
}

static void print_pair(FILE *out, const comparison *all, const compare_pair *pair)
{
    print_side(out, "base", pair->base);
    print_side(out, "new ", pair->new);
    print_differences(out, pair);
    print_notes(out, &pair->notes);
    print_tested(out, &pair->headline, "Headline metrics");
    print_tested(out, &pair->further, "Further metrics, tested");
    print_explored(out, &pair->metrics, all->options->rows, "Other metrics");
    print_explored(out, &pair->rows, all->options->rows, "Rows");
    fputs("\n", out);
}

static void print_expectations(FILE *out, const comparison *all)
{
    const compare_expectations *expectations = all->expectations;
    for (size_t s = compare_expect_first(all); expectations && s < all->n_sides; s++) {
        fprintf(out, "Expectations of %s\n", all->side[s].label);
        for (size_t k = 0; k < expectations->n; k++) {
            const compare_expected *expected = &expectations->expected[k];
            double median;
            char value[COMPARE_WORD];
            bool met = compare_expect_met(expected, &all->side[s], &median);
            char *of = compare_expect_of(expected, &all->side[s]);
            suite_number(median, value, sizeof value);
            fprintf(out, "  %s %s:%s %s%s, expected %s\n", met ? "PASS" : "FAIL", expected->bench,
                    expected->metric, isnan(median) ? "was not measured" : value, of,
                    expected->text);
            free(of);
        }
        fputs("\n", out);
    }
}

/* That nothing could be told is said before anything that could look like proof. */
static void print_shortage(FILE *out, const comparison *all)
{
    char *few = compare_shortage(all);
    if (*few) {
        cm_text_fill(out, few, strlen(few), 0, 0, "");
        fputs("\n", out);
    }
    free(few);
}

void compare_text(const comparison *all, FILE *out)
{
    if (all->n_sides > 1) print_shortage(out, all);
    for (size_t k = 0; k + 1 < all->n_sides; k++) print_pair(out, all, &all->pair[k]);
    print_expectations(out, all);
    if (all->n_sides < 2) return;
    char *method = compare_method(all);
    cm_text_fill(out, method, strlen(method), 0, 0, "");
    free(method);
}
