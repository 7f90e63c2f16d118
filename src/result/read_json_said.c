/* SPDX-License-Identifier: BSD-3-Clause */
/* read_json_said.c: what the JSON of a result says of its numbers: checks, comments, findings and
   metrics. */
#include <config.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "result/read_internal.h"
#include "result/read_json.h"
#include "result/result_internal.h"

#ifdef HAVE_JANSSON
bool cm_json_checks(cm_reader *reader, json_t *checks)
{
    for (size_t i = 0; i < json_array_size(checks); i++) {
        const json_t *entry = json_array_get(checks, i), *pass = json_object_get(entry, "pass");
        cm_record_check check = {.name = (char *)cm_json_string(entry, "name"),
                                 .relation = (char *)cm_json_string(entry, "relation"),
                                 .pass = json_is_true(pass)};
        if (!check.name || !check.relation || !json_is_boolean(pass)
            || !cm_json_number(json_object_get(entry, "value"), &check.value)
            || !cm_json_number(json_object_get(entry, "bound"), &check.bound))
            return cm_reader_fail(reader,
                                  "checks[%zu]: expected name, value, relation, bound and pass", i);
        check.text = cm_result_check_text(&check);
        bool fine = check.text ? cm_reader_check(reader, &check)
                               : cm_reader_fail(reader, "no memory for it");
        free(check.text);
        if (!fine) return false;
    }
    return true;
}

bool cm_json_comments(cm_reader *reader, json_t *comments)
{
    for (size_t i = 0; i < json_array_size(comments); i++) {
        const char *text = json_string_value(json_array_get(comments, i));
        if (!text) return cm_reader_fail(reader, "comments[%zu]: expected a text", i);
        if (!cm_json_line(reader, NULL, text)) return false;
    }
    return true;
}

/* A member that is a text, or null. */
static bool text_of(const json_t *value, char **text)
{
    *text = (char *)json_string_value(value);
    return *text || !value || json_is_null(value);
}

/* Only combined results have launches. false: a member is missing or of another kind. */
static bool take_finding(const json_t *entry, cm_record_finding *f)
{
    const json_t *quantity = json_object_get(entry, "quantity");
    const json_t *launches = json_object_get(entry, "launches");
    const json_t *of = json_object_get(entry, "of_launches");
    *f = (cm_record_finding){.value = NAN, .low = NAN, .high = NAN};
    f->what = (char *)cm_json_string(entry, "what");
    f->words = (char *)cm_json_string(entry, "words");
    if (!cm_json_is_word(f->what) || !f->words || !text_of(json_object_get(entry, "who"), &f->who)
        || !cm_json_number(json_object_get(entry, "bound"), &f->bound))
        return false;
    if ((launches && json_integer_value(launches) < 1) || (of && json_integer_value(of) < 1))
        return false;
    f->launches = (size_t)json_integer_value(launches);
    f->of_launches = (size_t)json_integer_value(of);
    if (!quantity || json_is_null(quantity)) return true;
    f->quantity = (char *)cm_json_string(quantity, "name");
    return f->quantity && cm_json_number(json_object_get(quantity, "value"), &f->value)
           && cm_json_number(json_object_get(quantity, "low"), &f->low)
           && cm_json_number(json_object_get(quantity, "high"), &f->high)
           && text_of(json_object_get(quantity, "unit"), &f->unit);
}

/* Before schema 3 they were comments. */
bool cm_json_findings(cm_reader *reader, const json_t *findings)
{
    for (size_t i = 0; i < json_array_size(findings); i++) {
        cm_record_finding finding;
        if (!take_finding(json_array_get(findings, i), &finding))
            return cm_reader_fail(reader,
                                  "findings[%zu]: expected who, what, quantity (name, value, low, "
                                  "high, unit), bound and words",
                                  i);
        if (!cm_reader_finding(reader, &finding)) return false;
    }
    return true;
}

/* NULL also for null: a value that does not exist. */
static const json_t *member(const json_t *entry, const char *name)
{
    const json_t *value = json_object_get(entry, name);
    return json_is_null(value) ? NULL : value;
}

/* Takes the members that a metric may have. Returns false if a member is present but of another
   kind. */
static bool take_members(const json_t *entry, cm_record_metric *metric)
{
    static const char *const kinds[] = {"interval", "over", "better"};
    char **const text[] = {&metric->interval, &metric->over, &metric->better};
    const json_t *low = member(entry, "low"), *high = member(entry, "high");
    const json_t *n = member(entry, "n"), *disturbed = member(entry, "disturbed");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        *text[i] = (char *)cm_json_string(entry, kinds[i]);
        if (member(entry, kinds[i]) && !cm_json_is_word(*text[i])) return false;
    }
    metric->n = n && json_integer_value(n) > 0 ? (size_t)json_integer_value(n) : 0;
    metric->disturbed = json_is_true(disturbed);
    metric->tells = disturbed;
    return (!low || cm_json_number(low, &metric->low))
           && (!high || cm_json_number(high, &metric->high))
           && (!n || (json_is_integer(n) && json_integer_value(n) >= 0))
           && (!disturbed || json_is_boolean(disturbed));
}

bool cm_json_results(cm_reader *reader, json_t *results)
{
    for (size_t i = 0; i < json_array_size(results); i++) {
        const json_t *entry = json_array_get(results, i), *pass = json_object_get(entry, "pass");
        char text[CM_JSON_NUMBER];
        double value;
        cm_record_metric metric = {.name = (char *)cm_json_string(entry, "metric"),
                                   .value = text,
                                   .unit = (char *)cm_json_string(entry, "unit"),
                                   .pass = json_is_true(pass),
                                   .low = NAN,
                                   .high = NAN};
        if (!cm_json_is_word(metric.name) || !cm_json_is_word(metric.unit) || !json_is_boolean(pass)
            || !cm_json_number(json_object_get(entry, "value"), &value))
            return cm_reader_fail(reader, "results[%zu]: expected pass, metric, value and unit", i);
        if (!take_members(entry, &metric))
            return cm_reader_fail(reader,
                                  "results[%zu]: expected numbers low, high and n, words interval, "
                                  "over and better, and true or false for disturbed",
                                  i);
        cm_result_number_text(text, sizeof text, "%.6g", value);
        if (!cm_reader_metric(reader, &metric)) return false;
    }
    return true;
}

#endif
