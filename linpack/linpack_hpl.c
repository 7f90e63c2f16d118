/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_hpl.c: reads HPL.dat. Its lines have fixed places; what follows their values is a
   comment. A line of values comes after a line with their number. HPL 2.3 takes 0 for a word, and a
   value of its own for one out of range; here each is an error, so that nobody measures what was
   not meant. */
#include "linpack_hpl.h"
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1024 };

typedef struct {
    FILE *file;
    int line, n; /* number of the line; values of the list of the last COUNT */
    char *why;
    size_t why_size;
} reader;

__attribute__((format(printf, 2, 3))) static bool wrong(const reader *r, const char *format, ...)
{
    va_list list;
    const int used = snprintf(r->why, r->why_size, "%d: ", r->line);
    if (used < 0 || (size_t)used >= r->why_size) return false;
    va_start(list, format);
    vsnprintf(r->why + used, r->why_size - (size_t)used, format, list);
    va_end(list);
    return false;
}

static bool next_line(reader *r, const char *what, char *line)
{
    r->line++;
    if (!fgets(line, LINE, r->file)) return wrong(r, "the file ends before the line of %s", what);
    if (!strchr(line, '\n') && !feof(r->file))
        return wrong(r, "the line is longer than %d characters, or has a NUL", LINE - 2);
    return true;
}

/* Cuts the next word off *at. Returns "" if there is none. */
static char *next_word(char **at)
{
    static const char blank[] = " \t\r\n\v\f";
    char *word = *at + strspn(*at, blank);
    *at = word + strcspn(word, blank);
    if (**at) *(*at)++ = '\0';
    return word;
}

/* The kind of a line, and the place of its value. */
typedef enum { WORD, NUMBER, REAL, COUNT, LIST } line_kind;
typedef struct {
    line_kind kind;
    const char *name;
    size_t to; /* of a COUNT: 0, it is that of the following lists */
    int low, high;
} line_form;

#define TO(member) offsetof(linpack_hpl, member)
/* N and NB have their limits from the caller. */
static const line_form forms[] = {
    {WORD, "the output file", TO(output), 0, 0},
    {NUMBER, "device out (6=stdout,7=stderr,file)", TO(device), 0, INT_MAX},
    {COUNT, "# of problems sizes (N)", 0, 0, 0},
    {LIST, "Ns", TO(order), 0, 0},
    {COUNT, "# of NBs", 0, 0, 0},
    {LIST, "NBs", TO(block), 1, 0},
    {NUMBER, "PMAP process mapping (0=Row-,1=Column-major)", TO(column_major), 0, 1},
    {COUNT, "# of process grids (P x Q)", 0, 0, 0},
    {LIST, "Ps", TO(rows), 1, 1 << 20},
    {LIST, "Qs", TO(columns), 1, 1 << 20},
    {REAL, "threshold", TO(threshold), 0, 0},
    {COUNT, "# of panel fact", 0, 0, 0},
    {LIST, "PFACTs (0=left, 1=Crout, 2=Right)", TO(panel_fact), 0, 2},
    {COUNT, "# of recursive stopping criterium", 0, 0, 0},
    {LIST, "NBMINs", TO(stop), 1, INT_MAX},
    {COUNT, "# of panels in recursion", 0, 0, 0},
    {LIST, "NDIVs", TO(divisions), 2, INT_MAX},
    {COUNT, "# of recursive panel fact.", 0, 0, 0},
    {LIST, "RFACTs (0=left, 1=Crout, 2=Right)", TO(recursive_fact), 0, 2},
    {COUNT, "# of broadcast", 0, 0, 0},
    {LIST, "BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)", TO(broadcast), 0, 5},
    {COUNT, "# of lookahead depth", 0, 0, 0},
    {LIST, "DEPTHs", TO(depth), 0, INT_MAX},
    {NUMBER, "SWAP (0=bin-exch,1=long,2=mix)", TO(swap), 0, 2},
    {NUMBER, "swapping threshold", TO(swap_threshold), 0, INT_MAX},
    {NUMBER, "L1 in (0=transposed,1=no-transposed) form", TO(l1), 0, 1},
    {NUMBER, "U in (0=transposed,1=no-transposed) form", TO(u), 0, 1},
    {NUMBER, "Equilibration (0=no,1=yes)", TO(equilibrate), 0, 1},
    {NUMBER, "memory alignment in double", TO(align), 1, INT_MAX},
};

/* place: of the value in its line, from 1. */
static bool read_number(const reader *r, const line_form *form, const char *word, int place,
                        int *value)
{
    char range[48], *end;
    const long number = strtol(word, &end, 10);
    if (*word && !*end && number >= form->low && number <= form->high) {
        *value = (int)number;
        return true;
    }
    if (form->high == INT_MAX) snprintf(range, sizeof range, "from %d", form->low);
    else snprintf(range, sizeof range, "from %d to %d", form->low, form->high);
    char which[48] = "";
    if (form->kind == LIST) snprintf(which, sizeof which, "value %d of %d ", place, r->n);
    if (!*word)
        return wrong(r, "%s: %sis missing; expected a whole number %s", form->name,
                     form->kind == LIST ? which : "it ", range);
    return wrong(r, "%s: %sis '%.40s'; expected a whole number %s", form->name,
                 form->kind == LIST ? which : "it ", word, range);
}

static bool read_real(const reader *r, const line_form *form, const char *word, double *value)
{
    char *end;
    *value = strtod(word, &end);
    if (*word && !*end && isfinite(*value)) return true;
    return wrong(r, "%s: it is '%.40s'; expected a number", form->name, word);
}

static bool read_line(reader *r, const line_form *form, linpack_hpl *hpl)
{
    char line[LINE], *at = line;
    if (!next_line(r, form->name, line)) return false;
    void *to = (char *)hpl + form->to;
    if (form->kind == LIST) {
        linpack_hpl_list *list = to;
        list->n = r->n;
        for (int k = 0; k < r->n; k++)
            if (!read_number(r, form, next_word(&at), k + 1, &list->value[k])) return false;
        return true;
    }
    const char *word = next_word(&at);
    if (form->kind == NUMBER) return read_number(r, form, word, 1, to);
    if (form->kind == REAL) return read_real(r, form, word, to);
    if (form->kind == COUNT) {
        const line_form count = {COUNT, form->name, 0, 1, LINPACK_HPL_MOST};
        return read_number(r, &count, word, 1, &r->n);
    }
    if (strlen(word) >= LINPACK_HPL_WORD)
        return wrong(r, "%s: its name is longer than %d characters", form->name,
                     LINPACK_HPL_WORD - 1);
    strcpy(to, word);
    return true;
}

bool linpack_hpl_read(FILE *file, int orders, int blocks, linpack_hpl *hpl, char *why,
                      size_t why_size)
{
    enum { HEADINGS = 2 };
    reader r = {.file = file, .why = why, .why_size = why_size};
    char line[LINE];
    memset(hpl, 0, sizeof *hpl);
    for (int k = 0; k < HEADINGS; k++)
        if (!next_line(&r, "the heading", line)) return false;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        line_form form = forms[k];
        if (form.to == TO(order)) form.high = orders;
        if (form.to == TO(block)) form.high = blocks;
        if (!read_line(&r, &form, hpl)) return false;
        if (form.to == TO(device) && hpl->device != 6 && hpl->device != 7 && !hpl->output[0]) {
            r.line--;
            return wrong(&r,
                         "the output file: it is missing, but device out is %d; expected a "
                         "name",
                         hpl->device);
        }
    }
    return true;
}

/* ---- The tests ------------------------------------------------------------------------------- */

int64_t linpack_hpl_tests(const linpack_hpl *h)
{
    return (int64_t)h->rows.n * h->order.n * h->block.n * h->depth.n * h->broadcast.n
           * h->recursive_fact.n * h->panel_fact.n * h->stop.n * h->divisions.n;
}

/* Returns the value of the innermost loop that is left in *k, and takes that loop off. */
static int innermost(const linpack_hpl_list *list, int64_t *k)
{
    const int value = list->value[*k % list->n];
    *k /= list->n;
    return value;
}

linpack_hpl_test linpack_hpl_test_of(const linpack_hpl *h, int64_t k)
{
    linpack_hpl_test test;
    test.divisions = innermost(&h->divisions, &k);
    test.stop = innermost(&h->stop, &k);
    test.panel_fact = innermost(&h->panel_fact, &k);
    test.recursive_fact = innermost(&h->recursive_fact, &k);
    test.broadcast = innermost(&h->broadcast, &k);
    test.depth = innermost(&h->depth, &k);
    test.block = innermost(&h->block, &k);
    test.order = innermost(&h->order, &k);
    test.rows = h->rows.value[k];
    test.columns = h->columns.value[k];
    return test;
}
