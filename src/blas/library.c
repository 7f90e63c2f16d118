/* SPDX-License-Identifier: BSD-3-Clause */
/* library.c: which BLAS this process has loaded, what it says of itself, and its threads. The one
   that programs were linked with need not be the one that is loaded: alternatives of the system,
   LD_LIBRARY_PATH and LD_PRELOAD choose at start. So its functions are looked for beside the
   dgemm_ that is called. */
#define _GNU_SOURCE
#include "config.h"
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "blas/blas.h"

typedef cm_blas_function function;
#define CALL(f, result, ...) ((result(*)(__VA_ARGS__))(f))

/* ---- Its functions --------------------------------------------------------------------------- */

#ifdef HAVE_OPENBLAS
char *openblas_get_config(void);
char *openblas_get_corename(void);
int openblas_get_num_threads(void);
void openblas_set_num_threads(int threads);

/* Linked into the program, where dlsym finds nothing. */
static function *linked(const char *symbol)
{
    static const struct {
        const char *name;
        function *function;
    } table[] = {{"openblas_get_config", (function *)openblas_get_config},
                 {"openblas_get_corename", (function *)openblas_get_corename},
                 {"openblas_get_num_threads", (function *)openblas_get_num_threads},
                 {"openblas_set_num_threads", (function *)openblas_set_num_threads}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (strcmp(table[k].name, symbol) == 0) return table[k].function;
    return NULL;
}
#else
static function *linked(const char *symbol)
{
    (void)symbol;
    return NULL;
}
#endif

/* Stores the file that has a function; "" if it is in the program itself. */
static void file_of(const void *address, char *file, size_t size)
{
    Dl_info info;
    char *real = NULL;
    *file = '\0';
    if (address && dladdr(address, &info) && info.dli_fname) real = realpath(info.dli_fname, NULL);
    if (real) snprintf(file, size, "%s", real);
    free(real);
}

/* Looks in the library of dgemm_ and in those that it needs. */
cm_blas_function *cm_blas_function_of(const char *symbol)
{
    Dl_info info;
    void *dgemm = dlsym(RTLD_DEFAULT, "dgemm_"), *found;
    if (!dgemm || !dladdr(dgemm, &info)) return linked(symbol);
    void *handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle) return linked(symbol);
    found = dlsym(handle, symbol);
    dlclose(handle);
    function *result;
    memcpy(&result, &found, sizeof result);
    return result;
}

/* ---- Versions -------------------------------------------------------------------------------- */

/* "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH ...": its second word. */
static void version_openblas(function *f, char *version, size_t size)
{
    char word[64] = "";
    sscanf(CALL(f, const char *, void)(), "%*s %63s", word);
    snprintf(version, size, "%s", word);
}

static void version_blis(function *f, char *version, size_t size)
{
    snprintf(version, size, "%s", CALL(f, const char *, void)());
}

/* "Intel(R) oneAPI Math Kernel Library Version 2023.0-Product Build 20221128 for ...". */
static void version_mkl(function *f, char *version, size_t size)
{
    char text[256] = "", word[64] = "";
    CALL(f, void, char *, int)(text, sizeof text - 1);
    const char *at = strstr(text, "Version ");
    if (at) sscanf(at, "Version %63[^- ]", word);
    snprintf(version, size, "%s", word);
}

static void version_flexiblas(function *f, char *version, size_t size)
{
    int part[3] = {0};
    char backend[64] = "";
    CALL(f, void, int *, int *, int *)(&part[0], &part[1], &part[2]);
    function *current = cm_blas_function_of("flexiblas_current_backend");
    if (current) CALL(current, int, char *, size_t)(backend, sizeof backend);
    snprintf(version, size, "%d.%d.%d%s%s", part[0], part[1], part[2], *backend ? " with " : "",
             backend);
}

/* libatlas.so.3.10.3, libblas.so.3.11.0: what follows ".so.". */
static void version_of_file(const char *file, char *version, size_t size)
{
    const char *at = strstr(file, ".so.");
    *version = '\0';
    if (at && strchr(at + 4, '.')) snprintf(version, size, "%s", at + 4);
}

static void version_atlas(function *f, char *version, size_t size)
{
    char file[sizeof((cm_blas_library *)0)->file];
    const void *address;
    memcpy(&address, &f, sizeof address);
    file_of(address, file, sizeof file);
    version_of_file(file, version, size);
}

/* ---- The library ----------------------------------------------------------------------------- */

/* sign: a function that only this library has, and that knows the version; word: what the path of
   its file has, in case the library shows nothing but the BLAS, as Debian's BLIS does. */
static const struct {
    const char *name, *sign, *word;
    void (*version)(function *sign, char *version, size_t size);
} libraries[] = {
    {"FlexiBLAS", "flexiblas_get_version", "flexiblas", version_flexiblas},
    {"OpenBLAS", "openblas_get_config", "openblas", version_openblas},
    {"MKL", "mkl_get_version_string", "mkl", version_mkl},
    {"BLIS", "bli_info_get_version_str", "blis", version_blis},
    {"ATLAS", "ATL_buildinfo", "atlas", version_atlas},
    {"reference", NULL, "/libblas.so", NULL},
};

cm_blas_library cm_blas_library_loaded(void)
{
    enum { LIBRARIES = sizeof libraries / sizeof *libraries };
    cm_blas_library l = {.name = "unknown"};
    file_of(dlsym(RTLD_DEFAULT, "dgemm_"), l.file, sizeof l.file);
    for (int k = 0; k < LIBRARIES; k++) {
        function *sign = libraries[k].sign ? cm_blas_function_of(libraries[k].sign) : NULL;
        if (!sign) continue;
        l.name = libraries[k].name;
        libraries[k].version(sign, l.version, sizeof l.version);
        return l;
    }
    for (int k = 0; k < LIBRARIES; k++)
        if (strstr(l.file, libraries[k].word)) {
            l.name = libraries[k].name;
            if (!libraries[k].sign) version_of_file(l.file, l.version, sizeof l.version);
            break;
        }
    return l;
}

const char *cm_blas_kernel(void)
{
    function *f = cm_blas_function_of("openblas_get_corename");
    if (f) return CALL(f, const char *, void)();
    function *id = cm_blas_function_of("bli_arch_query_id"),
             *string = cm_blas_function_of("bli_arch_string");
    return id && string ? CALL(string, const char *, int)(CALL(id, int, void)()) : "";
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* BLIS counts in its dim_t, which is as long as a pointer. */
static const struct {
    const char *set, *get;
    bool is_long;
} of_threads[] = {
    {"flexiblas_set_num_threads", "flexiblas_get_num_threads", false},
    {"openblas_set_num_threads", "openblas_get_num_threads", false},
    {"MKL_Set_Num_Threads", "MKL_Get_Max_Threads", false},
    {"bli_thread_set_num_threads", "bli_thread_get_num_threads", true},
};

int cm_blas_threads(int threads)
{
    for (size_t k = 0; k < sizeof of_threads / sizeof *of_threads; k++) {
        function *set = cm_blas_function_of(of_threads[k].set),
                 *get = cm_blas_function_of(of_threads[k].get);
        if (!set || !get) continue;
        if (of_threads[k].is_long) CALL(set, void, intptr_t)(threads);
        else CALL(set, void, int)(threads);
        return of_threads[k].is_long ? (int)CALL(get, intptr_t, void)() : CALL(get, int, void)();
    }
    return strcmp(cm_blas_library_loaded().name, "reference") == 0 ? 1 : 0;
}
