/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_check.c: checks which of cm-netpipe's options go together and sets what follows. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "netpipe.h"

enum { MOST_TRIALS = 1000, MOST_TURNS = 100000 }; /* defaults of --trials */
const char *const netpipe_window_buffers[] = {"each", "one", NULL};
static const int64_t perturbation_bytes = 3;
static const double half_width = 0.02, time_limit_s = 0.5;
static const double most_offset = 1 << 20;

/* ---- What goes together --------------------------------------------------------------------- */

static int check_modes(const cm_program *program, const netpipe_options *options)
{
    const struct {
        bool one, other;
        const char *names, *why;
    } table[] = {
        {options->stream, options->both, "--stream and --both",
         "a stream goes one way; give only one of them"},
        {options->turns, options->stream, "--round-trips and --stream",
         "only a round trip can be timed by itself; give only one of them"},
        {options->turns, options->both, "--round-trips and --both",
         "only a round trip can be timed by itself; give only one of them"},
        {options->turns, options->pairs, "--round-trips and --pairs",
         "--round-trips uses two ranks; give only one of them"},
        {options->overlap, options->stream, "--overlap and --stream",
         "--overlap exchanges messages both ways; give only one of them"},
        {options->overlap, options->turns, "--overlap and --round-trips",
         "--overlap exchanges messages both ways; give only one of them"},
        {options->overlap, options->pairs, "--overlap and --pairs",
         "--overlap uses two ranks; give only one of them"},
        {options->overlap, options->both, "--overlap and --both",
         "--overlap includes the exchange of --both; give only one of them"},
        {options->overlap, options->integrity, "--overlap and --integrity",
         "the check would count as computing; without --integrity each size is verified once"},
        {options->distances,
         options->stream || options->both || options->turns || options->overlap || options->pairs,
         "--distances and another pattern", "it is a ping-pong within each host"},
        {options->distances, options->sampling.bind != CM_BIND_NONE, "--distances and --bind",
         "it binds the ranks itself, to one distance after the other"},
        {options->distances, options->sweeps > 1, "--distances and --repeat",
         "each distance is visited once; start the program again"},
        {options->distances, options->perturbation_bytes > 0, "--distances and --perturbation",
         "only messages of --lower and --upper bytes are measured"},
        {options->reverse, !options->stream, "--reverse without --stream",
         "it reverses the direction of a stream"},
        {options->window > 0, !options->stream && !options->both,
         "--window without --stream or --both",
         "in other patterns a message waits for the one before it"},
        {options->window_buffers == NETPIPE_SHARED, !options->window,
         "--window-buffers one without --window", "only a window has several messages in flight"},
        {options->window > 0, options->early, "--window and --early",
         "the receives of a window are posted together; give only one of them"},
        {options->window > 0, options->invalidate || options->policy != CM_PAIR_REUSED,
         "--window and --buffers or --invalidate",
         "the buffers of a window are chosen by --window-buffers"},
        {options->invalidate, options->policy == CM_PAIR_ALTERNATING,
         "--invalidate and --buffers alternating", "--invalidate is the same as --buffers cold"},
        {options->invalidate, options->policy == CM_PAIR_ONE, "--invalidate and --buffers one",
         "--invalidate is the same as --buffers cold"},
        {options->overlap, options->policy == CM_PAIR_ONE, "--overlap and --buffers one",
         "a message would arrive in the buffer while it is being sent"},
        {options->both, options->policy == CM_PAIR_ONE, "--both and --buffers one",
         "a message would arrive in the buffer while it is being sent"},
        {options->early, options->policy == CM_PAIR_ONE, "--early and --buffers one",
         "a message would arrive in the buffer while it is being sent"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].one && table[i].other)
            return cm_option_error(program, "%s: %s", table[i].names, table[i].why);
    return 0;
}

/* An option of the stopping rule that --round-trips does not use is refused. */
static int check_turns(const cm_program *program, const netpipe_options *options)
{
    const cm_sampling *sampling = &options->sampling;
    const long long repetitions = sampling->operations;
    if (!options->turns) return 0;
    if (sampling->rule.relative_half_width > 0)
        return cm_option_error(
            program,
            "--half-width %g with --round-trips: turns do not end when the median is "
            "precise; use --trials or --time-limit",
            sampling->rule.relative_half_width);
    if (repetitions && sampling->most > 0)
        return cm_option_error(
            program,
            "--trials %lld with --round-trips --repetitions %lld: --repetitions is "
            "the exact number of turns; give only one of them",
            (long long)sampling->most, repetitions);
    if (repetitions && sampling->rule.time_limit_s >= 0)
        return cm_option_error(
            program,
            "--time-limit %g with --round-trips --repetitions %lld: --repetitions is "
            "the exact number of turns; give only one of them",
            sampling->rule.time_limit_s, repetitions);
    return 0;
}

static const cm_pair_mode *mode_of(const netpipe_options *options)
{
    const cm_pair_mode *modes = options->turns     ? cm_pair_turns
                                : options->reverse ? cm_pair_stream_reverse
                                : options->stream  ? cm_pair_stream
                                : options->both    ? cm_pair_both
                                : options->overlap ? cm_pair_overlap
                                                   : cm_pair_pingpong;
    return &modes[options->early ? CM_PAIR_EARLY : CM_PAIR_IN_TIME];
}

static int parse_offsets(const cm_program *program, netpipe_options *options)
{
    const char *text = options->offsets;
    if (!text) return 0;
    char send[32];
    const char *comma = strchr(text, ',');
    size_t length = comma ? (size_t)(comma - text) : sizeof send;
    int64_t send_bytes = -1, receive_bytes = -1;
    if (length < sizeof send) {
        memcpy(send, text, length);
        send[length] = 0;
        if (!cm_option_bytes(send, &send_bytes) || !cm_option_bytes(comma + 1, &receive_bytes))
            send_bytes = -1;
    }
    if (send_bytes < 0 || (double)send_bytes > most_offset || (double)receive_bytes > most_offset)
        return cm_option_error(program,
                               "--offsets %s: expected SEND,RECEIVE, each 0 to %.0f "
                               "bytes",
                               text, most_offset);
    if ((options->policy == CM_PAIR_ALTERNATING || options->policy == CM_PAIR_ONE)
        && send_bytes != receive_bytes)
        return cm_option_error(program,
                               "--offsets %s with --buffers %s: the same buffer sends and "
                               "receives, so both offsets must be equal",
                               text, cm_pair_policies[options->policy]);
    options->layout.send_offset = (size_t)send_bytes;
    options->layout.receive_offset = (size_t)receive_bytes;
    return 0;
}

/* The backend owns the socket buffers and reads their size from the environment. */
static int set_socket_buffers(const cm_program *program, const netpipe_options *options)
{
    char text[32];
    if (options->socket_bytes == 0) return 0;
    if (!cm_comm_has(CM_HAS_SOCKET_BUFFERS))
        return cm_option_error(program,
                               "--socket-buffer %lld: this build's backend is %s; only "
                               "the sockets backend has socket buffers to set",
                               (long long)options->socket_bytes, CM_COMM);
    snprintf(text, sizeof text, "%lld", (long long)options->socket_bytes);
    unsetenv("CM_BUFFER_BYTES"); /* its old name */
    return setenv("CM_SOCKET_BUFFER_BYTES", text, 1) == 0
               ? 0
               : cm_option_error(program, "--socket-buffer: no memory for CM_SOCKET_BUFFER_BYTES");
}

static int check_memory_kind(const cm_program *program, const netpipe_options *options)
{
    if (options->memory != CM_PAIR_SHARED || cm_comm_has(CM_HAS_SHARED)) return 0;
    return cm_option_error(program,
                           "--memory shared: this build's backend is %s; only the backends shm and "
                           "hybrid have memory that ranks share",
                           CM_COMM);
}

/* Ranks that a backend or a simulator plays are on no processors of their own. */
static int check_distances(const cm_program *program, const netpipe_options *options)
{
    if (!options->distances || (cm_comm_has(CM_HAS_PROCESSES) && !cm_comm_has(CM_HAS_SIMULATOR)))
        return 0;
    return cm_option_error(program,
                           "--distances: this build's backend is %s, whose ranks are not on "
                           "processors of their own",
                           cm_comm_has(CM_HAS_SIMULATOR) ? "a simulator" : CM_COMM);
}

static void set_rule(netpipe_options *options)
{
    cm_sampling *sampling = &options->sampling;
    cm_stop_rule *rule = &sampling->rule;
    if (sampling->most == 0) sampling->most = options->turns ? MOST_TURNS : MOST_TRIALS;
    if (rule->relative_half_width < 0) rule->relative_half_width = half_width;
    if (rule->time_limit_s < 0) rule->time_limit_s = time_limit_s;
    cm_sampling_check(sampling);
    if (options->turns) {
        /* The tail needs more samples than the median. */
        rule->relative_half_width = 0;
        if (sampling->operations) {
            rule->most = (size_t)sampling->operations;
            rule->time_limit_s = INFINITY;
        }
    }
}

static size_t memory_of(const netpipe_options *options)
{
    size_t buffers = cm_pair_buffers_bytes(&options->layout), turns = 0;
    /* Each turn's time is kept twice: in the order taken and as a sample. */
    if (options->turns)
        turns = 2 * sizeof(double) * (size_t)cm_pair_most_turns(options->mode, &options->sampling);
    return turns > SIZE_MAX - buffers ? SIZE_MAX : buffers + turns;
}

static const char *lower_memory(const netpipe_options *options)
{
    return options->turns    ? "--upper, --trials or --repetitions"
           : options->window ? "--upper or --window"
                             : "--upper";
}

#define MEMORY_OF(options)                                                 \
    "--upper %lld with --buffers %s%s", (long long)(options)->upper_bytes, \
        cm_pair_policies[(options)->policy],                               \
        (options)->turns    ? " and --round-trips"                         \
        : (options)->window ? " and --window"                              \
                            : ""

void netpipe_require_memory(const netpipe_options *options)
{
    cm_run_require_memory(memory_of(options), lower_memory(options), MEMORY_OF(options));
}

int netpipe_check(const cm_program *program, void *given)
{
    netpipe_options *options = given;
    int status = cm_pair_check_sizes(program, options->lower_bytes, options->upper_bytes);
    if (!status) status = check_modes(program, options);
    if (!status) status = check_turns(program, options);
    if (!status) status = check_distances(program, options);
    if (status) return status;
    if (options->perturbation_bytes < 0)
        options->perturbation_bytes = options->distances ? 0 : perturbation_bytes;
    if (options->invalidate) options->policy = CM_PAIR_COLD;
    options->mode = mode_of(options);
    if (options->window) {
        options->layout.window =
            options->window_buffers == NETPIPE_SHARED ? 1 : (int)options->window;
        options->window_mode =
            cm_pair_window(options->both, options->reverse, (int)options->window);
        options->mode = &options->window_mode;
    }
    set_rule(options);
    options->layout.policy = (cm_pair_policy)options->policy;
    options->layout.memory = (cm_pair_memory)options->memory;
    options->layout.upper_bytes = (size_t)options->upper_bytes;
    options->layout.receives = options->mode->receives;
    if (options->pairs) {
        options->benchmark->most = 0;
        options->benchmark->multiple = 2;
        options->benchmark->with = "--pairs";
    }
    if (options->distances) options->benchmark->most = 0;
    status = parse_offsets(program, options);
    if (!status) status = check_memory_kind(program, options);
    if (!status) status = set_socket_buffers(program, options);
    return status ? status
                  : cm_run_check_memory(program, memory_of(options), lower_memory(options),
                                        MEMORY_OF(options));
}
