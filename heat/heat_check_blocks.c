/* SPDX-License-Identifier: BSD-3-Clause */
/* heat_check_blocks.c: checks --blocks: alone, with the other options, and with the ranks. */
#include <stdio.h>
#include <string.h>
#include "heat.h"

enum { MOST = 1 << 20, MOST_TEXT = 15 };

static bool parse(const char *text, heat_grid *blocks)
{
    char more;
    return strspn(text, "0123456789x") == strlen(text) && strlen(text) <= MOST_TEXT
           && sscanf(text, "%dx%d%c", &blocks->rows, &blocks->columns, &more) == 2
           && blocks->rows >= 1 && blocks->columns >= 1 && blocks->rows <= MOST
           && blocks->columns <= MOST;
}

int heat_check_blocks(const cm_program *program, heat_options *options)
{
    const char *text = options->blocks_text;
    heat_grid *blocks = &options->problem.blocks;
    *blocks = (heat_grid){0, 0};
    if (!text || strcmp(text, "rows") == 0) return 0;
    options->choose_blocks = strcmp(text, "auto") == 0;
    if (!options->choose_blocks && !parse(text, blocks))
        return cm_option_error(
            program, "--blocks %s: expected PxQ, such as 2x3 for 6 ranks, or rows, or auto", text);
    return 0;
}

/* Returns the smallest number of columns of the plates. */
static int64_t least_columns(const heat_options *options)
{
    int64_t least = options->problem.columns;
    for (int k = 0; k < options->n_series; k++)
        if (options->series[k] < least) least = options->series[k];
    return least;
}

bool heat_blocks_can_be_chosen(const heat_options *options, int ranks)
{
    const int64_t columns = least_columns(options), rows = options->rows ? options->rows : columns;
    const heat_problem least = {.rows = rows, .columns = columns};
    heat_grid grid;
    for (int beside = 1; options->choose_blocks && beside <= ranks; beside++)
        if (heat_make_grid(&least, ranks, beside, &grid)
            && options->steps <= heat_most_steps(&least, grid))
            return true;
    return false;
}

int heat_check_blocks_ranks(const cm_program *program, const heat_options *options)
{
    const heat_grid blocks = options->problem.blocks;
    const int ranks = cm_size(cm_world());
    const int64_t columns = least_columns(options), rows = options->rows ? options->rows : columns;
    if (!blocks.rows) return 0;
    const bool fits = blocks.rows <= rows && blocks.columns <= columns,
               is_all = (int64_t)blocks.rows * blocks.columns == ranks;
    const heat_problem least = {.rows = rows, .columns = columns};
    const int64_t most = fits ? heat_most_steps(&least, blocks) : 0;
    if (is_all && fits && options->steps <= most) return 0;
    if (cm_rank(cm_world()) != HEAT_LEADER) return CM_EXIT_USAGE;
    if (!is_all)
        return cm_option_error(
            program,
            "--blocks %s has %lld blocks, but the job has %d ranks; expected P times Q = %d",
            options->blocks_text, (long long)blocks.rows * blocks.columns, ranks, ranks);
    if (fits)
        return cm_option_error(program,
                               "--steps-per-sweep %lld: the smallest block of --blocks %s has %lld "
                               "rows and %lld columns; use at most %lld",
                               (long long)options->steps, options->blocks_text,
                               (long long)(rows / blocks.rows),
                               (long long)(columns / blocks.columns), (long long)most);
    return cm_option_error(
        program,
        "--blocks %s: each block needs a point; the plate has %lld rows and %lld "
        "columns",
        options->blocks_text, (long long)rows, (long long)columns);
}
