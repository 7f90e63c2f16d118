/* SPDX-License-Identifier: BSD-3-Clause */
/* life.c: start, end, the world, and time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "comm/computer.h"
#include "comm/hosts.h"
#include "comm/mpi/backend_mpi.h"
#include "comm/mpi/launcher.h"
#include "machine/machine.h"

/* Along the layer's own trees: 2 (p - 1) messages. An MPI's allgather may take p (p - 1), which
   cost 20 s at 128 ranks of SMPI. */
static void gather_hosts(void)
{
    cm_group *world = &cm_mpi.world;
    const size_t ranks = (size_t)world->base.size;
    cm_mpi_host own = {0};
    int length;
    cm_mpi.hosts = cm_mpi_allocate(ranks * sizeof *cm_mpi.hosts);
    MPI_Get_processor_name(own.name, &length);
    const int processors = cm_machine_processors(&own.which);
    /* Simulated hosts have nothing but their names. */
    own.computer = CM_MPI_SIMULATES ? cm_computer_named(own.name) : cm_computer_here(own.name);
    cm_gather(world, &own, sizeof own, cm_mpi.hosts, 0, CM_BINOMIAL);
    cm_bcast(world, cm_mpi.hosts, ranks * sizeof own, 0, CM_BINOMIAL);
    int here = 0, alike = 0;
    for (int rank = 0; rank < world->base.size; rank++) {
        const cm_mpi_host *host = &cm_mpi.hosts[rank];
        here += host->computer == own.computer;
        alike += host->computer == own.computer && host->which == own.which;
    }
    cm_mpi.oversubscribed = here > cm_machine_online() || alike > processors;
}

static void read_tag_limit(void)
{
    int *largest, found;
    MPI_Comm_get_attr(cm_mpi.world.comm, MPI_TAG_UB, &largest, &found);
    if (found && *largest < CM_TAG_LIMIT - 1) cm_mpi.tag_limit = (unsigned)*largest + 1;
}

/* Keeps a program that was started without a launcher to one process, and its failure to one line.
   Open MPI before 5 would start a daemon in case the program calls MPI_Comm_spawn. The daemon
   prints MPI_Abort's message on its own stderr, which cm_abort cannot close. */
static void stay_alone(void)
{
#ifdef OPEN_MPI
    setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
#endif
}

int cm_init(int *argc, char ***argv)
{
    cm_environment environment;
    int status = cm_environment_read(&environment);
    if (!status) status = cm_launcher_refuse_cmrun(environment.launcher, argv ? *argv : NULL);
    if (status) return status;
    cm_mpi.eager_bytes = environment.eager_bytes;
    cm_mpi.delay_ns = environment.delay_ns;
    cm_mpi.place = environment.place;
    cm_mpi.item_s = 1e-9 * environment.item_ns;

    stay_alone();
    int thread_level;
    if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &thread_level) != MPI_SUCCESS) {
        fprintf(stderr, "clustermark: MPI_Init_thread failed\n");
        return CM_EXIT_SYSTEM;
    }
    cm_group *world = &cm_mpi.world, *shadow = &cm_mpi.world_shadow;
    world->comm = MPI_COMM_WORLD;
    MPI_Comm_rank(world->comm, &world->base.rank);
    MPI_Comm_size(world->comm, &world->base.size);
    if (world->base.size == 1) {
        status = cm_launcher_refuse_single(argv ? *argv : NULL);
        if (status) {
            MPI_Finalize();
            return status;
        }
    }
    cm_mpi.alive = true;
    cm_mpi_pass_status_on();
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(world->comm, MPI_ERRORS_RETURN);
    int error = MPI_Comm_dup(world->comm, &shadow->comm); /* inherits the error handler */
    if (error) cm_mpi_fail("MPI_Comm_dup", world, CM_ANY, error);
    shadow->base.rank = world->base.rank;
    shadow->base.size = world->base.size;
    world->base.shadow = shadow;
    read_tag_limit();
    gather_hosts();
    return 0;
}

#if defined(MPICH_VERSION) && !defined(SMPI_H)
/* Hosts in network namespaces of one computer have names of their own. */
static bool several_hosts(void)
{
    const cm_mpi_host *own = &cm_mpi.hosts[cm_mpi.world.base.rank];
    for (int rank = 0; rank < cm_mpi.world.base.size; rank++) {
        const cm_mpi_host *other = &cm_mpi.hosts[rank];
        if (other->computer != own->computer || strcmp(other->name, own->name) != 0) return true;
    }
    return false;
}

/* MPICH 4.0.2 over UCX and TCP: in MPI_Finalize a rank waits until its connections are flushed. The
   request for that may lie unread at a peer that has left the barrier and stopped looking, and then
   MPI_Finalize never returns: in 20 to 30 % of the jobs of two hosts on a busy machine. This lets
   the last messages arrive before anybody stops looking. It is a pause and proves nothing: of 60
   jobs 4 hung with 2 ms and none with 20 ms, of 300 none with 50 ms. */
static void let_last_messages_arrive(void)
{
    if (!several_hosts()) return;
    struct timespec left = {.tv_nsec = 100000000};
    while (nanosleep(&left, &left) != 0) continue;
}
#else
static void let_last_messages_arrive(void) {}
#endif

void cm_finalize(void)
{
    if (!cm_mpi.alive) return;
    cm_mpi_pairs_free();
    cm_mpi_drop_kept_sends();
    MPI_Comm_free(&cm_mpi.world_shadow.comm);
    cm_mpi.alive = false;
    MPI_Barrier(MPI_COMM_WORLD);
    let_last_messages_arrive();
    MPI_Finalize();
    cm_hosts_free(cm_mpi.world.base.hosts);
    cm_mpi.world.base.hosts = NULL;
    free(cm_mpi.hosts);
    cm_mpi.hosts = NULL;
}

cm_group *cm_world(void)
{
    if (!cm_mpi.alive) cm_abort(CM_EXIT_USAGE, "cm_world before cm_init or after cm_finalize");
    return &cm_mpi.world;
}

const char *cm_host(const cm_group *group, int rank)
{
    if (!group || rank < 0 || rank >= group->base.size)
        cm_mpi_refuse("cm_host", group, false, rank, 0, false);
    return cm_mpi.hosts[cm_mpi_world_rank(group, rank)].name;
}

uint64_t cm_computer_of(const cm_group *group, int rank)
{
    return cm_mpi.hosts[cm_mpi_world_rank(group, rank)].computer;
}

double cm_time(void) { return MPI_Wtime(); }
double cm_time_resolution(void) { return MPI_Wtick(); }

void *cm_allocate(size_t bytes) { return cm_allocate_ordinary(bytes); }
void cm_free(void *memory) { free(memory); }
