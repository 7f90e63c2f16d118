/* SPDX-License-Identifier: BSD-3-Clause */
/* together.c: chooses the figures that show several results of a folder together. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "together.h"

static const cm_record *shown(const suite_results *results, const char *name)
{
    const cm_record *record = suite_results_find(results, name);
    return record && !cm_record_wrong(record) && !suite_result_oversubscribed(record) ? record
                                                                                      : NULL;
}

static void add_number(suite_words *numbers, const char *text)
{
    if (text && !suite_words_have(numbers, text)) suite_words_add(numbers, text);
}

/* The numbers of ranks in the column, or of the whole result if it has no such column. */
static void add_numbers(const cm_record *record, const char *name, suite_words *numbers)
{
    int column = cm_record_column(record, name);
    if (column < 0) add_number(numbers, cm_record_meta(record, "ranks"));
    for (size_t row = 0; column >= 0 && row < record->n_rows; row++)
        add_number(numbers, cm_record_cell(record, row, (size_t)column));
}

static void add(suite_joints *joints, const suite_joint *joint)
{
    joints->joint = suite_longer(joints->joint, joints->n + 1, sizeof *joint);
    joints->joint[joints->n++] = *joint;
}

/* Run first and those behind it that have the same base. */
static void find_scale(const suite_table *table, size_t first, const suite_results *results,
                       suite_joints *joints)
{
    enum { LEAST_NUMBERS = 3 };
    const suite_run *run = &table->run[first];
    suite_joint joint = {.run = run};
    suite_words numbers = {0};
    for (size_t r = 0; r < first; r++)
        if (strcmp(table->run[r].base, run->base) == 0) return;
    for (size_t r = first; r < table->n; r++) {
        const char *name = table->run[r].name;
        const cm_record *record =
            strcmp(table->run[r].base, run->base) == 0 ? shown(results, name) : NULL;
        if (!record) continue;
        add_numbers(record, run->scale, &numbers);
        suite_words_add(&joint.names, name);
    }
    if (numbers.n >= LEAST_NUMBERS) {
        joint.figure = suite_copy("scale");
        joint.id = suite_text("%s-scale", run->base);
        add(joints, &joint);
    } else suite_words_free(&joint.names);
    suite_words_free(&numbers);
}

static void find_pair(const suite_table *table, size_t first, const suite_results *results,
                      const suite_beside *beside, suite_joints *joints)
{
    const char *pair = table->run[first].pair;
    suite_joint joint = {.run = &table->run[first], .beside = true};
    for (size_t k = 0; k < joints->n; k++)
        if (strcmp(joints->joint[k].figure, pair) == 0) return;
    for (size_t r = first; r < table->n; r++) {
        const suite_run *run = &table->run[r];
        if (run->pair && strcmp(run->pair, pair) == 0 && shown(results, run->name)
            && suite_beside_has(beside, run->name))
            suite_words_add(&joint.names, run->name);
    }
    if (joint.names.n == 0) return;
    joint.figure = suite_copy(pair);
    joint.id = suite_copy(pair);
    add(joints, &joint);
}

suite_joints suite_joints_find(const suite_table *table, const suite_results *results,
                               const suite_beside *beside)
{
    suite_joints joints = {0};
    for (size_t r = 0; r < table->n; r++)
        if (table->run[r].scale) find_scale(table, r, results, &joints);
    for (size_t r = 0; beside->dir && r < table->n; r++)
        if (table->run[r].pair) find_pair(table, r, results, beside, &joints);
    return joints;
}

void suite_joints_free(suite_joints *joints)
{
    for (size_t k = 0; k < joints->n; k++) {
        free(joints->joint[k].figure);
        free(joints->joint[k].id);
        suite_words_free(&joints->joint[k].names);
    }
    free(joints->joint);
    *joints = (suite_joints){0};
}
