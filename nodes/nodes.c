/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes.c: cm-nodes: what the hosts of a job are, and which host or link is not like the others. */
#include "nodes.h"

int main(int argc, char **argv)
{
    nodes_options options = {.rounds = 12,
                             .again = 6,
                             .trial_s = 0.1,
                             .time_limit_s = 60,
                             .false_alarms = 0.01,
                             .size_bytes = 256 << 10};
    const cm_option table[] = {
        CM_HEADING("Checks"),
        CM_INTEGER(
            "rounds", 'r', "N", &options.rounds, 4, 1000,
            "rounds of checks, in each of which every host has another partner; as many as can "
            "name a host (7 among 8 hosts)"),
        CM_INTEGER("again", 'k', "N", &options.again, 0, 1000,
                   "further rounds, in which the pairs that looked slow are measured again; a pair "
                   "is named only if it is slow again. 0: no pair is named"),
        CM_REAL("trial-seconds", 0, "SECONDS", &options.trial_s, 1e-4, 100,
                "each check of a round lasts about this long"),
        CM_REAL("time-limit", 0, "SECONDS", &options.time_limit_s, 0, 1e6,
                "begin no more rounds after this time, but make at least four"),
        CM_REAL("minutes", 'm', "MINUTES", &options.minutes, 0, 1e5,
                "then repeat all checks for so long, under full load, and name who gets slower; 0: "
                "do not"),
        CM_BYTES("triad", 0, "BYTES", &options.triad_bytes, 0, (double)((int64_t)1 << 46),
                 "the triad's three arrays of a host, together; 0: each is four times as large as "
                 "all last caches"),
        CM_BYTES("size", 's', "BYTES", &options.size_bytes, 1, 1 << 30,
                 "message for bandwidth; latency is measured with 1 byte"),
        CM_INTEGER("seed", 0, "N", &options.seed, 0, 1e9,
                   "seed of the partners; 0: "
                   "another one in each run, so that launches have different partners one after "
                   "the other"),
        CM_REAL("false-alarms", 0, "FRACTION", &options.false_alarms, 1e-6, 0.5,
                "how often a run may name a slow host, pair or clock although all are alike"),
        CM_MACHINE_BIND(&options.bind),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    static const cm_exit_status statuses[] = {
        {CM_EXIT_PASS, "no host and no pair of hosts stands out"},
        {CM_EXIT_WRONG, "one does, or an answer was wrong"},
        {CM_EXIT_USAGE, "wrong usage"},
        {CM_EXIT_SYSTEM, "the system failed, or it could not be told: nobody is named, but a host "
                         "at half of the others' rate, or one that fell to half in the burn-in, "
                         "would not have been either"},
        {0, NULL}};
    const cm_program program = {
        .name = "cm-nodes",
        .purpose = "what the hosts are, and which host or link is not like the others",
        .description =
            "Takes an inventory of all hosts and says in what the few differ from the many. Then "
            "measures, in rounds, the triad of STREAM, a matrix product, the time that others take "
            "from fixed work, and latency and bandwidth between partners drawn at random. Hosts "
            "and pairs that are slower than chance explains are named. Where "
            "nobody is, the result says what would have been.\n\n"
            "With one rank a core, as clustermark nodes starts it, memory and arithmetic are those "
            "of whole hosts; a host that lost memory modules shows only so. Links are measured by "
            "the first rank of each host. With one rank a host, one core of each host is measured.",
        .examples = "cmrun --hosts n[01-64] --per-host 96 -n 6144 cm-nodes --bind\tall cores of 64 "
                    "hosts\n"
                    "mpiexec -n 128 cm-nodes --bind\tall cores, over MPI\n",
        .options = table,
        .metrics = nodes_metrics,
        .exit_statuses = statuses,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = nodes_check,
        .describe = nodes_describe,
        .run = nodes_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
