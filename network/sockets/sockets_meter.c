/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_meter.c: samples of a stream, and how the receiver ends it when it has enough. */
#include <stdlib.h>
#include "measure/clock.h"
#include "sockets.h"

void *sockets_allocate(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    if (!memory) cm_abort(CM_EXIT_SYSTEM, "out of memory: %zu bytes", bytes);
    return memory;
}

void sockets_add_sample(cm_samples *samples, double value)
{
    if (!cm_samples_add(samples, value))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu samples", samples->n + 1);
}

/* ---- Enough --------------------------------------------------------------------------------- */

/* A trial is one piece of a stream. */
static cm_sampling sockets_stream_sampling(const sockets_options *options)
{
    cm_sampling sampling = options->sampling;
    sampling.rule.least = CM_INTERVAL_LEAST;
    sampling.rule.most = 0;
    sampling.trial_s = 0; /* a piece of a stream counts as one operation */
    return sampling;
}

cm_sampling sockets_turn_sampling(const sockets_options *options)
{
    cm_sampling sampling = options->sampling;
    cm_stop_rule *rule = &sampling.rule;
    rule->least = rule->most < 1000 ? rule->most : 1000;
    sampling.trial_s = 0;
    return sampling;
}

cm_sampling sockets_delay_sampling(const sockets_options *options)
{
    cm_sampling sampling = sockets_turn_sampling(options);
    sampling.rule.relative_half_width = 0;
    sampling.warm_up_s = 0;
    return sampling;
}

/* ---- Telling -------------------------------------------------------------------------------- */

void sockets_stop_tell(sockets_stop *stop, const sockets_end *end)
{
    if (stop->told) {
        cm_progress();
        return;
    }
    stop->told = true;
    stop->request = cm_isend(cm_world(), &stop->word, 1, end->peer, SOCKETS_TAG_STOP);
}

void sockets_stop_finish(sockets_stop *stop) { cm_wait(&stop->request, NULL); }

void sockets_watch_open(sockets_watch *watch, const sockets_options *options, double now_s)
{
    watch->next_s = now_s;
    const cm_sampling *sampling = &options->sampling;
    watch->last_s = now_s + sampling->warm_up_s + sampling->rule.time_limit_s
                    + 2 * sampling->trial_s + options->timeout_s;
}

bool sockets_watch_stop(sockets_watch *watch, const sockets_end *end, double now_s)
{
    static const double period_s = 0.002;
    char word;
    if (now_s < watch->next_s) return false;
    watch->next_s = now_s + period_s;
    if (cm_iprobe(cm_world(), end->peer, SOCKETS_TAG_STOP, NULL)) {
        cm_recv(cm_world(), &word, 1, end->peer, SOCKETS_TAG_STOP, NULL);
        return true;
    }
    if (now_s > watch->last_s)
        cm_abort(CM_EXIT_SYSTEM, "%s: rank %d on %s, the receiver, did not end the stream in time",
                 sockets_kind_names[end->now->kind], end->peer, end->other->host);
    return false;
}

/* ---- Samples -------------------------------------------------------------------------------- */

/* Returns the MB/s received in this time; below 0 if data are damaged or the stream has ended. */
static double receive_for(sockets_meter *meter, double length_s, double *MB_per_s)
{
    double begin_s = meter->now_s, spent_s = 0;
    uint64_t bytes = 0;
    while (spent_s < length_s || (!meter->warm && bytes == 0)) {
        bytes += meter->receive(meter);
        spent_s = meter->now_s - begin_s;
        if (meter->ended || meter->report->damage.wrong_bytes) return -1;
    }
    *MB_per_s = 1e-6 * (double)bytes / spent_s;
    return spent_s;
}

static double trial(void *context, int64_t operations, double *MB_per_s)
{
    sockets_meter *meter = context;
    (void)operations;
    return receive_for(meter, meter->end->options->sampling.trial_s, MB_per_s);
}

void sockets_meter_run(sockets_meter *meter, cm_samples *samples)
{
    const cm_sampling sampling = sockets_stream_sampling(meter->end->options);
    const cm_subject subject = {.most_operations = 1, .trial = trial, .context = meter};
    cm_sampled sampled = {.samples = samples};
    double ignored;
    meter->now_s = meter->last_s = cm_clock_now_s();
    /* Even a warm-up of 0 s ends with the first arrival, so that the stream has begun. */
    bool good = receive_for(meter, sampling.warm_up_s, &ignored) >= 0;
    meter->warm = true;
    if (good) cm_sample(&sampling, NULL, 1, &subject, &sampled);
    meter->report->stop = (int32_t)sampled.stop;
}
