/* SPDX-License-Identifier: BSD-3-Clause */
/* table.c: reads suite/benchmarks.tab. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "lines.h"
#include "memory.h"
#include "result/read.h"
#include "table.h"
#include "words.h"

const char *const suite_profile_names[] = {"quick", "standard", "full", NULL};

/* The keys of a line, as suite/manifests.awk writes them. */
enum {
    FOLDER,
    PROGRAM,
    RANKS,
    OPTIONS,
    SECONDS = OPTIONS + SUITE_PROFILES,
    FIGURES,
    HEADING,
    QUESTION,
    HEADLINE,
    ROWS,
    CURVES,
    POINTS,
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
static const struct {
    const char *key;
    bool needed;
} keys[FIELDS] = {
    [FOLDER] = {"folder", true},
    [PROGRAM] = {"run", true},
    [RANKS] = {"ranks", true},
    [OPTIONS + SUITE_QUICK] = {"quick", false},
    [OPTIONS + SUITE_STANDARD] = {"standard", false},
    [OPTIONS + SUITE_FULL] = {"full", false},
    [SECONDS] = {"seconds", true},
    [FIGURES] = {"figures", false},
    [HEADING] = {"heading", true},
    [QUESTION] = {"question", true},
    [HEADLINE] = {"headline", false},
    [ROWS] = {"rows", false},
    [CURVES] = {"curves", false},
    [POINTS] = {"points", false},
    [PAIR] = {"pair", false},
    [RUN_SHAPES] = {"shapes", false},
    [SIZE] = {"size", false},
    [SCALE] = {"scale", false},
    [GROUP] = {"group", false},
    [SHOWS] = {"shows", false},
    [MATRIX] = {"matrix", false},
    [FURTHER] = {"further", false},
};

/* Sets the value of each key, "" for one that is not there; prints a line if that is wrong. */
static bool split(const suite_position *at, char *line, char *field[FIELDS])
{
    for (int k = 0; k < FIELDS; k++) field[k] = "";
    for (char *rest = line; rest;) {
        char *key = strsep(&rest, "|"), *value = strchr(key, '=');
        int k = 0;
        if (!value) return suite_lines_fail(at, key, "expected KEY=VALUE");
        *value++ = '\0';
        while (k < FIELDS && strcmp(key, keys[k].key) != 0) k++;
        if (k == FIELDS) return suite_lines_fail(at, key, "a run has no such key");
        if (*field[k]) return suite_lines_fail(at, key, "it is there twice");
        field[k] = value;
    }
    for (int k = 0; k < FIELDS; k++)
        if (keys[k].needed && !*field[k]) return suite_lines_fail(at, keys[k].key, "it is missing");
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

static bool read_run(const suite_position *at, suite_run *run, char *field[FIELDS])
{
    suite_words figures = {0};
    if (!read_ranks(run, field[RANKS]))
        return suite_lines_fail_value(at, "ranks", field[RANKS], "a number above 0, all or even");
    if (!read_seconds(run, field[SECONDS]))
        return suite_lines_fail_value(at, "seconds", field[SECONDS], "three numbers");
    if (!read_size(&run->size, field[SIZE]))
        return suite_lines_fail_value(at, "size", field[SIZE], "a name and six numbers above 0");
    run->shape = run->ranks != SUITE_RANKS_NUMBER ? SUITE_SHAPE_HOSTS
                 : run->number == 1               ? SUITE_SHAPE_CORE
                                                  : SUITE_SHAPE_PAIR;
    run->folder = suite_copy(field[FOLDER]);
    read_program(run, field[PROGRAM]);
    for (int k = 0; k < SUITE_PROFILES; k++)
        run->options[k] = *field[OPTIONS + k] ? suite_copy(field[OPTIONS + k]) : NULL;
    suite_words_split(&figures, field[FIGURES]);
    run->figure = figures.word;
    run->n_figures = figures.n;
    run->heading = suite_copy(field[HEADING]);
    run->question = suite_copy(field[QUESTION]);
    run->headline = *field[HEADLINE] ? suite_copy(field[HEADLINE]) : NULL;
    run->rows = suite_copy(field[ROWS]);
    run->curves = *field[CURVES] ? suite_copy(field[CURVES]) : NULL;
    run->points = *field[POINTS] ? suite_copy(field[POINTS]) : NULL;
    run->pair = *field[PAIR] ? suite_copy(field[PAIR]) : NULL;
    run->scale = *field[SCALE] ? suite_copy(field[SCALE]) : NULL;
    run->group = suite_copy(field[GROUP]);
    run->shows = suite_copy(field[SHOWS]);
    run->matrix = *field[MATRIX] ? suite_copy(field[MATRIX]) : NULL;
    run->further = *field[FURTHER] ? suite_copy(field[FURTHER]) : NULL;
    return true;
}

static bool read_line(void *context, char *line, const suite_position *at)
{
    suite_table *table = context;
    suite_run run = {0};
    char *field[FIELDS];
    if (!split(at, line, field)) return false;
    table->run = suite_longer(table->run, table->n + 1, sizeof run);
    bool right = read_run(at, &run, field);
    table->run[table->n++] = run;
    if (!right) return false;
    return suite_table_add_shapes(table, field[RUN_SHAPES])
           || suite_lines_fail_value(at, "shapes", field[RUN_SHAPES],
                                     "core, pair, node, hosts or whole");
}

bool suite_table_read(const suite_home *home, suite_table *table)
{
    char *path = suite_home_file(home, "suite/benchmarks.tab");
    *table = (suite_table){0};
    bool right = suite_lines_read(path, read_line, table);
    free(path);
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
        free(run->points);
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
