/* SPDX-License-Identifier: BSD-3-Clause */
/* page_head.c: the head of the report's page, and what was measured where, over what, and when. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "page.h"
#include "pages.h"

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

static void print_run(const suite_page *page, const char *where)
{
    char *told_comm = suite_folder_metadata(page->dir, "comm");
    char *date = suite_folder_metadata(page->dir, "date");
    char *profile = suite_folder_metadata(page->dir, "profile");
    const char *comm = either(meta(page, "comm"), told_comm);
    const char *place = page->place->name;
    bool simulated = place && !page->place->is_virtual;
    const cm_record *record = with_blas(page);
    char *blas = blas_of(record);
    piece_about(page->out, page->place->is_virtual, place, where,
                simulated ? NULL : meta(page, "cpu"), comm, meta(page, "comm_version"),
                meta(page, "transport"), blas,
                record ? cm_record_meta(record, "blas_kernel") : NULL,
                either(meta(page, "date"), date), profile, PACKAGE_VERSION);
    if (comm && strcmp(comm, "dummy") == 0) piece_about_dummy(page->out);
    free(blas);
    free(told_comm);
    free(date);
    free(profile);
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
