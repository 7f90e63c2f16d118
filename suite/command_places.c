/* SPDX-License-Identifier: BSD-3-Clause */
/* command_places.c: `clustermark places`. */
#include "config.h"
#include <stdio.h>
#include "comm/comm.h"
#include "commands.h"
#include "places/place.h"

static int work(const cm_program *program, const suite_home *home, int n, char **operand)
{
    (void)program, (void)n, (void)operand;
    suite_words names = {0};
    int status = 0;
    suite_place_names(home, &names);
    for (size_t k = 0; k < names.n && !status; k++) {
        suite_place place;
        status = suite_place_read(home, names.word[k], &place);
        if (!status)
            printf("%-14s %5zu ranks  %s\n    %s\n", place.name, place.hosts.n, place.paper,
                   place.about);
        suite_place_free(&place);
    }
    suite_words_free(&names);
    return status;
}

const suite_command suite_command_places = {
    .program =
        {
            .name = "clustermark places",
            .purpose = "List the simulated clusters that `clustermark run --place` knows.",
            .options = suite_no_options,
        },
    .work = work,
};
