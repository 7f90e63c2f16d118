/* SPDX-License-Identifier: BSD-3-Clause */
/* listrank_method.c: the method that cm-listrank takes, by processes, hosts, words and memory. */
#include "../sscrap/listrank/listrank.h"
#include "tap.h"

enum { COPIES = LISTRANK_COPIES, RUNS, RULERS, TOKENS };
static const int64_t n = 10000000;

static listrank_options options_of(int method, int p, int here, double free_bytes)
{
    listrank_options options = listrank_defaults;
    options.method = method;
    options.job.size = n;
    options.place = (listrank_place){
        .processes = p, .here = here, .one_host = here == p, .free_bytes = free_bytes};
    return options;
}

static int method_of(int method, int p, int here, double free_bytes)
{
    const listrank_options options = options_of(method, p, here, free_bytes);
    return listrank_method_of(&options, n, p, here == p);
}

static void tells(int method, int p, int here, double free_bytes, const char *expected)
{
    const listrank_options options = options_of(method, p, here, free_bytes);
    char text[256];
    listrank_method_tell(&options, text, sizeof text);
    ok(strstr(text, expected) == text, "%s: %s", text, expected);
}

/* Gives auto's method one byte too little memory, and repeats this with the next method until no
   other needs less. The last method is the one that needs least. */
static void falls_back(int p, int here)
{
    double bytes[TOKENS + 1], free_bytes = 0;
    bool passed[TOKENS + 1] = {false};
    for (int m = COPIES; m <= TOKENS; m++)
        bytes[m] = listrank_method_bytes(&listrank_defaults, m, n, p) * here;
    int before = 0, method = method_of(LISTRANK_AUTO, p, here, 0);
    for (int steps = 0; steps <= TOKENS && method != before; steps++) {
        ok(method_of(LISTRANK_AUTO, p, here, bytes[method]) == method,
           "%d processes, %d on a computer: method %d where it fits", p, here, method);
        before = method;
        passed[method] = true;
        free_bytes = bytes[method] - 1;
        method = method_of(LISTRANK_AUTO, p, here, free_bytes);
        ok(method == before || bytes[method] <= free_bytes || bytes[method] < bytes[before],
           "another that takes less, or the same");
    }
    for (int m = COPIES; m <= TOKENS; m++) {
        if ((m == COPIES && p > LISTRANK_MOST_COPIES) || (m == RUNS && p != 2)) continue;
        ok(bytes[before] <= bytes[m], "method %d, the last, takes no more than %d", before, m);
        ok(passed[m] || bytes[m] >= bytes[before], "method %d was passed over for its memory", m);
        ok(method_of(m, p, here, 1) == m, "--method %d is never replaced", m);
    }
    ok(method_of(LISTRANK_AUTO, p, here, 1) == before, "the least where nothing fits");
}

int main(void)
{
    ok(method_of(LISTRANK_AUTO, 2, 2, 0) == COPIES, "one host: copies");
    ok(method_of(LISTRANK_AUTO, 8, 8, 0) == COPIES, "of up to 8 processes");
    ok(method_of(LISTRANK_AUTO, 9, 9, 0) == RULERS, "more: rulers");
    ok(method_of(LISTRANK_AUTO, 2, 1, 0) == RUNS, "two hosts: runs");
    ok(method_of(LISTRANK_AUTO, 3, 1, 0) == TOKENS, "three hosts: tokens");
    ok(method_of(COPIES, 9, 9, 0) == RULERS, "no copies of 9");
    ok(method_of(RUNS, 3, 1, 0) == TOKENS, "no runs of 3");
    listrank_options options = options_of(COPIES, 4, 4, 0);
    ok(listrank_method_of(&options, (INT64_C(1) << 30) - 1, 4, true) == COPIES, "2^30 - 1 nodes");
    ok(listrank_method_of(&options, INT64_C(1) << 30, 4, true) != COPIES, "2^30 nodes: no copies");
    options.distance = LISTRANK_RANDOM;
    ok(listrank_method_of(&options, INT64_C(1) << 26, 4, true) != COPIES, "ranks beyond 2^32");

    options = options_of(TOKENS, 4, 4, 0);
    double four = listrank_method_bytes(&options, TOKENS, INT64_C(1) << 26, 4);
    options.distance = LISTRANK_RANDOM;
    ok(listrank_method_bytes(&options, TOKENS, INT64_C(1) << 26, 4) > 1.5 * four,
       "words of eight bytes take more");

    falls_back(2, 2);
    falls_back(4, 4);
    falls_back(8, 8);
    falls_back(16, 16);
    falls_back(2, 1);
    falls_back(8, 4);
    /* Four of the eight processes are on each computer, so half of the memory is enough. */
    double copies = listrank_method_bytes(&listrank_defaults, COPIES, n, 8);
    ok(method_of(LISTRANK_AUTO, 8, 8, 8 * copies - 1) != COPIES, "8 copies need their memory");
    options = options_of(LISTRANK_AUTO, 8, 4, 4 * copies);
    ok(listrank_method_of(&options, n, 8, true) == COPIES, "4 of 8 need half");

    tells(LISTRANK_AUTO, 4, 4, 0, "auto: copies: one host, up to 8 processes");
    tells(LISTRANK_AUTO, 16, 16, 0, "auto: rulers: one host, more than 8 processes");
    tells(LISTRANK_AUTO, 4, 2, 0, "auto: tokens: several hosts");
    tells(LISTRANK_AUTO, 1, 1, 0, "auto: one process alone");
    tells(LISTRANK_AUTO, 8, 8, 8 * copies - 1, "auto: tokens: copies take ");
    options = options_of(LISTRANK_AUTO, 4, 2, 0);
    options.place.tried = 1000;
    options.place.tried_s[COPIES] = 0.003;
    options.place.tried_s[TOKENS] = 0.002;
    ok(listrank_method_of(&options, n, 4, false) == TOKENS, "the fastest of those tried");
    options.place.tried_s[RULERS] = 0.001;
    ok(listrank_method_of(&options, n, 4, false) == RULERS, "before the others");
    ok(listrank_method_of(&options, n, 3, false) == RULERS, "and with fewer processes");
    ok(listrank_method_of(&options, n, 2, false) == RUNS, "but two have their own method");
    ok(listrank_method_of(&options, n, 4, true) == COPIES, "and one host has its own order");
    options.place.free_bytes = 2 * listrank_method_bytes(&options, RULERS, n, 4) - 1;
    ok(listrank_method_of(&options, n, 4, false) != RULERS, "the fastest, which does not fit");
    options.place.free_bytes = 0;
    char text[256];
    listrank_method_tell(&options, text, sizeof text);
    const char *all = "auto: rulers: fastest in trials with 1000 nodes (ms: rulers 1 tokens 2 "
                      "copies 3)";
    ok(strcmp(text, all) == 0, "%s: %s", text, all);
    options = options_of(LISTRANK_AUTO, 2, 1, 0);
    options.place.tried = 1000;
    options.place.tried_s[RUNS] = 0.002;
    options.place.tried_s[COPIES] = 0.001;
    ok(listrank_method_of(&options, n, 2, false) == COPIES, "two processes that have tried");

    tells(COPIES, 8, 8, 1, "copies");
    tells(COPIES, 9, 9, 0, "rulers: copies are for up to 8 processes");
    tells(RUNS, 4, 1, 0, "tokens: runs are for two processes");
    return tap_done();
}
