/* SPDX-License-Identifier: BSD-3-Clause */
/* tuning.c: the tables of measured choices in use: that of CM_TUNING, the built-in one of this
   backend, and the paper's. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "base/hash.h"
#include "base/launch_rank.h"
#include "comm/backend.h"
#include "comm/hosts.h"
#include "comm/tuning.h"

/* The text of each tuning/NAME.tab, in the order of their names. */
static const struct {
    const char *name, *text;
} built_in[] = {
#include "comm/tuning_tables.inc"
};
enum { BUILT_IN = sizeof built_in / sizeof *built_in, LEVELS = 3, MOST_BYTES = 1 << 20 };

static struct {
    bool open;
    cm_tuning_table table[LEVELS]; /* in the order in which they are asked */
    int most[CM_TUNING_PLACES];    /* ranks in the backend's table */
    char *path;                    /* of CM_TUNING's; NULL: none */
    uint64_t checksum;
} in_use;

static void add_to_checksum(const char *text)
{
    if (!in_use.checksum) in_use.checksum = CM_HASH_BEGIN;
    in_use.checksum = cm_hash_text(in_use.checksum, text);
}

/* What a table chooses: another date or comment makes no other job. */
static void add_rows_to_checksum(const cm_tuning_table *table)
{
    for (size_t i = 0; i < table->n; i++) {
        const cm_tuning_row *row = &table->row[i];
        char name[48], line[160];
        cm_algorithm_text(row->algorithm, name, sizeof name);
        snprintf(line, sizeof line, "%s %s %d %zu %s\n", cm_collective_name(row->collective),
                 cm_tuning_places[row->place], row->ranks, row->from_bytes, name);
        add_to_checksum(line);
    }
    add_to_checksum("end\n");
}

/* Not every backend has a table of its own. */
static void open_built_in(int level, const char *name)
{
    char why[512];
    for (int k = 0; k < BUILT_IN; k++) {
        if (strcmp(built_in[k].name, name) != 0) continue;
        if (!cm_tuning_parse(built_in[k].text, &in_use.table[level], why, sizeof why))
            cm_abort(CM_EXIT_SYSTEM, "tuning/%s.tab, %s", name, why);
        add_rows_to_checksum(&in_use.table[level]);
    }
}

static void open_built_ins(void)
{
    if (in_use.open) return;
    in_use.open = true;
    open_built_in(1, CM_COMM);
    open_built_in(2, "paper");
    const cm_tuning_table *own = &in_use.table[1];
    for (size_t i = 0; i < own->n; i++) {
        int *most = &in_use.most[own->row[i].place];
        if (own->row[i].ranks > *most) *most = own->row[i].ranks;
    }
}

/* Opens a plain file only: to open a pipe without a writer, or to read it, would wait for ever. */
static FILE *open_plain(const char *path, char *why, size_t capacity)
{
    struct stat is;
    const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    FILE *stream = NULL;
    if (file >= 0 && fstat(file, &is) == 0 && !S_ISREG(is.st_mode))
        snprintf(why, capacity, "not a plain file");
    else if (file < 0 || !(stream = fdopen(file, "r")))
        snprintf(why, capacity, "%s", strerror(errno));
    if (file >= 0 && !stream) close(file);
    return stream;
}

/* Returns the text of a file, or NULL with the reason in why. */
static char *read_file(const char *path, char *why, size_t capacity)
{
    FILE *file = open_plain(path, why, capacity);
    if (!file) return NULL;
    char *text = malloc(MOST_BYTES + 1);
    const size_t n = text ? fread(text, 1, MOST_BYTES + 1, file) : 0;
    bool good = false;
    if (!text || ferror(file)) snprintf(why, capacity, "%s", strerror(errno));
    else if (n > MOST_BYTES) snprintf(why, capacity, "more than %d bytes", MOST_BYTES);
    else if (memchr(text, 0, n)) snprintf(why, capacity, "not a text: it has a byte of value 0");
    else good = true;
    fclose(file);
    if (!good) {
        free(text);
        return NULL;
    }
    text[n] = 0;
    return text;
}

static bool open_file(const char *path, char *why, size_t capacity)
{
    char *text = read_file(path, why, capacity);
    if (!text) return false;
    cm_tuning_table *table = &in_use.table[0];
    bool good = cm_tuning_parse(text, table, why, capacity);
    if (good && strcmp(table->backend, CM_COMM) != 0) {
        snprintf(why, capacity, "measured over %s; expected a table of %s", table->backend,
                 CM_COMM);
        good = false;
    }
    if (good) add_rows_to_checksum(table);
    else cm_tuning_free(table);
    free(text);
    return good;
}

int cm_tuning_open(const char *path)
{
    char why[1024];
    open_built_ins();
    if (!path) return 0;
    if (open_file(path, why, sizeof why)) {
        in_use.path = strdup(path);
        return 0;
    }
    if (cm_launch_rank() != 0) return 0;
    fprintf(stderr, "clustermark: CM_TUNING=%s: %s; cm-collective --write-tuning FILE writes one\n",
            path, why);
    return CM_EXIT_USAGE;
}

uint64_t cm_tuning_checksum(void)
{
    open_built_ins();
    return in_use.checksum ^ cm_backend_direct(); /* some rows are not used without it */
}

const char *cm_tuning_source(cm_group *world)
{
    static char text[80];
    open_built_ins();
    if (in_use.path) return in_use.path;
    if (!in_use.table[1].n) return "built in: paper";
    const cm_tuning_place place = cm_backend_oversubscribed() ? CM_TUNING_SHARED : CM_TUNING_OWN;
    snprintf(text, sizeof text, "built in: " CM_COMM "; from %d ranks on%s: paper",
             2 * in_use.most[place], cm_hosts_of(world)->hosts > 1 ? " and between hosts" : "");
    return text;
}

const cm_tuning_row *cm_tuning_find(cm_collective collective, cm_tuning_place place, int ranks,
                                    size_t *n)
{
    open_built_ins();
    const cm_tuning_row *row = NULL;
    for (int level = 0; level < LEVELS && !row; level++)
        row =
            cm_tuning_rows(&in_use.table[level], collective, place, ranks, level == LEVELS - 1, n);
    /* The last table has few rows for ranks that share cores. */
    if (!row)
        row = cm_tuning_rows(&in_use.table[LEVELS - 1], collective, CM_TUNING_OWN, ranks, true, n);
    return row;
}

cm_tuning_place cm_tuning_place_of(cm_group *group)
{
    if (cm_hosts_of(group)->hosts > 1) return CM_TUNING_BETWEEN;
    return cm_backend_oversubscribed() ? CM_TUNING_SHARED : CM_TUNING_OWN;
}
