/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_hpl.c: reads HPL.dat. Its lines have fixed places; what follows their values is a
   comment. A line of values comes after a line with their number. HPL 2.3 takes 0 for a word, and a
   value of its own for one out of range. cm-linpack refuses these, so that nobody measures what was
   not meant; cm-xhpl reads as HPL does, and tells. */
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
    linpack_hpl_tell *tell; /* as HPL; NULL: what HPL maps is an error */
    void *context;
    char word[LINE]; /* as HPL: the last one that was read; a blank line leaves it */
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

__attribute__((format(printf, 3, 4))) static void mapped(const reader *r, int line,
                                                         const char *format, ...)
{
    char text[LINE];
    va_list list;
    const int used = snprintf(text, sizeof text, "%d: ", line);
    va_start(list, format);
    vsnprintf(text + used, sizeof text - (size_t)used, format, list);
    va_end(list);
    r->tell(text, r->context);
}

/* HPL 2.3 reads the rest of a longer line as the next one. */
enum { HPL_LINE = 254 };

static bool next_line(reader *r, const char *what, char *line)
{
    const int size = r->tell ? HPL_LINE : LINE;
    r->line++;
    if (!fgets(line, size, r->file)) return wrong(r, "the file ends before the line of %s", what);
    if (!strchr(line, '\n') && !feof(r->file))
        return wrong(r, "the line is longer than %d characters, or has a NUL", size - 2);
    return true;
}

static const char blank[] = " \t\r\n\v\f";

/* Cuts the next word off *at. Returns "" if there is none. */
static char *next_word(char **at)
{
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
    int other; /* that HPL takes for a value out of range; NONE: it ends with an error */
} line_form;
enum { NONE = -1 };

#define TO(member) offsetof(linpack_hpl, member)
/* N and NB have their limits from the caller. */
static const line_form forms[] = {
    {WORD, "the output file", TO(output), 0, 0, NONE},
    {NUMBER, "device out (6=stdout,7=stderr,file)", TO(device), 0, INT_MAX, 0},
    {COUNT, "# of problems sizes (N)", 0, 0, 0, NONE},
    {LIST, "Ns", TO(order), 0, 0, NONE},
    {COUNT, "# of NBs", 0, 0, 0, NONE},
    {LIST, "NBs", TO(block), 1, 0, NONE},
    {NUMBER, "PMAP process mapping (0=Row-,1=Column-major)", TO(column_major), 0, 1, 0},
    {COUNT, "# of process grids (P x Q)", 0, 0, 0, NONE},
    {LIST, "Ps", TO(rows), 1, 1 << 20, NONE},
    {LIST, "Qs", TO(columns), 1, 1 << 20, NONE},
    {REAL, "threshold", TO(threshold), 0, 0, NONE},
    {COUNT, "# of panel fact", 0, 0, 0, NONE},
    {LIST, "PFACTs (0=left, 1=Crout, 2=Right)", TO(panel_fact), 0, 2, 2},
    {COUNT, "# of recursive stopping criterium", 0, 0, 0, NONE},
    {LIST, "NBMINs", TO(stop), 1, INT_MAX, NONE},
    {COUNT, "# of panels in recursion", 0, 0, 0, NONE},
    {LIST, "NDIVs", TO(divisions), 2, INT_MAX, NONE},
    {COUNT, "# of recursive panel fact.", 0, 0, 0, NONE},
    {LIST, "RFACTs (0=left, 1=Crout, 2=Right)", TO(recursive_fact), 0, 2, 2},
    {COUNT, "# of broadcast", 0, 0, 0, NONE},
    {LIST, "BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)", TO(broadcast), 0, 5, 1},
    {COUNT, "# of lookahead depth", 0, 0, 0, NONE},
    {LIST, "DEPTHs", TO(depth), 0, INT_MAX, NONE},
    {NUMBER, "SWAP (0=bin-exch,1=long,2=mix)", TO(swap), 0, 2, 1},
    {NUMBER, "swapping threshold", TO(swap_threshold), 0, INT_MAX, 0},
    {NUMBER, "L1 in (0=transposed,1=no-transposed) form", TO(l1), 0, 1, 0},
    {NUMBER, "U in (0=transposed,1=no-transposed) form", TO(u), 0, 1, 0},
    {NUMBER, "Equilibration (0=no,1=yes)", TO(equilibrate), 0, 1, 1},
    {NUMBER, "memory alignment in double", TO(align), 1, INT_MAX, 4},
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
        const line_form count = {COUNT, form->name, 0, 1, LINPACK_HPL_MOST, NONE};
        return read_number(r, &count, word, 1, &r->n);
    }
    if (strlen(word) >= LINPACK_HPL_WORD)
        return wrong(r, "%s: its name is longer than %d characters", form->name,
                     LINPACK_HPL_WORD - 1);
    strcpy(to, word);
    return true;
}

/* ---- As HPL reads ---------------------------------------------------------------------------- */

/* HPL's sscanf at a place of the line, and its step to the next word: by the length of this one and
   one blank, so that with several blanks it meets a word again. Where a line has no more words, the
   last one of the file stays. False: HPL would read beyond the line. */
static bool hpl_word(reader *r, const char *line, const char **at)
{
    if (*at > line + strlen(line)) return false;
    const char *word = *at + strspn(*at, blank);
    const size_t length = strcspn(word, blank);
    if (length) snprintf(r->word, sizeof r->word, "%.*s", (int)length, word);
    *at += strlen(r->word) + 1;
    return r->word[0] != '\0';
}

static bool hpl_number(reader *r, const line_form *form, int place, int *value)
{
    char *end;
    const long number = strtol(r->word, &end, 10);
    const bool fits = number >= form->low && number <= form->high;
    if (!fits && form->other == NONE) return read_number(r, form, r->word, place, value);
    *value = fits ? (int)number : form->other;
    if (*end || end == r->word || !fits)
        mapped(r, r->line, "%s: '%.40s' is %d to HPL", form->name, r->word, *value);
    return true;
}

static bool hpl_list(reader *r, const line_form *form, char *line, linpack_hpl_list *list)
{
    const char *at = line;
    char copy[LINE], *left = copy;
    size_t used = 0;
    strcpy(copy, line);
    list->n = r->n;
    for (int k = 0; k < r->n; k++) {
        const bool there = hpl_word(r, line, &at);
        const char *meant = next_word(&left);
        if (!there) return wrong(r, "%s: value %d of %d is missing", form->name, k + 1, r->n);
        if (!*meant)
            mapped(r, r->line, "%s: value %d of %d is missing; HPL takes the word before it, '%s'",
                   form->name, k + 1, r->n, r->word);
        else if (strcmp(meant, r->word) != 0)
            mapped(r, r->line, "%s: value %d of %d is '%.40s' to HPL, by the blanks before it",
                   form->name, k + 1, r->n, r->word);
        if (*meant) used = (size_t)(meant - copy);
        if (!hpl_number(r, form, k + 1, &list->value[k])) return false;
    }
    if (memchr(line, '\t', used)) mapped(r, r->line, "%s: tabs are read as blanks", form->name);
    return true;
}

/* HPL does not ask whether there is a line: without the last one it takes the line before it. */
static bool hpl_line(reader *r, const line_form *form, linpack_hpl *hpl)
{
    char line[LINE] = "";
    const char *at = line;
    const bool last = form->to == TO(align);
    if (!next_line(r, form->name, line) && !(last && feof(r->file))) return false;
    void *to = (char *)hpl + form->to;
    if (form->kind == WORD) {
        char *left = line, *word = next_word(&left);
        snprintf(to, LINPACK_HPL_WORD, "%s", word);
        return true;
    }
    if (form->kind == LIST) return hpl_list(r, form, line, to);
    const char *what = line[0] ? "blank" : "missing";
    const bool empty = line[strspn(line, blank)] == '\0';
    if (!hpl_word(r, line, &at)) return wrong(r, "%s: it is missing", form->name);
    if (empty)
        mapped(r, r->line, "%s: the line is %s; HPL takes the word before it, '%.40s'", form->name,
               what, r->word);
    if (memchr(line, '\t', strspn(line, blank)))
        mapped(r, r->line, "%s: a tab is read as a blank", form->name);
    if (form->kind == REAL) {
        char *end;
        double *value = to;
        *value = strtod(r->word, &end);
        if (!isfinite(*value)) return read_real(r, form, r->word, value);
        if (*end) mapped(r, r->line, "%s: '%.40s' is %g to HPL", form->name, r->word, *value);
        return true;
    }
    if (form->kind == NUMBER) return hpl_number(r, form, 1, to);
    const line_form count = {COUNT, form->name, 0, 1, LINPACK_HPL_MOST, NONE};
    return hpl_number(r, &count, 1, &r->n);
}

/* HPCC's file has further lines behind HPL's. */
static void hpl_tail(reader *r)
{
    char line[LINE];
    int first = 0, n = 0;
    for (int k = r->line + 1; fgets(line, sizeof line, r->file); k++) {
        if (line[strspn(line, blank)] == '\0') continue;
        if (!n++) first = k;
    }
    if (n) mapped(r, first, "HPL's file ends before this line; from here on %d are not read", n);
}

/* Returns the number of the line of a value. */
static int line_of(size_t to)
{
    enum { HEADINGS = 2 };
    int k = 0;
    while (forms[k].to != to) k++;
    return HEADINGS + 1 + k;
}

static int largest_of(const linpack_hpl_list *list)
{
    int largest = list->value[0];
    for (int k = 1; k < list->n; k++)
        if (list->value[k] > largest) largest = list->value[k];
    return largest;
}

/* Values that HPL takes, but that mean something else here, or hardly what was meant. */
static void tell_odd(const reader *r, const linpack_hpl *hpl, int blocks)
{
    const int nb = largest_of(&hpl->block), stop = largest_of(&hpl->stop);
    for (int k = 0; k < hpl->order.n; k++)
        if (hpl->order.value[k] == 0) {
            mapped(r, line_of(TO(order)), "Ns: N = 0 has nothing to solve; HPL passes it");
            break;
        }
    if (nb > blocks)
        mapped(r, line_of(TO(block)), "NBs: %d: panels have %d columns at most", nb, blocks);
    if (stop > nb) mapped(r, line_of(TO(stop)), "NBMINs: %d exceeds the largest NB, %d", stop, nb);
}

/* ---- The file -------------------------------------------------------------------------------- */

static bool read_file(reader *r, int orders, int blocks, linpack_hpl *hpl)
{
    enum { HEADINGS = 2 };
    char line[LINE];
    memset(hpl, 0, sizeof *hpl);
    for (int k = 0; k < HEADINGS; k++)
        if (!next_line(r, "the heading", line)) return false;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        line_form form = forms[k];
        if (form.to == TO(order)) form.high = orders;
        if (form.to == TO(block)) form.high = r->tell ? INT_MAX : blocks;
        if (!(r->tell ? hpl_line : read_line)(r, &form, hpl)) return false;
        if (form.to == TO(device) && hpl->device != 6 && hpl->device != 7 && !hpl->output[0]) {
            r->line--;
            return wrong(r,
                         "the output file: it is missing, but device out is %d; expected a "
                         "name",
                         hpl->device);
        }
    }
    return true;
}

bool linpack_hpl_read_as_hpl(FILE *file, int orders, int blocks, linpack_hpl_tell *tell,
                             void *context, linpack_hpl *hpl, char *why, size_t why_size)
{
    reader r = {.file = file, .why = why, .why_size = why_size, .tell = tell, .context = context};
    if (!read_file(&r, orders, blocks, hpl)) return false;
    hpl_tail(&r);
    tell_odd(&r, hpl, blocks);
    return true;
}

bool linpack_hpl_read(FILE *file, int orders, int blocks, linpack_hpl *hpl, char *why,
                      size_t why_size)
{
    reader r = {.file = file, .why = why, .why_size = why_size};
    return read_file(&r, orders, blocks, hpl);
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
