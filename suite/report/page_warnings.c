/* SPDX-License-Identifier: BSD-3-Clause */
/* page_warnings.c: what a reader of the numbers must know: wrong answers, what did not run and why,
   and circumstances that make numbers smaller than the machine's. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/html.h"
#include "common/memory.h"
#include "page.h"

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

/* Returns true for simulated results: the time of a simulated computation is not measured. */
static bool is_simulated(const suite_page *page)
{
    return page->place->name && !page->place->is_virtual;
}

static bool has_slow_blas(const suite_page *page, size_t run)
{
    const cm_record *record = record_of(page, run);
    return record && !is_simulated(page) && cm_record_meta(record, "blas_kernel_better");
}

/* A result with a matrix product whose BLAS does not say its kernels: no OpenBLAS, perhaps the
   reference. */
static bool has_unknown_blas(const suite_page *page, size_t run)
{
    const cm_record *record = record_of(page, run);
    return record && !is_simulated(page) && cm_record_meta(record, "gemm_Gflop_per_s")
           && !cm_record_meta(record, "blas_kernel");
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
    const char *between = "";
    for (size_t r = 0; r < page->table->n; r++) {
        const char *name = page->table->run[r].name;
        if (!meant(page, r)) continue;
        html_print(page->out, "%s<a href=\"#%h\">%h</a>", between, name, name);
        between = ", ";
    }
}

static void warn(const suite_page *page, is_meant *meant, const char *class, const char *one,
                 const char *many)
{
    size_t n = count(page, meant);
    if (n == 0) return;
    html_print(page->out, "<li class=\"%s\">", class);
    html_print(page->out, n == 1 ? one : many, n);
    html_print(page->out, " ");
    print_runs(page, meant);
    html_print(page->out, ".</li>\n");
}

/* Runs that were skipped for one reason stand together, the reason behind them. */
static void print_skipped(const suite_page *page)
{
    size_t n = page->table->n, skipped = count(page, is_skipped);
    bool *told = suite_array(n, sizeof *told);
    if (skipped > 0)
        html_print(page->out,
                   "<li><details><summary>Skipped: %u of %u benchmarks</summary>\n<ul>\n", skipped,
                   n);
    for (size_t r = 0; r < n; r++) {
        const char *why = page->entry[r].text, *between = "";
        if (!is_skipped(page, r) || told[r]) continue;
        html_print(page->out, "<li>");
        for (size_t other = r; other < n; other++) {
            if (!is_skipped(page, other) || strcmp(page->entry[other].text, why) != 0) continue;
            const char *name = page->table->run[other].name;
            html_print(page->out, "%s<a href=\"#%h\">%h</a>", between, name, name);
            between = ", ";
            told[other] = true;
        }
        char *line = suite_text("%.*s", (int)strcspn(why, "\n"), why);
        html_print(page->out, ": %h</li>\n", line);
        free(line);
    }
    if (skipped > 0) html_print(page->out, "</ul>\n</details></li>\n");
    free(told);
}

static void print_slow_blas(const suite_page *page)
{
    if (count(page, has_slow_blas) == 0) return;
    const cm_record *record = record_of(page, first_of(page, has_slow_blas));
    const char *better = cm_record_meta(record, "blas_kernel_better");
    html_print(page->out,
               "<li class=\"note\">The BLAS ran its %h kernels, which are far slower than this "
               "processor allows; <code>OPENBLAS_CORETYPE=%h</code> would select better ones: ",
               cm_record_meta(record, "blas_kernel"), better);
    print_runs(page, has_slow_blas);
    html_print(page->out, ".</li>\n");
}

/* Before a first run ended there is nothing to warn of but failures. */
void page_warnings(suite_page *page)
{
    FILE *out = page->out;
    html_print(out, "<div id=\"warnings\">\n<h3>Warnings</h3>\n");
    page_disturbed_line(page);
    page_hosts(page);
    page_cross_line(page);
    html_print(out, "<ul>\n");
    warn(page, is_wrong, "fail", "A wrong answer (FAIL):", "%u wrong answers (FAIL):");
    warn(page, has_findings, "fail", "Hosts or links that are not like the others:",
         "Hosts or links that are not like the others, in %u benchmarks:");
    warn(page, is_failed, "fail",
         "A benchmark did not run to its end:", "%u benchmarks did not run to their end:");
    warn(page, is_oversubscribed, "note",
         "More ranks than cores (oversubscribed), so that this is no measure of performance:",
         "More ranks than cores (oversubscribed), so that these %u are no measure of performance:");
    warn(page, is_elsewhere, "note",
         "Cores, caches and NUMA nodes are those of another machine, which hwloc's variables name:",
         "Cores, caches and NUMA nodes are those of another machine, which hwloc's variables name, "
         "in %u benchmarks:");
    warn(page, is_unbound, "note", "Ranks were not bound to cores and may have moved:",
         "Ranks were not bound to cores and may have moved, in %u benchmarks:");
    print_slow_blas(page);
    warn(
        page, has_unknown_blas, "note",
        "The BLAS does not say which kernels it has; the reference BLAS has slow ones:",
        "The BLAS does not say which kernels it has, in %u benchmarks; the reference BLAS has slow "
        "ones:");
    print_skipped(page);
    if (page->shown.results.n > 0 && count(page, is_wrong) == 0 && count(page, is_failed) == 0)
        html_print(out, "<li>Every answer that was computed is right.</li>\n");
    html_print(out, "</ul>\n</div>\n");
}
