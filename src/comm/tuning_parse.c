/* SPDX-License-Identifier: BSD-3-Clause */
/* tuning_parse.c: reads a table of measured choices, and finds rows in it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/tuning.h"

enum { LINE_BYTES = 256, FIELDS = 5, MOST_RANKS = 1 << 20 };
static const char separators[] = " \t";

const char *const cm_tuning_places[CM_TUNING_PLACES] = {"own", "shared", "between"};

typedef struct {
    cm_tuning_table *table;
    size_t room;
    int line;
    char *why;
    size_t capacity;
} reader;

__attribute__((format(printf, 2, 3))) static bool wrong(const reader *r, const char *format, ...)
{
    char text[2 * LINE_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    snprintf(r->why, r->capacity, "line %d: %s", r->line, text);
    return false;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Copies the next line that is not a comment, without its newline and the carriage return that some
   editors put before it. Returns false if there is none, or if it is too long. */
static bool next_line(reader *r, const char **text, char line[LINE_BYTES])
{
    while (**text) {
        size_t length = strcspn(*text, "\n");
        const char *begin = *text;
        *text += length + (begin[length] == '\n');
        r->line++;
        if (*begin == '#') continue;
        if (length && begin[length - 1] == '\r') length--;
        if (length >= LINE_BYTES)
            return wrong(r, "%zu bytes long; expected at most %d", length, LINE_BYTES - 1);
        memcpy(line, begin, length);
        line[length] = 0;
        return true;
    }
    r->line++;
    return wrong(r, "the file ends here; expected more rows, or the line 'end'");
}

/* Returns true if all further lines are empty or comments. */
static bool only_comments(reader *r, const char *text)
{
    for (; *text; text += *text == '\n') {
        const size_t gap = strspn(text, " \t\r");
        r->line++;
        if (*text != '#' && text[gap] && text[gap] != '\n')
            return wrong(r, "expected only comments after the line 'end'");
        text += strcspn(text, "\n");
    }
    return true;
}

static const char *const keys[] = {"backend",        "version", "date",     "hosts",
                                   "ranks_per_host", "cores",   "measured", NULL};

/* A line "key: value". */
static bool take_key(reader *r, const char *line)
{
    const size_t length = strcspn(line, ":");
    int k = 0;
    while (keys[k] && (strlen(keys[k]) != length || memcmp(keys[k], line, length) != 0)) k++;
    if (!keys[k] || line[length] != ':')
        return wrong(
            r,
            "'%s'; expected a line KEY: VALUE with one of the keys backend, version, date, "
            "hosts, ranks_per_host, cores, measured, or the columns '%s'",
            line, CM_TUNING_COLUMNS);
    const char *value = line + length + 1;
    value += strspn(value, separators);
    if (k > 0) return true;
    if (!*value || strlen(value) >= sizeof r->table->backend)
        return wrong(r, "'%s'; expected the name of a backend, as backend: sockets", line);
    strcpy(r->table->backend, value);
    return true;
}

/* Cuts a line into its fields. Returns their number, FIELDS + 1 if there are more. */
static int cut(char *line, char *field[FIELDS])
{
    int n = 0;
    char *rest = line;
    for (char *each; (each = strtok_r(rest, separators, &rest)); n++) {
        if (n == FIELDS) return FIELDS + 1;
        field[n] = each;
    }
    return n;
}

static bool is_columns(const char *line)
{
    char copy[LINE_BYTES], joined[LINE_BYTES] = "", *field[FIELDS];
    strcpy(copy, line);
    if (cut(copy, field) != FIELDS) return false;
    snprintf(joined, sizeof joined, "%s %s %s %s %s", field[0], field[1], field[2], field[3],
             field[4]);
    return strcmp(joined, CM_TUNING_COLUMNS) == 0;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

bool cm_tuning_sized(cm_collective collective)
{
    switch (collective) {
    case CM_COLLECTIVE_BARRIER:
    case CM_COLLECTIVE_GATHERV:
    case CM_COLLECTIVE_SCATTERV:
    case CM_COLLECTIVE_ALLTOALLV:
        return false;
    default:
        return true;
    }
}

static bool parse_whole(const char *text, unsigned long long most, unsigned long long *value)
{
    if (!*text || text[strspn(text, "0123456789")] || strlen(text) > 18) return false;
    *value = strtoull(text, NULL, 10);
    return *value <= most;
}

/* Algorithms that stand for others cannot be chosen here; hosts is used wherever it helps. */
static bool chooses(const char *text, cm_collective collective, cm_algorithm *algorithm)
{
    return cm_algorithm_parse(text, algorithm) && algorithm->kind != CM_KIND_AUTO
           && algorithm->kind != CM_KIND_NATIVE && algorithm->kind != CM_KIND_HOSTS
           && cm_algorithm_available(collective, *algorithm);
}

static bool complain_of_algorithm(const reader *r, const char *text, cm_collective collective)
{
    char names[LINE_BYTES] = "";
    for (int kind = 0; kind < CM_KINDS; kind++) {
        const cm_algorithm a = CM_ALGORITHM(kind, 1);
        char name[48];
        cm_algorithm unused;
        cm_algorithm_text(a, name, sizeof name);
        if (!chooses(name, collective, &unused)) continue;
        const size_t n = strlen(names);
        snprintf(names + n, sizeof names - n, "%s%s", n ? ", " : "", name);
    }
    return wrong(r, "algorithm '%s'; expected one that %s has: %s", text,
                 cm_collective_name(collective), names);
}

static bool parse_row(const reader *r, char *line, cm_tuning_row *row)
{
    char *field[FIELDS];
    unsigned long long ranks, from;
    const int n = cut(line, field);
    if (n != FIELDS)
        return wrong(r, "%d%s fields; expected %d: %s", n > FIELDS ? FIELDS : n,
                     n > FIELDS ? " and more" : "", FIELDS, CM_TUNING_COLUMNS);
    int c = 0, place = 0;
    while (c < CM_COLLECTIVES && strcmp(field[0], cm_collective_name((cm_collective)c)) != 0) c++;
    if (c == CM_COLLECTIVES)
        return wrong(r, "operation '%s'; expected one as bcast or allreduce", field[0]);
    while (place < CM_TUNING_PLACES && strcmp(field[1], cm_tuning_places[place]) != 0) place++;
    if (place == CM_TUNING_PLACES)
        return wrong(r, "place '%s'; expected own, shared or between", field[1]);
    if (!parse_whole(field[2], MOST_RANKS, &ranks) || ranks < 2)
        return wrong(r, "ranks '%s'; expected a whole number from 2 to %d", field[2], MOST_RANKS);
    if (!parse_whole(field[3], SIZE_MAX / 2, &from))
        return wrong(r, "from_bytes '%s'; expected a whole number of bytes", field[3]);
    *row = (cm_tuning_row){(cm_collective)c, (cm_tuning_place)place, (int)ranks, (size_t)from,
                           CM_LINEAR};
    if (from && !cm_tuning_sized(row->collective))
        return wrong(r, "from_bytes %s; expected 0: not all ranks of %s know its size", field[3],
                     field[0]);
    if (!chooses(field[4], row->collective, &row->algorithm))
        return complain_of_algorithm(r, field[4], row->collective);
    return true;
}

/* A row begins the rows of its operation, place and ranks, or continues them. */
static bool check_order(const reader *r, const cm_tuning_row *row)
{
    const cm_tuning_table *t = r->table;
    const cm_tuning_row *last = t->n ? &t->row[t->n - 1] : NULL;
    const bool same = last && last->collective == row->collective && last->place == row->place;
    if (same && last->ranks == row->ranks)
        return row->from_bytes > last->from_bytes
               || wrong(r, "from_bytes %zu after %zu; expected more", row->from_bytes,
                        last->from_bytes);
    if (same && row->ranks < last->ranks)
        return wrong(r, "%d ranks after %d; expected more", row->ranks, last->ranks);
    if (!same && t->count[row->place][row->collective])
        return wrong(r, "%s %s again; expected its rows one after the other",
                     cm_collective_name(row->collective), cm_tuning_places[row->place]);
    return row->from_bytes == 0
           || wrong(r, "from_bytes %zu in the first row of %s %s %d; expected 0", row->from_bytes,
                    cm_collective_name(row->collective), cm_tuning_places[row->place], row->ranks);
}

static bool add_row(reader *r, const cm_tuning_row *row)
{
    cm_tuning_table *t = r->table;
    if (!check_order(r, row)) return false;
    if (t->n == r->room) {
        const size_t room = r->room ? 2 * r->room : 128;
        cm_tuning_row *more = realloc(t->row, room * sizeof *more);
        if (!more) return wrong(r, "out of memory for %zu rows", room);
        t->row = more;
        r->room = room;
    }
    if (!t->count[row->place][row->collective]++) t->first[row->place][row->collective] = t->n;
    t->row[t->n++] = *row;
    return true;
}

/* ---- The table ------------------------------------------------------------------------------- */

bool cm_tuning_parse(const char *text, cm_tuning_table *table, char *why, size_t capacity)
{
    char line[LINE_BYTES];
    reader r = {.table = table, .why = why, .capacity = capacity};
    memset(table, 0, sizeof *table);
    if (!next_line(&r, &text, line)) return false;
    if (strcmp(line, CM_TUNING_FIRST) != 0)
        return wrong(&r, "expected the first line of a table, '%s'", CM_TUNING_FIRST);
    for (;;) {
        if (!next_line(&r, &text, line)) return false;
        if (is_columns(line)) break;
        if (!take_key(&r, line)) return false;
    }
    if (!*table->backend) return wrong(&r, "no backend yet; expected a line as backend: sockets");
    for (;;) {
        cm_tuning_row row;
        if (!next_line(&r, &text, line)) return false;
        if (strcmp(line, "end") == 0) break;
        if (!parse_row(&r, line, &row) || !add_row(&r, &row)) return false;
    }
    if (!table->n) return wrong(&r, "no rows; expected at least one");
    return only_comments(&r, text);
}

void cm_tuning_free(cm_tuning_table *table)
{
    free(table->row);
    memset(table, 0, sizeof *table);
}

/* Every collective call with auto comes here, so there is no division. */
const cm_tuning_row *cm_tuning_rows(const cm_tuning_table *table, cm_collective collective,
                                    cm_tuning_place place, int ranks, bool beyond, size_t *n)
{
    const size_t count = table->count[place][collective];
    if (!count) return NULL;
    const cm_tuning_row *row = table->row + table->first[place][collective];
    size_t below = 0, at = 0; /* the first rows of the last number below ranks, and of the next */
    while (at < count && row[at].ranks < ranks) {
        if (row[at].ranks != row[below].ranks) below = at;
        at++;
    }
    const int64_t square = (int64_t)ranks * ranks;
    if (at == count || (at && square <= (int64_t)row[below].ranks * row[at].ranks)) at = below;
    if (!beyond
        && (row[0].ranks >= 2 * (int64_t)ranks || ranks >= 2 * (int64_t)row[count - 1].ranks))
        return NULL;
    for (*n = 1; at + *n < count && row[at + *n].ranks == row[at].ranks;) ++*n;
    return row + at;
}
