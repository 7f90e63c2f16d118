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
static int check_test(const cm_program *program, const sockets_options *options)
{
    const char *test = sockets_tests[options->test];
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
    return 0;
}

int sockets_check(const cm_program *program, void *of_program)
{
    sockets_options *options = of_program;
    cm_sampling_check(&options->sampling);
    int status = check_test(program, options);
    if (!status) status = check_sizes(program, options);
    if (status) return status;
    if (!cm_comm_has(CM_HAS_PROCESSES))
        return cm_option_error(program,
                               "the dummy backend runs both ranks in one process; sockets need two "
                               "processes: use a build --with-comm=sockets or mpi");
    return 0;
}
