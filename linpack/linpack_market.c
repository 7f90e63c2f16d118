/* SPDX-License-Identifier: BSD-3-Clause */
/* linpack_market.c: reads matrices from Matrix Market files (Boisvert, Pozo, Remington 1996):
   coordinate or array, real, integer or pattern, general, symmetric or skew-symmetric. As SciPy's
   mmread it takes comments, blank lines and CRLF anywhere, and refuses what is missing, what is too
   much, and fractions in files of integers; other than that it reads Fortran's 1.5D+03 and refuses
   what is not finite. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include "linpack_matrix.h"
#include "linpack_options.h"
#include "linpack_solvers.h"

typedef struct {
    int32_t row, column;
    double value;
} entry;
typedef struct {
    FILE *file;
    const char *path;
    long line;
    int order;
    int64_t stored; /* numbers in the file */
    bool coordinate, pattern, integer;
    int mirror; /* 0 general, 1 symmetric, -1 skew-symmetric */
    char why[256];
} market;

__attribute__((format(printf, 2, 3))) static bool wrong(market *m, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(m->why, sizeof m->why, format, list);
    va_end(list);
    return false;
}

/* Reads past the rest of a line that is longer than the buffer. */
static void skip_rest(FILE *file)
{
    int c;
    do c = getc(file);
    while (c != '\n' && c != EOF);
}

/* Reads the next line that is neither a comment nor empty. Without one, m->why is empty. */
static bool next_line(market *m, char *line, int size)
{
    m->why[0] = '\0';
    while (fgets(line, size, m->file)) {
        m->line++;
        const char *text = line + strspn(line, " \t\r\n");
        const bool whole = strchr(line, '\n') || feof(m->file);
        if (!whole && *text != '%')
            return wrong(m, "line %ld is longer than %d characters", m->line, size - 2);
        if (!whole) skip_rest(m->file);
        if (*text && *text != '%') return true;
    }
    return false;
}

static bool needed_line(market *m, char *line, int size)
{
    return next_line(m, line, size)
           || (m->why[0] ? false
                         : wrong(m, "it ends after line %ld, before the last number", m->line));
}

static bool open_header(market *m)
{
    char line[1100], banner[64], object[64], format[64], field[64], symmetry[64];
    struct stat there;
    /* It is read twice: first its order, then, where the memory is there, its numbers. */
    if (stat(m->path, &there) == 0 && !S_ISREG(there.st_mode))
        return wrong(m, "expected a regular file");
    m->file = fopen(m->path, "r");
    if (!m->file) return wrong(m, "%s", strerror(errno));
    m->line = 1;
    if (!fgets(line, sizeof line, m->file)
        || sscanf(line, "%63s %63s %63s %63s %63s", banner, object, format, field, symmetry) != 5
        || strcasecmp(banner, "%%MatrixMarket") || strcasecmp(object, "matrix"))
        return wrong(m, "line 1 is not '%%%%MatrixMarket matrix FORMAT FIELD SYMMETRY'");
    m->coordinate = !strcasecmp(format, "coordinate");
    if (!m->coordinate && strcasecmp(format, "array"))
        return wrong(m, "its format is '%s'; expected coordinate or array", format);
    m->pattern = !strcasecmp(field, "pattern");
    if ((m->pattern && !m->coordinate)
        || (!m->pattern && strcasecmp(field, "real") && strcasecmp(field, "integer")))
        return wrong(m, "its numbers are '%s'; expected real or integer", field);
    m->integer = !strcasecmp(field, "integer");
    m->mirror = !strcasecmp(symmetry, "symmetric")        ? 1
                : !strcasecmp(symmetry, "skew-symmetric") ? -1
                                                          : 0;
    if (!m->mirror && strcasecmp(symmetry, "general"))
        return wrong(m, "it is '%s'; expected general, symmetric or skew-symmetric", symmetry);

    long long rows, columns, entries = 0;
    char more[2];
    if (!needed_line(m, line, sizeof line)) return false;
    const int numbers = m->coordinate
                            ? sscanf(line, "%lld %lld %lld %1s", &rows, &columns, &entries, more)
                            : sscanf(line, "%lld %lld %1s", &rows, &columns, more);
    if (numbers != (m->coordinate ? 3 : 2) || entries < 0)
        return wrong(m, "line %ld should have the numbers of rows%s columns%s", m->line,
                     m->coordinate ? "," : " and", m->coordinate ? " and entries" : "");
    if (rows != columns)
        return wrong(m, "it has %lld rows and %lld columns; expected a square matrix", rows,
                     columns);
    if (rows < 1 || rows > LINPACK_ORDER_MOST)
        return wrong(m, "its order is %lld; expected 1 to %d", rows, LINPACK_ORDER_MOST);
    m->order = (int)rows;
    m->stored = m->coordinate   ? entries
                : !m->mirror    ? rows * rows
                : m->mirror > 0 ? rows * (rows + 1) / 2
                                : rows * (rows - 1) / 2;
    if (m->coordinate && entries > rows * rows)
        return wrong(m, "it has more entries (%lld) than places", entries);
    return true;
}

/* Reads a number at *at and moves *at past it. Fortran writes exponents of double precision with a
   D. The format does not allow C's hexadecimal numbers and names of infinity. */
static bool read_value(const market *m, char **at, double *value)
{
    char *end;
    for (char *c = *at; *c; c++)
        if (*c == 'd' || *c == 'D') *c = 'e';
    *at += strspn(*at, " \t");
    const size_t length = strcspn(*at, " \t\r\n");
    errno = 0;
    if (m->integer) *value = (double)strtoll(*at, &end, 10);
    else *value = strtod(*at, &end);
    const bool fits = errno != ERANGE || (!m->integer && *value != 0);
    const bool is_number = length > 0 && end == *at + length && isfinite(*value) && fits
                           && strspn(*at, "+-.0123456789eE") == length;
    *at = end;
    return is_number;
}

static bool read_entries(market *m, double largest, entry *entries)
{
    char line[1100];
    int row = m->mirror < 0 ? 2 : 1, column = 1;
    for (int64_t k = 0; k < m->stored; k++) {
        if (!needed_line(m, line, sizeof line)) return false;
        char *at = line, *end;
        long long i = row, j = column;
        if (m->coordinate) {
            i = strtoll(at, &end, 10);
            j = strtoll(end, &at, 10);
            if (i < 1 || j < 1 || i > m->order || j > m->order || at == end)
                return wrong(m, "line %ld names no element of a matrix of order %d", m->line,
                             m->order);
        }
        double value = 1;
        if (!m->pattern && !read_value(m, &at, &value))
            return wrong(m, "line %ld: expected %s", m->line,
                         m->integer ? "an integer of at most 64 bits"
                                    : "a finite number that double precision has");
        if (fabs(value) > largest)
            return wrong(m, "line %ld: %g is beyond single precision; use --precision double",
                         m->line, value);
        if (at[strspn(at, " \t\r\n")])
            return wrong(m, "line %ld has text after its numbers", m->line);
        entries[k] = (entry){(int32_t)i, (int32_t)j, value};
        if (!m->coordinate && ++row > m->order) {
            column++;
            row = m->mirror > 0 ? column : m->mirror < 0 ? column + 1 : 1;
        }
    }
    if (next_line(m, line, sizeof line))
        return wrong(m, "line %ld comes after the last of %lld numbers", m->line,
                     (long long)m->stored);
    return !m->why[0];
}

int linpack_market_order(const cm_program *program, const char *path, int64_t *entries)
{
    market m = {.path = path};
    bool good = open_header(&m);
    if (m.file) fclose(m.file);
    if (!good) cm_option_error(program, "--matrix %s: %s", path, m.why);
    *entries = m.stored;
    return good ? m.order : 0;
}

size_t linpack_market_bytes(int64_t entries)
{
    return (size_t)entries * 2 * (sizeof(entry) + sizeof(int32_t) + sizeof(double));
}

/* Sorts entries into rows. Several entries of one element, which the format allows, are added when
   the row is made. */
static void sort_rows(linpack_matrix *matrix, const entry *entries, int64_t n)
{
    int64_t *start = matrix->row_start;
    for (int64_t k = 0; k < n; k++) start[entries[k].row]++;
    for (int i = 0; i < matrix->order; i++) start[i + 1] += start[i];
    for (int64_t k = n - 1; k >= 0; k--) {
        /* start[row] counts down from the row's end to its beginning. */
        int64_t to = --start[entries[k].row];
        matrix->column[to] = entries[k].column - 1;
        matrix->value[to] = entries[k].value;
    }
    memmove(start, start + 1, (size_t)matrix->order * sizeof *start);
    start[matrix->order] = n;
}

void linpack_market_read(const char *path, double largest, linpack_matrix *matrix)
{
    cm_group *world = cm_world();
    market m = {.path = path};
    entry *entries = NULL;
    int64_t head[2] = {0, 0};
    if (cm_rank(world) == 0) {
        bool good = open_header(&m);
        if (good)
            entries =
                linpack_allocate(2 * (size_t)m.stored, sizeof *entries, "the matrix's entries");
        if (good) good = read_entries(&m, largest, entries);
        if (m.file) fclose(m.file);
        if (!good) cm_abort(CM_EXIT_USAGE, "--matrix %s: %s", path, m.why);
        int64_t n = m.stored;
        for (int64_t k = 0; m.mirror && k < m.stored; k++)
            if (entries[k].row != entries[k].column)
                entries[n++] =
                    (entry){entries[k].column, entries[k].row, m.mirror * entries[k].value};
        head[0] = m.order, head[1] = n;
    }
    cm_bcast(world, head, sizeof head, 0, CM_AUTO);
    matrix->order = (int)head[0];
    size_t n = (size_t)head[1];
    if (!entries) entries = linpack_allocate(n, sizeof *entries, "the matrix's entries");
    cm_bcast(world, entries, n * sizeof *entries, 0, CM_AUTO);
    matrix->row_start =
        linpack_allocate((size_t)matrix->order + 2, sizeof *matrix->row_start, "the matrix's rows");
    matrix->column = linpack_allocate(n, sizeof *matrix->column, "the matrix's columns");
    matrix->value = linpack_allocate(n, sizeof *matrix->value, "the matrix's elements");
    sort_rows(matrix, entries, (int64_t)n);
    free(entries);
}
