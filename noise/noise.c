/* SPDX-License-Identifier: BSD-3-Clause */
/* noise.c: cm-noise: the time that a computer's own work takes from each of its cores, by fixed
   work and by fixed time (Sottile and Minnich 2004). */
#include "noise.h"

int main(int argc, char **argv)
{
    noise_options options = {.quantum_s = 250e-6, .seconds = 2};
    const cm_option table[] = {
        CM_HEADING("Quanta"),
        CM_REAL("quantum", 0, "SECONDS", &options.quantum_s, 10e-6, 1,
                "time of a quantum of work on an undisturbed core, and of a quantum of time"),
        CM_REAL("seconds", 's', "SECONDS", &options.seconds, 1e-3, 1e5,
                "time of each of three measurements: fixed work, fixed time, steps with barriers"),
        CM_SAMPLE_BIND(&options),
        CM_RESULT_OPTIONS(&options.files),
        {0},
    };
    const cm_program program = {
        .name = "cm-noise",
        .purpose = "time that the system takes from each core",
        .description =
            "Runs equal quanta of work on all ranks at once and measures how long each takes "
            "(fixed work), then counts the work done in equal quanta of time (fixed time). What a "
            "quantum takes beyond the shortest one was lost to the kernel, to other processes or "
            "to a hypervisor. The result has the share of time lost, the largest gap and the "
            "period of each core, and what the gaps cost when all ranks wait for each other: "
            "measured for the ranks at hand, and by a model for more hosts. Start one rank on each "
            "core. The answer of all work is verified.",
        .examples = "mpiexec -n 8 cm-noise --bind -o noise.txt\t8 cores, over MPI\n"
                    "cmrun --hosts a:4,b:4 cm-noise --bind\tfour cores of each of two hosts\n"
                    "cm-noise --bind --quantum 0.001 --seconds 60\tone core, for rare events\n",
        .options = table,
        .metrics = noise_metrics,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = noise_check,
        .least = 1,
        .run = noise_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
