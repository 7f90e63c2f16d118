/* SPDX-License-Identifier: BSD-3-Clause */
/* sockets_check.c: whether the options fit together. */
#include "sockets.h"

static bool is_udp_only(const sockets_options *options)
{
    return options->test == SOCKETS_TEST_UDP_STREAM || options->test == SOCKETS_TEST_UDP_TURN;
}

static int check_sizes(const cm_program *program, sockets_options *options)
{
    if (!options->sizes_text) return 0;
    options->sizes = sockets_sizes_parse(options->sizes_text, options->size);
    if (options->sizes == 0)
        return cm_option_error(program,
                               "--size %s: expected sizes in bytes from 1 to %d, separated by "
                               "commas, or LOW:HIGH, at most %d: 64,1Ki,8192 or 64:64Ki",
                               options->sizes_text, SOCKETS_MOST_BYTES, SOCKETS_MOST_SIZES);
    const int64_t *twice = cm_option_repeated(options->size, options->sizes);
    if (twice)
        return cm_option_error(program, "--size %s: %lld is given twice; expected each size once",
                               options->sizes_text, (long long)*twice);
    bool stream = sockets_test_has(options, SOCKETS_UDP_STREAM);
    bool udp = stream || sockets_test_has(options, SOCKETS_UDP_TURN);
    for (size_t i = 0; i < options->sizes; i++) {
        int64_t bytes = options->size[i];
        if (udp && bytes > SOCKETS_MOST_DATAGRAM_BYTES)
            return cm_option_error(program,
                                   "--size %lld: a datagram of UDP has at most %d bytes "
                                   "(--test %s)",
                                   (long long)bytes, SOCKETS_MOST_DATAGRAM_BYTES,
                                   sockets_tests[options->test]);
        if (stream && bytes < SOCKETS_LEAST_STREAM_BYTES)
            return cm_option_error(program,
                                   "--size %lld: a datagram of a stream has at least %d "
                                   "bytes, its number (--test %s)",
                                   (long long)bytes, SOCKETS_LEAST_STREAM_BYTES,
                                   sockets_tests[options->test]);
        if (sockets_test_has(options, SOCKETS_WRITE_READ)
            && bytes > SOCKETS_MOST_BYTES / options->writes)
            return cm_option_error(program,
                                   "--size %lld with --writes %lld: a turn has at most %d "
                                   "bytes",
                                   (long long)bytes, (long long)options->writes,
                                   SOCKETS_MOST_BYTES);
    }
    return 0;
}

/* An option that the chosen test does not use is refused. */
static int check_streams(const cm_program *program, const sockets_options *options)
{
    const char *test = sockets_tests[options->test];
    const bool streams = sockets_test_has(options, SOCKETS_TCP_STREAM)
                         || sockets_test_has(options, SOCKETS_UDP_STREAM);
    const bool only_streams = streams && options->test != SOCKETS_TEST_ALL;
    if (options->integrity && !streams)
        return cm_option_error(program,
                               "--integrity: needs --test tcp-stream, udp-stream or all, this is "
                               "--test %s, which checks every byte in any case",
                               test);
    if (options->sampling.trial_s >= 0 && !streams)
        return cm_option_error(program,
                               "--seconds %g: needs --test tcp-stream, udp-stream or all, this is "
                               "--test %s",
                               options->sampling.trial_s, test);
    if (options->sampling.most > 0 && only_streams)
        return cm_option_error(
            program,
            "--trials %lld: needs --test tcp-turn, udp-turn, delayed-ack or all, "
            "this is --test %s",
            (long long)options->sampling.most, test);
    return 0;
}

static int check_test(const cm_program *program, const sockets_options *options)
{
    const char *test = sockets_tests[options->test];
    if (options->writes > 0 && !sockets_test_has(options, SOCKETS_WRITE_READ))
        return cm_option_error(program,
                               "--writes %lld: needs --test delayed-ack or all, this is "
                               "--test %s",
                               (long long)options->writes, test);
    if (options->pause_s >= 0 && !sockets_test_has(options, SOCKETS_ONE_WAY))
        return cm_option_error(program,
                               "--pause %g: needs --test delayed-ack or all, this is "
                               "--test %s",
                               options->pause_s, test);
    if (options->rate_Mbit_per_s > 0 && !sockets_test_has(options, SOCKETS_UDP_STREAM))
        return cm_option_error(program,
                               "--rate %g: needs --test udp-stream or all, this is "
                               "--test %s",
                               options->rate_Mbit_per_s, test);
    if (options->gather && !sockets_test_has(options, SOCKETS_WRITE_READ))
        return cm_option_error(program,
                               "--gather: needs --test delayed-ack or all, this is "
                               "--test %s",
                               test);
    if (is_udp_only(options) && options->nodelay != SOCKETS_NOT_GIVEN)
        return cm_option_error(program, "--nodelay %s: an option of TCP, this is --test %s",
                               sockets_switches[options->nodelay], test);
    if (is_udp_only(options) && options->quickack != SOCKETS_NOT_GIVEN)
        return cm_option_error(program, "--quickack %s: an option of TCP, this is --test %s",
                               sockets_switches[options->quickack], test);
    return check_streams(program, options);
}

static void set_defaults(sockets_options *options)
{
    cm_sampling *sampling = &options->sampling;
    if (options->writes == 0) options->writes = 2;
    if (options->pause_s < 0) options->pause_s = 1e-3;
    if (sampling->trial_s < 0) sampling->trial_s = 1;
    if (sampling->most == 0) sampling->most = 10000;
    cm_sampling_check(sampling);
}

int sockets_check(const cm_program *program, void *of_program)
{
    sockets_options *options = of_program;
    int status = check_test(program, options);
    if (status) return status;
    set_defaults(options);
    status = check_sizes(program, options);
    if (status) return status;
    if (!cm_comm_has(CM_HAS_PROCESSES))
        return cm_option_error(program,
                               "the dummy backend runs both ranks in one process; sockets need two "
                               "processes: use a build --with-comm=sockets or mpi");
    return 0;
}
