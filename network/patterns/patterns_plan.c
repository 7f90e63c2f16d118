/* SPDX-License-Identifier: BSD-3-Clause */
/* patterns_plan.c: chooses the sizes and how each is transferred. */
#include "patterns.h"

const char *const patterns_names[] = {"ping", "ping-pong", "exchange", NULL};
const char *const patterns_choices[] = {"word", "block", "both", NULL};

/* The paper's largest packet carries 508 bytes, a word less than 512. */
enum { LEAST_BLOCK = 4, PAPERS_DOUBLING = 512, PAPERS_LARGEST = 508 };

static size_t add(patterns_row *rows, size_t n, const patterns_options *options,
                  patterns_transfer transfer, int64_t bytes)
{
    if (bytes > options->upper_bytes || n == PATTERNS_MOST_ROWS) return n;
    rows[n] = (patterns_row){
        .transfer = transfer,
        .bytes = bytes,
        .mode = patterns_mode((patterns_pattern)options->pattern, transfer, bytes,
                              bytes <= options->both_send_bytes),
    };
    return n + 1;
}

size_t patterns_plan(const patterns_options *options, patterns_row rows[PATTERNS_MOST_ROWS])
{
    size_t n = 0;
    for (int k = 0; k < PATTERNS_WORD_SIZES && options->transfers != PATTERNS_BLOCKS; k++)
        n = add(rows, n, options, PATTERNS_WORD, 1 << k);
    for (int64_t bytes = LEAST_BLOCK;
         bytes <= 2 * options->upper_bytes && options->transfers != PATTERNS_WORDS; bytes *= 2)
        n = add(rows, n, options, PATTERNS_BLOCK,
                bytes == PAPERS_DOUBLING ? PAPERS_LARGEST : bytes);
    return n;
}
