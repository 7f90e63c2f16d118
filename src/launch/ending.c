/* SPDX-License-Identifier: BSD-3-Clause */
/* ending.c: finds the failure of a job, reports it, and ends the job or lets it go on. */
#include "config.h"
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include "base/exit.h"
#include "comm/pmi/pmi_line.h"
#include "launch/ending.h"

void ending_say(job *job, const char *format, ...)
{
    char text[CM_PMI_LINE_BYTES];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (job->out[RANK_STDERR]) output_own(job->out[RANK_STDERR], text);
    else fputs(text, stderr);
}

void ending_begin(job *job)
{
    job->kill_at_s = loop_now_s() + ending_kill_after_s;
    crew_signal(&job->crew, SIGTERM);
}

void ending_fail(job *job, int status, const char *format, ...)
{
    char text[2048];
    va_list list;
    if (job->failed) return;
    job->failed = true;
    job->exit_status = status;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    int alive = crew_alive(&job->crew);
    ending_say(job, "cmrun: %s%s\n", text, alive ? "; ending the others" : "");
    ending_begin(job);
}

/* ---- Ranks that die alone -------------------------------------------------------------------- */

/* The rank no longer takes part, whatever it still does. */
static void count_out(job *job, int rank, int status)
{
    deaths_count(job->deaths, rank, status);
    stops_note(job->stops, rank, 0, loop_now_s());
    cause_settle(job->cause, rank);
    pmi_server_excuse(job->pmi, rank);
}

static void go_on_without(job *job, int rank, int status, const char *what)
{
    if (job->failed || deaths_counted(job->deaths, rank)) return;
    count_out(job, rank, status);
    ending_say(job, "cmrun: rank %d (pid %ld) on %s: %s%s\n", rank,
               (long)crew_pid(&job->crew, rank), crew_host(&job->crew, rank), what,
               deaths_running(job->deaths) ? "; going on without it" : "");
    crew_kill(&job->crew, rank);
}

void ending_fail_rank(job *job, int rank, int status, const char *format, ...)
{
    char text[384];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (job->keep_going) go_on_without(job, rank, status, text);
    else
        ending_fail(job, status, "rank %d (pid %ld) on %s: %s", rank,
                    (long)crew_pid(&job->crew, rank), crew_host(&job->crew, rank), text);
}

void ending_fail_hosts(job *job, const host *const *hosts, int n, int status, const char *text)
{
    if (!job->keep_going) {
        ending_fail(job, status, "%s", text);
        return;
    }
    int lost = 0;
    if (job->failed) return;
    for (int h = 0; h < n; h++)
        for (int i = 0; i < hosts[h]->count; i++) {
            int rank = hosts[h]->first + i * hosts[h]->stride;
            if (deaths_over(job->deaths, rank)) continue;
            lost++;
            deaths_lose(job->deaths, rank);
            count_out(job, rank, status);
        }
    if (deaths_running(job->deaths))
        ending_say(job, "cmrun: %s; going on without %s %d rank%s\n", text,
                   n == 1 ? "its" : "their", lost, lost == 1 ? "" : "s");
    else ending_say(job, "cmrun: %s\n", text);
}

double ending_check_stops(job *job)
{
    static const char *const names[] = {
        [SIGSTOP] = "STOP", [SIGTSTP] = "TSTP", [SIGTTIN] = "TTIN", [SIGTTOU] = "TTOU"};
    int rank, signal;
    double limit_s = job->plan->stopped_s, next_s = INFINITY;
    while (!job->failed
           && (rank = stops_find(job->stops, limit_s, loop_now_s(), &signal, &next_s)) >= 0) {
        stops_note(job->stops, rank, 0, loop_now_s());
        deaths_lose(job->deaths, rank);
        bool named = signal < (int)(sizeof names / sizeof names[0]) && names[signal];
        ending_fail_rank(job, rank, CM_EXIT_SYSTEM,
                         "stopped by signal %d%s%s%s for %g s "
                         "(CM_TIMEOUT_S)",
                         signal, named ? " (" : "", named ? names[signal] : "", named ? ")" : "",
                         limit_s);
    }
    return job->failed ? INFINITY : next_s;
}

/* ---- Causes ---------------------------------------------------------------------------------- */

static void fail_ended(job *job, int rank)
{
    int status = cause_status(job->cause, rank);
    if (WIFSIGNALED(status))
        ending_fail_rank(job, rank, 128 + WTERMSIG(status), "killed by signal %d (%s)%s",
                         WTERMSIG(status), strsignal(WTERMSIG(status)),
                         WCOREDUMP(status) ? ", core dumped" : "");
    else if (WEXITSTATUS(status))
        ending_fail_rank(job, rank, WEXITSTATUS(status), "exited with status %d",
                         WEXITSTATUS(status));
    else
        ending_fail_rank(job, rank, CM_EXIT_SYSTEM,
                         "exited with status 0 without leaving the job "
                         "(no PMI finalize)");
}

static void fail_aborted(job *job, int rank)
{
    if (!job->abort_text) {
        ending_fail(job, job->abort_status, "rank %d (pid %ld) on %s: ended the job with status %d",
                    rank, (long)crew_pid(&job->crew, rank), crew_host(&job->crew, rank),
                    job->abort_status);
        return;
    }
    job->failed = true;
    job->exit_status = job->abort_status;
    ending_say(job, "%s\n", job->abort_text); /* the text names rank and host */
    ending_begin(job);
}

/* Decides about one failure. Returns false if there is nothing more to decide for now. */
static bool decide_one(job *job)
{
    int rank, waiting;
    if (job->failed) return false;
    switch (cause_find(job->cause, job->pmi, loop_now_s(), &rank, &waiting)) {
    case CAUSE_NONE:
        return false;
    case CAUSE_ENDED:
        fail_ended(job, rank);
        break;
    case CAUSE_AGREED:
        /* Example: `cmrun -n 4 false`, or a wrong option that rank 0 has already reported. */
        if (job->keep_going) return false;
        job->failed = true;
        job->exit_status = WEXITSTATUS(cause_status(job->cause, rank));
        break;
    case CAUSE_ABORTED:
        fail_aborted(job, rank);
        break;
    case CAUSE_CLOSED:
        deaths_lose(job->deaths, rank);
        ending_fail_rank(job, rank, CM_EXIT_SYSTEM,
                         "closed its PMI socket without leaving the job");
        break;
    case CAUSE_STUCK:
        deaths_lose(job->deaths, rank);
        ending_fail_rank(job, rank, CM_EXIT_SYSTEM,
                         "exited with status 0 while %d rank%s in a "
                         "barrier",
                         waiting, waiting == 1 ? " waits for it" : "s wait for it");
    }
    return true;
}

void ending_decide(job *job)
{
    while (decide_one(job)) {}
}

int ending_status(const job *job)
{
    return job->failed || job->exit_status ? job->exit_status : deaths_status(job->deaths);
}
