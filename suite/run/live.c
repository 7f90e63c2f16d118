/* SPDX-License-Identifier: BSD-3-Clause */
/* live.c: draws the table of `clustermark run` on a terminal. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "launch/loop.h"
#include "live.h"
#include "common/memory.h"
#include "common/unit.h"
#include "common/words.h"

enum { STATE = 14, VALUE = 14, LEFT = 8, NAME_MOST = 26, LINE = 512 };

bool live_possible(void)
{
    const char *term = getenv("TERM");
    return isatty(2) && term && *term && strcmp(term, "dumb") != 0;
}

void live_open(live_table *table)
{
    const char *plain = getenv("NO_COLOR");
    *table = (live_table){.colour = !plain || !*plain};
}

void live_add(live_table *table, const char *name, double about_s, size_t launches)
{
    table->row = suite_longer(table->row, table->n + 1, sizeof(live_row));
    table->row[table->n++] = (live_row){.name = name, .about_s = about_s, .launches = launches};
}

live_row *live_find(live_table *table, const char *name)
{
    for (size_t r = 0; r < table->n; r++)
        if (strcmp(table->row[r].name, name) == 0) return &table->row[r];
    return NULL;
}

/* Keeps them sorted. */
void live_value(live_row *row, const char *metric, double value, const char *unit)
{
    size_t k = row->n_values++;
    row->value = suite_longer(row->value, row->n_values, sizeof value);
    for (; k > 0 && row->value[k - 1] > value; k--) row->value[k] = row->value[k - 1];
    row->value[k] = value;
    if (!row->unit) row->unit = suite_copy(unit);
    if (!row->metric) row->metric = suite_copy(metric);
}

/* ---- What a row says ------------------------------------------------------------------------- */

static void state_of(const live_table *table, const live_row *row, char *text, size_t size)
{
    char elapsed[SUITE_DURATION];
    suite_duration(table->elapsed_s, elapsed);
    if (row->state == LIVE_FAILED) snprintf(text, size, "failed");
    else if (row->done == row->launches) snprintf(text, size, row->wrong ? "FAIL" : "PASS");
    else if (row->state == LIVE_RUNS && row->launches > 1)
        snprintf(text, size, "%zu of %zu, %s", row->done + 1, row->launches, elapsed);
    else if (row->state == LIVE_RUNS) snprintf(text, size, "runs, %s", elapsed);
    else if (row->done > 0) snprintf(text, size, "%zu of %zu", row->done, row->launches);
    else snprintf(text, size, "waits");
}

static void value_of(const live_row *row, char *text, size_t size)
{
    char number[SUITE_NUMBER];
    const size_t n = row->n_values;
    *text = '\0';
    if (n == 0) return;
    double median = (row->value[(n - 1) / 2] + row->value[n / 2]) / 2;
    char unit[SUITE_UNIT];
    suite_number(median / suite_unit_easy(median, row->unit, row->metric, unit), number,
                 sizeof number);
    char *ascii = suite_replace(unit, "\xc2\xb5", "u");
    snprintf(text, size, "%s %s", number, ascii);
    free(ascii);
}

static double left_of(const live_table *table, const live_row *row)
{
    if (row->state == LIVE_FAILED) return 0;
    double left_s = row->about_s * (double)(row->launches - row->done);
    if (row->state == LIVE_RUNS) left_s -= fmin(table->elapsed_s, row->about_s);
    return left_s;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Lines that are to be drawn, cut at the width of the terminal. */
typedef struct {
    FILE *out;
    int columns;
    int *length;
    size_t n;
} canvas;

static const char *colour_of(const live_table *table, const live_row *row)
{
    if (!table->colour || !row) return "";
    if (row->state == LIVE_FAILED || row->wrong) return "\033[31m";
    if (row->state == LIVE_RUNS) return "\033[1m";
    return row->done == row->launches ? "\033[32m" : "";
}

/* Names, metrics and units are ASCII, so a byte is a column. */
static void put_line(canvas *to, const char *colour, char *text)
{
    size_t end = strlen(text);
    while (end > 0 && text[end - 1] == ' ') end--;
    if (end >= (size_t)to->columns) end = (size_t)to->columns - 1;
    text[end] = '\0';
    fprintf(to->out, "%s%s%s\033[K\n", colour, text, *colour ? "\033[0m" : "");
    to->length = suite_longer(to->length, to->n + 1, sizeof to->length[0]);
    to->length[to->n++] = (int)end;
}

static int name_width(const live_table *table)
{
    size_t width = strlen("benchmark");
    for (size_t r = 0; r < table->n; r++)
        if (strlen(table->row[r].name) > width) width = strlen(table->row[r].name);
    return width < NAME_MOST ? (int)width : NAME_MOST;
}

/* Puts as many cells as there is room for: name and state, then the value, the time left, and what
   the value is. */
static void put_cells(canvas *to, int name, const char *colour, const char *const cell[5])
{
    char text[LINE];
    int room = to->columns - 1 - name - 2 - STATE, at;
    at = snprintf(text, sizeof text, "%-*.*s  %-*.*s", name, name, cell[0], STATE, STATE, cell[1]);
    if (room >= 2 + VALUE) {
        at += snprintf(text + at, sizeof text - (size_t)at, "  %-*.*s", VALUE, VALUE, cell[2]);
        room -= 2 + VALUE;
        if (room >= 2 + LEFT)
            at += snprintf(text + at, sizeof text - (size_t)at, "  %*s", LEFT, cell[3]);
        if (room >= 2 + LEFT + 12)
            snprintf(text + at, sizeof text - (size_t)at, "  %.200s", cell[4]);
    }
    put_line(to, colour, text);
}

static void put_row(const live_table *table, canvas *to, int name, const live_row *row)
{
    char state[64], value[128], left[SUITE_DURATION] = "";
    state_of(table, row, state, sizeof state);
    value_of(row, value, sizeof value);
    if (row->state != LIVE_FAILED && row->done < row->launches)
        suite_duration(left_of(table, row), left);
    put_cells(
        to, name, colour_of(table, row),
        (const char *const[5]){row->name, state, value, left, row->metric ? row->metric : ""});
}

static void put_total(const live_table *table, canvas *to)
{
    char text[LINE], left[SUITE_DURATION];
    size_t done = 0, launches = 0;
    double left_s = 0;
    for (size_t r = 0; r < table->n; r++) {
        const live_row *row = &table->row[r];
        done += row->done;
        launches += row->state == LIVE_FAILED ? row->done : row->launches;
        left_s += left_of(table, row);
    }
    snprintf(text, sizeof text, "%zu of %zu launches; about %s more", done, launches,
             suite_duration(left_s, left));
    put_line(to, "", text);
}

static void put_more(canvas *to, size_t n, const char *where)
{
    char text[LINE];
    snprintf(text, sizeof text, "... %zu more %s", n, where);
    put_line(to, "", text);
}

/* At most room lines, the running row among them; room 0: all of it, and no total. */
static void put_table(const live_table *table, canvas *to, size_t room)
{
    static const char *const heads[5] = {"benchmark", "state", "value", "left", "metric"};
    size_t first = 0, n = table->n, running = 0;
    while (running + 1 < table->n && table->row[running].state != LIVE_RUNS) running++;
    if (room > 0 && table->n + 2 > room) {
        n = room > 5 ? room - 4 : 1; /* heads, total, what is above and below */
        first = running > n / 2 ? running - n / 2 : 0;
        if (first + n > table->n) first = table->n - n;
    }
    const int name = name_width(table);
    if (room == 0 || room > 5) put_cells(to, name, "", heads);
    if (room > 5 && first > 0) put_more(to, first, "above");
    for (size_t r = first; r < first + n; r++) put_row(table, to, name, &table->row[r]);
    if (room > 5 && first + n < table->n) put_more(to, table->n - first - n, "below");
    if (room > 1) put_total(table, to);
}

/* ---- The screen ------------------------------------------------------------------------------ */

static void find_size(int *columns, int *lines)
{
    struct winsize size = {0};
    bool known = ioctl(2, TIOCGWINSZ, &size) == 0;
    *columns = known && size.ws_col > 0 ? size.ws_col : 80;
    *lines = known && size.ws_row > 0 ? size.ws_row : 24;
}

/* Moves to the first line of the table on the screen. If the terminal became narrower than a line,
   the number of lines is unknown, because only some terminals break lines again. The screen's
   contents are then scrolled away, and the table starts at the top. */
static void go_up(const live_table *table, int columns, int lines, FILE *out)
{
    bool broken = false;
    for (size_t k = 0; k < table->drawn; k++) broken |= table->length[k] > columns;
    fputc('\r', out);
    if (broken) {
        fprintf(out, "\033[%d;1H", lines);
        for (int k = 0; k < lines; k++) fputc('\n', out);
        fputs("\033[H", out);
    } else if (table->drawn > 0) fprintf(out, "\033[%zuA", table->drawn);
}

/* Draws over what is there, in one write. */
static void draw(live_table *table, int columns, int lines)
{
    char *text = NULL;
    size_t length = 0;
    canvas to = {.out = open_memstream(&text, &length), .columns = columns};
    if (!to.out) return;
    go_up(table, columns, lines, to.out);
    if (columns != table->columns) fputs("\033[J", to.out);
    put_table(table, &to, lines > 2 ? (size_t)lines - 1 : 1);
    fputs("\033[J", to.out);
    if (fclose(to.out) == 0) fwrite(text, 1, length, stderr);
    fflush(stderr);
    free(text);
    free(table->length);
    table->length = to.length;
    table->drawn = to.n;
    table->columns = columns;
    table->lines = lines;
}

void live_tick(live_table *table, double elapsed_s)
{
    int columns, lines;
    const double now_s = loop_now_s();
    /* No time passes for a launch that was stopped by the keyboard; then the shell has written. */
    if (now_s - table->seen_s > elapsed_s - table->elapsed_s + 0.5) table->drawn = 0;
    bool second = (int)elapsed_s != (int)table->elapsed_s || elapsed_s < table->elapsed_s;
    table->seen_s = now_s;
    table->elapsed_s = elapsed_s;
    find_size(&columns, &lines);
    if (second || table->drawn == 0 || columns != table->columns || lines != table->lines)
        draw(table, columns, lines);
}

void live_erase(live_table *table)
{
    int columns, lines;
    if (table->drawn == 0) return;
    find_size(&columns, &lines);
    go_up(table, columns, lines, stderr);
    fputs("\033[J", stderr);
    table->drawn = 0;
}

void live_close(live_table *table)
{
    int columns, lines;
    live_erase(table);
    find_size(&columns, &lines);
    canvas to = {.out = stderr, .columns = columns};
    if (table->n > 0) put_table(table, &to, 0);
    for (size_t r = 0; r < table->n; r++) {
        free(table->row[r].value);
        free(table->row[r].unit);
        free(table->row[r].metric);
    }
    free(to.length);
    free(table->row);
    free(table->length);
    *table = (live_table){0};
}
