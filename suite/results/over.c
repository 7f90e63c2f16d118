/* SPDX-License-Identifier: BSD-3-Clause */
/* over.c: values over launches. */
#include "config.h"
#include <math.h>
#include <string.h>
#include "common/memory.h"
#include "over.h"
#include "result/read.h"
#include "common/say.h"
#include <stdlib.h>
#include "comm/comm.h"

static void need(bool done)
{
    if (!done) exit(suite_fail(CM_EXIT_SYSTEM, "out of memory"));
}

void suite_over_add_number(cm_samples *values, double number)
{
    need(cm_samples_add(values, number));
}

void suite_over_add(cm_samples *values, const char *text)
{
    double number;
    if (cm_record_number(text, &number)) suite_over_add_number(values, number);
}

cm_summary suite_over_summary(const cm_samples *values)
{
    cm_summary summary;
    need(cm_summarize(values, &summary));
    return summary;
}

char *suite_over_cell(double number, const char *model)
{
    if (!isfinite(number)) return suite_copy("nan");
    const char *point = strchr(model, '.'), *exponent = strpbrk(model, "eE");
    int digits = point ? (int)strspn(point + 1, "0123456789") : 0;
    if (exponent) return suite_text("%.*e", digits > 3 ? digits : 3, number);
    /* %g leaves out zeros at the end, so that a model may show fewer digits than its column has. */
    int before = number == 0 ? 1 : (int)floor(log10(fabs(number))) + 1;
    if (point && before + digits < 5) digits = 5 - before;
    if (digits > 12) return suite_text("%.4e", number);
    if (!point && number != floor(number)) return suite_text("%.5g", number);
    return suite_text("%.*f", digits, number);
}
