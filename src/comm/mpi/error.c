/* SPDX-License-Identifier: BSD-3-Clause */
/* error.c: the end of the job, and the lines that give the reason. */
#include "config.h"
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/mpi/backend_mpi.h"
#include "comm/mpi/hydra.h"

/* Ends all ranks; what there was to say has been printed. MPI_Abort would add lines of its own. */
__attribute__((cold, noreturn)) static void abort_job(int status)
{
    cm_mpi.alive = false; /* MPI_Abort calls exit */
    cm_hydra_hear_out();
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
    MPI_Abort(MPI_COMM_WORLD, status);
    _exit(status);
}

#ifdef HAVE_ON_EXIT
static pid_t rank_process; /* exit in a child of it says nothing of the rank */

static void leave(int status, void *unused)
{
    (void)unused;
    if (!cm_mpi.alive || CM_MPI_SIMULATES || getpid() != rank_process) return;
    fflush(NULL);
    if (status == CM_EXIT_PASS) {
        fprintf(stderr, "clustermark: rank %d on %s: exited with status 0 without cm_finalize\n",
                cm_mpi.world.base.rank,
                cm_mpi.hosts ? cm_mpi.hosts[cm_mpi.world.base.rank].name : "?");
        status = CM_EXIT_SYSTEM;
    }
    abort_job(status);
}
#endif

void cm_mpi_pass_status_on(void)
{
#ifdef HAVE_ON_EXIT
    rank_process = getpid();
    on_exit(leave, NULL);
#endif
}

__attribute__((cold, noreturn)) static void end_job(int status, const char *text)
{
    fflush(stdout);
    if (!cm_mpi.alive) {
        fprintf(stderr, "clustermark: %s\n", text);
        exit(status);
    }
    fprintf(stderr, "clustermark: rank %d on %s: %s\n", cm_mpi.world.base.rank,
            cm_mpi.hosts ? cm_mpi.hosts[cm_mpi.world.base.rank].name : "?", text);
    abort_job(status);
}

void cm_abort(int status, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    end_job(status, text);
}

/* Writes MPI's text for an error on one line. MPICH prints a stack of calls, whose first line is
   the kind of error and whose last line is the cause. */
static void error_text(int error, size_t capacity, char *text)
{
    char whole[MPI_MAX_ERROR_STRING + 1] = "";
    int length = 0;
    MPI_Error_string(error, whole, &length);
    while (length > 0 && (whole[length - 1] == '\n' || whole[length - 1] == ' '))
        whole[--length] = 0;
    char *last = strrchr(whole, '\n'), *first_end = strchr(whole, '\n');
    if (first_end) *first_end = 0;
    char *stack = strstr(whole, ", error stack:");
    if (stack) *stack = 0;
    if (!last) {
        snprintf(text, capacity, "%s", whole);
        return;
    }
    last++;
    char *cause = strstr(last, "): ");
    cause = cause ? cause + 3 : last;
    if (strcmp(cause, whole) == 0) snprintf(text, capacity, "%s", whole);
    else snprintf(text, capacity, "%s: %s", whole, cause);
}

static const char *host_of(const cm_group *group, int peer)
{
    return cm_mpi.hosts[cm_mpi_world_rank(group, peer)].name;
}

void cm_mpi_fail(const char *operation, const cm_group *group, int peer, int error)
{
    char reason[MPI_MAX_ERROR_STRING + 64];
    error_text(error, sizeof reason, reason);
    if (peer >= 0)
        cm_abort(CM_EXIT_SYSTEM, "%s with rank %d on %s: %s", operation,
                 cm_mpi_world_rank(group, peer), host_of(group, peer), reason);
    cm_abort(CM_EXIT_SYSTEM, "%s with any of %d ranks: %s", operation, group->base.size, reason);
}

void cm_mpi_fail_receive(const char *operation, const cm_group *group, int peer, size_t capacity,
                         int error)
{
    int class;
    MPI_Error_class(error, &class);
    if (class != MPI_ERR_TRUNCATE) cm_mpi_fail(operation, group, peer, error);
    char from[MPI_MAX_PROCESSOR_NAME + 32] = "any rank";
    if (peer >= 0)
        snprintf(from, sizeof from, "rank %d on %s", cm_mpi_world_rank(group, peer),
                 host_of(group, peer));
    cm_abort(CM_EXIT_SYSTEM,
             "%s from %s: message truncated: it is longer than the receive's %zu"
             " bytes",
             operation, from, capacity);
}

void cm_mpi_fail_request(const char *operation, const cm_request *request, int error)
{
    static const char *const kinds[] = {"a send", "a receive", "a collective"};
    char text[64];
    snprintf(text, sizeof text, "%s of %s", operation, kinds[request->kind]);
    if (request->kind == CM_REQUEST_RECEIVE)
        cm_mpi_fail_receive(text, request->group, request->peer, request->capacity, error);
    cm_mpi_fail(text, request->group, request->peer, error);
}

void *cm_mpi_allocate(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) cm_abort(CM_EXIT_SYSTEM, "out of memory for %zu bytes", bytes);
    return memory;
}

void cm_mpi_refuse(const char *operation, const cm_group *group, bool missing, int rank, int tag,
                   bool receive)
{
    const char *any = receive ? " or CM_ANY" : "";
    if (!cm_mpi.alive) cm_abort(CM_EXIT_USAGE, "%s before cm_init or after cm_finalize", operation);
    if (!group) cm_abort(CM_EXIT_USAGE, "%s: the group is NULL", operation);
    if ((rank < 0 || rank >= group->base.size) && !(receive && rank == CM_ANY))
        cm_abort(CM_EXIT_USAGE, "%s: rank %d; expected 0 to %d%s", operation, rank,
                 group->base.size - 1, any);
    if (missing)
        cm_abort(CM_EXIT_USAGE, "%s: the buffer is NULL, but its length is not 0", operation);
    cm_abort(CM_EXIT_USAGE, "%s: tag is %d; expected 0 to %u%s%s", operation, tag,
             cm_mpi.tag_limit - 1, any,
             tag >= 0 && tag < CM_TAG_LIMIT ? " (the largest tag of this MPI)" : "");
}
