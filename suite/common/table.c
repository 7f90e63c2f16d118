/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c: reads suite/benchmarks.tab. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "memory.h"
#include "result/read.h"
#include "say.h"
#include "table.h"
#include "words.h"

const char *const suite_profile_names[] = {"quick", "standard", "full", NULL};

/* A line, as suite/manifests.awk writes it. */
enum {
    FOLDER,
    PROGRAM,
    RANKS,
    OPTIONS,
    SECONDS = OPTIONS + SUITE_PROFILES,
    FIGURES,
    HEADING,
    QUESTION,
    HEADLINE, /* this and those behind it may be missing */
    ROWS,
    CURVES,
    PAIR,
    RUN_SHAPES,
    SIZE,
    SCALE,
    GROUP,
    SHOWS,
    MATRIX,
    FURTHER,
    FIELDS
};

/* Ends the fields of the line; returns false if they are fewer than they must be. */
static bool split(char *line, char *field[FIELDS])
{
    int n = 0;
    line[strcspn(line, "\n")] = '\0';
    for (char *rest = line; rest && n < FIELDS;) field[n++] = strsep(&rest, "|");
    if (n < HEADLINE) return false;
    while (n < FIELDS) field[n++] = "";
    return true;
}

static void read_program(suite_run *run, const char *program)
{
    const char *slash = strchr(program, '/');
    const char *base = strncmp(program, "cm-", 3) == 0 ? program + 3 : program;
    run->program =
        slash ? suite_text("%.*s", (int)(slash - program), program) : suite_copy(program);
    run->variant = slash ? suite_copy(slash + 1) : NULL;
    run->name = suite_copy(base);
    for (char *c = run->name; *c; c++)
        if (*c == '/') *c = '-';
    run->base = suite_copy(run->name);
}

static bool read_ranks(suite_run *run, const char *text)
{
    suite_words words = {0};
    bool right = suite_words_split(&words, text) && words.n > 0;
    if (right) {
        const char *first = words.word[0];
        run->number = atoi(first);
        run->ranks = strcmp(first, "all") == 0    ? SUITE_RANKS_ALL
                     : strcmp(first, "even") == 0 ? SUITE_RANKS_EVEN
                                                  : SUITE_RANKS_NUMBER;
        run->processes = suite_words_have(&words, "processes");
        for (size_t k = 1; k < words.n; k++) sscanf(words.word[k], "least=%d", &run->least);
        run->rails = suite_words_have(&words, "rails");
        right = run->ranks != SUITE_RANKS_NUMBER || run->number > 0;
    }
    suite_words_free(&words);
    return right;
}

static bool read_seconds(suite_run *run, const char *text)
{
    return sscanf(text, "%lf %lf %lf", &run->seconds[0], &run->seconds[1], &run->seconds[2])
           == SUITE_PROFILES;
}

/* "order 2000 4000 12000 3 8 2", or nothing. */
static bool read_size(suite_size *size, const char *text)
{
    suite_words words = {0};
    double value[SUITE_PROFILES + 3];
    bool right = suite_words_split(&words, text);
    if (right && words.n > 0) {
        right = words.n == 1 + sizeof value / sizeof *value;
        for (size_t k = 1; k < words.n && right; k++)
            right = cm_record_number(words.word[k], &value[k - 1]) && value[k - 1] > 0;
        if (right) {
            size->name = suite_text("%%%s", words.word[0]);
            for (int k = 0; k < SUITE_PROFILES; k++) size->of_two[k] = value[k];
            size->root = value[SUITE_PROFILES];
            size->bytes = value[SUITE_PROFILES + 1];
            size->power = value[SUITE_PROFILES + 2];
        }
    }
    suite_words_free(&words);
    return right;
}

static bool read_run(suite_run *run, char *field[FIELDS])
{
    suite_words figures = {0};
    if (!read_ranks(run, field[RANKS]) || !read_seconds(run, field[SECONDS])
        || !read_size(&run->size, field[SIZE]))
        return false;
    run->shape = run->ranks != SUITE_RANKS_NUMBER ? SUITE_SHAPE_HOSTS
                 : run->number == 1               ? SUITE_SHAPE_CORE
                                                  : SUITE_SHAPE_PAIR;
    run->folder = suite_copy(field[FOLDER]);
    read_program(run, field[PROGRAM]);
    for (int k = 0; k < SUITE_PROFILES; k++)
        run->options[k] =
            strcmp(field[OPTIONS + k], "-") == 0 ? NULL : suite_copy(field[OPTIONS + k]);
    suite_words_split(&figures, field[FIGURES]);
    run->figure = figures.word;
    run->n_figures = figures.n;
    run->heading = suite_copy(field[HEADING]);
    run->question = suite_copy(field[QUESTION]);
    run->headline = *field[HEADLINE] ? suite_copy(field[HEADLINE]) : NULL;
    run->rows = suite_copy(field[ROWS]);
    run->curves = *field[CURVES] ? suite_copy(field[CURVES]) : NULL;
    run->pair = *field[PAIR] ? suite_copy(field[PAIR]) : NULL;
    run->scale = *field[SCALE] ? suite_copy(field[SCALE]) : NULL;
    run->group = suite_copy(field[GROUP]);
    run->shows = suite_copy(field[SHOWS]);
    run->matrix = *field[MATRIX] ? suite_copy(field[MATRIX]) : NULL;
    run->further = *field[FURTHER] ? suite_copy(field[FURTHER]) : NULL;
    return true;
}

bool suite_table_read(const suite_home *home, suite_table *table)
{
    char *path = suite_home_file(home, "suite/benchmarks.tab"), *line = NULL;
    size_t capacity = 0;
    int number = 0;
    bool right = true;
    FILE *file = fopen(path, "r");
    *table = (suite_table){0};
    if (!file) suite_say("cannot read %s: %s", path, strerror(errno));
    while (file && right && getline(&line, &capacity, file) > 0) {
        number++;
        if (*line == '#' || *line == '\n') continue;
        suite_run run = {0};
        char *field[FIELDS];
        table->run = suite_longer(table->run, table->n + 1, sizeof run);
        right = split(line, field) && read_run(&run, field);
        table->run[table->n++] = run;
        right = right && suite_table_add_shapes(table, field[RUN_SHAPES]);
        if (!right) suite_say("%s:%d: not a line of the table of benchmarks", path, number);
    }
    free(line);
    free(path);
    if (!file) return false;
    fclose(file);
    if (!right) suite_table_free(table);
    return right;
}

void suite_table_free(suite_table *table)
{
    for (size_t r = 0; r < table->n; r++) {
        suite_run *run = &table->run[r];
        suite_words figures = {run->figure, run->n_figures};
        suite_words_free(&figures);
        for (int k = 0; k < SUITE_PROFILES; k++) free(run->options[k]);
        free(run->settings);
        free(run->first);
        free(run->size.name);
        free(run->folder);
        free(run->program);
        free(run->variant);
        free(run->name);
        free(run->base);
        free(run->heading);
        free(run->question);
        free(run->headline);
        free(run->rows);
        free(run->curves);
        free(run->pair);
        free(run->scale);
        free(run->group);
        free(run->shows);
        free(run->matrix);
        free(run->further);
    }
    free(table->run);
    *table = (suite_table){0};
}

const suite_run *suite_table_find(const suite_table *table, const char *name)
{
    for (size_t r = 0; r < table->n; r++)
        if (strcmp(table->run[r].name, name) == 0) return &table->run[r];
    return NULL;
}

char *suite_table_title(const suite_table *table, const char *name)
{
    for (size_t r = 0; r < table->n; r++) {
        const suite_run *run = &table->run[r];
        if (strcmp(run->name, name) != 0) continue;
        return run->variant ? suite_text("%s %s", run->program, run->variant)
                            : suite_copy(run->program);
    }
    return suite_copy(name);
}

char *suite_figure_script(const suite_home *home, const suite_run *run, const char *figure)
{
    const char *slash = strrchr(run->folder, '/');
    int group = slash ? (int)(slash - run->folder) : 0;
    char *own = suite_text("%s/%s/figures/%s.gp", home->data, run->folder, figure);
    if (!slash || access(own, F_OK) == 0) return own;
    free(own);
    return suite_text("%s/%.*s/common/figures/%s.gp", home->data, group, run->folder, figure);
}
