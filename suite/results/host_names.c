/* SPDX-License-Identifier: BSD-3-Clause */
/* host_names.c: finds ranges in host names. The names of a range have the same text around a
   number. The numbers have the same width, or no leading zeros. */
#include "config.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "host_names.h"
#include "common/memory.h"

/* The last number of a name before its domain: n[17].cluster. digits is 0 if it has none. */
typedef struct {
    const char *name;
    size_t before, digits;
    unsigned long number;
} parts;

static parts parts_of(const char *name)
{
    enum { DIGITS_MOST = 9 };
    parts p = {.name = name};
    size_t end = strcspn(name, ".");
    while (end > 0 && !isdigit((unsigned char)name[end - 1])) end--;
    p.before = end;
    while (p.before > 0 && isdigit((unsigned char)name[p.before - 1])) p.before--;
    if (end - p.before > DIGITS_MOST || strpbrk(name, "[],: ")) return (parts){.name = name};
    p.digits = end - p.before;
    if (p.digits > 0) p.number = strtoul(name + p.before, NULL, 10);
    return p;
}

static bool is_alike(const parts *a, const parts *b)
{
    return a->digits > 0 && b->digits > 0 && a->before == b->before
           && strncmp(a->name, b->name, a->before) == 0
           && strcmp(a->name + a->before + a->digits, b->name + b->before + b->digits) == 0;
}

/* n9 is followed by n10, n09 by n10, but n09 not by n010. */
static bool is_next(const parts *a, const parts *b)
{
    bool padded = a->name[a->before] == '0' && a->digits > 1;
    bool wider = b->digits == a->digits + 1 && !padded && b->name[b->before] != '0';
    return is_alike(a, b) && b->number == a->number + 1 && (b->digits == a->digits || wider);
}

/* Names from `from` on that follow each other. */
static size_t run_length(const char *const *name, size_t from, size_t n)
{
    size_t k = from + 1;
    for (parts last = parts_of(name[from]); k < n; k++) {
        parts next = parts_of(name[k]);
        if (!is_next(&last, &next)) break;
        last = next;
    }
    return k - from;
}

static void print_numbers(FILE *out, const char *const *name, size_t from, size_t length)
{
    parts first = parts_of(name[from]), last = parts_of(name[from + length - 1]);
    fprintf(out, "%.*s", (int)first.digits, first.name + first.before);
    if (length > 1) fprintf(out, "-%.*s", (int)last.digits, last.name + last.before);
}

/* One name, or all runs of names that differ in the number alone: n[1-4,7]. Returns how many names
   these are, of at most `most` runs, which are counted. */
static size_t print_group(FILE *out, const char *const *name, size_t from, size_t n, size_t most,
                          size_t *runs)
{
    parts first = parts_of(name[from]);
    size_t length = run_length(name, from, n), at = from + length;
    parts next = at < n ? parts_of(name[at]) : (parts){.name = ""};
    ++*runs;
    if (length == 1 && !(is_alike(&first, &next) && *runs < most)) {
        fputs(name[from], out);
        return 1;
    }
    fprintf(out, "%.*s[", (int)first.before, first.name);
    print_numbers(out, name, from, length);
    for (; at < n && *runs < most; at += length, ++*runs) {
        next = parts_of(name[at]);
        if (!is_alike(&first, &next)) break;
        length = run_length(name, at, n);
        putc(',', out);
        print_numbers(out, name, at, length);
    }
    fprintf(out, "]%s", first.name + first.before + first.digits);
    return at - from;
}

char *suite_host_names(const char *const *name, size_t n, size_t most)
{
    char *text = NULL;
    size_t bytes, runs = 0, done = 0;
    FILE *out = open_memstream(&text, &bytes);
    while (out && done < n && runs < most) {
        if (done > 0) putc(',', out);
        done += print_group(out, name, done, n, most, &runs);
    }
    if (out && done < n) fprintf(out, " and %zu more", n - done);
    if (!out || fclose(out) == EOF || !text) {
        free(text);
        return suite_text("%zu hosts", n);
    }
    return text;
}
