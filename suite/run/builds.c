/* SPDX-License-Identifier: BSD-3-Clause */
/* builds.c: the builds of `clustermark run --backend`, each with a clustermark of its own, and the
   folder of their results. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "builds.h"
#include "comm/comm.h"
#include "common/memory.h"
#include "common/say.h"
#include "places/turns.h"
#include "results/backends.h"
#include "results/folder.h"

/* ---- Which builds ---------------------------------------------------------------------------- */

static int add(suite_builds *b, const char *word)
{
    const char *equals = strchr(word, '=');
    suite_build one = {.name = equals ? suite_text("%.*s", (int)(equals - word), word)
                                      : suite_copy(word),
                       .given = equals ? suite_copy(equals + 1) : NULL};
    int status = 0;
    if (!suite_backends_is_name(one.name) || (one.given && !*one.given))
        status = suite_fail(CM_EXIT_USAGE,
                            "run: --backend '%s': expected NAME, or NAME=BUILD as in "
                            "sockets=../b-sockets",
                            word);
    for (size_t k = 0; k < b->n && !status; k++)
        if (strcmp(b->build[k].name, one.name) == 0)
            status = suite_fail(CM_EXIT_USAGE,
                                "run: --backend %s: %s is there twice; %s/%s can "
                                "hold one of them",
                                b->list, one.name, b->dir, one.name);
    b->build = suite_longer(b->build, b->n + 1, sizeof one);
    b->build[b->n++] = one;
    return status;
}

/* The names as DIR/run.txt has them; the caller frees. */
static char *names_of(const suite_builds *b)
{
    suite_words names = {0};
    for (size_t k = 0; k < b->n; k++) suite_words_add(&names, b->build[k].name);
    char *all = suite_words_joined(&names, ",", ",");
    suite_words_free(&names);
    return all;
}

int suite_builds_read(suite_builds *b)
{
    suite_words words = {0};
    int status = 0;
    suite_words_list(&words, b->list);
    for (size_t k = 0; k < words.n && !status; k++) status = add(b, words.word[k]);
    if (!status && b->n == 0)
        status = suite_fail(CM_EXIT_USAGE, "run: --backend '%s': expected NAME,...", b->list);
    if (!status) b->names = names_of(b);
    suite_words_free(&words);
    return status;
}

/* This program, if it is over the backend; otherwise the one that is installed beside it. */
static char *own_program(const suite_home *home, const char *name)
{
    if (strcmp(name, CM_COMM) == 0) return realpath("/proc/self/exe", NULL);
    char *program = suite_text("clustermark-%s", name),
         *beside = suite_home_program(home, "suite", program),
         *found = suite_turns_program(beside, NULL);
    free(beside);
    free(program);
    return found;
}

static int find_program(const suite_home *home, suite_build *one)
{
    if (one->given) {
        char *program = suite_turns_program(one->given, one->name);
        one->program = program ? realpath(program, NULL) : NULL;
        free(program);
        if (one->program) return 0;
        return suite_fail(CM_EXIT_USAGE,
                          "run: --backend %s=%s: it has neither suite/clustermark, as a build, nor "
                          "bin/clustermark, as an installation, nor is it the program itself",
                          one->name, one->given);
    }
    one->program = own_program(home, one->name);
    if (one->program) return 0;
    return suite_fail(
        CM_EXIT_USAGE,
        "run: --backend %s: this build is over %s and no clustermark-%s is beside it; "
        "give %s=BUILD",
        one->name, CM_COMM, one->name, one->name);
}

int suite_builds_find(suite_builds *b, const suite_home *home)
{
    int status = 0;
    for (size_t k = 0; k < b->n && !status; k++) status = find_program(home, &b->build[k]);
    return status;
}

/* The value behind a word that begins a line of `clustermark env`; the caller frees. */
static char *line_of(const char *text, const char *word)
{
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t n = strlen(word);
        if (strncmp(line, word, n) != 0 || line[n] != ' ') continue;
        const char *value = line + n + strspn(line + n, " ");
        return suite_text("%.*s", (int)strcspn(value, "\n"), value);
    }
    return suite_copy("");
}

int suite_build_ask(const suite_build *one, suite_children *children)
{
    char *answer = suite_folder_temporary("clustermark-XXXXXX");
    int file = mkstemp(answer), status = 0;
    if (file < 0) status = suite_fail(CM_EXIT_SYSTEM, "run: %s: %s", answer, strerror(errno));
    else {
        char *const argv[] = {one->program, "env", NULL};
        suite_child child = {.argv = argv, .output = answer, .errors = "/dev/null", .limit_s = 60};
        int ended;
        close(file);
        suite_child_run(children, &child, &ended);
        char *text = suite_file_text(answer), *version = line_of(text, "version"),
             *comm = line_of(text, "backend");
        if (children->interrupted) status = 128 + children->interrupted;
        else if (!*version || !*comm)
            status = suite_fail(CM_EXIT_USAGE, "run: --backend %s: `%s env` names no backend",
                                one->name, one->program);
        else if (strcmp(comm, one->name) != 0)
            status = suite_fail(CM_EXIT_USAGE, "run: --backend %s: %s is over %s; give %s=BUILD",
                                one->name, one->program, comm, comm);
        else if (strcmp(version, PACKAGE_VERSION) != 0)
            status = suite_fail(CM_EXIT_USAGE,
                                "run: --backend %s: %s is version %s, and this is %s; expected "
                                "builds of one version",
                                one->name, one->program, version, PACKAGE_VERSION);
        free(comm);
        free(version);
        free(text);
        unlink(answer);
    }
    free(answer);
    return status;
}

/* ---- The folder ------------------------------------------------------------------------------ */

/* The launches of other builds must not be mixed with these, and no file of another command be
   replaced. */
static int agree(const suite_builds *b)
{
    char *path = suite_text("%s/run.txt", b->dir);
    char *before = suite_folder_metadata(b->dir, "backends"),
         *begun = suite_folder_metadata(b->dir, "begun-anew");
    const bool is_begun = begun != NULL;
    int status = 0;
    bool is_there = access(path, F_OK) == 0;
    if (is_there && !before)
        status = suite_fail(CM_EXIT_USAGE,
                            "run: --backend: %s is not of run --backend; use another DIR", path);
    else if (before && strcmp(before, b->names) != 0)
        status = suite_fail(CM_EXIT_USAGE,
                            "run: --backend: %s holds launches of %s in turns, not of %s; use "
                            "another DIR",
                            b->dir, before, b->names);
    else if (is_begun && !b->fresh)
        status = suite_fail(CM_EXIT_USAGE,
                            "run: --backend: %s: the last --fresh ended before every backend had "
                            "begun anew; give --fresh again",
                            b->dir);
    for (size_t k = 0; k < b->n && is_there && !status; k++) {
        char *program = suite_folder_metadata(b->dir, b->build[k].name);
        if (!b->fresh && program && strcmp(program, b->build[k].program) != 0)
            status = suite_fail(CM_EXIT_USAGE,
                                "run: --backend: %s holds launches of %s over %s, not of %s; use "
                                "another DIR, or --fresh",
                                b->dir, program, b->build[k].name, b->build[k].program);
        free(program);
    }
    free(before);
    free(begun);
    free(path);
    return status;
}

int suite_builds_check(const suite_builds *b, suite_children *children)
{
    int status = 0;
    for (size_t k = 0; k < b->n && !status; k++) status = suite_build_ask(&b->build[k], children);
    return status ? status : agree(b);
}

int suite_builds_write(const suite_builds *b, bool begun)
{
    char *text = suite_text("version: %s\nbackends: %s\n%s", PACKAGE_VERSION, b->names,
                            begun ? "begun-anew: yes\n" : "");
    for (size_t k = 0; k < b->n; k++) {
        char *longer = suite_text("%s%s: %s\n", text, b->build[k].name, b->build[k].program);
        free(text);
        text = longer;
    }
    int status = 0;
    if (!suite_folders_make(b->dir))
        status = suite_fail(CM_EXIT_USAGE, "run: cannot make the folder %s: %s", b->dir,
                            strerror(errno));
    else if (!suite_folder_write(b->dir, "run", "txt", text)) status = CM_EXIT_SYSTEM;
    free(text);
    return status;
}

void suite_builds_free(suite_builds *b)
{
    for (size_t k = 0; k < b->n; k++) {
        free(b->build[k].name);
        free(b->build[k].given);
        free(b->build[k].program);
    }
    free(b->build);
    free(b->names);
    *b = (suite_builds){0};
}
