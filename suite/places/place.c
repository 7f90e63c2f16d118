/* SPDX-License-Identifier: BSD-3-Clause */
/* place.c: reads the description of a simulated cluster. */
#include "config.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/comm.h"
#include "common/lines.h"
#include "common/memory.h"
#include "place.h"
#include "common/say.h"

enum { MOST_HOSTS = 100000 };

static char *path_of(const suite_home *home, const char *name, const char *suffix)
{
    return suite_text("%s/clusters/simulated/%s.%s", home->data, name, suffix);
}

/* The next field, without the blanks around it; NULL: there is none. */
static char *next_field(char **rest)
{
    char *field = strsep(rest, "|");
    if (!field) return NULL;
    field += strspn(field, " ");
    for (size_t n = strlen(field); n > 0 && field[n - 1] == ' '; n--) field[n - 1] = '\0';
    return field;
}

/* ---- the keys -------------------------------------------------------------------------------- */

/* One part of the list: "pc7"; "pc1-20" for pc1, pc2, ...; "pc1-20*2" with each of them twice. */
static bool add_hosts(suite_words *hosts, const char *text)
{
    int prefix = (int)strcspn(text, "0123456789"), first, last, times = 1, end = 0;
    const char *rest = text + prefix;
    if (sscanf(rest, "%d%n", &first, &end) != 1) return false;
    rest += end;
    last = first;
    if (*rest == '-' && sscanf(rest, "-%d%n", &last, &end) == 1) rest += end;
    if (*rest == '*' && sscanf(rest, "*%d%n", &times, &end) == 1) rest += end;
    if (*rest || last < first || last - first >= MOST_HOSTS || times < 1 || times > MOST_HOSTS)
        return false;
    for (int host = first; host <= last; host++)
        for (int time = 0; time < times; time++) {
            char *name = suite_text("%.*s%d", prefix, text, host);
            suite_words_add(hosts, name);
            free(name);
        }
    return true;
}

static bool read_hosts(suite_place *place, char *text, const suite_position *at)
{
    suite_words parts = {0};
    bool right = true;
    suite_words_list(&parts, text);
    for (size_t k = 0; k < parts.n && right; k++)
        if (!add_hosts(&place->hosts, parts.word[k]))
            right = suite_lines_fail_value(at, "hosts", parts.word[k], "NAME1-20 or NAME1-20*2");
    suite_words_free(&parts);
    return right;
}

/* The CM_ variables in front of the options. */
static void split_settings(suite_place_run *run, const char *options)
{
    size_t length = 0;
    while (strncmp(options + length, "CM_", 3) == 0) {
        length += strcspn(options + length, " ");
        length += strspn(options + length, " ");
    }
    run->settings = suite_text("%.*s", (int)length, options);
    run->options = suite_copy(options + length);
}

static bool read_run(suite_place *place, char *text, const suite_position *at)
{
    char *name = next_field(&text), *ranks = next_field(&text), *seconds = next_field(&text);
    char *options = next_field(&text), *slash;
    if (!options || text || !*name)
        return suite_lines_fail(at, "run", "expected NAME | RANKS | SECONDS | OPTIONS");
    suite_place_run run = {.ranks = atoi(ranks), .seconds = atof(seconds)};
    if (run.ranks < 1 || (size_t)run.ranks > place->hosts.n)
        return suite_lines_fail_value(at, "run", ranks, "as many ranks as hosts, at most");
    slash = strchr(name, '/');
    run.further = slash ? suite_copy(slash + 1) : NULL;
    run.base = suite_text("%.*s", (int)strcspn(name, "/"), name);
    split_settings(&run, options);
    place->run = suite_longer(place->run, place->n_runs + 1, sizeof run);
    place->run[place->n_runs++] = run;
    return true;
}

static bool read_item(suite_place *place, char *text, const suite_position *at)
{
    char *name = next_field(&text), *kind = next_field(&text), *answer = next_field(&text);
    char why[512];
    const char *colon = name ? strchr(name, ':') : NULL;
    suite_place_item item = {0};
    if (!answer || text || !colon)
        return suite_lines_fail(at, "item",
                                "expected OWNER:KEY | fitted, predicted or input "
                                "| ANSWER");
    item.fitted = strcmp(kind, "fitted") == 0;
    item.input = strcmp(kind, "input") == 0;
    if (!item.fitted && !item.input && strcmp(kind, "predicted") != 0)
        return suite_lines_fail_value(at, "item", kind, "fitted, predicted or input");
    if (!suite_answer_parse(answer, &item.answer, why, sizeof why))
        return suite_lines_fail(at, "item", why);
    item.owner = suite_text("%.*s", (int)(colon - name), name);
    item.key = suite_copy(colon + 1);
    place->item = suite_longer(place->item, place->n_items + 1, sizeof item);
    place->item[place->n_items++] = item;
    return true;
}

static bool read_line(void *context, char *line, const suite_position *at)
{
    static const char keys[] = "about, paper, beside, hosts, run or item";
    suite_place *place = context;
    char *colon = strstr(line, ": ");
    if (!colon) return suite_lines_fail(at, "line", "expected KEY: VALUE");
    char *value = colon + 2;
    *colon = '\0';
    value += strspn(value, " ");
    if (strcmp(line, "run") == 0) return read_run(place, value, at);
    if (strcmp(line, "item") == 0) return read_item(place, value, at);
    if (strcmp(line, "hosts") == 0) return read_hosts(place, value, at);
    char **text = strcmp(line, "about") == 0    ? &place->about
                  : strcmp(line, "paper") == 0  ? &place->paper
                  : strcmp(line, "beside") == 0 ? &place->beside
                                                : NULL;
    if (!text) return suite_lines_fail_value(at, "key", line, keys);
    free(*text);
    *text = suite_copy(value);
    return true;
}

/* ---- places ---------------------------------------------------------------------------------- */

void suite_place_names(const suite_home *home, suite_words *names)
{
    static const char suffix[] = ".place";
    char *pattern = path_of(home, "*", "place");
    glob_t files;
    int status = glob(pattern, 0, NULL, &files);
    free(pattern);
    for (size_t k = 0; status == 0 && k < files.gl_pathc; k++) {
        const char *base = strrchr(files.gl_pathv[k], '/') + 1;
        char *name = suite_text("%.*s", (int)(strlen(base) - strlen(suffix)), base);
        suite_words_add(names, name);
        free(name);
    }
    if (status == 0) globfree(&files);
}

int suite_place_read(const suite_home *home, const char *name, suite_place *place)
{
    suite_words names = {0};
    *place = (suite_place){0};
    suite_place_names(home, &names);
    bool known = suite_words_have(&names, name);
    if (!known) {
        char *all = suite_words_join(&names);
        suite_say("--place %s: no such place; there are: %s", name, all);
        free(all);
    }
    suite_words_free(&names);
    if (!known) return CM_EXIT_USAGE;
    char *path = path_of(home, name, "place");
    bool right = suite_lines_read(path, read_line, place);
    if (right && (!place->about || !place->paper || !place->n_runs)) {
        suite_say("%s: it lacks about, paper or run", path);
        right = false;
    }
    place->name = suite_copy(name);
    free(path);
    return right ? 0 : CM_EXIT_SYSTEM;
}

void suite_place_free(suite_place *place)
{
    for (size_t r = 0; r < place->n_runs; r++) {
        free(place->run[r].base);
        free(place->run[r].further);
        free(place->run[r].settings);
        free(place->run[r].options);
    }
    for (size_t k = 0; k < place->n_items; k++) {
        free(place->item[k].owner);
        free(place->item[k].key);
        suite_answer_free(&place->item[k].answer);
    }
    free(place->run);
    free(place->item);
    free(place->name);
    free(place->about);
    free(place->paper);
    free(place->beside);
    suite_words_free(&place->hosts);
    *place = (suite_place){0};
}

const suite_place_item *suite_place_answer(const suite_place *place, const char *owner,
                                           const char *key)
{
    for (size_t k = 0; k < place->n_items; k++)
        if (strcmp(place->item[k].owner, owner) == 0 && strcmp(place->item[k].key, key) == 0)
            return &place->item[k];
    return NULL;
}

bool suite_places_read(const suite_home *home, suite_places *places)
{
    suite_words names = {0};
    bool right = true;
    suite_place_names(home, &names);
    *places = (suite_places){.place = suite_array(names.n, sizeof(suite_place))};
    for (size_t k = 0; right && k < names.n; k++)
        right = suite_place_read(home, names.word[k], &places->place[places->n++]) == 0;
    suite_words_free(&names);
    return right;
}

void suite_places_free(suite_places *places)
{
    for (size_t k = 0; k < places->n; k++) suite_place_free(&places->place[k]);
    free(places->place);
    *places = (suite_places){0};
}

char *suite_place_platform(const suite_home *home, const suite_place *place)
{
    return path_of(home, place->name, "xml");
}
