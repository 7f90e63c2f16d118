/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_meter.c: samples of a stream, when there are enough of what, and who tells whom. */
#include <stdlib.h>
#include <string.h>
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

cm_stop_rule sockets_stream_rule(const sockets_options *options)
{
    cm_stop_rule rule = options->rule;
    rule.least = 6; /* fewer have no confidence interval */
    rule.most = 0;
    return rule;
}

cm_stop_rule sockets_turn_rule(const sockets_options *options)
{
    cm_stop_rule rule = options->rule;
    rule.most = (size_t)options->most_turns;
    rule.least = rule.most < 1000 ? rule.most : 1000;
    return rule;
}

cm_stop_rule sockets_delay_rule(const sockets_options *options)
{
    cm_stop_rule rule = sockets_turn_rule(options);
    rule.relative_half_width = 0;
    return rule;
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
    watch->last_s = now_s + options->warm_up_s + options->rule.time_limit_s + 2 * options->seconds
                    + options->timeout_s;
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
        cm_abort(CM_EXIT_SYSTEM,
                 "%s: rank %d on %s, which receives, does not end the stream in time",
                 sockets_kind_names[end->now->kind], end->peer, end->other->host);
    return false;
}

/* ---- Samples -------------------------------------------------------------------------------- */

void sockets_meter_open(sockets_meter *meter, const sockets_options *options, cm_samples *samples,
                        double now_s)
{
    memset(meter, 0, sizeof *meter);
    meter->options = options;
    meter->samples = samples;
    meter->rule = sockets_stream_rule(options);
    meter->begin_s = meter->since_s = now_s;
}

bool sockets_meter_add(sockets_meter *meter, size_t bytes, double now_s)
{
    double spent_s = now_s - meter->since_s;
    meter->bytes += bytes;
    if (!meter->warm) {
        meter->warm = meter->bytes > 0 && spent_s >= meter->options->warm_up_s;
        if (!meter->warm) return false;
        meter->begin_s = now_s;
    } else {
        if (spent_s < meter->options->seconds) return false;
        sockets_add_sample(meter->samples, 1e-6 * (double)meter->bytes / spent_s);
        meter->stop = cm_stop_check(&meter->rule, meter->samples, now_s - meter->begin_s);
    }
    meter->since_s = now_s;
    meter->bytes = 0;
    return meter->stop != CM_STOP_NOT;
}
