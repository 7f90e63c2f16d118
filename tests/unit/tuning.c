/* SPDX-License-Identifier: BSD-3-Clause */
/* tuning.c: tables of measured choices: what is read and what is refused, which row is found, and
   how cm-collective chooses from times. */
#include <stdio.h>
#include <string.h>
#include "../../network/collective/collective.h"
#include "tap.h"

#define HEAD "clustermark-tuning 1\nbackend: shm\n" CM_TUNING_COLUMNS "\n"

static const char table_text[] = "clustermark-tuning 1\n"
                                 "# a comment\n"
                                 "backend: shm\n"
                                 "hosts: 1, the first is here\n"
                                 "operation  place  ranks  from_bytes  algorithm\n"
                                 "bcast shared 2 0 linear\n"
                                 "bcast shared 8 0 binomial\n"
                                 "bcast shared 8 1000 tree:3\n"
                                 "bcast shared 8 50000 chain:4096\n"
                                 "bcast own 2 0 binomial\n"
                                 "alltoallv own 4 0 ring\n"
                                 "end\n";

static const cm_tuning_row *found(const cm_tuning_table *table, int ranks, size_t *n)
{
    return cm_tuning_rows(table, CM_COLLECTIVE_BCAST, CM_TUNING_SHARED, ranks, false, n);
}

static void check_read(void)
{
    char why[512];
    cm_tuning_table table;
    size_t n;
    const cm_tuning_row *row;
    ok(cm_tuning_parse(table_text, &table, why, sizeof why) && table.n == 6, "a table is read");
    ok_text(table.backend, "shm", "its backend");
    ok(found(&table, 8, &n)->ranks == 8 && n == 3, "rows of 8 ranks");
    ok(found(&table, 15, &n)->ranks == 8 && !found(&table, 16, &n) && !found(&table, 1, &n),
       "serve less than twice as many, and not one rank");
    row = cm_tuning_rows(&table, CM_COLLECTIVE_BCAST, CM_TUNING_SHARED, 1000, true, &n);
    ok(row && row->ranks == 8 && n == 3, "or any number");
    ok(found(&table, 5, &n)->ranks == 8 && found(&table, 3, &n)->ranks == 2,
       "the nearest number of ranks in ratio is used");
    ok(found(&table, 4, &n)->ranks == 2 && n == 1, "of two that are as near the smaller");
    row = found(&table, 8, &n);
    ok(row[1].from_bytes == 1000 && row[1].algorithm.kind == CM_KIND_TREE
           && row[1].algorithm.parameter == 3,
       "a row has a size and an algorithm with its parameter");
    ok(!cm_tuning_rows(&table, CM_COLLECTIVE_REDUCE, CM_TUNING_OWN, 2, true, &n)
           && !cm_tuning_rows(&table, CM_COLLECTIVE_BCAST, CM_TUNING_BETWEEN, 2, true, &n),
       "no rows of another operation or place");
    cm_tuning_free(&table);
    ok(cm_tuning_parse("clustermark-tuning 1\r\nbackend: shm\r\n" CM_TUNING_COLUMNS "\r\n"
                       "bcast own 2 0 linear\r\nend\r\n",
                       &table, why, sizeof why)
           && table.n == 1,
       "lines that end with CR LF");
    ok_text(table.backend, "shm", "have no CR in their values");
    cm_tuning_free(&table);
    ok(cm_tuning_parse(HEAD "bcast own 2 0 linear\nend\n\r\n# so\n \n#", &table, why, sizeof why),
       "comments and empty lines after the end");
    cm_tuning_free(&table);
}

static void refused(const char *text, const char *want)
{
    char why[512] = "";
    cm_tuning_table table;
    const bool taken = cm_tuning_parse(text, &table, why, sizeof why);
    cm_tuning_free(&table);
    ok(!taken, "refused: %s", want);
    ok_text(why, want, "why");
}

static void check_refused(void)
{
    char long_line[400] = "clustermark-tuning 1\nbackend: ";
    memset(long_line + strlen(long_line), 'x', 300);
    refused("", "line 1: the file ends here; expected more rows, or the line 'end'");
    refused("# size\n1 2\n", "line 2: expected the first line of a table, 'clustermark-tuning 1'");
    refused(long_line, "line 2: 309 bytes long; expected at most 255");
    refused("clustermark-tuning 1\nbackends: shm\n",
            "line 2: 'backends: shm'; expected a line KEY: VALUE with one of the keys backend, "
            "version, date, hosts, ranks_per_host, cores, measured, or the columns "
            "'" CM_TUNING_COLUMNS "'");
    refused("clustermark-tuning 1\nbackend:\n",
            "line 2: 'backend:'; expected the name of a backend, as backend: sockets");
    refused("clustermark-tuning 1\n" CM_TUNING_COLUMNS "\nend\n",
            "line 2: no backend yet; expected a line as backend: sockets");
    refused(HEAD "end\n", "line 4: no rows; expected at least one");
    refused(HEAD "bcast own 2 0 linear\n",
            "line 5: the file ends here; expected more rows, or the line 'end'");
    refused(HEAD "bcast own 2 0 linear\nend\n\n# all\nbcast\n",
            "line 8: expected only comments after the line 'end'");
    refused(HEAD "bcast own 2 0\n", "line 4: 4 fields; expected 5: " CM_TUNING_COLUMNS);
    refused(HEAD "bcast own 2 0 linear x\n",
            "line 4: 5 and more fields; expected 5: " CM_TUNING_COLUMNS);
    refused(HEAD "cast own 2 0 linear\n",
            "line 4: operation 'cast'; expected one as bcast or allreduce");
    refused(HEAD "bcast on 2 0 linear\n", "line 4: place 'on'; expected own, shared or between");
    refused(HEAD "bcast own 1 0 linear\n",
            "line 4: ranks '1'; expected a whole number from 2 to 1048576");
    refused(HEAD "bcast own 2 -1 linear\n",
            "line 4: from_bytes '-1'; expected a whole number of bytes");
    refused(HEAD "bcast own 2 8 linear\n",
            "line 4: from_bytes 8 in the first row of bcast own 2; expected 0");
    refused(HEAD "gatherv own 2 8 linear\n",
            "line 4: from_bytes 8; expected 0: not all ranks of gatherv know its size");
    refused(HEAD "bcast own 2 0 ring\n",
            "line 4: algorithm 'ring'; expected one that bcast has: linear, binomial, tree:1, "
            "chain:1, scatter-allgather, direct");
    for (int k = 0; k < 3; k++) {
        static const char *const others[] = {"auto", "native", "hosts"};
        char text[256], want[256];
        snprintf(text, sizeof text, HEAD "scan own 2 0 %s\n", others[k]);
        snprintf(want, sizeof want,
                 "line 4: algorithm '%s'; expected one that scan has: linear, binomial, tree:1, "
                 "chain:1, doubling",
                 others[k]);
        refused(text, want);
    }
    refused(HEAD "bcast own 2 0 linear\nbcast own 2 0 binomial\n",
            "line 5: from_bytes 0 after 0; expected more");
    refused(HEAD "bcast own 4 0 linear\nbcast own 2 0 binomial\n",
            "line 5: 2 ranks after 4; expected more");
    refused(HEAD "bcast own 2 0 linear\nscan own 2 0 linear\nbcast own 4 0 linear\n",
            "line 6: bcast own again; expected its rows one after the other");
}

/* ---- The tables in use ----------------------------------------------------------------------- */

/* Returns true if the rows of an operation are for ranks of a host, and from 4 ranks on end with
   direct, from blocks of 16 to 64 KiB on. Each rank reduces a block of a vector. */
static bool inside(cm_collective collective, int ranks)
{
    size_t n = 0;
    const cm_tuning_row *row = cm_tuning_find(collective, CM_TUNING_OWN, ranks, &n);
    const cm_tuning_row *last = row + n - 1;
    const bool reduces =
        collective == CM_COLLECTIVE_REDUCE || collective == CM_COLLECTIVE_ALLREDUCE;
    const size_t block = last->from_bytes / (size_t)(reduces ? ranks : 1);
    if (row->place != CM_TUNING_OWN) return false;
    if (ranks < 4 || !cm_algorithm_available(collective, CM_DIRECT)) return true;
    if (collective == CM_COLLECTIVE_BCAST && ranks > 11) return n == 2;
    return last->algorithm.kind == CM_KIND_DIRECT
           && (cm_tuning_sized(collective) ? block >= 16384 && block <= 65536 : n == 1);
}

/* What the paper measured between hosts is not for ranks of one host: they can copy directly. */
static void check_inside(void)
{
    static const int ranks[] = {2, 3, 4, 8, 16, 23, 64, 91, 256};
    size_t n;
    for (int c = 0; c < CM_COLLECTIVES; c++) {
        int wrong = 0;
        for (size_t i = 0; i < sizeof ranks / sizeof *ranks && !wrong; i++)
            if (!inside((cm_collective)c, ranks[i])) wrong = ranks[i];
        ok(!wrong, "%s inside a host has rows of its own, and copies directly (%d ranks)",
           cm_collective_name((cm_collective)c), wrong);
    }
    ok(cm_tuning_find(CM_COLLECTIVE_BCAST, CM_TUNING_SHARED, 64, &n)->place == CM_TUNING_OWN,
       "nor are they for 64 that share cores");
}

/* ---- What is chosen from times --------------------------------------------------------------- */

static collective_timed timed(int64_t bytes, cm_algorithm algorithm, double time_s)
{
    return (collective_timed){CM_COLLECTIVE_BCAST, CM_TUNING_OWN, 4, bytes, algorithm, time_s,
                              time_s * 1.01};
}

static void check_chosen(void)
{
    enum { SIZES = 4 };
    collective_timed times[2 * SIZES];
    cm_tuning_row row[2 * SIZES];
    /* 8, 80, 800 and 8000 bytes: linear takes 1 s, chain 10 s to 0.1 s. */
    double chain_s = 100;
    for (int64_t k = 0, bytes = 8; k < SIZES; k++, bytes *= 10) {
        times[2 * k] = timed(bytes, CM_CHAIN(8), chain_s /= 10);
        times[2 * k + 1] = timed(bytes, CM_LINEAR, 1.2);
    }
    size_t n = collective_tuning_rows(times, 2 * SIZES, row);
    ok(n == 2 && row[0].from_bytes == 0 && row[0].algorithm.kind == CM_KIND_LINEAR
           && row[1].algorithm.kind == CM_KIND_CHAIN && row[1].algorithm.parameter == 8,
       "the faster one of each size");
    ok(row[1].from_bytes == 67, "from where the times cross: 80 / 1.2");
    for (int k = 0; k < 2 * SIZES; k++)
        times[k].time_s = times[k].algorithm.kind == CM_KIND_LINEAR ? 1.04 : 1;
    n = collective_tuning_rows(times, 2 * SIZES, row);
    ok(n == 1 && row[0].algorithm.kind == CM_KIND_LINEAR, "of two that tie the simpler");
    for (int k = 0; k < 2 * SIZES; k++) {
        times[k].time_s = times[k].algorithm.kind == CM_KIND_LINEAR ? 1.2 : 1;
        times[k].high_s = 1.3;
    }
    n = collective_tuning_rows(times, 2 * SIZES, row);
    ok(n == 1 && row[0].algorithm.kind == CM_KIND_LINEAR, "a range that overlaps is a tie");
    for (int k = 0; k < 2 * SIZES; k++) times[k].high_s = times[k].time_s;
    n = collective_tuning_rows(times, 2 * SIZES, row);
    ok(n == 1 && row[0].algorithm.kind == CM_KIND_CHAIN, "one that does not is none");
    /* One size at which linear seems a little faster. */
    for (int k = 2; k < 4; k++)
        times[k].time_s = times[k].high_s = times[k].algorithm.kind == CM_KIND_LINEAR ? 1 : 1.07;
    n = collective_tuning_rows(times, 2 * SIZES, row);
    ok(n == 1 && row[0].algorithm.kind == CM_KIND_CHAIN, "a small gain makes no row");
    for (int k = 0; k < 2 * SIZES; k++) times[k].collective = CM_COLLECTIVE_GATHERV;
    times[0].time_s = times[1].time_s = 3;
    n = collective_tuning_rows(times, 2 * SIZES, row);
    ok(n == 1 && row[0].from_bytes == 0, "one row where not all ranks know the size");
}

/* ---- Which numbers of ranks are measured ----------------------------------------------------- */

static void check_parts(void)
{
    static const struct {
        int here, hosts;
        const char *want;
    } cases[] = {{1, 2, "2"},       {2, 3, "2 3"},         {3, 2, "2 3"},    {4, 4, "2 4"},
                 {8, 5, "2 4 5 8"}, {5, 12, "2 4 5 8 12"}, {6, 7, "2 4 6 7"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        collective_list list;
        char text[64] = "";
        collective_ranks_of_parts(cases[i].here, cases[i].hosts, &list);
        for (size_t k = 0; k < list.n; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", k ? " " : "",
                     (int)list.value[k]);
        ok_text(text, cases[i].want, "ranks of one host, and hosts");
    }
}

int main(void)
{
    check_read();
    check_refused();
    check_inside();
    check_chosen();
    check_parts();
    return tap_done();
}
