/* SPDX-License-Identifier: BSD-3-Clause */
/* pmix_client.c: a rank's side of PMIx, by the library that the launcher's PMIx belongs to. It is
   loaded at run time, so that programs run where there is none. What is declared here has been the
   same in all versions of the PMIx standard since 2. */
#include "config.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include "comm/comm.h"
#include "comm/pmi/pmi_internal.h"

enum {
    SUCCESS = 0,
    OPERATION_SUCCEEDED = -157, /* done at once; there will be no callback */
    TYPE_STRING = 3,
    TYPE_UINT32 = 14,
    SCOPE_GLOBAL = 3
};
static const uint32_t any_rank = UINT32_MAX - 1; /* PMIX_RANK_WILDCARD */

typedef struct {
    char space[256];
    uint32_t rank;
} process;

/* The library never sees the end of the union in values that it takes; it allocates those that it
   returns. */
typedef struct {
    uint16_t type;
    union {
        char *string;
        uint32_t number;
        unsigned char room[64];
    } data;
} value;

/* The functions, by their names without PMIx_. Arrays of pmix_info_t are always empty here. */
static struct {
    void *library;
    int (*Init)(process *own, void *info, size_t n);
    int (*Finalize)(const void *info, size_t n);
    int (*Abort)(int status, const char *text, process *who, size_t n);
    int (*Put)(uint8_t scope, const char *key, value *value);
    int (*Commit)(void);
    int (*Fence_nb)(const process *who, size_t n, const void *info, size_t infos,
                    void (*done)(int status, void *context), void *context);
    int (*Get)(const process *who, const char *key, const void *info, size_t infos, value **value);
    int (*Get_nb)(const process *who, const char *key, const void *info, size_t infos,
                  void (*done)(int status, value *value, void *context), void *context);
    const char *(*Error_string)(int status);
} pmix;

typedef struct {
    cm_pmi base;
    process own;
    int opens;          /* the other end of base.fd: a byte for each barrier that opens */
    atomic_bool *there; /* which ranks have answered; NULL: not yet requested */
} client;

static const char here[] = "clustermark-here";

bool cm_pmix_present(void)
{
    return !getenv("PMI_FD") && getenv("PMIX_NAMESPACE") && getenv("PMIX_RANK");
}

bool cm_pmix_load(char *why, size_t bytes)
{
    static const struct {
        const char *name;
        void **place;
    } functions[] = {
        {"PMIx_Init", (void **)&pmix.Init},
        {"PMIx_Finalize", (void **)&pmix.Finalize},
        {"PMIx_Abort", (void **)&pmix.Abort},
        {"PMIx_Put", (void **)&pmix.Put},
        {"PMIx_Commit", (void **)&pmix.Commit},
        {"PMIx_Fence_nb", (void **)&pmix.Fence_nb},
        {"PMIx_Get", (void **)&pmix.Get},
        {"PMIx_Get_nb", (void **)&pmix.Get_nb},
        {"PMIx_Error_string", (void **)&pmix.Error_string},
    };
    if (pmix.library) return true;
    void *library = dlopen("libpmix.so.2", RTLD_NOW);
    if (!library) {
        const char *text = dlerror();
        snprintf(why, bytes, "%s", text ? text : "libpmix.so.2 cannot be loaded");
        return false;
    }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        if ((*functions[i].place = dlsym(library, functions[i].name))) continue;
        snprintf(why, bytes, "libpmix.so.2 has no %s", functions[i].name);
        dlclose(library);
        return false;
    }
    pmix.library = library;
    return true;
}

static int verdict(const cm_pmi *pmi, int code, const char *what)
{
    if (code == SUCCESS) return 0;
    return cm_pmi_failed(pmi, "PMIx: cannot %s: %s (%d)", what, pmix.Error_string(code), code);
}

static int put(cm_pmi *pmi, const char *key, const char *text)
{
    value value = {.type = TYPE_STRING, .data.string = (char *)text};
    return verdict(pmi, pmix.Put(SCOPE_GLOBAL, key, &value), "put a key");
}

static int get(cm_pmi *pmi, int owner, const char *key, char *text, size_t capacity)
{
    const client *client = (const void *)pmi;
    process who = client->own;
    value *found = NULL;
    who.rank = (uint32_t)owner;
    int status = verdict(pmi, pmix.Get(&who, key, NULL, 0, &found), "get a rank's key");
    if (status) return status;
    bool fits = found && found->type == TYPE_STRING && found->data.string
                && strlen(found->data.string) < capacity;
    if (fits) strcpy(text, found->data.string);
    if (found && found->type == TYPE_STRING) free(found->data.string);
    free(found);
    return fits ? 0
                : cm_pmi_failed(pmi, "PMIx: the value of key '%s' is no text of at most %zu bytes",
                                key, capacity - 1);
}

/* Called by the library's thread. */
static void opened(int status, void *context)
{
    const client *client = context;
    const unsigned char byte = status == SUCCESS ? 0 : 1;
    send(client->opens, &byte, 1, MSG_NOSIGNAL);
}

static int barrier_start(cm_pmi *pmi)
{
    int status = verdict(pmi, pmix.Commit(), "publish the keys");
    if (status) return status;
    int code = pmix.Fence_nb(NULL, 0, NULL, 0, opened, pmi);
    if (code == OPERATION_SUCCEEDED) opened(code = SUCCESS, pmi);
    return verdict(pmi, code, "enter a barrier");
}

static int barrier_done(cm_pmi *pmi, bool wait, bool *done)
{
    unsigned char byte = 0;
    ssize_t got;
    do got = recv(pmi->fd, &byte, 1, wait ? 0 : MSG_DONTWAIT);
    while (got < 0 && errno == EINTR);
    *done = got == 1;
    return byte ? cm_pmi_failed(pmi, "PMIx: a barrier failed; a rank may have died") : 0;
}

static void answered(int status, value *value, void *context)
{
    (void)value;
    if (status == SUCCESS) atomic_store((atomic_bool *)context, true);
}

/* Asks for a key of all ranks at once. Those that have entered the barrier have published it. */
static bool seen(cm_pmi *pmi, int rank)
{
    client *client = (void *)pmi;
    const struct timespec second = {.tv_sec = 1};
    if (!client->there) {
        /* Never freed: an answer may still come. */
        client->there = calloc((size_t)pmi->size, sizeof *client->there);
        if (!client->there) return true;
        for (int i = 0; i < pmi->size; i++) {
            process who = client->own;
            who.rank = (uint32_t)i;
            pmix.Get_nb(&who, here, NULL, 0, answered, &client->there[i]);
        }
        nanosleep(&second, NULL);
    }
    return atomic_load(&client->there[rank]);
}

static int finalize(cm_pmi *pmi) { return verdict(pmi, pmix.Finalize(NULL, 0), "leave the job"); }

static void end_job(cm_pmi *pmi, int status)
{
    (void)pmi;
    pmix.Abort(status, "failed", NULL, 0);
}

static int learn_size(client *client)
{
    process all = client->own;
    value *found = NULL;
    all.rank = any_rank;
    int code = pmix.Get(&all, "pmix.job.size", NULL, 0, &found);
    if (code == SUCCESS
        && (!found || found->type != TYPE_UINT32 || found->data.number < 1
            || found->data.number > 1 << 30))
        code = -1;
    if (code == SUCCESS) client->base.size = (int)found->data.number;
    free(found);
    return verdict(&client->base, code, "learn the number of ranks");
}

int cm_pmix_open(cm_pmi **pmi)
{
    static const cm_pmi_protocol protocol = {.put = put,
                                             .get = get,
                                             .barrier_start = barrier_start,
                                             .barrier_done = barrier_done,
                                             .seen = seen,
                                             .finalize = finalize,
                                             .abort = end_job};
    char why[512];
    int ends[2], code;
    client *client = calloc(1, sizeof *client);
    if (!client || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
        fprintf(stderr, "clustermark: no memory or files for the connection to the launcher\n");
        free(client);
        return CM_EXIT_SYSTEM;
    }
    client->base = (cm_pmi){.protocol = &protocol, .fd = ends[0], .joined = true};
    client->opens = ends[1];
    int status = 0;
    if (!cm_pmix_load(why, sizeof why)) status = cm_pmi_failed(&client->base, "PMIx: %s", why);
    else if ((code = pmix.Init(&client->own, NULL, 0)) != SUCCESS)
        status = verdict(&client->base, code, "join the job");
    client->base.rank = (int)client->own.rank;
    if (!status) status = learn_size(client);
    if (!status) status = put(&client->base, here, "1");
    if (status) free(client);
    else *pmi = &client->base;
    return status;
}
