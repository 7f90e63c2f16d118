/* SPDX-License-Identifier: BSD-3-Clause */
/* victim.c: a job of at least three ranks in which a fault befalls rank 1, on the communication
   layer or, with FAULTS_MPI defined, on an MPI, so that faults/table.sh can compare both.

        faults/victim FAULT FILE

   When the fault comes, FILE is written anew; its time is that of the fault. A job that nothing
   disturbs ends with "N ranks right". */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#ifdef FAULTS_MPI
#include <mpi.h>
#else
#include "comm/comm.h"
#endif

/* FLOOD messages of PIECE bytes are more than the memory that rank 1 may have (SPARE). */
enum { VICTIM = 1, ROUNDS = 20, FLOOD = 80000, PIECE = 4000, SPARE = 128 << 20 };
enum { RING = 1, FLOODS = 2, READY = 3 };

static int rank, size;
static const char *fault, *file;

/* ---- Either library -------------------------------------------------------------------------- */

#ifdef FAULTS_MPI
static void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
}
static void put(void *data, int bytes, int to, int tag)
{
    MPI_Send(data, bytes, MPI_BYTE, to, tag, MPI_COMM_WORLD);
}
static void get(void *data, int bytes, int from, int tag)
{
    MPI_Recv(data, bytes, MPI_BYTE, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static void give_up(const char *why)
{
    fprintf(stderr, "victim: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 1);
}
static void end(void) { MPI_Finalize(); }
#else
static void begin(int *argc, char ***argv)
{
    const int status = cm_init(argc, argv);
    if (status) exit(status);
    rank = cm_rank(cm_world());
    size = cm_size(cm_world());
}
static void put(void *data, int bytes, int to, int tag)
{
    cm_send(cm_world(), data, (size_t)bytes, to, tag);
}
static void get(void *data, int bytes, int from, int tag)
{
    cm_recv(cm_world(), data, (size_t)bytes, from, tag, NULL);
}
static void give_up(const char *why) { cm_abort(CM_EXIT_WRONG, "%s", why); }
static void end(void) { cm_finalize(); }
#endif

/* ---- The job --------------------------------------------------------------------------------- */

/* A number goes from rank to rank, from rank 0 back to rank 0. rounds: -1: without end. */
static void go_round(int rounds)
{
    for (int k = 0; rounds < 0 || k < rounds; k++) {
        int word = k;
        if (rank > 0) get(&word, sizeof word, rank - 1, RING);
        if (word != k) give_up("a wrong number");
        put(&word, sizeof word, (rank + 1) % size, RING);
        if (rank == 0) get(&word, sizeof word, size - 1, RING);
    }
}

/* The fault is now. */
static void note(void)
{
    FILE *stream = fopen(file, "w");
    if (!stream || fclose(stream) != 0) give_up(file);
}

static void pause_s(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    while (nanosleep(&time, &time) != 0) {}
}

/* Allows this process SPARE more bytes of memory. */
static void limit_memory(void)
{
    unsigned long pages = 0;
    FILE *stream = fopen("/proc/self/statm", "r");
    if (!stream || fscanf(stream, "%lu", &pages) != 1) give_up("/proc/self/statm");
    if (stream) fclose(stream);
    const rlim_t most = pages * (rlim_t)sysconf(_SC_PAGESIZE) + SPARE;
    if (setrlimit(RLIMIT_AS, &(struct rlimit){most, most}) != 0) give_up("setrlimit");
}

/* Rank 0 sends more than rank 1 has memory for, while that one waits for another rank. */
static void flood(void)
{
    static char piece[PIECE];
    if (rank == VICTIM) limit_memory();
    if (rank == VICTIM) note();
    if (rank == 2) pause_s(1);
    if (rank == 2) put(piece, 1, VICTIM, READY);
    if (rank == VICTIM) get(piece, 1, 2, READY);
    for (int k = 0; k < FLOOD && rank < 2; k++)
        if (rank == VICTIM) get(piece, PIECE, 0, FLOODS);
        else put(piece, PIECE, VICTIM, FLOODS);
}

/* Before it joins, a rank knows its number by its launcher's variable alone. */
static int is_victim(void)
{
    const char *number = getenv("PMI_RANK");
    if (!number) number = getenv("OMPI_COMM_WORLD_RANK");
    return number && atoi(number) == VICTIM;
}

static int is(const char *name) { return strcmp(fault, name) == 0; }

static void suffer(void)
{
    if (is("killed")) raise(SIGKILL);
    if (is("crashes")) raise(SIGSEGV);
    if (is("stopped")) raise(SIGSTOP);
    if (is("exits")) exit(0);
    if (is("aborts")) give_up("a wrong answer");
}

int main(int argc, char **argv)
{
    fault = argc == 3 ? argv[1] : "";
    file = argc == 3 ? argv[2] : "";
    if ((is("refuses") || is("absent")) && is_victim()) {
        note();
        if (is("refuses")) fprintf(stderr, "victim: --size 0; expected 1 or more\n");
        return is("refuses") ? 2 : 0;
    }
    begin(&argc, &argv);
    go_round(ROUNDS);
    if (is("memory")) flood();
    else if (rank == VICTIM) note();
    if (rank == VICTIM) suffer();
    go_round(is("lasts") ? -1 : ROUNDS);
    if (rank == 0) {
        printf("%d ranks right\n", size);
        if (fflush(stdout) != 0) give_up("the output cannot be written");
    }
    end();
    return 0;
}
