/* SPDX-License-Identifier: BSD-3-Clause */
/* page_warnings.c: what a reader of the numbers must know: wrong answers, what did not run and why,
   and circumstances that make numbers smaller than the machine's. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "page.h"
#include "pages.h"

typedef bool is_meant(const suite_page *page, size_t run);

static const cm_record *record_of(const suite_page *page, size_t run)
{
    const suite_entry *entry = &page->entry[run];
    return entry->state == SUITE_COMPLETE ? &entry->record : NULL;
}

static bool is_wrong(const suite_page *page, size_t run)
{
    const cm_record *record = record_of(page, run);
    return record && cm_record_wrong(record);
}

static bool has_findings(const suite_page *page, size_t run)
{
    const cm_record *record = record_of(page, run);
    return record && cm_record_finding_of(record, CM_FINDING_STANDS_OUT, 0);
}

static bool is_failed(const suite_page *page, size_t run)
{
    return page->entry[run].state == SUITE_FAILED;
}

static bool is_skipped(const suite_page *page, size_t run)
{
    return page->entry[run].state == SUITE_SKIPPED;
}

static bool is_oversubscribed(const suite_page *page, size_t run)
{
    const cm_record *record = record_of(page, run);
    return record && suite_result_oversubscribed(record);
}

static bool is_elsewhere(const suite_page *page, size_t run)
{
    const cm_record *record = record_of(page, run);
    return record && cm_record_meta(record, "topology");
}

/* cm-hint and its like say nothing where they start no ranks that could be bound. */
static bool is_unbound(const suite_page *page, size_t run)
{
    const cm_record *record = record_of(page, run);
    const char *bound = record ? cm_record_meta(record, "bound") : NULL;
    return bound && strcmp(bound, "as started") == 0;
}

static bool has_slow_blas(const suite_page *page, size_t run)
{
    const cm_record *record = record_of(page, run);
    return record && !suite_place_simulates(page->place)
           && cm_record_meta(record, "blas_kernel_better");
}

/* A result with a matrix product whose BLAS does not say its kernels: no OpenBLAS, perhaps the
   reference. */
static bool has_unknown_blas(const suite_page *page, size_t run)
{
    const cm_record *record = record_of(page, run);
    return record && !suite_place_simulates(page->place)
           && cm_record_meta(record, "gemm_Gflop_per_s") && !cm_record_meta(record, "blas_kernel");
}

static size_t count(const suite_page *page, is_meant *meant)
{
    size_t n = 0;
    for (size_t r = 0; r < page->table->n; r++) n += meant(page, r);
    return n;
}

static size_t first_of(const suite_page *page, is_meant *meant)
{
    size_t r = 0;
    while (!meant(page, r)) r++;
    return r;
}

/* Links to the sections of these runs. */
static void print_runs(const suite_page *page, is_meant *meant)
{
    bool more = false;
    for (size_t r = 0; r < page->table->n; r++) {
        const char *name = page->table->run[r].name;
        if (!meant(page, r)) continue;
        piece_next_link(page->out, more, name, name);
        more = true;
    }
}

static void warn(const suite_page *page, is_meant *meant, void (*piece)(FILE *, size_t))
{
    size_t n = count(page, meant);
    if (n == 0) return;
    piece(page->out, n);
    print_runs(page, meant);
    piece_warning_end(page->out);
}

/* Runs that were skipped for one reason stand together, the reason behind them. */
static void print_skipped(const suite_page *page)
{
    FILE *out = page->out;
    size_t n = page->table->n, skipped = count(page, is_skipped);
    bool *told = suite_array(n, sizeof *told);
    if (skipped > 0) piece_warning_skipped_begin(out, skipped, n);
    for (size_t r = 0; r < n; r++) {
        const char *why = page->entry[r].text;
        bool more = false;
        if (!is_skipped(page, r) || told[r]) continue;
        piece_warning_skipped_runs(out);
        for (size_t other = r; other < n; other++) {
            if (!is_skipped(page, other) || strcmp(page->entry[other].text, why) != 0) continue;
            const char *name = page->table->run[other].name;
            piece_next_link(out, more, name, name);
            more = told[other] = true;
        }
        char *line = suite_text("%.*s", (int)strcspn(why, "\n"), why);
        piece_warning_skipped_why(out, line);
        free(line);
    }
    if (skipped > 0) piece_warning_skipped_end(out);
    free(told);
}

static void print_slow_blas(const suite_page *page)
{
    if (count(page, has_slow_blas) == 0) return;
    const cm_record *record = record_of(page, first_of(page, has_slow_blas));
    piece_warning_slow_blas(page->out, cm_record_meta(record, "blas_kernel"),
                            cm_record_meta(record, "blas_kernel_better"));
    print_runs(page, has_slow_blas);
    piece_warning_end(page->out);
}

/* Before a first run ended there is nothing to warn of but failures. */
void page_warnings(suite_page *page)
{
    piece_warnings_begin(page->out);
    page_disturbed_line(page);
    page_hosts(page);
    page_cross_line(page);
    piece_list_begin(page->out);
    warn(page, is_wrong, piece_warning_wrong);
    warn(page, has_findings, piece_warning_findings);
    warn(page, is_failed, piece_warning_failed);
    warn(page, is_oversubscribed, piece_warning_oversubscribed);
    warn(page, is_elsewhere, piece_warning_elsewhere);
    warn(page, is_unbound, piece_warning_unbound);
    print_slow_blas(page);
    warn(page, has_unknown_blas, piece_warning_unknown_blas);
    print_skipped(page);
    if (page->shown.results.n > 0 && count(page, is_wrong) == 0 && count(page, is_failed) == 0)
        piece_warning_none(page->out);
    piece_warnings_end(page->out);
}
