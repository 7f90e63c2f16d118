/* SPDX-License-Identifier: BSD-3-Clause */
/* host_range.c: expands ranges in names of hosts. */
#include "config.h"
#include <stdio.h>
#include <string.h>
#include "launch/host_range.h"

typedef struct {
    int (*each)(void *context, const char *name, size_t bytes);
    void *context;
    const char **wrong;
    char name[HOST_NAME_MOST + 1];
    int names;
} expansion;

typedef struct {
    int first, last, width;
} range;

static int fail(expansion *e, const char *wrong)
{
    *e->wrong = wrong;
    return -1;
}

/* Reads a number of at most 9 digits. Returns what follows it, or NULL. */
static const char *read_number(const char *text, const char *end, int *number)
{
    const char *c = text;
    for (*number = 0; c < end && *c >= '0' && *c <= '9'; c++) {
        if (c - text >= 9) return NULL;
        *number = 10 * *number + (*c - '0');
    }
    return c > text ? c : NULL;
}

/* Reads "FIRST" or "FIRST-LAST". Returns what follows it, or NULL. */
static const char *read_range(const char *text, const char *end, range *range)
{
    const char *c = read_number(text, end, &range->first);
    if (!c) return NULL;
    range->last = range->first;
    range->width = (int)(c - text);
    if (c < end && *c == '-' && !(c = read_number(c + 1, end, &range->last))) return NULL;
    return c == end || *c == ',' ? c : NULL;
}

static int expand(expansion *e, size_t used, const char *rest, size_t bytes);

/* The name's first `used` bytes are written; one range comes next, then rest. */
static int expand_range(expansion *e, size_t used, const range *range, const char *rest,
                        size_t bytes)
{
    if (range->last < range->first) return fail(e, "has a range that ends before it begins");
    for (int k = range->first; k <= range->last; k++) {
        size_t room = sizeof e->name - used;
        int n = snprintf(e->name + used, room, "%0*d", range->width, k);
        if ((size_t)n >= room) return fail(e, "is longer than 255 characters");
        int status = expand(e, used + (size_t)n, rest, bytes);
        if (status) return status;
    }
    return 0;
}

static int expand(expansion *e, size_t used, const char *rest, size_t bytes)
{
    const char *open = memchr(rest, '[', bytes), *end = rest + bytes;
    size_t plain = open ? (size_t)(open - rest) : bytes;
    if (used + plain >= sizeof e->name) return fail(e, "is longer than 255 characters");
    memcpy(e->name + used, rest, plain);
    used += plain;
    if (!open) {
        if (++e->names > HOST_NAMES_MOST) return fail(e, "stands for more than 8192 hosts");
        e->name[used] = '\0';
        return e->each(e->context, e->name, used);
    }
    const char *close = memchr(open, ']', (size_t)(end - open)), *item = open + 1;
    if (!close) return fail(e, "has no ']' after its '['");
    for (;; item++) {
        range range;
        item = read_range(item, close, &range);
        if (!item) return fail(e, "has no valid range in its brackets");
        int status = expand_range(e, used, &range, close + 1, (size_t)(end - close - 1));
        if (status || item == close) return status;
    }
}

int host_range_expand(const char *text, size_t bytes,
                      int (*each)(void *context, const char *name, size_t bytes), void *context,
                      const char **wrong)
{
    expansion e = {.each = each, .context = context, .wrong = wrong};
    return expand(&e, 0, text, bytes);
}
