/* SPDX-License-Identifier: BSD-3-Clause */
/* host_allocation.c: the hosts that a batch system has allocated to this job. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/exit.h"
#include "launch/host_list_internal.h"

/* ---- Slurm ----------------------------------------------------------------------------------- */

/* Reads "2(x3),1", which is 2, 2, 2, 1, and gives these slots to the hosts in turn. */
static bool give_slots(host_list *list, const char *text)
{
    int i = 0;
    while (*text) {
        int slots, times = 1;
        size_t digits = strspn(text, "0123456789");
        if (!host_list_slots_valid(text, digits, &slots)) return false;
        text += digits;
        if (strncmp(text, "(x", 2) == 0) {
            text += 2;
            digits = strspn(text, "0123456789");
            if (!host_list_slots_valid(text, digits, &times) || text[digits] != ')') return false;
            text += digits + 1;
        }
        for (; times > 0 && i < list->n; times--) list->host[i++].slots = slots;
        if (times > 0 || (*text && (*text++ != ',' || !*text))) return false;
    }
    return i == list->n;
}

/* One list of Slurm's nodes and the tasks on each, added to those before it. */
static int add_slurm(const char *nodes, const char *tasks_name, host_list *list, char *why,
                     size_t why_bytes)
{
    host_list group;
    const char *tasks = getenv(tasks_name);
    int status = host_list_parse(nodes, &group, why, why_bytes);
    if (!status && tasks && *tasks && !give_slots(&group, tasks)) {
        snprintf(why, why_bytes,
                 "has %d hosts, to which %s=%.100s does not fit; expected such as 2(x3),1; or name "
                 "the hosts with --hosts",
                 group.n, tasks_name, tasks);
        status = CM_EXIT_USAGE;
    }
    for (int i = 0; i < group.n && !status; i++)
        if (!host_list_add(list, group.host[i].name, strlen(group.host[i].name),
                           group.host[i].slots)) {
            snprintf(why, why_bytes, "out of memory");
            status = CM_EXIT_SYSTEM;
        }
    host_list_free(&group);
    return status ? status : host_list_check(list, "", why, why_bytes);
}

static int read_slurm(const char *value, host_list *list, char *why, size_t why_bytes)
{
    return add_slurm(value, "SLURM_TASKS_PER_NODE", list, why, why_bytes);
}

static int read_slurm_step(const char *value, host_list *list, char *why, size_t why_bytes)
{
    return add_slurm(value, "SLURM_STEP_TASKS_PER_NODE", list, why, why_bytes);
}

/* In a step on some of the job's nodes srun has replaced the job's tasks by the step's, but not its
   nodes. In the shell of salloc and in a job submitted from a step, tasks and nodes are the job's,
   and SLURM_STEP_NODELIST is of another step. */
static bool is_step_on_part(void)
{
    const char *nodes = getenv("SLURM_JOB_NODELIST"), *tasks = getenv("SLURM_TASKS_PER_NODE");
    char why[512];
    host_list job = {0};
    const bool part = nodes && tasks && *tasks && host_list_parse(nodes, &job, why, sizeof why) == 0
                      && !give_slots(&job, tasks);
    host_list_free(&job);
    return part;
}

/* A heterogeneous job: a list for each group. SLURM_JOB_NODELIST has the first group alone. */
static int read_slurm_groups(const char *value, host_list *list, char *why, size_t why_bytes)
{
    int status = 0;
    for (int k = 0; value && *value && !status; k++) {
        char name[64], tasks[64];
        snprintf(tasks, sizeof tasks, "SLURM_TASKS_PER_NODE_HET_GROUP_%d", k);
        status = add_slurm(value, tasks, list, why, why_bytes);
        snprintf(name, sizeof name, "SLURM_JOB_NODELIST_HET_GROUP_%d", k + 1);
        value = getenv(name);
    }
    return status;
}

/* ---- Names with blanks between them ---------------------------------------------------------- */

static const char *const blanks = " \t\r\n";

/* Parses the hosts NAME, or with_slots NAME SLOTS, of a text with other_words behind them. */
static int read_words(const char *text, bool with_slots, int other_words, host_list *list,
                      char *why, size_t why_bytes)
{
    char *joined = NULL;
    size_t bytes;
    FILE *out = open_memstream(&joined, &bytes);
    const int words = 1 + with_slots + other_words;
    int k = 0;
    for (text += strspn(text, blanks); out && *text; text += strspn(text, blanks), k++) {
        const int length = (int)strcspn(text, blanks);
        if (k % words == 0) fprintf(out, "%s%.*s", k ? "," : "", length, text);
        else if (k % words == 1 && with_slots) fprintf(out, ":%.*s", length, text);
        text += length;
    }
    if (!out || fclose(out) != 0) {
        free(joined);
        snprintf(why, why_bytes, "out of memory");
        return CM_EXIT_SYSTEM;
    }
    int status = CM_EXIT_USAGE;
    if (k % words != 0)
        snprintf(why, why_bytes,
                 "has %d words; expected %d for each host; or name the hosts with "
                 "--hosts",
                 k, words);
    else status = host_list_parse(joined, list, why, why_bytes);
    free(joined);
    return status;
}

/* ---- LSF ------------------------------------------------------------------------------------- */

static size_t letters(const char *name) { return strcspn(name, "0123456789"); }

/* On systems with jsrun the job's script runs on a batch node, which is the first of the list and
   has one slot; each compute node has all of its cores. Without CSM's variable the batch node must
   have a name of another kind, too: a job of "a b b" may well mean a. */
static bool has_batch_node(const host_list *list)
{
    enum { CORES_LEAST = 8 };
    const bool csm = getenv("CSM_ALLOCATION_ID") != NULL;
    if (list->n < 2 || list->host[0].slots != 1) return false;
    for (int i = 1; i < list->n; i++)
        if (list->host[i].slots != list->host[1].slots) return false;
    const char *first = list->host[0].name, *next = list->host[1].name;
    if (csm) return list->host[1].slots > 1;
    return list->host[1].slots >= CORES_LEAST
           && (letters(first) != letters(next) || strncmp(first, next, letters(first)) != 0);
}

static int without_batch_node(int status, host_list *list)
{
    if (status || !has_batch_node(list)) return status;
    fprintf(stderr, "LSF's batch node %s is left out: its ranks would not be on a compute node\n",
            list->host[0].name);
    free(list->host[0].name);
    memmove(list->host, list->host + 1, (size_t)(--list->n) * sizeof *list->host);
    return 0;
}

static int read_lsf_file(const char *value, host_list *list, char *why, size_t why_bytes)
{
    return without_batch_node(host_list_read(value, list, why, why_bytes), list);
}

/* One name for each slot. */
static int read_lsf_names(const char *value, host_list *list, char *why, size_t why_bytes)
{
    return without_batch_node(read_words(value, false, 0, list, why, why_bytes), list);
}

static int read_lsf_numbers(const char *value, host_list *list, char *why, size_t why_bytes)
{
    return without_batch_node(read_words(value, true, 0, list, why, why_bytes), list);
}

/* ---- Grid Engine and Flux -------------------------------------------------------------------- */

/* The whole text of a stream; NULL: see errno. EBADMSG: it has zero bytes, behind which hosts would
   be lost. The caller frees. */
static char *text_of(FILE *in)
{
    char *text = NULL;
    size_t capacity = 0;
    const ssize_t bytes = getdelim(&text, &capacity, '\0', in);
    const int error = bytes > 0 && !text[bytes - 1] ? EBADMSG : bytes < 0 && ferror(in) ? errno : 0;
    if (error) {
        free(text);
        errno = error;
        return NULL;
    }
    if (bytes >= 0 || !text) return bytes >= 0 ? text : strdup("");
    text[0] = '\0';
    return text;
}

/* Lines HOST SLOTS QUEUE PROCESSORS. */
static int read_grid_engine(const char *value, host_list *list, char *why, size_t why_bytes)
{
    FILE *in = fopen(value, "re");
    char *text = in ? text_of(in) : NULL;
    int status = CM_EXIT_USAGE;
    if (text) status = read_words(text, true, 2, list, why, why_bytes);
    else if (errno == EBADMSG) snprintf(why, why_bytes, "has zero bytes; expected text");
    else snprintf(why, why_bytes, "cannot be read: %s", strerror(errno));
    free(text);
    if (in) fclose(in);
    return status;
}

/* Flux has no variable with the hosts; it is asked, and may never answer if a variable is left over
   from an instance that is gone. A host may be free and allocated in parts. */
#define FLUX "timeout 20 flux "
static int ask_flux(const char *command, host_list *list, char *why, size_t why_bytes)
{
    FILE *in = popen(command, "re");
    char *text = in ? text_of(in) : NULL;
    const bool failed = !in || pclose(in) != 0;
    int status = CM_EXIT_USAGE;
    for (char *at = text; at && *at; at++) /* "n[3-5, 7]" */
        if (*at == ',' && at[1] == ' ') memmove(at + 1, at + 2, strlen(at + 2) + 1);
    if (text && !failed && text[strspn(text, blanks)])
        status = read_words(text, false, 0, list, why, why_bytes);
    else
        snprintf(why, why_bytes,
                 "is Flux's, but '%.80s' lists no hosts; name the hosts with "
                 "--hosts, or this one with --hosts localhost",
                 command);
    for (int i = 0; i < list->n; i++) list->host[i].slots = 1;
    free(text);
    return status;
}

static int read_flux_job(const char *value, host_list *list, char *why, size_t why_bytes)
{
    (void)value;
    return ask_flux(FLUX "jobs -no '{nodelist}' \"$FLUX_JOB_ID\" 2>&1", list, why, why_bytes);
}

static int read_flux_instance(const char *value, host_list *list, char *why, size_t why_bytes)
{
    (void)value;
    return ask_flux(FLUX "resource list -s free,allocated -no '{nodelist}' 2>&1", list, why,
                    why_bytes);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static const struct {
    const char *variable;
    int (*read)(const char *value, host_list *list, char *why, size_t why_bytes);
} sources[] = {
    {"SLURM_JOB_NODELIST_HET_GROUP_0", read_slurm_groups},
    {"SLURM_STEP_NODELIST", read_slurm_step},
    {"SLURM_JOB_NODELIST", read_slurm},
    {"PBS_NODEFILE", host_list_read},
    {"LSB_DJOB_HOSTFILE", read_lsf_file},
    {"LSB_HOSTS", read_lsf_names},
    {"LSB_MCPU_HOSTS", read_lsf_numbers},
    {"PE_HOSTFILE", read_grid_engine},
    {"OAR_NODEFILE", host_list_read},
    {"OAR_NODE_FILE", host_list_read},
    {"OAR_FILE_NODES", host_list_read},
    {"COBALT_NODEFILE", host_list_read},
    {"FLUX_JOB_ID", read_flux_job},
    {"FLUX_URI", read_flux_instance},
};

int host_list_allocated(host_list *list, const char **variable, char *why, size_t why_bytes)
{
    *list = (host_list){0};
    *variable = NULL;
    for (size_t i = 0; i < sizeof sources / sizeof sources[0]; i++) {
        const char *value = getenv(sources[i].variable);
        if (!value || !*value || (sources[i].read == read_slurm_step && !is_step_on_part()))
            continue;
        *variable = sources[i].variable;
        int status = sources[i].read(value, list, why, why_bytes);
        list->counted = false; /* the user has asked for hosts; he may want more ranks on them */
        return status;
    }
    return 0;
}
