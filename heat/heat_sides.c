/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_sides.c: the temperatures around the plate: constants, profiles, files. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "heat.h"

/* Sums of higher temperatures would exceed the range of single precision. */
static const double hottest = 1e30;
enum { MOST_POINTS = 1 << 20 };

const char *const heat_side_names[HEAT_SIDES] = {"north", "east", "south", "west"};

static const struct {
    const char *word;
    heat_profile profile;
    int numbers;
} profiles[] = {
    {"linear:", HEAT_LINEAR, 2},     {"step:", HEAT_STEP, 2}, {"sine:", HEAT_SINE, 1},
    {"parabola:", HEAT_PARABOLA, 1}, {"", HEAT_CONSTANT, 1},
};

/* Reads a number that must be followed by the character `ends`. Returns the text after it, or NULL
   if there is no such number. */
static const char *number(const char *text, char ends, double *value)
{
    char *rest;
    errno = 0;
    *value = strtod(text, &rest);
    if (rest == text || *rest != ends || !(fabs(*value) <= hottest) || text[0] == ' ') return NULL;
    return ends ? rest + 1 : rest;
}

/* ---- Files: a temperature a line ------------------------------------------------------------- */

static int file_error(const cm_program *program, const char *name, const char *path,
                      const char *what)
{
    return cm_option_error(program, "--%s file:%s: %s", name, path, what);
}

/* Reads the temperature of a line, if it has one: a number alone, which a comment may follow.
   Returns false if there is something else. */
static bool read_line(char *line, size_t length, heat_side *side)
{
    char *text = line + strspn(line, " \t");
    if (strlen(line) != length) return false;
    text[strcspn(text, "#\r\n")] = '\0';
    for (size_t end = strlen(text); end > 0 && strchr(" \t", text[end - 1]);) text[--end] = '\0';
    return !text[0] || number(text, '\0', &side->value[side->points++]);
}

static int read_file(const cm_program *program, const char *name, const char *path, heat_side *side)
{
    char *line = NULL, what[200];
    size_t room = 0;
    ssize_t length;
    struct stat there;
    /* Devices may have no end, and a FIFO without a writer would be waited for. */
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return file_error(program, name, path, "expected a regular file");
    FILE *file = fopen(path, "r");
    if (!file) return file_error(program, name, path, strerror(errno));
    side->value = calloc(MOST_POINTS + 1, sizeof *side->value); /* room for one too many, to detect
                                                                   it */
    int status = side->value ? 0 : file_error(program, name, path, "out of memory");
    for (int64_t at = 1; !status && (length = getline(&line, &room, file)) > 0; at++) {
        if (!read_line(line, (size_t)length, side)) {
            line[strcspn(line, "\r\n")] = '\0';
            snprintf(what, sizeof what, "line %lld, '%.60s': expected a temperature from %g to %g",
                     (long long)at, line, -hottest, hottest);
            status = file_error(program, name, path, what);
        } else if (side->points > MOST_POINTS) {
            snprintf(what, sizeof what, "more than %d temperatures", MOST_POINTS);
            status = file_error(program, name, path, what);
        }
    }
    free(line);
    if (!status && ferror(file)) status = file_error(program, name, path, strerror(errno));
    if (!status && side->points == 0)
        status = file_error(program, name, path, "holds no temperature");
    fclose(file);
    return status;
}

/* ---- Values of the options ------------------------------------------------------------------- */

int heat_side_parse(const cm_program *program, heat_place place, const char *text, heat_side *side)
{
    const char *name = heat_side_names[place];
    *side = (heat_side){.profile = HEAT_CONSTANT};
    if (strncmp(text, "file:", 5) == 0) {
        side->profile = HEAT_FILE;
        return cm_launch_rank() == 0 ? read_file(program, name, text + 5, side) : 0;
    }
    for (size_t k = 0; k < sizeof profiles / sizeof *profiles; k++) {
        size_t length = strlen(profiles[k].word);
        if (strncmp(text, profiles[k].word, length) != 0) continue;
        const char *rest = text + length;
        side->profile = profiles[k].profile;
        rest = number(rest, profiles[k].numbers == 2 ? ':' : '\0', &side->from);
        if (rest && profiles[k].numbers == 2) rest = number(rest, '\0', &side->to);
        if (rest) return 0;
        break;
    }
    return cm_option_error(program,
                           "--%s %s: expected a number, linear:FROM:TO, step:FROM:TO, sine:HEIGHT, "
                           "parabola:HEIGHT or file:PATH; temperatures are from %g to %g",
                           name, text, -hottest, hottest);
}

void heat_side_share(heat_side sides[HEAT_SIDES])
{
    for (int k = 0; k < HEAT_SIDES; k++) {
        heat_side *side = &sides[k];
        if (side->profile != HEAT_FILE) continue;
        cm_bcast(cm_world(), &side->points, sizeof side->points, HEAT_LEADER, CM_AUTO);
        if (!side->value) side->value = calloc((size_t)side->points, sizeof *side->value);
        if (!side->value)
            cm_abort(CM_EXIT_SYSTEM, "out of memory: %lld temperatures", (long long)side->points);
        cm_bcast(cm_world(), side->value, (size_t)side->points * sizeof *side->value, HEAT_LEADER,
                 CM_AUTO);
    }
}

/* ---- Temperatures ---------------------------------------------------------------------------- */

double heat_side_at(const heat_side *side, int64_t k, int64_t n)
{
    /* Counts from the nearer corner, so that symmetric profiles are symmetric to the last bit. */
    int64_t nearer = k < n + 1 - k ? k : n + 1 - k;
    double t = (double)k / (double)(n + 1), near_t = (double)nearer / (double)(n + 1);
    switch (side->profile) {
    case HEAT_LINEAR:
        return side->from + (side->to - side->from) * t;
    case HEAT_STEP:
        return 2 * k <= n ? side->from : side->to;
    case HEAT_SINE:
        return side->from * sin(acos(-1) * near_t);
    case HEAT_PARABOLA:
        return side->from * 4 * near_t * (1 - near_t);
    case HEAT_FILE:
        return side->value[k - 1];
    default:
        return side->from;
    }
}

void heat_sides_range(const heat_side sides[HEAT_SIDES], int64_t rows, int64_t columns, double *low,
                      double *high)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int s = 0; s < HEAT_SIDES; s++) {
        int64_t n = s == HEAT_NORTH || s == HEAT_SOUTH ? columns : rows;
        for (int64_t k = 1; k <= n; k++) {
            double value = heat_side_at(&sides[s], k, n);
            *low = fmin(*low, value);
            *high = fmax(*high, value);
        }
    }
}
