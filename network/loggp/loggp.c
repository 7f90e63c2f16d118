/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp.c: cm-loggp: the parameters of LogGP by trains of messages (Hoefler et al. 2007). */
#include "loggp.h"

int main(int argc, char **argv)
{
    loggp_options options = {
        .lower_bytes = 1,
        .upper_bytes = 64 << 10,
        .train = 16,
        .sampling = CM_SAMPLING_DEFAULTS(0.5),
    };
    const double most_bytes = (double)((int64_t)1 << CM_PAIR_JOB_MOST_BITS);
    const cm_option table[] = {
        CM_HEADING("Messages"),
        CM_BYTES("lower", 'l', "BYTES", &options.lower_bytes, 1, most_bytes, "smallest message"),
        CM_BYTES("upper", 'u', "BYTES", &options.upper_bytes, 1, most_bytes,
                 "largest message; those above the eager limit have parameters of their own"),
        CM_INTEGER("train", 't', "N", &options.train, 2, 1024, "messages of a train"),
        CM_HEADING("Sampling"),
        CM_SAMPLE_BIND(&options.sampling),
        CM_SAMPLE_HALF_WIDTH(&options.sampling),
        CM_SAMPLE_TRIALS(&options.sampling),
        CM_SAMPLE_TIME_LIMIT(&options.sampling),
        CM_SAMPLE_WARM_UP(&options.sampling),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-loggp",
        .purpose = "parameters of the LogGP model between two ranks",
        .description =
            "Measures the processors' overheads of sending and receiving by trains of messages "
            "that are answered once: back to back, with pauses, and with the answer received "
            "late. Fits the latency L, the gap g between messages and the gap G between bytes, "
            "with their standard errors, and compares the round trips that they predict with "
            "the measured ones. Every size is verified byte by byte before it is measured.",
        .examples = "mpiexec -n 2 cm-loggp --bind -o loggp.txt\ton one host, over MPI\n"
                    "cmrun --hosts a,b cm-loggp --upper 16Ki\tbetween two hosts\n",
        .options = table,
        .metrics = loggp_metrics,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = loggp_check,
        .least = CM_PAIR_RANKS,
        .most = CM_PAIR_RANKS,
        .run = loggp_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
