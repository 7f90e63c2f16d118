/* SPDX-License-Identifier: BSD-3-Clause */
/* heat.c: cm-heat: a metal plate with sources and sinks of heat on its sides, as in warschko-1995,
   section 6.2. */
#include "heat.h"

int main(int argc, char **argv)
{
    static const char *const precisions[] = {"single", "double", NULL};
    static const char *const stores[] = {"auto", "plain", "ordinary", "non-temporal", NULL};
    heat_options options = {
        .precision = HEAT_DOUBLE,
        .collect_every = 20,
        .problem = {.initial = 20},
        .sampling = {.rule = {.relative_half_width = 0.02, .least = 10, .time_limit_s = 3},
                     .runs = 1,
                     .warm_up_s = 0.1},
        .side_text =
            {[HEAT_NORTH] = "100", [HEAT_EAST] = "25", [HEAT_SOUTH] = "0", [HEAT_WEST] = "75"},
    };
    const char **side = options.side_text;
    const cm_option table[] = {
        CM_HEADING("Plate"),
        CM_INTEGER("size", 'n', "N", &options.size, 1, HEAT_MOST_SIZE,
                   "columns of points, and also rows unless --rows is given; default: 1024"),
        CM_INTEGER("rows", 0, "N", &options.rows, 1, HEAT_MOST_SIZE,
                   "rows of points, at least one for each rank"),
        CM_TEXT("series", 0, "N,N,...", &options.series_text,
                "measure plates of these sizes in turn, with --serial, beside the paper's table"),
        CM_TEXT("north", 0, "SIDE", &side[HEAT_NORTH],
                "temperatures of this side: a number; linear:FROM:TO or step:FROM:TO (from west to "
                "east, from north to south); sine:HEIGHT or parabola:HEIGHT (0 in the corners); "
                "file:PATH, one temperature per line for each point"),
        CM_TEXT("east", 0, "SIDE", &side[HEAT_EAST], "the same for the east side"),
        CM_TEXT("south", 0, "SIDE", &side[HEAT_SOUTH], "the same for the south side"),
        CM_TEXT("west", 0, "SIDE", &side[HEAT_WEST], "the same for the west side"),
        CM_REAL("initial", 0, "T", &options.problem.initial, -1e30, 1e30,
                "initial temperature of the plate"),
        CM_HEADING("Method"),
        CM_CHOICE(
            "method", 'm', "NAME", &options.method, heat_method_names,
            "iteration method: gauss-seidel and sor are red-black, chebyshev accelerates Jacobi, "
            "multigrid makes V cycles over coarser and coarser grids"),
        CM_TEXT("methods", 0, "NAME,...", &options.methods_text,
                "solve the plate to --tolerance by each of these methods in turn, or by all"),
        CM_REAL(
            "omega", 0, "FACTOR", &options.omega, 1e-3, 1.9999999,
            "factor of sor; default: the best for the plate, 2 / (1 + sqrt(1 - r^2)), r = (cos(pi "
            "/ (rows + 1)) + cos(pi / (columns + 1))) / 2"),
        CM_CHOICE("precision", 'p', "NAME", &options.precision, precisions,
                  "precision of the numbers"),
        CM_INTEGER(
            "iterations", 0, "N", &options.iterations, 1, 1e15,
            "stop after N iterations; default: 1000 (multigrid: 100), with --tolerance 10^9"),
        CM_REAL("tolerance", 't', "T", &options.tolerance, 0, 1e30,
                "stop when every temperature is within T of the mean of its four neighbours (0: do "
                "not)"),
        CM_INTEGER("check", 0, "N", &options.check_every, 1, 1e9,
                   "iterations between two checks of the tolerance; default: 10 (multigrid: 1)"),
        CM_CHOICE(
            "stores", 0, "KIND", &options.stores, stores,
            "stores of a sweep: plain: plain loops, the reference; ordinary; non-temporal: past "
            "the caches; auto: the fastest here"),
        CM_TEXT("steps-per-sweep", 'S', "N", &options.steps_text,
                "iterations of jacobi in one pass over memory, at most a block's rows and columns; "
                "default: auto, the fastest here; 1 with --series, as in the paper"),
        CM_TEXT("blocks", 0, "PxQ", &options.blocks_text,
                "P blocks below each other, Q beside each other, one for each rank; rows: ranks "
                "have whole rows, the default; auto: by a model of the time, which is printed"),
        CM_HEADING("Collecting"),
        CM_INTEGER("collect", 'k', "N", &options.collect_every, 0, 1e15,
                   "rank 0 gathers the plate every N iterations; 0: never"),
        CM_INTEGER("collect-points", 0, "N", &options.picture_points, 1, HEAT_MOST_SIZE,
                   "thin the gathered plate to at most N points a side; default: 1024"),
        CM_TEXT("frames", 0, "FOLDER", &options.frames,
                "write the gathered plates to FOLDER; heat-frames.gp makes pictures and an "
                "animation of them"),
        CM_FLAG("watch", 'w', &options.watch,
                "draw the gathered plates with gnuplot: in a window, or without one (DISPLAY, "
                "GNUTERM) as text on the terminal"),
        CM_HEADING("Checkpoints"),
        CM_TEXT("checkpoint", 0, "FILE", &options.checkpoint, "write all temperatures to FILE"),
        CM_INTEGER("checkpoint-every", 0, "N", &options.checkpoint_every, 1, 1e15,
                   "write a checkpoint every N iterations; default: 1000"),
        CM_TEXT("restart", 0, "FILE", &options.restart, "continue from the checkpoint FILE"),
        CM_HEADING("Comparison"),
        CM_FLAG("serial", 0, &options.serial,
                "also run this kernel and the plain program on rank 0 alone, and report the "
                "speed-up over one rank and the gain over plain loops"),
        CM_FLAG("no-stream", 0, &options.no_stream, "do not measure the memory bandwidth"),
        CM_FLAG("plate", 0, &options.plate, "add the thinned plate to the result, for its figure"),
        CM_SAMPLE_RUN_OPTIONS(&options.sampling, CM_SAMPLE_RUNS_OF_SAMPLES(&options.sampling)),
        CM_RESULT_OPTIONS(&options.files),
        CM_RENAMED("check-point", "checkpoint"),
        CM_RENAMED("every", "checkpoint-every"),
        CM_RENAMED("stores=past", "stores=non-temporal"),
        {0},
    };
    const cm_program program = {
        .name = "cm-heat",
        .purpose =
            "heat diffusion on a plate: iterations per second, speed-up, share of the memory's "
            "bandwidth",
        .description =
            "Heats or cools a plate of N x N points at one temperature by sources and sinks of "
            "heat on its four sides. Each iteration makes every temperature the mean of its four "
            "neighbours (Jacobi), or moves it towards that by a faster method. Each rank has some "
            "rows of the plate, or a block (--blocks), and exchanges its edges while it computes. "
            "Rank 0 gathers the plate every 20 iterations; this is reported separately. The run "
            "is verified against the analytic solution, a plain program, symmetry and the maximum "
            "principle.",
        .examples =
            "mpiexec -n 2 cm-heat --stores plain --series 32,64,128,256,512,1024\tthe paper's "
            "table\n"
            "cm-heat -n 255 -m sor -t 1e-6 --frames plate\tthe final distribution, with "
            "pictures on the way\n"
            "gnuplot -e \"frames='plate'\" heat-frames.gp\tPNG frames and an animation\n"
            "cm-heat -n 511 -t 1e-8 --methods all\twhat methods have gained since Jacobi\n"
            "cm-heat -n 16384 --iterations 1000000 --checkpoint plate.cp\tafter an "
            "interruption continue with --restart plate.cp\n",
        .options = table,
        .metrics = heat_metrics,
        .labels = heat_labels,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .files = &options.files,
        .options = &options,
        .check = heat_check,
        .least = 1,
        .run = heat_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
