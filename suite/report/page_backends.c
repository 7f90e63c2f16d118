/* SPDX-License-Identifier: BSD-3-Clause */
/* page_backends.c: what was measured over several backends, together: who is faster, and by how
   much; figures; a table of all values. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/memory.h"
#include "common/unit.h"
#include "page.h"
#include "results/over.h"
#include "pages.h"

/* A number of the page, "" if it is not known. The caller frees. */
static char *number(double value)
{
    char text[SUITE_NUMBER];
    if (!isfinite(value)) return suite_copy("");
    suite_number(value, text, sizeof text);
    return suite_copy(text);
}

/* "mpi, sockets and shm"; the caller frees. */
static char *listed(const suite_words *names) { return suite_words_joined(names, ", ", " and "); }

/* ---- Who is faster --------------------------------------------------------------------------- */

static const char *class_of(const compare_item *item)
{
    return item->verdict == COMPARE_FASTER   ? "faster"
           : item->verdict == COMPARE_SLOWER ? "slower"
                                             : NULL;
}

/* The first value: the network's latency, if that was measured. */
static void print_first(const suite_page *page, size_t side)
{
    const suite_backends *b = page->backends;
    const compare_item *item = b->n ? b->row[0].item[side] : NULL;
    if (!item) return;
    char *times = number(suite_backends_amount_of(item).times);
    piece_backends_first(page->out, b->row[0].name, compare_verdict_words(item),
                         class_of(item) ? times : NULL);
    free(times);
}

static void print_side(const suite_page *page, size_t side)
{
    const suite_backends *b = page->backends;
    size_t faster = 0, slower = 0, same = 0, all = 0;
    for (size_t k = 0; k < b->n; k++) {
        const compare_item *item = b->row[k].item[side];
        if (!item) continue;
        all++;
        faster += item->verdict == COMPARE_FASTER;
        slower += item->verdict == COMPARE_SLOWER;
        same += item->verdict == COMPARE_SAME;
    }
    piece_backends_side(page->out, b->names->word[side + 1], b->names->word[0], faster, slower,
                        same, all - faster - slower - same, all);
    print_first(page, side);
    piece_backends_side_end(page->out);
}

/* ---- The table ------------------------------------------------------------------------------- */

/* The median over launches in a unit of its own: over one backend a message takes nanoseconds, over
   another microseconds. */
static void print_value(FILE *out, const compare_item *item, const compare_values *values)
{
    cm_samples samples = CM_SAMPLES_EMPTY;
    for (size_t k = 0; k < values->n; k++) suite_over_add_number(&samples, values->value[k]);
    cm_summary over = suite_over_summary(&samples);
    compare_item alone = *item;
    alone.base.median = alone.new.median = over.median;
    char unit[SUITE_UNIT];
    double divisor = compare_unit(&alone, unit);
    bool known = values->n > 1, range = known && over.interval == CM_INTERVAL_RANGE;
    suite_digits digits =
        suite_digits_of(over.median / divisor, over.low / divisor, over.high / divisor);
    piece_backends_value(out, digits.value, unit, known ? digits.low : NULL, digits.high, range);
    cm_samples_free(&samples);
}

static void print_verdict(FILE *out, const compare_item *item)
{
    suite_backends_gain gain = suite_backends_amount_of(item);
    bool has_ends = isfinite(gain.low) && isfinite(gain.high) && gain.low < gain.high;
    char *times = number(gain.times), *low = number(gain.low), *high = number(gain.high);
    char unit[SUITE_UNIT], *states = item->states.kind == CM_STATES_PAIR_ONE
                                         ? NULL
                                         : compare_states_words(item, compare_unit(item, unit));
    piece_backends_verdict(out, class_of(item), compare_verdict_words(item), times,
                           has_ends ? low : NULL, high, gain.is_range, states, unit);
    free(states);
    free(times);
    free(low);
    free(high);
}

static void print_row(const suite_page *page, const suite_backends_row *row)
{
    const size_t sides = page->backends->names->n;
    FILE *out = page->out;
    const compare_item *any = NULL;
    for (size_t k = 0; k + 1 < sides && !any; k++) any = row->item[k];
    piece_backends_row(out, row->run->name, row->run->heading, row->name);
    print_value(out, any, &any->base);
    piece_backends_cell_end(out);
    for (size_t k = 0; k + 1 < sides; k++) {
        const compare_item *item = row->item[k];
        if (!item) {
            piece_backends_missing(out);
            continue;
        }
        print_value(out, item, &item->new);
        print_verdict(out, item);
        piece_backends_cell_end(out);
    }
    piece_row_end(out);
}

static const char *group_of(const suite_run *run)
{
    return strcmp(run->group, "network") == 0       ? SAID_NETWORK_CONTENTS
           : strcmp(run->group, "collectives") == 0 ? SAID_COLLECTIVES_CONTENTS
                                                    : SAID_PROGRAMS_CONTENTS;
}

/* "7 launches", or "6 to 7 launches"; the caller frees. */
static char *launches_of(const suite_backends *b)
{
    size_t least = SIZE_MAX, most = 0;
    for (size_t k = 0; k < b->n; k++)
        for (size_t side = 0; side + 1 < b->names->n; side++) {
            const compare_item *item = b->row[k].item[side];
            if (!item) continue;
            size_t n[2] = {item->base.n, item->new.n};
            for (int of = 0; of < 2; of++) {
                if (n[of] < least) least = n[of];
                if (n[of] > most) most = n[of];
            }
        }
    return least < most ? suite_text("%zu to %zu launches", least, most)
                        : suite_counted(most, "launches");
}

static void print_table(const suite_page *page)
{
    const suite_backends *b = page->backends;
    FILE *out = page->out;
    piece_backends_table_begin(out);
    for (size_t k = 0; k < b->names->n; k++) piece_backends_head(out, b->names->word[k], k == 0);
    piece_head_end(out);
    for (size_t k = 0; k < b->n; k++) {
        const suite_backends_row *row = &b->row[k];
        if (k == 0 || strcmp(row->run->group, row[-1].run->group) != 0)
            piece_backends_group(out, group_of(row->run), b->names->n + 1);
        print_row(page, row);
    }
    piece_table_end(out);
    char *launches = launches_of(b), *folders = suite_words_joined(b->names, " ", " ");
    piece_backends_about(out, b->names->word[0], launches, folders);
    free(folders);
    free(launches);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void print_figures(suite_page *page)
{
    if (!page->drawn) return;
    for (size_t r = 0; r < page->table->n; r++) {
        const suite_run *run = &page->table->run[r];
        char *id = suite_text("%s-backends", run->name);
        char *path = suite_folder_path(page->dir, id, "svg");
        if (run->headline && access(path, R_OK) == 0) page_figure(page, run, "backends", id);
        free(path);
        free(id);
    }
    char *path = suite_folder_path(page->dir, "backends", "svg");
    if (access(path, R_OK) == 0) page_figure_of_suite(page, "backends", SAID_BACKENDS_FIGURE);
    free(path);
}

void page_backends(suite_page *page)
{
    const suite_backends *b = page->backends;
    if (!b) return;
    char *names = listed(b->names), *method = compare_method(b->all),
         *few = compare_shortage(b->all);
    piece_backends_begin(page->out, names);
    for (size_t k = 0; k + 1 < b->names->n; k++) print_side(page, k);
    piece_backends_lists_end(page->out);
    if (b->lost.n) {
        char *runs = listed(&b->lost);
        piece_backends_lost(page->out, runs);
        free(runs);
    }
    if (*few) piece_compared_note(page->out, few);
    print_figures(page);
    if (b->n) print_table(page);
    if (b->shared.n) {
        char *runs = listed(&b->shared);
        piece_backends_shared(page->out, runs);
        free(runs);
    }
    piece_backends_judged(page->out, method);
    for (size_t k = 0; k + 1 < b->names->n; k++) {
        piece_backends_differences(page->out, b->names->word[k + 1]);
        compare_page_differences(&b->all->pair[k], NULL, page->out);
    }
    piece_backends_end(page->out);
    free(few);
    free(method);
    free(names);
}
