/* SPDX-License-Identifier: BSD-3-Clause */
/* page_rates.c: what each benchmark's headline gives for energy and for money.

   A rate is divided: by the mean power, which gives work for an energy, and by the price. A time is
   multiplied: by the mean power, which gives the energy that all hosts use in it, and by the price,
   since half the time is worth twice the money. Shares, ratios and counts have neither. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "common/quantity.h"
#include "page.h"
#include "pages.h"

typedef enum { IS_RATE, IS_TIME, IS_OTHER } quantity;

/* ---- Units ----------------------------------------------------------------------------------- */

static const struct {
    const char *time, *energy;
} joules[] = {{"s", "J"}, {"ms", "mJ"}, {"us", "\xc2\xb5J"}, {"ns", "nJ"}};

/* Returns the unit of energy for watts times this unit of time, such as J for s; NULL: it is no
   unit of time. */
static const char *energy_of(const char *unit)
{
    for (size_t k = 0; k < sizeof joules / sizeof *joules; k++)
        if (strcmp(unit, joules[k].time) == 0) return joules[k].energy;
    return NULL;
}

static bool is_per_second(const char *unit)
{
    size_t length = strlen(unit);
    return length >= 2 && strcmp(unit + length - 2, "/s") == 0;
}

static quantity quantity_of(const cm_record_metric *metric, const char *better)
{
    if (energy_of(metric->unit)) return IS_TIME;
    if (is_per_second(metric->unit)) return IS_RATE;
    bool speed = strcmp(better, "high") == 0 && strcmp(metric->unit, "1") != 0
                 && strcmp(metric->unit, "%") != 0;
    return speed ? IS_RATE : IS_OTHER;
}

/* "MB/s" per watt is "MB/J"; "QUIPS" per watt stays what it is. */
static char *unit_for_energy(const char *unit, quantity is)
{
    if (is == IS_TIME) return suite_copy(energy_of(unit));
    if (!is_per_second(unit)) return suite_text("%s/W", unit);
    return suite_text("%.*s/J", (int)strlen(unit) - 2, unit);
}

static char *unit_for_money(const char *unit, quantity is, const char *currency)
{
    return is == IS_TIME ? suite_text("%s %s", unit, currency)
                         : suite_text("%s/%s", unit, currency);
}

/* ---- The table ------------------------------------------------------------------------------- */

/* A metric that was right; NaN if the result does not have it. */
static cm_quantity quantity_named(const cm_record *record, const char *name)
{
    const cm_record_metric *metric = cm_record_metric_of(record, name);
    return metric && metric->pass ? suite_quantity_of(metric) : cm_quantity_of(NAN);
}

static void print_cell(FILE *out, cm_quantity q, const char *unit, const char *metric)
{
    piece_rate_begin(out);
    suite_quantity_print(out, &q, unit, metric);
    piece_rate_end(out);
}

/* Work for an amount of energy or money, or what a time costs of it. */
static cm_quantity for_amount(cm_quantity value, quantity is, cm_quantity amount)
{
    return cm_quantity_ratio(value, is == IS_TIME ? cm_quantity_invert(amount, 1) : amount);
}

static void print_rates(suite_page *page, const cm_record_metric *metric, quantity is,
                        cm_quantity value, cm_quantity power_W)
{
    const suite_price *price = page->price;
    if (is == IS_OTHER) value = cm_quantity_of(NAN);
    char *unit = is == IS_OTHER ? suite_copy("") : unit_for_energy(metric->unit, is);
    print_cell(page->out, for_amount(value, is, power_W), unit, NULL);
    free(unit);
    if (price->amount == 0) return;
    unit = unit_for_money(metric->unit, is, price->currency);
    print_cell(page->out,
               cm_quantity_scale(value, is == IS_TIME ? price->amount : 1 / price->amount), unit,
               NULL);
    free(unit);
}

static void print_run(suite_page *page, const suite_run *run, const cm_record *record)
{
    const cm_record_metric *metric =
        run->headline ? cm_record_metric_of(record, run->headline) : NULL;
    cm_quantity power_W = quantity_named(record, "mean_power_W");
    if (!metric) return;
    char *program = suite_home_program(page->home, run->folder, run->program);
    const char *better = metric->better
                             ? metric->better
                             : suite_metrics_better(&page->metrics, program, metric->name);
    char *title = suite_table_title(page->table, run->name);
    char *label = suite_metrics_label(&page->metrics, program, metric->name);
    piece_rate_run(page->out, run->name, title, metric->name, label);
    print_cell(page->out, suite_quantity_of(metric), metric->unit, metric->name);
    print_cell(page->out, quantity_named(record, "energy_J"), "J", NULL);
    print_cell(page->out, power_W, "W", NULL);
    cm_quantity value = suite_result_oversubscribed(record) ? cm_quantity_of(NAN)
                                                            : quantity_named(record, run->headline);
    print_rates(page, metric, quantity_of(metric, better), value, power_W);
    piece_row_end(page->out);
    free(label);
    free(title);
    free(program);
}

static bool any_energy(const suite_page *page)
{
    for (size_t r = 0; r < page->table->n; r++)
        if (page->entry[r].state == SUITE_COMPLETE
            && isfinite(quantity_named(&page->entry[r].record, "energy_J").value))
            return true;
    return false;
}

static void print_head(suite_page *page, bool energy)
{
    const bool price = page->price->amount > 0;
    piece_rates_begin(page->out, price ? page->price->amount : NAN, page->price->currency);
    if (!energy)
        piece_rates_no_energy(page->out,
                              page->first ? cm_record_meta(page->first, "energy") : NULL);
    piece_rates_table(page->out, price);
}

void page_rates(suite_page *page)
{
    bool energy = any_energy(page);
    if (!energy && page->price->amount == 0) return;
    print_head(page, energy);
    for (size_t r = 0; r < page->table->n; r++)
        if (page->entry[r].state == SUITE_COMPLETE)
            print_run(page, &page->table->run[r], &page->entry[r].record);
    piece_folded_table_end(page->out);
    piece_section_end(page->out);
}
