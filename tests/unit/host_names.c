/* SPDX-License-Identifier: BSD-3-Clause */
/* host_names.c: names of hosts in few words, and back by cmrun's reader of ranges. */
#include <stdlib.h>
#include <string.h>
#include "launch/host_range.h"
#include "results/host_names.h"
#include "tap.h"

enum { HOSTS = 1200 };
typedef struct {
    char name[HOSTS][24];
    const char *at[HOSTS];
    size_t n;
} names;

static void add(names *all, const char *prefix, int width, size_t number, const char *suffix)
{
    if (all->n == HOSTS) return;
    snprintf(all->name[all->n], sizeof all->name[0], "%s%0*zu%s", prefix, width, number, suffix);
    all->at[all->n] = all->name[all->n];
    all->n++;
}

static bool says(const char *const *name, size_t n, size_t most, const char *want)
{
    char *text = suite_host_names(name, n, most);
    bool same = strcmp(text, want) == 0;
    if (!same) printf("# got '%s', want '%s'\n", text, want);
    free(text);
    return same;
}

static int compare(void *context, const char *name, size_t bytes)
{
    names *all = context;
    bool same = all->n > 0 && strlen(*all->at) == bytes && strncmp(*all->at, name, bytes) == 0;
    memmove(all->at, all->at + 1, (HOSTS - 1) * sizeof all->at[0]);
    all->n -= all->n > 0;
    return !same;
}

/* The parts between commas that are in no brackets. */
static bool comes_back(names *all)
{
    char *text = suite_host_names(all->at, all->n, HOSTS);
    const char *wrong = "";
    bool same = true;
    for (char *at = text, *end; same && *at; at = *end ? end + 1 : end) {
        bool inside = false;
        for (end = at; *end && (inside || *end != ','); end++)
            inside = *end == '[' || (inside && *end != ']');
        same = host_range_expand(at, (size_t)(end - at), compare, all, &wrong) == 0;
    }
    if (!same || all->n > 0) printf("# %.200s: %s, %zu left\n", text, wrong, all->n);
    same = same && all->n == 0;
    free(text);
    return same;
}

int main(void)
{
    static names all;
    const char *const few[] = {"n1", "n2", "n4", "n9", "n10", "login", "m007", "m008"};
    ok(says(few, 8, 10, "n[1-2,4,9-10],login,m[007-008]"), "ranges");
    ok(says(few, 6, 3, "n[1-2,4,9-10] and 1 more"), "no more than asked for");
    ok(says(few, 8, 1, "n[1-2] and 6 more"), "one range");
    ok(says(few, 1, 1, "n1"), "one host");
    ok(says((const char *const[]){"a", "b"}, 2, 9, "a,b"), "names without numbers");
    ok(says((const char *const[]){"r1n2.x", "r1n3.x"}, 2, 9, "r1n[2-3].x"), "a domain");
    ok(says((const char *const[]){"n09", "n010"}, 2, 9, "n[09,010]"), "other widths");
    ok(says((const char *const[]){"n3", "n3"}, 2, 9, "n[3,3]"), "a name twice");
    for (size_t k = 1; k <= 1024; k++)
        if (k != 518) add(&all, "n", 4, k, "");
    ok(says(all.at, all.n, 9, "n[0001-0517,0519-1024]"), "a thousand hosts");
    ok(comes_back(&all), "come back");
    for (size_t k = 0; k < 900; k++)
        add(&all, k % 7 == 0 ? "rack1-n" : "n", k % 3 ? 0 : 3, 997 * k % 1003,
            k % 5 == 0 ? ".local" : "");
    ok(comes_back(&all), "and so do names in disorder");
    return tap_done();
}
