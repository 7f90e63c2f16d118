/* SPDX-License-Identifier: BSD-3-Clause */
/* bsp_parts.c: programs that use only BSPlib's calls. They begin and end the job, and have one SPMD
   part or, as MulticoreBSP allows, several. Only process 0 runs the code between the parts.
   Meanwhile the others wait for its orders: in bsp_begin, which their bsp_init calls repeatedly, or
   in bsp_end if the part is in main. */
#include "config.h"
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "bsp/bsp_internal.h"

typedef enum { ORDER_EXIT, ORDER_FUNCTION, ORDER_BEGIN } bsp_order_kind;

static jmp_buf next_part; /* in serve() */

/* ---- Functions, whose addresses differ between processes ------------------------------------- */

typedef struct {
    uintptr_t address; /* in: of the function; 0: look for the image */
    int image, at;
    uint64_t offset;
    bool found;
} bsp_place_of;

/* Images (the program and its libraries) are loaded in the same order everywhere. */
static int look_into(struct dl_phdr_info *info, size_t size, void *context)
{
    bsp_place_of *place = context;
    (void)size;
    for (int k = 0; place->address && k < info->dlpi_phnum; k++) {
        const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
        if (info->dlpi_phdr[k].p_type != PT_LOAD || place->address < begin
            || place->address - begin >= info->dlpi_phdr[k].p_memsz)
            continue;
        place->image = place->at;
        place->offset = place->address - info->dlpi_addr;
        place->found = true;
    }
    if (!place->address && place->at == place->image) {
        place->offset += info->dlpi_addr;
        place->found = true;
    }
    place->at++;
    return place->found;
}

static bsp_order order_of(void (*function)(void))
{
    bsp_place_of place = {.address = (uintptr_t)function};
    dl_iterate_phdr(look_into, &place);
    if (!place.found)
        cm_abort(CM_EXIT_USAGE, "bsp_init for a further SPMD part: expected a function of the "
                                "program or of one of its libraries");
    return (bsp_order){ORDER_FUNCTION, place.image, place.offset};
}

static void (*function_of(const bsp_order *order))(void)
{
    bsp_place_of place = {.image = order->value, .offset = order->offset};
    dl_iterate_phdr(look_into, &place);
    return (void (*)(void))(uintptr_t)place.offset;
}

/* ---- Orders ---------------------------------------------------------------------------------- */

static void tell(bsp_order order) { cm_bcast(cm_world(), &order, sizeof order, 0, CM_AUTO); }

static bsp_order hear(void)
{
    bsp_order order = cm_bsp.job.heard;
    cm_bsp.job.heard = (bsp_order){0};
    if (order.kind != ORDER_BEGIN) cm_bcast(cm_world(), &order, sizeof order, 0, CM_AUTO);
    return order;
}

static void finalize(void)
{
    cm_bsp.job.finalized = true;
    cm_finalize();
}

/* Runs the SPMD parts on processes other than 0. If the function begins no part, the process
   ends. */
static _Noreturn void serve(void (*part)(void))
{
    cm_bsp.job.part = part;
    cm_bsp.job.serves = true;
    (void)setjmp(next_part);
    int before;
    do {
        before = cm_bsp.job.parts;
        cm_bsp.job.begun = 0;
        cm_bsp.job.part();
    } while (cm_bsp.job.parts != before);
    exit(CM_EXIT_PASS);
}

static _Noreturn void obey_function(const bsp_order *order)
{
    void (*part)(void) = function_of(order);
    if (!cm_bsp.job.serves) serve(part);
    cm_bsp.job.part = part;
    longjmp(next_part, 1);
}

static _Noreturn void obey_exit(void)
{
    finalize();
    exit(CM_EXIT_PASS);
}

/* Returns the order by which process 0 begins a part. */
static bsp_order hear_begin(void)
{
    const bsp_order order = hear();
    if (order.kind == ORDER_EXIT) obey_exit();
    if (order.kind == ORDER_FUNCTION) obey_function(&order);
    return order;
}

/* ---- Begin and end --------------------------------------------------------------------------- */

/* A program may query the number of processes, or read its options after bsp_init, and then end
   successfully without an SPMD part. If it ends with another status, the other processes learn that
   it died, as they would without this function. After a part, process 0 may end with any status. */
static void leave(int status, void *unused)
{
    bsp_job *job = &cm_bsp.job;
    (void)unused;
    if (job->serves && !job->finalized && !cm_bsp.running && status == CM_EXIT_PASS)
        cm_abort(CM_EXIT_USAGE, "process %d ends before process 0 does, outside of an SPMD part",
                 job->rank);
    if (job->finalized || cm_bsp.running || (status != CM_EXIT_PASS && !job->parts)) return;
    if (job->rank == 0 && (job->awaited || job->parts)) tell((bsp_order){.kind = ORDER_EXIT});
    finalize();
}

#ifndef HAVE_ON_EXIT
static void leave_somehow(void) { leave(CM_EXIT_PASS, NULL); }
#endif

/* Other processes wait in bsp_sync, and not every launcher reports that one has exited. */
static void left(void)
{
    if (!cm_bsp.running || !cm_bsp.job.owned) return;
    cm_bsp_wrong("exit", "process %d exits without bsp_end", cm_bsp.pid);
}

static void join(int *argc, char ***argv)
{
    if (cm_bsp.job.joined || cm_bsp.running) return;
    int status = cm_init(argc, argv);
    if (status) exit(status);
    cm_bsp.job = (bsp_job){.joined = true,
                           .ranks = cm_size(cm_world()),
                           .rank = cm_rank(cm_world()),
                           .able = cm_size(cm_world())};
#ifdef HAVE_ON_EXIT
    on_exit(leave, NULL);
#else
    atexit(leave_somehow);
#endif
    atexit(left);
}

static void check_outside(const char *call)
{
    if (cm_bsp.running)
        cm_abort(CM_EXIT_USAGE,
                 "%s between bsp_begin and bsp_end; expected one SPMD part after the other", call);
}

void bsp_init(void (*spmd_part)(void), int argc, char **argv)
{
    check_outside("bsp_init");
    join(&argc, &argv);
    if (!spmd_part)
        cm_abort(CM_EXIT_USAGE, "bsp_init with NULL; expected the function of the SPMD part");
    bsp_job *job = &cm_bsp.job;
    if (job->rank) serve(spmd_part);
    if (job->awaited || job->parts) tell(order_of(spmd_part));
    job->awaited = true;
}

/* Where a call of bsp_begin stands: its line, and a number of its file. 0: unknown. */
static uint64_t place_of_call(const char *file, int line)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (const char *c = file; c && *c; c++) hash = (hash ^ (unsigned char)*c) * 16777619u;
    return file ? (uint64_t)(uint32_t)line << 32 | hash : 0;
}

static _Noreturn void wrong_place(const bsp_order *order, const char *file, int line)
{
    cm_abort(CM_EXIT_USAGE,
             "bsp_begin in line %d of %s: process 0 begins the SPMD part in line %d%s; expected "
             "bsp_init with the function that process 0 calls, and the same processes in all parts "
             "of a function",
             line, file, (int)(order->offset >> 32),
             (uint32_t)order->offset == (uint32_t)place_of_call(file, 0) ? "" : " of another file");
}

/* Processes other than 0 may be at another part than process 0: in another function than it calls,
   or at the first part of its function, which they call anew because they were not needed in that
   one. Addresses cannot tell, because the compiler may have inlined the function in process 0.
   bsp.h gives the line of the call, and the lowest process that is wrong says it. Where there is no
   line (Fortran), processes other than 0 compare how many parts they have begun since they called
   the function. Process 1 says it. The others wait for their end. */
static void check_part(cm_group *group, const bsp_order *order, const char *file, int line)
{
    enum { MOST, LEAST, WRONG, VALUES };
    const bsp_job *job = &cm_bsp.job;
    const uint64_t here = place_of_call(file, line);
    const bool wrong = here && order->offset && here != order->offset;
    const int32_t own[VALUES] = {job->serves ? -job->begun : INT32_MAX,
                                 job->serves ? job->begun : INT32_MAX,
                                 wrong ? job->rank : INT32_MAX};
    int32_t least[VALUES];
    if (cm_size(group) < 2) return;
    cm_allreduce(group, own, least, VALUES, CM_INT32, CM_MIN, CM_AUTO);
    const bool parts_differ = least[LEAST] != INT32_MAX && least[LEAST] != -least[MOST];
    if (!parts_differ && least[WRONG] == INT32_MAX) return;
    if (parts_differ && job->rank == 1)
        cm_abort(CM_EXIT_USAGE,
                 "bsp_begin: some processes begin part %d of the function, others part %d; "
                 "expected one SPMD part in a function, or the same processes in all of them",
                 (int)-least[MOST], (int)least[LEAST]);
    if (!parts_differ && job->rank == least[WRONG]) wrong_place(order, file, line);
    cm_barrier(group, CM_AUTO);
}

/* A process that a part does not use waits for the next part. It cannot skip a part in main, so a
   part in main never has more processes than the part before it. */
void cm_bsp_begin_at(int max_processes, const char *file, int line)
{
    check_outside("bsp_begin");
    join(NULL, NULL);
    bsp_job *job = &cm_bsp.job;
    for (;;) {
        bsp_order order = {
            .kind = ORDER_BEGIN, .value = max_processes, .offset = place_of_call(file, line)};
        if (job->rank == 0) {
            if (order.value < 1)
                cm_abort(CM_EXIT_USAGE, "bsp_begin with %d processes; expected at least 1",
                         order.value);
            if (!job->awaited)
                job->able = order.value = order.value < job->able ? order.value : job->able;
            tell(order);
        } else {
            order = hear_begin();
        }
        const bool needed = job->rank < order.value;
        cm_group *group = cm_split(cm_world(), needed ? 0 : -1, 0);
        if (needed) {
            job->owned = true;
            job->begun++;
            check_part(group, &order, file, line);
            cm_bsp_begin(group);
            return;
        }
        if (job->serves) longjmp(next_part, 1);
    }
}

void(bsp_begin)(int max_processes) { cm_bsp_begin_at(max_processes, NULL, 0); }

void bsp_end(void)
{
    bsp_job *job = &cm_bsp.job;
    cm_bsp_end();
    if (!job->owned) return;
    cm_group_free(cm_bsp.group);
    job->owned = false;
    job->parts++;
    fflush(stdout);
    if (job->rank == 0 || job->serves) return;
    const bsp_order order = hear();
    if (order.kind == ORDER_EXIT) obey_exit();
    if (order.kind == ORDER_FUNCTION) obey_function(&order);
    job->heard = order;
}

/* ---- Process number, number of processes, abort ---------------------------------------------- */

int bsp_nprocs(void)
{
    if (cm_bsp.running) return cm_bsp.p;
    join(NULL, NULL);
    return cm_bsp.job.ranks;
}

int bsp_pid(void)
{
    if (cm_bsp.running) return cm_bsp.pid;
    join(NULL, NULL);
    return cm_bsp.job.rank;
}

void bsp_vabort(const char *format, va_list arguments)
{
    char text[512];
    vsnprintf(text, sizeof text, format, arguments);
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '\n') text[--length] = 0;
    cm_bsp.running = false;
    cm_abort(CM_EXIT_WRONG, "%s", text);
}

void bsp_abort(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    bsp_vabort(format, list);
}
