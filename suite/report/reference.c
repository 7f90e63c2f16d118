/* SPDX-License-Identifier: BSD-3-Clause */
/* reference.c: reads and writes tables of results of other computers, and of bounds. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/lines.h"
#include "common/memory.h"
#include "reference.h"
#include "result/read.h"

/* ---- Reading --------------------------------------------------------------------------------- */

enum { QUANTITY, VALUE, UNIT, MACHINE, SOURCE, FIELDS };

typedef struct {
    suite_references *references;
    bool own;
} reading;

/* The kind of "memory", and of "memory bound". NULL: there is none. */
static const suite_tile_kind *kind_of(const char *quantity, bool *bound)
{
    for (size_t k = 0; k < suite_tile_n_kinds; k++) {
        size_t length = strlen(suite_tile_kinds[k].key);
        if (strncmp(quantity, suite_tile_kinds[k].key, length) != 0) continue;
        *bound = strcmp(quantity + length, " bound") == 0;
        if (*bound || !quantity[length]) return &suite_tile_kinds[k];
    }
    return NULL;
}

/* Says which quantities there are. */
static bool fail_quantity(const suite_position *at, const char *text)
{
    char *keys = suite_copy(suite_tile_kinds[0].key);
    for (size_t k = 1; k < suite_tile_n_kinds; k++) {
        char *longer = suite_text("%s%s%s", keys, k + 1 < suite_tile_n_kinds ? ", " : " or ",
                                  suite_tile_kinds[k].key);
        free(keys);
        keys = longer;
    }
    char *all = suite_text("%s, or \"bound\" behind one of them", keys);
    suite_lines_fail_value(at, "quantity", text, all);
    free(keys);
    free(all);
    return false;
}

static bool read_line(void *context, char *line, const suite_position *at)
{
    const reading *reading = context;
    suite_references *all = reading->references;
    suite_reference new = {.own = reading->own};
    char *field[FIELDS];
    if (!suite_lines_split(at, "line", line, FIELDS, field)) return false;
    new.kind = kind_of(field[QUANTITY], &new.bound);
    if (!new.kind) return fail_quantity(at, field[QUANTITY]);
    if (!cm_record_number(field[VALUE], &new.value) || new.value <= 0)
        return suite_lines_fail_value(at, "value", field[VALUE], "a number above 0");
    if (strcmp(field[UNIT], new.kind->unit) != 0)
        return suite_lines_fail_value(at, "unit", field[UNIT], new.kind->unit);
    if (!*field[MACHINE]) return suite_lines_fail(at, "machine", "expected its name");
    if (!*field[SOURCE]) return suite_lines_fail(at, "source", "expected where that is from");
    new.machine = suite_copy(field[MACHINE]);
    new.source = suite_copy(field[SOURCE]);
    all->reference = suite_longer(all->reference, all->n + 1, sizeof all->reference[0]);
    all->reference[all->n++] = new;
    return true;
}

static bool read_file(suite_references *references, const char *path, bool own)
{
    reading reading = {references, own};
    return suite_lines_read(path, read_line, &reading);
}

/* The user's own file; NULL if there is none, which is no error. */
static char *own_file(void)
{
    const char *named = getenv("CM_REFERENCES");
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    char *path = NULL;
    if (named && *named) return suite_copy(named);
    if (config && *config) path = suite_text("%s/clustermark/references.tab", config);
    else if (home && *home) path = suite_text("%s/.config/clustermark/references.tab", home);
    if (path && access(path, F_OK) == 0) return path;
    free(path);
    return NULL;
}

bool suite_references_read(const suite_home *home, bool with_own, suite_references *references)
{
    char *path = suite_home_file(home, "suite/references.tab"), *own = with_own ? own_file() : NULL;
    *references = (suite_references){0};
    bool right = read_file(references, path, false) && (!own || read_file(references, own, true));
    free(path);
    free(own);
    return right;
}

void suite_references_free(suite_references *references)
{
    for (size_t k = 0; k < references->n; k++) {
        free(references->reference[k].machine);
        free(references->reference[k].source);
    }
    free(references->reference);
    *references = (suite_references){0};
}

/* ---- Choosing and writing -------------------------------------------------------------------- */

static bool is_better(const suite_tile_kind *kind, double a, double b)
{
    return kind->less_is_better ? a <= b : a >= b;
}

static bool is_nearer(const suite_reference *a, const suite_reference *b, double value)
{
    if (a->own != b->own) return a->own;
    return fabs(log(a->value / value)) < fabs(log(b->value / value));
}

const suite_reference *suite_references_nearest(const suite_references *references,
                                                const suite_tile_kind *kind, double value,
                                                bool better)
{
    const suite_reference *found = NULL;
    for (size_t k = 0; k < references->n; k++) {
        const suite_reference *r = &references->reference[k];
        if (r->bound || r->kind != kind || is_better(kind, r->value, value) != better) continue;
        if (!found || is_nearer(r, found, value)) found = r;
    }
    return found;
}

static bool is_any(const suite_reference *bound) { return strcmp(bound->machine, "any") == 0; }

static bool is_of(const suite_reference *bound, const char *cpu)
{
    return is_any(bound) || (cpu && strstr(cpu, bound->machine));
}

/* The user's, then that of the longest name. */
static bool is_closer(const suite_reference *a, const suite_reference *b)
{
    if (a->own != b->own) return a->own;
    if (is_any(a) != is_any(b)) return is_any(b);
    return strlen(a->machine) > strlen(b->machine);
}

const suite_reference *suite_references_bound(const suite_references *references,
                                              const suite_tile_kind *kind, const char *cpu)
{
    const suite_reference *found = NULL;
    for (size_t k = 0; k < references->n; k++) {
        const suite_reference *r = &references->reference[k];
        if (!r->bound || r->kind != kind || !is_of(r, cpu)) continue;
        if (!found || is_closer(r, found)) found = r;
    }
    return found;
}

void suite_reference_write(FILE *out, const suite_reference *reference)
{
    fprintf(out, "%s | %.6g | %s | %s | %s\n", reference->kind->key, reference->value,
            reference->kind->unit, reference->machine, reference->source);
}
