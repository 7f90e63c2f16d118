/* SPDX-License-Identifier: BSD-3-Clause */
/* loggp.c: cm-loggp: the parameters of LogGP, by trains of messages (Hoefler et al. 2007). */
#include "loggp.h"

static int check(const cm_program *program, void *of_program)
{
    loggp_options *options = of_program;
    if (options->upper_bytes < options->lower_bytes)
        return cm_option_error(program, "--upper %lld is below --lower %lld",
                               (long long)options->upper_bytes, (long long)options->lower_bytes);
    return cm_pair_job_check(program, &options->job, "--upper", options->upper_bytes);
}

int main(int argc, char **argv)
{
    loggp_options options = {
        .lower_bytes = 1,
        .upper_bytes = 64 << 10,
        .train = 16,
        .job = CM_PAIR_JOB_DEFAULTS(0.5),
    };
    cm_pair_job *job = &options.job;
    const double most_bytes = (double)((int64_t)1 << CM_PAIR_JOB_MOST_BITS);
    const cm_option table[] = {
        CM_HEADING("Messages"),
        CM_BYTES("lower", 'l', "BYTES", &options.lower_bytes, 1, most_bytes, "smallest message"),
        CM_BYTES(
            "upper", 'u', "BYTES", &options.upper_bytes, 1, most_bytes,
            "largest message; above the eager limit a message waits for its receiver, which is "
            "not in the model"),
        CM_INTEGER("train", 't', "N", &options.train, 2, 1024, "messages of a train"),
        CM_FLAG("bind", 0, &job->bind, "bind each rank to a core of its own"),
        CM_HEADING("Sampling"),
        CM_REAL("half-width", 0, "FRACTION", &job->sampling.rule.relative_half_width, 0, 1,
                "enough trains when half the 95 % confidence interval of each median is this "
                "fraction of it"),
        CM_INTEGER("trials", 0, "N", &job->most_trials, 1, 1e7, "at most so many of each train"),
        CM_REAL("time-limit", 0, "SECONDS", &job->sampling.rule.time_limit_s, 0, 1e6,
                "begin no more trains of a size after this time"),
        CM_REAL("warm-up", 0, "SECONDS", &job->sampling.warm_up_s, 0, 1e3,
                "round trips before the first size, not kept"),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-loggp",
        .purpose = "parameters of the LogGP model between two ranks",
        .description =
            "Latency L, the processor's overheads of sending and receiving, the gap g between "
            "messages and the gap G between bytes, each with its standard error, from trains of "
            "messages that are answered once: back to back, with pauses between them, and with the "
            "answer received late. Then what the parameters predict of a round trip beside what "
            "was measured. Every size is verified byte by byte before it is measured.",
        .examples = "mpiexec -n 2 cm-loggp --bind -o loggp.txt\ton one host, over MPI\n"
                    "cmrun --hosts a,b cm-loggp --upper 16Ki\tbetween two hosts\n",
        .options = table,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = check,
        .least = CM_PAIR_RANKS,
        .most = CM_PAIR_RANKS,
        .run = loggp_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
