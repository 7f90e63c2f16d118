/* SPDX-License-Identifier: BSD-3-Clause */
/* history_changes.c: what of the machine changed from one kept result to the next. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/index.h"
#include "common/memory.h"
#include "history.h"

/* What is marked, and how people call it. Sizes that differ from boot to boot are not. */
static const struct {
    const char *part, *key, *what;
} watched[] = {
    {"machine", "cpu", "processor"},
    {"machine", "kernel", "kernel"},
    {"machine", "microcode", "microcode"},
    {"machine", "bios", "firmware"},
    {"machine", "firmware", "firmware"},
    {"machine", "driver", "driver"},
    {"machine", "mpi", "MPI"},
    {"machine", "comm", "backend"},
    {"machine", "comm_version", "MPI or backend"},
    {"machine", "interface", "interface"},
    {"machine", "blas", "BLAS"},
    {"machine", "blas_version", "BLAS"},
    {"machine", "cc", "C compiler"},
    {"machine", "cc_version", "C compiler"},
    {"machine", "cflags", "C flags"},
    {"machine", "fc", "Fortran compiler"},
    {"machine", "fc_version", "Fortran compiler"},
    {"machine", "fcflags", "Fortran flags"},
    {"machine", "huge_pages", "huge pages"},
    {"machine", "smt", "SMT"},
    {"machine", "cores", "cores"},
    {"machine", "clock_source", "clock source"},
    {"machine", "virtualization", "virtualization"},
    {"machine", "container", "container"},
    {"run", "version", "clustermark"},
    {"machine", "revision", "clustermark"},
};
enum { WATCHED = sizeof watched / sizeof *watched };

static void add(history_change **change, size_t *n, history_change one)
{
    *change = suite_longer(*change, *n + 1, sizeof one);
    (*change)[(*n)++] = one;
}

/* Values that are not told are no change. */
static void find_general(history *all)
{
    const char *last[WATCHED] = {NULL};
    for (size_t k = 0; k < all->kept.n; k++)
        for (size_t w = 0; w < WATCHED; w++) {
            const char *now = suite_kept_told(&all->kept.kept[k], watched[w].part, watched[w].key);
            if (!now) continue;
            if (last[w] && strcmp(last[w], now) != 0)
                add(&all->change, &all->n_changes,
                    (history_change){k, watched[w].what, last[w], now});
            last[w] = now;
        }
}

/* Only what this host had otherwise than the first one, before or after: the rest is general. */
static void find_own(const history *all, const suite_index *names, history_host *host)
{
    const char *last[WATCHED] = {NULL};
    bool was_own[WATCHED] = {false};
    for (size_t k = 0; k < all->kept.n; k++) {
        const suite_kept *kept = &all->kept.kept[k];
        const size_t place = suite_index_find(&names[k], host->name);
        const suite_kept_host *here = place < kept->n_hosts ? &kept->host[place] : NULL;
        for (size_t w = 0; here && w < WATCHED; w++) {
            if (strcmp(watched[w].part, "machine") != 0) continue;
            const json_t *own = json_object_get(here->machine, watched[w].key);
            const char *now =
                own ? json_string_value(own) : suite_kept_told(kept, "machine", watched[w].key);
            if (!now) continue;
            if (last[w] && strcmp(last[w], now) != 0 && (own || was_own[w]))
                add(&host->change, &host->n_changes,
                    (history_change){k, watched[w].what, last[w], now});
            last[w] = now;
            was_own[w] = own != NULL;
        }
    }
}

void history_find_changes(history *all)
{
    find_general(all);
    suite_index *names = suite_array(all->kept.n, sizeof *names);
    for (size_t k = 0; k < all->kept.n; k++)
        for (size_t h = 0; h < all->kept.kept[k].n_hosts; h++)
            suite_index_add(&names[k], all->kept.kept[k].host[h].name);
    for (size_t h = 0; h < all->n_hosts; h++) find_own(all, names, &all->host[h]);
    for (size_t k = 0; k < all->kept.n; k++) suite_index_free(&names[k]);
    free(names);
}
