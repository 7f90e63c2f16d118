/* SPDX-License-Identifier: BSD-3-Clause */
/* netpipe_options.c: the options of cm-netpipe, and which of them go together. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "machine/machine.h"
#include "netpipe_program.h"

enum { MOST_TRIALS = 1000, MOST_TURNS = 100000 };   /* unless --trials says */
static const double most_bytes = 1LL << 48, most_offset = 1 << 20;

/* ---- What goes together --------------------------------------------------------------------- */

static int check_modes(const cm_program *program, const netpipe_options *options)
{
    const struct { bool one, other; const char *names, *why; } table[] = {
        {options->stream, options->both, "--stream and --both",
         "one way or both ways at once: give one of them"},
        {options->turns, options->stream, "--turns and --stream",
         "only a round trip can be timed by itself: give one of them"},
        {options->turns, options->both, "--turns and --both",
         "only a round trip can be timed by itself: give one of them"},
        {options->turns, options->pairs, "--turns and --pairs",
         "turns are timed between two ranks: give one of them"},
        {options->reverse, !options->stream, "--reverse without --stream",
         "it turns a stream's direction round"},
        {options->invalidate, options->policy == NETPIPE_ALTERNATING,
         "--invalidate and --buffers alternating", "it is short for --buffers cold"},
        {options->invalidate, options->policy == NETPIPE_ONE, "--invalidate and --buffers one",
         "it is short for --buffers cold"},
        {options->both, options->policy == NETPIPE_ONE, "--both and --buffers one",
         "a message would arrive where another is being sent"},
        {options->early, options->policy == NETPIPE_ONE, "--early and --buffers one",
         "a message would arrive where another is being sent"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].one && table[i].other)
            return cm_option_error(program, "%s: %s", table[i].names, table[i].why);
    return 0;
}

static const netpipe_mode *mode_of(const netpipe_options *options)
{
    const netpipe_mode *modes = options->turns     ? netpipe_turns
                                : options->reverse ? netpipe_stream_reverse
                                : options->stream  ? netpipe_stream
                                : options->both    ? netpipe_both
                                                   : netpipe_pingpong;
    return &modes[options->early ? NETPIPE_EARLY : NETPIPE_IN_TIME];
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
        return cm_option_error(program, "--offsets %s: SEND,RECEIVE is wanted, each 0 to %.0f "
                               "bytes", text, most_offset);
    if ((options->policy == NETPIPE_ALTERNATING || options->policy == NETPIPE_ONE)
        && send_bytes != receive_bytes)
        return cm_option_error(program, "--offsets %s with --buffers %s: a buffer both sends and "
                               "receives, so both offsets must be equal", text,
                               netpipe_policies[options->policy]);
    options->layout.send_offset = (size_t)send_bytes;
    options->layout.receive_offset = (size_t)receive_bytes;
    return 0;
}

/* The socket buffers are the backend's, which reads its settings from the environment. */
static int set_socket_buffers(const cm_program *program, const netpipe_options *options)
{
    char text[32];
    if (options->socket_bytes == 0) return 0;
    if (strcmp(CM_COMM, "sockets") != 0)
        return cm_option_error(program, "--socket-buffer %lld: this build's backend is %s, only "
                               "the sockets backend has socket buffers to set",
                               (long long)options->socket_bytes, CM_COMM);
    snprintf(text, sizeof text, "%lld", (long long)options->socket_bytes);
    return setenv("CM_BUFFER_BYTES", text, 1) == 0
               ? 0 : cm_option_error(program, "--socket-buffer: no memory for CM_BUFFER_BYTES");
}

static void set_rule(netpipe_options *options)
{
    netpipe_sampling *sampling = &options->sampling;
    cm_stop_rule *rule = &sampling->rule;
    rule->most = options->most_trials ? (size_t)options->most_trials
                                      : options->turns ? MOST_TURNS : MOST_TRIALS;
    if (options->turns) {
        /* The tail needs more samples than the median. */
        rule->relative_half_width = 0;
        if (sampling->iterations) {
            rule->most = (size_t)sampling->iterations;
            rule->time_limit_s = INFINITY;
        }
    }
    if (rule->least > rule->most) rule->least = rule->most;
}

size_t netpipe_options_memory(const netpipe_options *options)
{
    size_t buffers = netpipe_buffers_bytes(&options->layout), turns = 0;
    /* each turn's time as it was taken, and as a sample */
    if (options->turns)
        turns = 2 * sizeof(double)
                * (size_t)netpipe_most_iterations(options->mode, &options->sampling);
    return turns > SIZE_MAX - buffers ? SIZE_MAX : buffers + turns;
}

static int check(const cm_program *program, netpipe_options *options)
{
    if (options->upper_bytes < options->lower_bytes)
        return cm_option_error(program, "--upper %lld is below --lower %lld",
                               (long long)options->upper_bytes, (long long)options->lower_bytes);
    int status = check_modes(program, options);
    if (status) return status;
    if (options->invalidate) options->policy = NETPIPE_COLD;
    options->mode = mode_of(options);
    set_rule(options);
    options->layout.policy = (netpipe_policy)options->policy;
    options->layout.upper_bytes = (size_t)options->upper_bytes;
    options->layout.receives = options->mode->receives;
    status = parse_offsets(program, options);
    if (!status) status = set_socket_buffers(program, options);
    if (status) return status;

    /* The other ranks' hosts are looked at when they are known. */
    int64_t free_bytes = cm_machine_memory_free_bytes();
    size_t needed = netpipe_options_memory(options);
    if (cm_launch_rank() == 0 && free_bytes > 0 && needed > (size_t)free_bytes)
        return cm_option_error(program,
                               "--upper %lld with --buffers %s%s takes %zu bytes of memory, "
                               "%lld are free on this host; %s",
                               (long long)options->upper_bytes, netpipe_policies[options->policy],
                               options->turns ? " and --turns" : "", needed,
                               (long long)free_bytes, options->turns
                               ? "a lower --upper, --trials or --repetitions will do"
                               : "a lower --upper will do");
    return cm_result_files_check(program, &options->files);
}

/* ---- The table ------------------------------------------------------------------------------ */

int netpipe_options_parse(int argc, char **argv, netpipe_options *options, cm_program *program,
                          int *refused)
{
    *options = (netpipe_options){
        .lower_bytes = 1,
        .upper_bytes = 4 << 20,
        .perturbation_bytes = 3,
        .policy = NETPIPE_REUSED,
        .sampling = {.trial_s = 1e-3,
                     .warm_up_s = 0.1,
                     .rule = {.relative_half_width = 0.02, .least = 10, .time_limit_s = 0.5}},
        .sweeps = 1,
    };
    const cm_option table[] = {
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Messages", 0, 0, 0},
        {CM_OPTION_BYTES, "lower", 'l', "BYTES", &options->lower_bytes, "smallest message", 1,
         most_bytes, 0},
        {CM_OPTION_BYTES, "upper", 'u', "BYTES", &options->upper_bytes, "largest message", 1,
         most_bytes, 0},
        {CM_OPTION_BYTES, "perturbation", 'p', "BYTES", &options->perturbation_bytes,
         "also measure so many bytes below and above each size; 0: do not", 0, most_bytes, 0},
        {CM_OPTION_FLAG, "integrity", 'i', 0, &options->sampling.integrity,
         "check every message, inside the timing, and not only each size once before it", 0, 0, 0},
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Patterns (without any: ping-pong)", 0, 0, 0},
        {CM_OPTION_FLAG, "stream", 's', 0, &options->stream,
         "rank 0 sends back to back; the trial ends with an acknowledgement", 0, 0, 0},
        {CM_OPTION_FLAG, "reverse", 0, 0, &options->reverse,
         "with --stream: rank 1 sends, rank 0 receives", 0, 0, 0},
        {CM_OPTION_FLAG, "both", '2', 0, &options->both,
         "both send and receive at once; throughput counts both directions' bytes", 0, 0, 0},
        {CM_OPTION_FLAG, "turns", 0, 0, &options->turns,
         "ping-pong, each round trip timed by itself: percentiles and a histogram", 0, 0, 0},
        {CM_OPTION_FLAG, "pairs", 0, 0, &options->pairs,
         "ranks 0 to N/2 - 1 with ranks N/2 to N - 1, all at once", 0, 0, 0},
        {CM_OPTION_FLAG, "early", 'a', 0, &options->early,
         "post the receive of the next message before sending", 0, 0, 0},
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Buffers and places", 0, 0, 0},
        {CM_OPTION_CHOICE, "buffers", 0, "POLICY", &options->policy,
         "reused: always the same two buffers; alternating: what arrived is sent next; cold: a "
         "walk through a pool of twice the last-level cache; one: everything in the same buffer",
         0, 0, netpipe_policies},
        {CM_OPTION_FLAG, "invalidate", 'I', 0, &options->invalidate, "short for --buffers cold",
         0, 0, 0},
        {CM_OPTION_TEXT, "offsets", 'O', "SEND,RECEIVE", &options->offsets,
         "so many bytes from the beginning of a cache line lie what is sent and what is "
         "received; 0,0 unless given", 0, 0, 0},
        {CM_OPTION_BYTES, "socket-buffer", 'b', "BYTES", &options->socket_bytes,
         "size of the sockets' buffers (sockets backend only)", 1, 1 << 30, 0},
        {CM_OPTION_FLAG, "bind", 0, 0, &options->bind, "bind each rank to a core of its own", 0,
         0, 0},
        {CM_OPTION_HEADING, 0, 0, 0, 0, "Sampling", 0, 0, 0},
        {CM_OPTION_REAL, "trial-seconds", 0, "SECONDS", &options->sampling.trial_s,
         "a trial, which is one sample, is as many round trips as last this long", 1e-6, 1e3, 0},
        {CM_OPTION_INTEGER, "repetitions", 'n', "N", &options->sampling.iterations,
         "round trips of a trial, with --turns of a size; 0: as many as --trial-seconds asks for",
         0, 1e12, 0},
        {CM_OPTION_REAL, "half-width", 0, "FRACTION", &options->sampling.rule.relative_half_width,
         "enough trials when half the 95 % confidence interval of the median is this fraction of "
         "it; with --turns this ends nothing", 0, 1, 0},
        {CM_OPTION_INTEGER, "trials", 0, "N", &options->most_trials,
         "at most so many trials a size, with --turns round trips; 1000, with --turns 100000 "
         "unless given", 1, 1e7, 0},
        {CM_OPTION_REAL, "time-limit", 0, "SECONDS", &options->sampling.rule.time_limit_s,
         "begin no more trials of a size after this time", 0, 1e6, 0},
        {CM_OPTION_REAL, "warm-up", 0, "SECONDS", &options->sampling.warm_up_s,
         "round trips before the first size, not kept", 0, 1e3, 0},
        {CM_OPTION_INTEGER, "repeat", 0, "N", &options->sweeps,
         "go through all sizes N times, each sweep with rows of its own", 1, 1e4, 0},
        CM_RESULT_OPTIONS(&options->files),
        {0},
    };
    *program = (cm_program){
        .name = "cm-netpipe",
        .purpose = "time and throughput of messages between two ranks over their size",
        .description =
            "Bounces messages between two ranks, as NetPIPE does: sizes grow exponentially, each "
            "also a few bytes below and above; half the round trip is the time of one message. "
            "Other patterns send one way, both ways at once, or between many pairs. "
            "Every size is verified byte by byte before it is measured. Trials are repeated until "
            "the median is known well enough, or the time is up; the result says which.",
        .examples = "mpiexec -n 2 cm-netpipe -o result.txt\tall sizes up to 4 MiB, over MPI\n"
                    "cmrun --hosts a,b cm-netpipe -u 64Mi\tbetween two hosts, over ssh\n"
                    "cmrun -n 2 cm-netpipe -i -p 0\tcheck every message, no perturbation\n"
                    "mpiexec -n 2 cm-netpipe --turns -u 1\tthe distribution of a byte's times\n"
                    "mpiexec -n 8 cm-netpipe --pairs -2\tfour pairs at once, both ways\n",
        .options = table,
    };
    int status = cm_option_parse(program, argc, argv, NULL);
    *refused = status == CM_OPTION_RUN ? check(program, options) : 0;
    program->options = NULL;   /* the table ends here */
    return status;
}
