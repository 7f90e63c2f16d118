/* SPDX-License-Identifier: BSD-3-Clause */
/* page_measured.c: how to read the numbers, and under which circumstances they were measured. */
#include "config.h"
#include "common/html.h"
#include "page.h"

static const char reading[] =
    "<h3>How to read the numbers</h3>\n"
    "<p>Every benchmark checks its answer; where an answer is wrong there is no figure. Intervals "
    "are of medians: over the launches of a benchmark or, if it was launched once, over the trials "
    "of that launch. Of six or more values they are 95&#160;%% confidence intervals, of fewer the "
    "least and the greatest (range). The text has four significant digits; the page has the others "
    "behind each number. MB/s is 10<sup>6</sup> bytes and Mbit/s 10<sup>6</sup> bits a second; "
    "sizes are plain bytes.</p>\n"
    "<p>Marks in figures are medians. Of several launches, thin bars are the interval over "
    "launches, wide pale bars the interval within a launch; open marks could not be had "
    "undisturbed.</p>\n";

void page_measured(suite_page *page)
{
    html_print(page->out,
               "<section id=\"measured\" class=\"group\">\n<h2>How it was measured</h2>\n");
    html_print(page->out, reading);
    page_shapes(page);
    if (!page->place->name) page_cross(page);
    page_disturbed(page);
    page_machine(page);
    html_print(page->out, "</section>\n");
}
