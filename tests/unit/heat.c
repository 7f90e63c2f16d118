/* SPDX-License-Identifier: BSD-3-Clause */
/* heat.c: in how many teams the ranks of cm-heat verify several steps a sweep. */
#include "../heat/heat.h"
#include "tap.h"

/* Blocks of 2 steps + 1 rows of 1601 columns. */
static void test_teams(heat_grid grid, int64_t steps, int teams, int columns)
{
    const int64_t points = (2 * steps + 1) * 1601, most = 1 << 22;
    const heat_teams got = heat_teams_of(grid, points, most);
    const int rows = (grid.rows * grid.columns / columns + teams - 1) / teams;
    ok(got.teams == teams && got.columns == columns && grid.columns % columns == 0,
       "%d x %d blocks, %d steps: %d teams (%d) with %d beside each other (%d)", grid.rows,
       grid.columns, (int)steps, teams, got.teams, columns, got.columns);
    ok(rows * columns * points <= most, "of at most 4 Mi points");
}

int main(void)
{
    test_teams((heat_grid){1, 1}, 64, 1, 1);
    test_teams((heat_grid){20, 1}, 64, 1, 1);
    test_teams((heat_grid){21, 1}, 64, 2, 1);
    test_teams((heat_grid){4, 5}, 64, 1, 5);
    test_teams((heat_grid){4096, 1}, 24, 78, 1);
    test_teams((heat_grid){4099, 1}, 24, 78, 1); /* a prime number */
    test_teams((heat_grid){64, 64}, 24, 79, 4);
    test_teams((heat_grid){2048, 2}, 24, 79, 2);
    test_teams((heat_grid){400, 7}, 24, 58, 7);
    return tap_done();
}
