/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_paper.c: the three tables of pelikan-2007, as paper.dat has them. */
#include <math.h>
#include <string.h>
#include "farm.h"

static const struct {
    const char *quantity;
    int64_t workers, batch;
    double value;
} cells[] = {
#include "farm_paper.inc"
};

const farm_counts farm_paper_workers = {4, {1, 3, 7, 19}};
const farm_counts farm_paper_batches = {5, {1, 2, 4, 10, 100}};

static double cell(const char *quantity, int64_t workers, int64_t batch)
{
    for (size_t k = 0; k < sizeof cells / sizeof *cells; k++)
        if (cells[k].workers == workers && cells[k].batch == batch
            && strcmp(cells[k].quantity, quantity) == 0)
            return cells[k].value;
    return NAN;
}

farm_printed farm_paper(int64_t workers, int64_t batch)
{
    return (farm_printed){
        .time_s = cell("time", workers, batch),
        .messages_per_s = cell("messages", workers, batch),
        .message_us = cell("message", workers, batch),
        .overhead_s = cell("overhead", workers, batch),
        .overhead_message_us = cell("per-message", workers, batch),
    };
}
