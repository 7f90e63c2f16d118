/* SPDX-License-Identifier: BSD-3-Clause */
/* took.c: how long launches took, in their results. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "took.h"

double suite_took_s(const cm_record *record)
{
    const char *all = cm_record_meta(record, SUITE_LAUNCHES_S);
    const char *text = all ? all : cm_record_meta(record, SUITE_LAUNCH_S);
    double seconds;
    return text && cm_record_number(text, &seconds) && seconds >= 0 ? seconds : NAN;
}

const char *suite_took_begun(const cm_record *record)
{
    const char *begun = cm_record_meta(record, SUITE_LAUNCHES_BEGUN);
    return begun ? begun : cm_record_meta(record, "date");
}

char *suite_took_number(double seconds)
{
    char *text = suite_text("%.3f", seconds);
    size_t length = strlen(text);
    while (text[length - 1] == '0' && text[length - 2] != '.') text[--length] = '\0';
    return text;
}

char *suite_took_in_text(const char *text, double seconds)
{
    if (strncmp(text, "# ", 2) != 0) return NULL;
    char *took = suite_took_number(seconds),
         *told = suite_text("# %s: %s\n%s", SUITE_LAUNCH_S, took, text);
    free(took);
    return told;
}

/* The metadata are the first object of a result in JSON, and their first entry is told here, as in
   the text. The numbers of a long result need not be read and written for that. */
char *suite_took_in_json(const char *json, double seconds)
{
    static const char begin[] = "\"metadata\": {\n";
    const char *found = strstr(json, begin);
    if (!found) return NULL;
    found += strlen(begin);
    char *took = suite_took_number(seconds);
    char *told =
        suite_text("%.*s  \"%s\": %s,\n%s", (int)(found - json), json, SUITE_LAUNCH_S, took, found);
    free(took);
    return told;
}
