/* SPDX-License-Identifier: BSD-3-Clause */
/* run_shapes.c: how many ranks a run has, and where they are: two, two on each host, one on each
   host, or one on each core. */
#include "config.h"
#include <errno.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/comm.h"
#include "machine/machine.h"
#include "common/memory.h"
#include "run.h"
#include "common/say.h"
#include "places/turns.h"

enum { ANSWER_S = 120 }; /* the hosts' time to say what they have */

/* Only then do hosts and cores decide. */
static bool has_shapes(const suite_session *s)
{
    return s->n_hosts > 1 && !s->options.ranks && suite_launcher_has_shapes(s->options.launcher)
           && !suite_run_simulates(s);
}

/* Two ranks on each host, however many ranks others have. */
static bool has_pairs(const suite_session *s, const suite_run *run)
{
    return run->shape == SUITE_SHAPE_PAIRS && s->n_hosts > 1 && s->names && !s->options.launcher
           && !suite_run_simulates(s);
}

static int ranks_of_shape(const suite_session *s, suite_shape shape)
{
    if (!has_shapes(s)) return s->all_ranks;
    if (shape == SUITE_SHAPE_HOSTS) return s->n_hosts;
    return shape == SUITE_SHAPE_NODE ? s->node_ranks : s->all_ranks;
}

int suite_run_ranks(const suite_session *s, const suite_run *run)
{
    if (run->ranks == SUITE_RANKS_NUMBER)
        return has_pairs(s, run) ? run->number * s->n_hosts : run->number;
    const int ranks = ranks_of_shape(s, run->shape);
    return run->ranks == SUITE_RANKS_EVEN ? ranks - ranks % 2 : ranks;
}

void suite_run_launcher(const suite_session *s, const suite_run *run, suite_words *command)
{
    const int ranks = suite_run_ranks(s, run);
    const bool uneven = run->shape == SUITE_SHAPE_WHOLE && s->uneven;
    const char *hosts = s->hosts;
    int per_host = 0;
    if (has_pairs(s, run)) {
        hosts = s->names;
        per_host = run->number;
    } else if (has_shapes(s) && !uneven) {
        hosts = run->shape == SUITE_SHAPE_NODE ? s->first_host : s->names;
        if (run->shape == SUITE_SHAPE_NODE || run->shape == SUITE_SHAPE_WHOLE)
            per_host = s->node_ranks;
    }
    suite_launcher_words(&s->launcher, ranks, hosts, per_host, command);
}

bool suite_run_is_same(const suite_session *s, const suite_run *run)
{
    if (!run->first) return false;
    if (!has_shapes(s)) return true;
    for (size_t r = 0; &s->table.run[r] != run; r++) {
        const suite_run *other = &s->table.run[r];
        const bool same_bench = strcmp(other->name, run->first) == 0
                                || (other->first && strcmp(other->first, run->first) == 0);
        if (same_bench && suite_run_ranks(s, other) == suite_run_ranks(s, run)) return true;
    }
    return suite_run_ranks(s, run) < 2;
}

/* ---- What the hosts have --------------------------------------------------------------------- */

static double number_of(const cm_record *record, const char *key, double otherwise)
{
    const char *text = cm_record_meta(record, key);
    double value;
    return text && cm_record_number(text, &value) ? value : otherwise;
}

/* Sets cores and memory by what a short run with a rank on each host says of them. Hosts that share
   a kernel share both. */
static void learn(suite_session *s, const cm_record *record)
{
    const double hosts = s->n_hosts, computers = number_of(record, "computers", hosts);
    const double cores = number_of(record, "job_cores", 1) * computers / hosts;
    s->cores = (int)(number_of(record, "job_cores", 1) * computers);
    s->host_memory_bytes = number_of(record, "memory_free_bytes", 0) * computers / hosts;
    if (s->counted) return; /* the list of hosts says how many ranks there may be */
    s->node_ranks = cores < 1 ? 1 : (int)cores;
    s->all_ranks = s->node_ranks * s->n_hosts;
}

static int fail(const suite_session *s, const char *why)
{
    return suite_fail(CM_EXIT_SYSTEM, "%s: the hosts did not say how many cores they have: %s",
                      suite_run_word(s), why);
}

/* Says how the child ended that did not pass. Returns the exit status. */
static int tell(const suite_session *s, const suite_child *child, suite_child_end end, int ended)
{
    if (end == SUITE_CHILD_INTERRUPTED)
        return suite_turns_interrupted(&s->children, suite_run_word(s),
                                       s->options.alone ? SUITE_AGAIN_MEASURES_ANEW
                                       : s->goes_on     ? SUITE_AGAIN_GOES_ON
                                                        : SUITE_AGAIN_BEGINS_ANEW);
    char *errors = suite_file_text(child->errors);
    char *why = end == SUITE_CHILD_OVERTIME ? suite_text("no answer in %g s", child->limit_s)
                : errors && *errors         ? suite_reason(errors)
                                            : suite_turns_end(end, ended);
    const int status = fail(s, why);
    free(why);
    free(errors);
    return status;
}

/* Returns 0; or prints one line and returns the exit status. */
static int ask(suite_session *s, const char *output, const char *json, const char *errors)
{
    suite_words command = {0};
    char *program = suite_home_program(s->home, "network/linkmap", "cm-linkmap");
    suite_launcher_words(&s->launcher, s->n_hosts, s->names, 0, &command);
    suite_words_add(&command, program);
    suite_words_split(&command, "--size 2 --map-limit 0 --again 0 --warm-up 0 --repetitions 1 "
                                "--trials 1 --quiet --force --output");
    suite_words_add(&command, output);
    suite_words_add(&command, "--json");
    suite_words_add(&command, json);
    if (s->virtuals.hosts) suite_virtual_wrap(&s->virtuals, &command);
    suite_child child = {.argv = command.word,
                         .output = "/dev/null",
                         .errors = errors,
                         .limit_s = fmax(ANSWER_S, s->options.time_limit_s)};
    int ended;
    const suite_child_end end = suite_child_run(&s->children, &child, &ended);
    const bool passed = end == SUITE_CHILD_EXITED && ended == CM_EXIT_PASS;
    const int status = passed ? 0 : tell(s, &child, end, ended);
    suite_words_free(&command);
    free(program);
    return status;
}

/* Asks the hosts, whose answer goes to this folder, where they can write. */
static int ask_into(suite_session *s, const char *folder)
{
    char why[1024];
    char *output = suite_folder_path(folder, "hosts.1", "txt");
    char *json = suite_folder_path(folder, "hosts.1", "json");
    char *errors = suite_folder_path(folder, "hosts.1", "stderr");
    cm_record record = {0};
    int status = ask(s, output, json, errors);
    if (!status && !cm_record_read(json, &record, why, sizeof why)) status = fail(s, why);
    if (!status) {
        learn(s, &record);
        s->answer_text = suite_file_text(output);
        s->answer_json = suite_file_text(json);
    }
    cm_record_free(&record);
    free(errors);
    free(json);
    free(output);
    return status;
}

/* A question that no run follows leaves nothing. A temporary folder of this host may not be one of
   the others: it is where DIR is or would be made. */
static int ask_without_trace(suite_session *s)
{
    static const char *const suffixes[] = {"txt", "json", "stderr"};
    char *dir = suite_copy(s->dir), *above = dir;
    while (access(above, F_OK) < 0) above = dirname(above);
    char *real = realpath(above, NULL);
    char *folder = suite_text("%s/clustermark-XXXXXX", real ? real : above);
    int status = mkdtemp(folder) ? 0
                                 : suite_fail(CM_EXIT_SYSTEM, "%s: cannot make the folder %s: %s",
                                              suite_run_word(s), folder, strerror(errno));
    if (!status) {
        status = ask_into(s, folder);
        for (size_t k = 0; k < sizeof suffixes / sizeof *suffixes; k++)
            suite_folder_remove(folder, "hosts.1", suffixes[k]);
        rmdir(folder);
    }
    free(folder);
    free(real);
    free(dir);
    return status;
}

int suite_run_shapes(suite_session *s)
{
    s->host_memory_bytes = (double)cm_machine_memory_free_bytes();
    if (s->n_hosts <= 1 && suite_launcher_has_shapes(s->options.launcher))
        s->cores = cm_machine_job_cores();
    return has_shapes(s) && !s->launcher.problem ? ask_without_trace(s) : 0;
}

bool suite_run_write_answer(const suite_session *s)
{
    if (!s->answer_json) return true;
    char *launches = suite_text("%s/launches", s->dir);
    const bool written =
        (!s->answer_text || suite_folder_write(launches, "hosts.1", "txt", s->answer_text))
        && suite_folder_write(launches, "hosts.1", "json", s->answer_json);
    free(launches);
    return written;
}
