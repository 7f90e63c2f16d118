/* SPDX-License-Identifier: BSD-3-Clause */
/* items.c: reads the papers and their items. */
#include "config.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "items.h"
#include "common/lines.h"
#include "common/memory.h"

const char *const suite_item_kinds[] = {"number", "table", "figure", "claim"};

/* A line of items. */
enum { KEY, VALUE, UNIT, PAPER, PLACE, NEEDS, ANSWER, WHAT, FIELDS };
static const char *const field_names[] = {"key",   "value", "unit",   "paper",
                                          "place", "needs", "answer", "what"};

/* What a file of items adds to, and whose they are. */
typedef struct {
    suite_items *items;
    const char *owner;
} list;

static bool fail_value(const suite_position *at, int field, const char *value, const char *expected)
{
    return suite_lines_fail_value(at, field_names[field], value, expected);
}

/* ---- papers ---------------------------------------------------------------------------------- */

static bool read_paper(void *context, char *line, const suite_position *at)
{
    suite_items *items = context;
    const char *name = strsep(&line, "|");
    if (!line || !*name || !*line) return suite_lines_fail(at, "paper", "expected NAME|CITATION");
    items->paper = suite_longer(items->paper, items->n_papers + 1, sizeof items->paper[0]);
    items->paper[items->n_papers++] = (suite_paper){suite_copy(name), suite_copy(line)};
    return true;
}

static bool is_paper(const suite_items *items, const char *name)
{
    for (size_t k = 0; k < items->n_papers; k++)
        if (strcmp(items->paper[k].name, name) == 0) return true;
    return false;
}

/* ---- items ----------------------------------------------------------------------------------- */

/* A value - is that of a table, figure or claim, and its unit says which. */
static bool read_kind(suite_item *item, char *const *field, const suite_position *at)
{
    if (strcmp(field[VALUE], "-") != 0) {
        item->kind = SUITE_ITEM_NUMBER;
        return cm_record_number(field[VALUE], &item->number)
               || fail_value(at, VALUE, field[VALUE], "a number or -");
    }
    for (item->kind = SUITE_ITEM_TABLE; item->kind <= SUITE_ITEM_CLAIM; item->kind++)
        if (strcmp(field[UNIT], suite_item_kinds[item->kind]) == 0) return true;
    return fail_value(at, UNIT, field[UNIT], "table, figure or claim where the value is -");
}

static bool is_place(const char *place)
{
    static const char section[] = "section ";
    size_t length = strlen(section);
    if (strncmp(place, section, length) == 0) return strspn(place + length, "0123456789") > 0;
    return strncmp(place, "abstract", strlen("abstract")) == 0;
}

static bool split(char *line, char **field, const suite_position *at)
{
    int n = 0;
    for (char *word; (word = strsep(&line, "\t")); n++)
        if (n < FIELDS) field[n] = word;
    if (n != FIELDS) {
        char *why = suite_text("%d fields; expected %d, separated by tabs", n, FIELDS);
        suite_lines_fail(at, "item", why);
        free(why);
        return false;
    }
    for (n = 0; n < FIELDS; n++)
        if (!*field[n]) return suite_lines_fail(at, field_names[n], "it is empty");
    return true;
}

static bool read_item(void *context, char *line, const suite_position *at)
{
    const list *list = context;
    suite_items *items = list->items;
    char *field[FIELDS], why[512];
    suite_item item = {0};
    if (!split(line, field, at) || !read_kind(&item, field, at)) return false;
    if (!is_paper(items, field[PAPER]))
        return fail_value(at, PAPER, field[PAPER], "a name of suite/papers.tab");
    if (!is_place(field[PLACE]))
        return fail_value(at, PLACE, field[PLACE], "\"abstract\" or \"section NUMBER\" first");
    if (!suite_needs_parse(field[NEEDS], &item.needs, why, sizeof why))
        return suite_lines_fail(at, field_names[NEEDS], why);
    if (!suite_answer_parse(field[ANSWER], &item.answer, why, sizeof why)
        || !suite_answer_fits(&item.answer, item.kind, why, sizeof why)) {
        suite_needs_free(&item.needs);
        suite_answer_free(&item.answer);
        return suite_lines_fail(at, field_names[ANSWER], why);
    }
    item.owner = suite_copy(list->owner);
    item.key = suite_copy(field[KEY]);
    item.value = suite_copy(field[VALUE]);
    item.unit = suite_copy(field[UNIT]);
    item.paper = suite_copy(field[PAPER]);
    item.place = suite_copy(field[PLACE]);
    item.what = suite_copy(field[WHAT]);
    items->item = suite_longer(items->item, items->n + 1, sizeof item);
    items->item[items->n++] = item;
    return true;
}

/* ---- the files of a table -------------------------------------------------------------------- */

/* Returns true if an earlier run is of the same folder. */
static bool folder_seen(const suite_table *table, size_t run)
{
    for (size_t r = 0; r < run; r++)
        if (strcmp(table->run[r].folder, table->run[run].folder) == 0) return true;
    return false;
}

/* A path that is a pattern in its last part only. */
static char *quoted(const char *folder, const char *pattern)
{
    char *path = suite_array(2 * strlen(folder) + strlen(pattern) + 2, 1), *end = path;
    for (; *folder; *end++ = *folder++)
        if (strchr("*?[\\", *folder)) *end++ = '\\';
    sprintf(end, "/%s", pattern);
    return path;
}

/* paper_NAME.dat of NAME, in the order of the names. */
static bool read_further(suite_items *items, const char *folder)
{
    static const char begin[] = "paper_", end[] = ".dat";
    char *pattern = quoted(folder, "paper_*.dat");
    glob_t files;
    bool right = true;
    int status = glob(pattern, 0, NULL, &files);
    free(pattern);
    for (size_t k = 0; status == 0 && right && k < files.gl_pathc; k++) {
        const char *path = files.gl_pathv[k], *name = strrchr(path, '/') + 1 + strlen(begin);
        char *owner = suite_text("%.*s", (int)(strlen(name) - strlen(end)), name);
        right = suite_lines_read(path, read_item, &(list){items, owner});
        free(owner);
    }
    if (status == 0) globfree(&files);
    return right;
}

static bool read_own(suite_items *items, const suite_home *home, const suite_run *run)
{
    char *path = suite_text("%s/%s/paper.dat", home->data, run->folder);
    const char *program = run->program;
    if (strncmp(program, "cm-", 3) == 0) program += 3;
    /* A folder may have none; one that cannot be read is an error. */
    bool right =
        access(path, F_OK) < 0 || suite_lines_read(path, read_item, &(list){items, program});
    free(path);
    return right;
}

bool suite_items_read(const suite_home *home, const suite_table *table, suite_items *items)
{
    *items = (suite_items){0};
    char *papers = suite_home_file(home, "suite/papers.tab");
    bool right = suite_lines_read(papers, read_paper, items);
    free(papers);
    for (size_t r = 0; right && r < table->n; r++)
        if (!folder_seen(table, r)) right = read_own(items, home, &table->run[r]);
    for (size_t r = 0; right && r < table->n; r++) {
        if (folder_seen(table, r)) continue;
        char *folder = suite_home_file(home, table->run[r].folder);
        right = read_further(items, folder);
        free(folder);
    }
    return right;
}

/* A claim must be tested. Only a table needs no answer, because its numbers are items. */
bool suite_answer_fits(const suite_answer *answer, suite_item_kind kind, char *why, size_t why_size)
{
    size_t tests = 0;
    const char *expected = NULL;
    for (size_t k = 0; k < answer->n; k++) tests += answer->part[k].kind == SUITE_PART_TEST;
    if (answer->none) return true;
    if (answer->n == 0 && kind != SUITE_ITEM_TABLE) expected = "an answer, or none: REASON";
    else if (kind == SUITE_ITEM_CLAIM && tests == 0)
        expected = "a test (< <= > >= =) of this claim, or none: REASON";
    else if (kind == SUITE_ITEM_NUMBER && (tests > 0 || answer->n > 1))
        expected = "one part without a test, for it is a number";
    if (expected) snprintf(why, why_size, "expected %s", expected);
    return !expected;
}

const suite_item *suite_items_find(const suite_items *items, const char *owner, const char *key)
{
    for (size_t k = 0; k < items->n; k++)
        if (strcmp(items->item[k].owner, owner) == 0 && strcmp(items->item[k].key, key) == 0)
            return &items->item[k];
    return NULL;
}

void suite_items_free(suite_items *items)
{
    for (size_t k = 0; k < items->n_papers; k++) {
        free(items->paper[k].name);
        free(items->paper[k].citation);
    }
    for (size_t k = 0; k < items->n; k++) {
        suite_item *item = &items->item[k];
        free(item->owner);
        free(item->key);
        free(item->value);
        free(item->unit);
        free(item->paper);
        free(item->place);
        free(item->what);
        suite_needs_free(&item->needs);
        suite_answer_free(&item->answer);
    }
    free(items->paper);
    free(items->item);
    *items = (suite_items){0};
}
