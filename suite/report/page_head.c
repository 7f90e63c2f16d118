/* SPDX-License-Identifier: BSD-3-Clause */
/* page_head.c: the head of the report's page, and what was measured where, over what, and when. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "common/unit.h"
#include "page.h"
#include "pages.h"
#include "results/took.h"

static const char *meta(const suite_page *page, const char *key)
{
    const char *value = page->first ? cm_record_meta(page->first, key) : NULL;
    return value && *value ? value : NULL;
}

/* The first result of a program that uses a BLAS; NULL: there is none. */
static const cm_record *with_blas(const suite_page *page)
{
    for (size_t r = 0; r < page->table->n; r++)
        if (page->entry[r].state == SUITE_COMPLETE
            && cm_record_meta(&page->entry[r].record, "blas"))
            return &page->entry[r].record;
    return NULL;
}

/* "OpenBLAS 0.3.21"; the caller frees. */
static char *blas_of(const cm_record *record)
{
    const char *name = record ? cm_record_meta(record, "blas") : NULL;
    const char *version = record ? cm_record_meta(record, "blas_version") : NULL;
    return name ? suite_text("%s%s%s", name, version ? " " : "", version ? version : "") : NULL;
}

static const char *either(const char *a, const char *b) { return a ? a : b; }

typedef struct {
    const char *began; /* the first of all launches; NULL: no result says it */
    double all_s, most_s;
    size_t n, untold; /* benchmarks whose results say how long their launches took, and others */
    const char *longest;
} took;

/* How long the run took. */
static took read_took(const suite_page *page)
{
    took t = {0};
    for (size_t r = 0; r < page->table->n; r++) {
        if (page->entry[r].state != SUITE_COMPLETE) continue;
        const char *date = suite_took_begun(&page->entry[r].record);
        const double seconds = suite_took_s(&page->entry[r].record);
        if (date && (!t.began || strcmp(date, t.began) < 0)) t.began = date;
        if (isnan(seconds)) {
            t.untold++;
            continue;
        }
        t.n++;
        t.all_s += seconds;
        if (seconds >= t.most_s) t.longest = page->table->run[r].heading;
        t.most_s = fmax(t.most_s, seconds);
    }
    return t;
}

static void print_took(FILE *out, const took *t)
{
    char all[SUITE_DURATION], most[SUITE_DURATION];
    piece_about_took(out, t->began, suite_duration(t->all_s, all), t->n, t->untold,
                     t->n > 1 ? t->longest : NULL, suite_duration(t->most_s, most));
}

static void print_run(const suite_page *page, const char *where)
{
    char *told_comm = suite_folder_metadata(page->dir, "comm");
    char *date = suite_folder_metadata(page->dir, "date");
    char *profile = suite_folder_metadata(page->dir, "profile");
    char *version = suite_folder_metadata(page->dir, "version");
    const char *comm = either(meta(page, "comm"), told_comm);
    const char *place = page->place->name;
    const bool simulated = suite_place_simulates(page->place);
    const cm_record *record = with_blas(page);
    char *blas = blas_of(record);
    const took how_long = read_took(page);
    const bool told = how_long.n > 0 && how_long.began;
    piece_about(page->out, page->place->is_virtual, place, where,
                simulated ? NULL : meta(page, "cpu"), comm, meta(page, "comm_version"),
                meta(page, "transport"), blas,
                record ? cm_record_meta(record, "blas_kernel") : NULL,
                told ? NULL : either(meta(page, "date"), date), profile,
                either(meta(page, "version"), version));
    if (told) print_took(page->out, &how_long);
    if (comm && strcmp(comm, "dummy") == 0) piece_about_dummy(page->out);
    free(blas);
    free(told_comm);
    free(date);
    free(profile);
    free(version);
}

/* Hosts with their ranks; of many hosts only their number. */
static char *where_of(const suite_page *page)
{
    enum { LONG = 120 };
    const char *where =
        either(either(meta(page, "ranks_per_host"), meta(page, "host")), "unknown machine");
    const char *hosts = meta(page, "hosts");
    if (strlen(where) <= LONG || !hosts) return suite_copy(where);
    return suite_text("%.*s ... (%s hosts)", (int)strcspn(where, " "), where, hosts);
}

void page_head(suite_page *page)
{
    char *where = where_of(page);
    piece_report_begin(page->out, where, page->style);
    page_contents(page);
    piece_main_begin(page->out);
    free(where);
}

void page_about(suite_page *page)
{
    char *where = where_of(page);
    print_run(page, where);
    piece_section_end(page->out);
    free(where);
}
