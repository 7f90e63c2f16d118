/* SPDX-License-Identifier: BSD-3-Clause */
/* xhpl.c: cm-xhpl: the tests of ./HPL.dat, with HPL's lines. */
#include "xhpl.h"

int main(int argc, char **argv)
{
    xhpl_options options = {
        .linpack = {
            .block = 1, .look_ahead = -1, .precision = LINPACK_DOUBLE, .generator = LINPACK_HPL}};
    linpack_options *o = &options.linpack;
    const cm_option table[] = {
        CM_HEADING("The tests"),
        CM_FLAG(
            "strict", 0, &options.strict,
            "refuse an HPL.dat that HPL reads in a way of its own, instead of a line on stderr"),
        CM_FLAG("force", 0, &o->files.force, "overwrite existing files"),
        CM_HEADING("Writing an HPL.dat"),
        CM_FLAG("write-dat", 0, &options.write,
                "write ./HPL.dat for these ranks and hosts; no test is run"),
        CM_TEXT("fit", 0, "memory=P%", &o->fit,
                "N: the largest matrix that takes P % of the free memory of each host"),
        CM_TEXT(
            "from", 0, "FILE", &options.from,
            "for the hosts in the JSON of a result of clustermark nodes, with the ranks that it "
            "had there; N by their whole memory"),
        CM_HEADING("Ranks"),
        CM_INTEGER(
            "threads", 't', "N", &o->threads, 0, 4096,
            "BLAS threads of each rank; 0: 1 with --bind, else those of the BLAS's variable, "
            "as OPENBLAS_NUM_THREADS, or of OMP_NUM_THREADS, else cores of the host / its "
            "ranks, at most those that the launcher left it"),
        CM_SAMPLE_BIND(&o->sampling),
        {0},
    };
    const cm_exit_status statuses[] = {
        {CM_EXIT_PASS, "no residual failed"},
        {CM_EXIT_WRONG, "a residual is not below the threshold of the file"},
        {CM_EXIT_USAGE, "an option or HPL.dat is wrong"},
        {CM_EXIT_SYSTEM, "an error of the system"},
        {0}};
    const cm_program program = {
        .name = "cm-xhpl",
        .purpose = "the tests of an HPL.dat, with the lines of HPL 2.3",
        .description =
            "Reads HPL.dat in the current folder as HPL 2.3's xhpl does, solves the same random "
            "systems with cm-linpack's solver, and writes what xhpl writes, line for line, to "
            "where the file says. Only the heading names cm-xhpl. What HPL reads in a way of its "
            "own, a word where a number stands, a value out of range, a last line that is missing, "
            "is read likewise, with a line on stderr for each.",
        .examples = "mpiexec -n 4 cm-xhpl\tthe tests of ./HPL.dat\n"
                    "cmrun --hosts a,b cm-xhpl --write-dat --fit memory=80%\tan HPL.dat for two "
                    "hosts\n",
        .options = table,
        .exit_statuses = statuses,
    };
    const cm_benchmark benchmark = {
        .program = &program,
        .options = &options,
        .check = xhpl_check,
        .least = 1,
        .run = xhpl_run,
    };
    return cm_run_main(&benchmark, argc, argv);
}
