/* SPDX-License-Identifier: BSD-3-Clause */
/* page_rates.c: what each benchmark's headline gives for energy and for money.

   A rate is divided: by the mean power, which gives work for an energy, and by the price. A time is
   multiplied: by the mean power, which gives the energy that all hosts use in it, and by the price,
   since half the time is worth twice the money. Shares, ratios and counts have neither. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/html.h"
#include "common/memory.h"
#include "page.h"
#include "common/unit.h"

typedef enum { IS_RATE, IS_TIME, IS_OTHER } quantity;

/* ---- Units ----------------------------------------------------------------------------------- */

static const struct {
    const char *time, *energy;
} joules[] = {{"s", "J"}, {"ms", "mJ"}, {"us", "uJ"}, {"ns", "nJ"}};

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

static quantity quantity_of(const cm_record_verdict *verdict, const char *better)
{
    if (energy_of(verdict->unit)) return IS_TIME;
    if (is_per_second(verdict->unit)) return IS_RATE;
    bool speed = strcmp(better, "high") == 0 && strcmp(verdict->unit, "1") != 0
                 && strcmp(verdict->unit, "%") != 0;
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

/* The value of a metric, NaN if the result does not have it. */
static double value_of(const cm_record *record, const char *metric)
{
    const cm_record_verdict *verdict = metric ? cm_record_verdict_of(record, metric) : NULL;
    double value;
    return verdict && verdict->pass && cm_record_number(verdict->value, &value) ? value : NAN;
}

static void print_number(FILE *out, double value, const char *unit)
{
    char easy[SUITE_UNIT];
    double divisor = suite_unit_easy(value, unit, NULL, easy);
    char *text = isfinite(value) ? suite_text("%.4g", value / divisor) : suite_copy("");
    html_print(out, "<td class=\"number\">%h</td><td class=\"unit\">%h</td>", text,
               isfinite(value) ? easy : "");
    free(text);
}

static void print_rates(suite_page *page, const cm_record_verdict *verdict, quantity is,
                        double value, double power_W)
{
    const suite_price *price = page->price;
    if (is == IS_OTHER) value = NAN;
    char *unit = is == IS_OTHER ? suite_copy("") : unit_for_energy(verdict->unit, is);
    print_number(page->out, is == IS_TIME ? value * power_W : value / power_W, unit);
    free(unit);
    if (price->amount == 0) return;
    unit = unit_for_money(verdict->unit, is, price->currency);
    print_number(page->out, is == IS_TIME ? value * price->amount : value / price->amount, unit);
    free(unit);
}

static void print_run(suite_page *page, const suite_run *run, const cm_record *record)
{
    const cm_record_verdict *verdict =
        run->headline ? cm_record_verdict_of(record, run->headline) : NULL;
    double power_W = value_of(record, "mean_power_W");
    if (!verdict) return;
    char *program = suite_home_program(page->home, run->folder, run->program);
    const char *better = verdict->better
                             ? verdict->better
                             : suite_metrics_better(&page->metrics, program, verdict->metric);
    char *title = suite_table_title(page->table, run->name);
    html_print(page->out,
               "<tr><th scope=\"row\"><a href=\"#%h\">%h</a></th><td>%h</td>"
               "<td class=\"number\">%h</td><td class=\"unit\">%h</td>",
               run->name, title, verdict->metric, verdict->value, verdict->unit);
    print_number(page->out, value_of(record, "energy_J"), "J");
    print_number(page->out, power_W, "W");
    double value = suite_result_oversubscribed(record) ? NAN : value_of(record, run->headline);
    print_rates(page, verdict, quantity_of(verdict, better), value, power_W);
    html_print(page->out, "</tr>\n");
    free(title);
    free(program);
}

static bool any_energy(const suite_page *page)
{
    for (size_t r = 0; r < page->table->n; r++)
        if (page->entry[r].state == SUITE_COMPLETE
            && isfinite(value_of(&page->entry[r].record, "energy_J")))
            return true;
    return false;
}

static void print_head(suite_page *page, bool energy)
{
    FILE *out = page->out;
    html_print(out, "<section id=\"rates\">\n<h2>Energy and price</h2>\n<p>The headline of each "
                    "benchmark for energy and for money. A rate is divided by the mean power and "
                    "by the price; a time is multiplied by them, so that less is better. Energy is "
                    "that of all hosts while the program ran, with its preparations and checks, as "
                    "far as their counters see it.</p>\n");
    if (page->price->amount > 0) {
        char *amount = suite_text("%.10g", page->price->amount);
        html_print(out, "<p>Price: %h %h.</p>\n", amount, page->price->currency);
        free(amount);
    }
    if (!energy) {
        const char *why = page->first ? cm_record_meta(page->first, "energy") : NULL;
        html_print(out, "<p class=\"note\">Energy: %h.</p>\n", why ? why : "not measured");
    }
    html_print(out, "<div class=\"wide\"><table>\n<thead><tr><th scope=\"col\">Benchmark</th>"
                    "<th scope=\"col\">Headline</th><th scope=\"col\" class=\"number\">Value</th>"
                    "<th scope=\"col\">Unit</th>"
                    "<th scope=\"col\" class=\"number\" colspan=\"2\">Energy</th>"
                    "<th scope=\"col\" class=\"number\" colspan=\"2\">Mean power</th>"
                    "<th scope=\"col\" class=\"number\" colspan=\"2\">For energy</th>");
    if (page->price->amount > 0)
        html_print(out, "<th scope=\"col\" class=\"number\" colspan=\"2\">For money</th>");
    html_print(out, "</tr></thead>\n<tbody>\n");
}

void page_rates(suite_page *page)
{
    bool energy = any_energy(page);
    if (!energy && page->price->amount == 0) return;
    print_head(page, energy);
    for (size_t r = 0; r < page->table->n; r++)
        if (page->entry[r].state == SUITE_COMPLETE)
            print_run(page, &page->table->run[r], &page->entry[r].record);
    html_print(page->out, "</tbody></table></div>\n</section>\n");
}
