/* SPDX-License-Identifier: BSD-3-Clause */
/* job.c: runs a job: output, PMI lines and ends of its ranks, signals to cmrun, time limits. */
#include "config.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>
#include "base/exit.h"
#include "launch/ending.h"
#include "launch/job_internal.h"
#include "launch/spawn.h"

static const double double_int_s = 1; /* a second SIGINT within this time kills */
static const double give_up_s = 10;   /* from KILL to giving up waiting */

/* ---- Events of the ranks --------------------------------------------------------------------- */

static void on_line(void *context, int rank, const char *line)
{
    job *job = context;
    pmi_server_line(job->pmi, rank, line);
}

static void on_broken(void *context, int rank, const char *why)
{
    job *job = context;
    deaths_lose(job->deaths, rank);
    ending_fail_rank(job, rank, CM_EXIT_SYSTEM, "%s", why);
}

static void on_line_end(void *context, int rank)
{
    job *job = context;
    cause_lines_ended(job->cause, rank);
}

static void on_output(void *context, int rank, int stream, const char *data, size_t bytes)
{
    job *job = context;
    output_data(job->out[stream], rank, data, bytes);
}

static void on_output_end(void *context, int rank, int stream)
{
    job *job = context;
    output_end(job->out[stream], rank);
}

static void on_ended(void *context, int rank, pid_t pid, int status)
{
    job *job = context;
    (void)pid;
    pmi_state state = pmi_server_state(job->pmi, rank);
    pmi_server_gone(job->pmi, rank);
    stops_note(job->stops, rank, 0, loop_now_s());
    deaths_ended(job->deaths, rank, status, state);
    cause_ended(job->cause, rank, status, state == PMI_JOINED, loop_now_s());
}

static void on_stopped(void *context, int rank, int signal)
{
    job *job = context;
    stops_note(job->stops, rank, signal, loop_now_s());
}

static void on_not_started(void *context, int rank, const char *doing, const char *why)
{
    job *job = context;
    ending_fail(job, CM_EXIT_SYSTEM, "cannot %s rank %d of %d: %s", doing, rank, job->plan->ranks,
                why);
}

static const rank_set_events rank_events = {.line = on_line,
                                            .line_broken = on_broken,
                                            .line_end = on_line_end,
                                            .output = on_output,
                                            .output_end = on_output_end,
                                            .ended = on_ended,
                                            .stopped = on_stopped,
                                            .not_started = on_not_started};

/* ---- Events of the PMI server ---------------------------------------------------------------- */

static void on_answer(void *context, int rank, const char *line, size_t bytes)
{
    job *job = context;
    crew_answer(&job->crew, rank, line, bytes);
}

static void on_answer_all(void *context, const char *line, size_t bytes)
{
    job *job = context;
    crew_answer_all(&job->crew, line, bytes);
}

static void on_keys(void *context, const char *text, size_t bytes)
{
    job *job = context;
    crew_keys(&job->crew, text, bytes);
}

/* The first abort counts. But a rank that gave up because of another knows less than a rank with a
   reason of its own, which may be read later. */
static void on_abort(void *context, int rank, int status, int blames, const char *text)
{
    job *job = context;
    cause_abort(job->cause, rank, loop_now_s());
    if (job->aborted && !(job->abort_blames >= 0 && blames < 0)) return;
    job->aborted = true;
    job->abort_status = status;
    job->abort_blames = blames;
    free(job->abort_text);
    job->abort_text = text ? strdup(text) : NULL;
}

static const pmi_server_events pmi_events = {.answer = on_answer,
                                             .answer_all = on_answer_all,
                                             .keys = on_keys,
                                             .abort = on_abort,
                                             .broken = on_broken};

/* ---- Signals, output and input of cmrun ------------------------------------------------------ */

static bool is_to_end(int signal)
{
    return signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
}

/* The job is over and only its output is still to be written. The signal is for cmrun itself. */
static void discard_output(job *job, int signal)
{
    if (!is_to_end(signal)) return;
    if (!job->exit_status) job->exit_status = 128 + signal;
    for (int stream = 0; stream < RANK_STREAMS; stream++)
        if (job->out[stream]) output_drop(job->out[stream]);
    job->discarded = true;
}

static void on_signal(watch *watch, uint32_t events)
{
    job *job = watch->owner;
    int signal;
    (void)events;
    while ((signal = signals_next(&job->signals))) {
        double now_s = loop_now_s();
        if (signal == SIGCHLD) {
            crew_reap(&job->crew);
            continue;
        }
        if (signal == SIGINT && now_s - job->interrupted_at_s < double_int_s) {
            if (!job->failed) ending_fail(job, 128 + SIGINT, "interrupted twice");
            job->kill_at_s = now_s;
        }
        if (signal == SIGINT) job->interrupted_at_s = now_s;
        if (signal == SIGTSTP || signal == SIGCONT)
            stops_pause(job->stops, signal == SIGTSTP, now_s);
        crew_signal(&job->crew, signal);
        /* A user who ends the job does not want it to go on without the ranks that obeyed. */
        if (is_to_end(signal)) job->keep_going = false;
        if (signal == SIGTSTP) signals_stop_self(signal);
        else if (crew_alive(&job->crew) == 0) discard_output(job, signal);
    }
}

static void on_output_broken(void *context, int fd, int error)
{
    job *job = context;
    const char *name = fd == 1 ? "stdout" : "stderr";
    /* The reader is gone. The ranks get the signal that they would get without cmrun. */
    if (error == EPIPE) {
        job->keep_going = false;
        crew_signal(&job->crew, SIGPIPE);
    } else ending_fail(job, CM_EXIT_SYSTEM, "cannot write to %s: %s", name, strerror(error));
}

/* ---- Life ------------------------------------------------------------------------------------ */

static int no_resources(const char *what)
{
    fprintf(stderr, "cmrun: %s: %s\n", what, strerror(errno));
    return CM_EXIT_SYSTEM;
}

static int start_here(job *job, const char *path)
{
    const job_plan *plan = job->plan;
    job->has_input = isatty(0) && input_start(&job->input, job->epoll);
    rank_set_plan ranks = {.path = path,
                           .argv = plan->argv,
                           .stride = 1,
                           .count = plan->ranks,
                           .size = plan->ranks,
                           .core = plan->bind ? 0 : -1,
                           .capture = plan->prefix,
                           .input = job->has_input ? job->input.read_end : -1};
    int status = rank_set_start(&ranks, &rank_events, job, job->epoll, &job->signals.before,
                                &job->crew.here);
    if (job->has_input) close(job->input.read_end);
    return status;
}

static void on_hosts_failed(void *context, int status, const char *text)
{
    ending_fail(context, status, "%s", text);
}

static void on_hosts_lost(void *context, const host *const *hosts, int n, int status,
                          const char *text)
{
    ending_fail_hosts(context, hosts, n, status, text);
}

static int start_there(job *job)
{
    static const host_set_events events = {
        .ranks = &rank_events, .failed = on_hosts_failed, .lost = on_hosts_lost};
    const job_plan *plan = job->plan;
    host_set_plan hosts = {.hosts = plan->hosts,
                           .launcher = plan->launcher,
                           .step = plan->step,
                           .argv = plan->argv,
                           .variables = plan->variables,
                           .size = plan->ranks,
                           .fan_out = plan->fan_out,
                           .bind = plan->bind,
                           .per_host = plan->per_host,
                           .timeout_s = plan->lost_after_s,
                           .start_timeout_s = plan->start_timeout_s};
    return host_set_start(&hosts, &events, job, job->epoll, &job->crew.there);
}

static int start(job *job, const char *path)
{
    const job_plan *plan = job->plan;
    bool carries = plan->prefix || plan->hosts; /* cmrun writes the ranks' output itself */
    job->cause = cause_new(plan->ranks);
    job->deaths = deaths_new(plan->ranks);
    job->stops = stops_new(plan->ranks);
    job->pmi = pmi_server_new(plan->ranks, &pmi_events, job);
    for (int stream = 0; carries && stream < RANK_STREAMS; stream++)
        job->out[stream] =
            output_new(job->epoll, stream + 1, plan->ranks, plan->prefix, on_output_broken, job);
    if (!job->cause || !job->deaths || !job->stops || !job->pmi
        || (carries && (!job->out[0] || !job->out[1])))
        return no_resources("cannot prepare to start ranks");

    int status = plan->hosts ? start_there(job) : start_here(job, path);
    if (status) return status;

    job->signal_watch = (watch){.fd = job->signals.fd, .ready = on_signal, .owner = job};
    if (loop_watch(job->epoll, &job->signal_watch, EPOLLIN)) return 0;
    status = no_resources("cannot wait for signals");
    crew_signal(&job->crew, SIGKILL);
    crew_reap(&job->crew);
    return status;
}

static bool output_left(const job *job)
{
    for (int stream = 0; stream < RANK_STREAMS; stream++)
        if (job->out[stream] && output_pending(job->out[stream])) return true;
    return false;
}

static double earlier(double a, double b) { return a < b ? a : b; }

/* Handles time limits that have passed. Returns the time of the next one. */
static double watch_clock(job *job)
{
    double now_s = loop_now_s();
    if (now_s >= job->timeout_at_s) {
        job->timeout_at_s = INFINITY;
        if (!job->failed) {
            job->failed = true;
            job->exit_status = JOB_EXIT_TIMEOUT;
            ending_say(job, "cmrun: job not finished after %g s (--timeout); ending all ranks\n",
                       job->plan->timeout_s);
            ending_begin(job);
        }
    }
    double stop_s = ending_check_stops(job);
    if (now_s >= job->kill_at_s) {
        crew_signal(&job->crew, SIGKILL);
        job->kill_at_s = INFINITY;
        job->killed = true;
    }
    double next_s = earlier(earlier(job->timeout_at_s, job->kill_at_s), crew_clock(&job->crew));
    if (!job->failed) next_s = earlier(next_s, earlier(stop_s, cause_wait_s(job->cause)));
    if (job->has_input) {
        input_retry(&job->input);
        if (job->input.pipe.fd >= 0 && !job->input.terminal.events)
            next_s = earlier(next_s, now_s + 0.25);
    }
    return next_s;
}

static void one_round(job *job, double until_s)
{
    double wait_s = until_s - loop_now_s();
    int wait_ms = until_s == INFINITY ? -1
                  : wait_s <= 0       ? 0
                  : wait_s > 3600     ? 3600000
                                      : (int)ceil(1e3 * wait_s);
    loop_once(job->epoll, wait_ms);
    for (int stream = 0; stream < RANK_STREAMS; stream++)
        if (job->out[stream]) crew_hold_output(&job->crew, stream, output_full(job->out[stream]));
}

/* Runs until no rank is left. */
static void run(job *job)
{
    double until_s = watch_clock(job), hopeless_s = INFINITY;
    while (crew_alive(&job->crew) > 0) {
        one_round(job, earlier(until_s, hopeless_s));
        ending_decide(job);
        until_s = watch_clock(job);
        if (!job->killed) continue;
        if (hopeless_s == INFINITY) hopeless_s = loop_now_s() + give_up_s;
        else if (loop_now_s() >= hopeless_s) {
            ending_say(job,
                       "cmrun: %d ranks on %s still run after SIGKILL (hanging file system or "
                       "device?); leaving them\n",
                       crew_alive(&job->crew), job->plan->hosts ? "these hosts" : job->host);
            return;
        }
    }
    ending_decide(job);
}

/* Ends the processes that the ranks started and left behind: TERM, a second, KILL. */
static void clear_up(job *job)
{
    double begin_s = loop_now_s(), kill_s = begin_s + (job->killed ? 0 : ending_kill_after_s);
    bool left = crew_leftovers(&job->crew, job->killed ? SIGKILL : SIGTERM);
    while (left && loop_now_s() < kill_s + give_up_s) {
        /* Each end arrives as SIGCHLD. Looking again finds the processes that these leave
           behind. */
        one_round(job, loop_now_s() + 0.02);
        left = crew_leftovers(&job->crew, loop_now_s() >= kill_s ? SIGKILL : 0);
    }
    crew_drain(&job->crew);
    while (output_left(job) && !job->discarded) loop_once(job->epoll, -1);
}

int job_run(const job_plan *plan)
{
    char *path = NULL;
    job job = {.plan = plan,
               .keep_going = plan->keep_going,
               .kill_at_s = INFINITY,
               .interrupted_at_s = -INFINITY,
               .timeout_at_s = INFINITY};
    gethostname(job.host, sizeof job.host - 1);
    job.crew.own_host = job.host;
    int status = plan->hosts ? 0 : spawn_find(plan->argv[0], &path);
    if (status) return status;
    if (!spawn_arrange_files() || !signals_start(&job.signals)
        || (job.epoll = epoll_create1(EPOLL_CLOEXEC)) < 0)
        status = no_resources("cannot prepare to start ranks");
    else if (!(status = start(&job, path))) {
        if (plan->timeout_s > 0) job.timeout_at_s = loop_now_s() + plan->timeout_s;
        run(&job);
        clear_up(&job);
        status = ending_status(&job);
    }
    if (job.has_input) input_stop(&job.input);
    crew_free(&job.crew);
    for (int stream = 0; stream < RANK_STREAMS; stream++) output_free(job.out[stream]);
    pmi_server_free(job.pmi);
    cause_free(job.cause);
    deaths_free(job.deaths);
    stops_free(job.stops);
    free(job.abort_text);
    free(path);
    return status;
}
