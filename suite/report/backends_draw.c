/* SPDX-License-Identifier: BSD-3-Clause */
/* backends_draw.c: the figures of several backends. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "backends.h"
#include "common/memory.h"
#include "figures/draw.h"
#include "papers/items.h"
#include "common/unit.h"
#include "pages.h"
#include "results/folder.h"

/* ---- All rows -------------------------------------------------------------------------------- */

/* Text as a column of gnuplot's, in double quotes. */
static void write_quoted(FILE *out, const char *text)
{
    fputs(" \"", out);
    for (; *text; text++) fputc(strchr("\"\\\n\t", *text) ? '_' : *text, out);
    fputc('"', out);
}

static void write_point(FILE *out, const suite_backends *b, size_t row, size_t side, size_t place)
{
    const compare_item *item = b->row[row].item[side];
    if (!item) return;
    suite_backends_gain gain = suite_backends_gain_of(item);
    if (!(gain.times > 0) || !isfinite(gain.times)) return;
    bool whole = gain.low > 0 && isfinite(gain.high);
    char *name = suite_text("%s: %s", b->row[row].run->name, b->row[row].name);
    const suite_backends_gain told = suite_backends_amount_of(item);
    const bool known = isfinite(told.low) && isfinite(told.high) && told.low < told.high;
    const suite_digits digits =
        suite_digits_of(told.times, known ? told.low : NAN, known ? told.high : NAN);
    char *words = said_backends_mark(name, compare_verdict_words(item), digits.value,
                                     known ? digits.low : NULL, digits.high, told.is_range);
    fprintf(out, "%zu %zu %.6g %.6g %.6g %d", place, side + 1, gain.times,
            whole ? gain.low : gain.times, whole ? gain.high : gain.times, gain.told);
    write_quoted(out, name);
    write_quoted(out, words);
    fputc('\n', out);
    free(words);
    free(name);
}

/* The groups are a line apart. NULL: no row has a ratio. The caller frees. */
static char *points_of(const suite_backends *b)
{
    char *text = NULL;
    size_t length = 0, place = 0;
    FILE *out = open_memstream(&text, &length);
    for (size_t row = 0; out && row < b->n; row++) {
        if (row > 0 && strcmp(b->row[row].run->group, b->row[row - 1].run->group) != 0) place++;
        for (size_t side = 0; side + 1 < b->names->n; side++) write_point(out, b, row, side, place);
        place++;
    }
    if (out) fclose(out);
    if (length > 0) return text;
    free(text);
    return NULL;
}

static bool draw_rows(suite_children *children, const suite_backends *b, const char *dir)
{
    char *points = points_of(b);
    suite_folder_remove(dir, "backends", "svg");
    if (!points) return true;
    char *script = suite_home_file(b->all->home, "suite/backends.gp"),
         *whole = realpath(script, NULL);
    const suite_words others = {b->names->word + 1, b->names->n - 1};
    char *sides = suite_words_joined(&others, " ", " ");
    char *settings = suite_text("result='%s.txt'; points='backends.dat'; sides='%s'; base='%s'",
                                b->row[0].run->name, sides, b->names->word[0]);
    bool drawn = whole && suite_folder_write(dir, "backends", "dat", points)
                 && suite_draw_script(children, dir, settings, whole, "backends.svg", "svg");
    suite_folder_remove(dir, "backends", "dat");
    free(settings);
    free(sides);
    free(whole);
    free(script);
    free(points);
    return drawn;
}

/* ---- Curves ---------------------------------------------------------------------------------- */

/* The texts of a run over all backends that have it, as seen from the first one's folder, and their
   names. */
static void list_results(const suite_backends *b, const char *dir, const char *name, char **results,
                         char **titles)
{
    suite_words found = {0}, named = {0};
    for (size_t k = 0; k < b->names->n; k++) {
        char *file = k == 0 ? suite_text("%s.txt", name)
                            : suite_text("../%s/%s.txt", b->names->word[k], name);
        char *path = suite_text("%s/%s", dir, file);
        if (access(path, R_OK) == 0) {
            suite_words_add(&found, file);
            suite_words_add(&named, b->names->word[k]);
        }
        free(path);
        free(file);
    }
    *results = suite_words_joined(&found, " ", " ");
    *titles = suite_words_joined(&named, " ", " ");
    suite_words_free(&found);
    suite_words_free(&named);
}

/* Returns true if the papers asked the same of a place like that of these results: one of the
   backends answers the numbers of the paper's curve. */
static bool has_papers(const suite_backends *b, const suite_run *run)
{
    suite_items items = {0};
    bool same = false;
    const suite_item *item = suite_items_read(b->all->home, &b->all->table, &items)
                                 ? suite_items_find(&items, run->base, "eager_latency_us")
                                 : NULL;
    for (size_t s = 0; item && s < b->all->n_sides && !same; s++) {
        const compare_bench *bench = compare_side_find(&b->all->side[s], run->name);
        if (!bench) continue;
        suite_result one = {run->name, &bench->launch[0]};
        char *missing = suite_needs_missing(&item->needs, &item->answer, item->owner,
                                            &(suite_results){&one, 1});
        same = !missing;
        free(missing);
    }
    suite_items_free(&items);
    return same;
}

static bool draw_curves(suite_children *children, const suite_backends *b, const char *dir,
                        const suite_run *run)
{
    char *script = suite_figure_script(b->all->home, run, "backends"),
         *whole = realpath(script, NULL), *results, *titles,
         *id = suite_text("%s-backends", run->name), *file = suite_text("%s.svg", id);
    bool drawn = true;
    suite_folder_remove(dir, id, "svg");
    list_results(b, dir, run->name, &results, &titles);
    if (whole && strchr(results, ' ')) {
        char *settings = suite_text("results='%s'; titles='%s'; with_papers=%d", results, titles,
                                    has_papers(b, run));
        drawn = suite_draw_script(children, dir, settings, whole, file, "svg");
        free(settings);
    }
    free(file);
    free(id);
    free(titles);
    free(results);
    free(whole);
    free(script);
    return drawn;
}

bool suite_backends_draw(suite_children *children, const suite_backends *b, const char *dir)
{
    bool all = b->n == 0 || draw_rows(children, b, dir);
    for (size_t r = 0; r < b->all->table.n && !children->interrupted; r++)
        if (b->all->table.run[r].headline)
            all &= draw_curves(children, b, dir, &b->all->table.run[r]);
    return all && !children->interrupted;
}
