/* SPDX-License-Identifier: BSD-3-Clause */
/* run_place.c: what `clustermark run --place` prepares: the simulator's programs and launcher. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "results/folder.h"
#include "common/memory.h"
#include "run.h"
#include "common/say.h"

/* smpirun takes its program's arguments apart at blanks. */
static int check_blanks(const suite_session *s)
{
    const char *wrong = strpbrk(s->dir, " \t\n")         ? s->dir
                        : strpbrk(s->tree.tree, " \t\n") ? s->tree.tree
                                                         : NULL;
    if (!wrong) return 0;
    return suite_fail(CM_EXIT_USAGE,
                      "%s: --place: smpirun cannot work in '%s', whose name has a blank",
                      suite_run_word(s), wrong);
}

/* DIR/place.hosts has a line for each rank. */
static bool write_hosts(const suite_session *s)
{
    char *text = NULL;
    size_t length;
    FILE *lines = open_memstream(&text, &length);
    for (size_t k = 0; lines && k < s->place.hosts.n; k++)
        fprintf(lines, "%s\n", s->place.hosts.word[k]);
    bool written =
        lines && fclose(lines) == 0 && suite_folder_write(s->dir, "place", "hosts", text);
    free(text);
    return written;
}

static void make_launcher(suite_session *s, const char *platform)
{
    suite_words command = {0};
    char *hosts = suite_folder_path(s->dir, "place", "hosts");
    char *setting = suite_text("CM_PLACE=%s", s->place.name);
    const char *const words[] = {
        "env",       setting,  "smpirun",   "-np", "%n",
        "-platform", platform, "-hostfile", hosts, "--log=root.thres:critical"};
    for (size_t k = 0; k < sizeof words / sizeof words[0]; k++) suite_words_add(&command, words[k]);
    char *text = suite_words_join(&command);
    suite_launcher_find(s->home, text, &s->children, &s->launcher);
    free(text);
    free(setting);
    free(hosts);
    suite_words_free(&command);
}

/* Starts a program that does nothing: SimGrid says what is wrong with a platform. */
static int try_platform(suite_session *s, const char *platform)
{
    suite_words command = {0};
    char *program = suite_home_program(&s->tree, "netpipe", "cm-netpipe");
    char *errors = suite_folder_path(s->dir, "place", "errors");
    suite_launcher_words(&s->launcher, 1, NULL, 0, &command);
    suite_words_add(&command, program);
    suite_words_add(&command, "--print-metrics"); /* SimGrid would take --version for itself */
    suite_child child = {.argv = command.word, .errors = errors, .limit_s = 60};
    int status = 0, result = 0;
    suite_child_end end = suite_child_run(&s->children, &child, &status);
    if (end == SUITE_CHILD_INTERRUPTED) result = 128 + s->children.interrupted;
    else if (end != SUITE_CHILD_EXITED || status != 0) {
        char *text = suite_file_text(errors), *reason = suite_reason(text ? text : "");
        result = suite_fail(CM_EXIT_SYSTEM, "%s: --place %s: SimGrid does not take %s: %s",
                            suite_run_word(s), s->place.name, platform, reason);
        free(reason);
        free(text);
    }
    suite_folder_remove(s->dir, "place", "errors");
    suite_words_free(&command);
    free(errors);
    free(program);
    return result;
}

int suite_run_place(suite_session *s)
{
    int status = suite_place_build(s->home, &s->place, &s->children, &s->tree);
    if (!status) status = check_blanks(s);
    if (status) return status;
    char *platform = suite_place_platform(s->home, &s->place);
    s->home = &s->tree;
    if (!write_hosts(s)) status = CM_EXIT_SYSTEM;
    else {
        make_launcher(s, platform);
        status = try_platform(s, platform);
    }
    free(platform);
    return status;
}
