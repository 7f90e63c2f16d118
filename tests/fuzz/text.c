/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c: the small parsers of what users write: lists of hosts, numbers and choices of options,
   algorithms, variables, the dummy backend's settings. An input: which of them, then its text.

   Wrong: what is accepted does not keep its promises, or memory is lost. */
#include "fuzz.h"
#include "comm/backend.h"
#include "comm/dummy/dummy.h"
#include "comm/pmi/pmi_client.h"
#include "launch/host_list.h"
#include "launch/variables.h"
#include "option/option.h"
#include "option/table.h"
#include <fcntl.h>
#include <sys/mman.h>

/* Every rank has its place, and one only. */
static void check_places(host_list *list, int ranks)
{
    static int host_of[4096];
    memset(host_of, -1, sizeof host_of);
    if (!host_list_place(list, ranks)) {
        FUZZ_CHECK(list->counted && ranks > host_list_slots(list));
        return;
    }
    int sum = 0;
    for (int i = 0; i < list->n; i++) {
        const host *host = &list->host[i];
        FUZZ_CHECK(host->count >= 0 && host->stride > 0);
        sum += host->count;
        for (int k = 0; k < host->count; k++) {
            int rank = host->first + k * host->stride;
            FUZZ_CHECK(rank >= 0 && rank < ranks && host_of[rank] == -1);
            host_of[rank] = i;
        }
    }
    FUZZ_CHECK(sum == ranks);
}

static void check_list(int status, host_list *list, const char *why)
{
    FUZZ_CHECK(status == 0 || (status == 2 && *why && strlen(why) < 512));
    if (status == 0) {
        FUZZ_CHECK(list->n > 0 && host_list_slots(list) >= list->n
                   && host_list_slots(list) <= HOST_LIST_SLOTS_MOST);
        check_places(list, 1);
        check_places(list, 7);
        check_places(list, 1000);
    }
    host_list_free(list);
}

static void hosts(const char *text)
{
    char why[512] = "";
    host_list list;
    check_list(host_list_parse(text, &list, why, sizeof why), &list, why);
}

static void host_file(const char *text)
{
    char why[512] = "", name[32];
    host_list list;
    int file = memfd_create("hosts", MFD_CLOEXEC);
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    FUZZ_CHECK(write(file, text, strlen(text)) == (ssize_t)strlen(text));
    check_list(host_list_read(name, &list, why, sizeof why), &list, why);
    close(file);
}

/* Slurm's nodes and their tasks, separated by a blank. */
static void allocation(const char *text)
{
    char why[512] = "";
    const char *variable, *blank = strchr(text, ' ');
    host_list list;
    if (!blank || blank == text) return;
    char *nodes = strndup(text, (size_t)(blank - text));
    setenv("SLURM_JOB_NODELIST", nodes, 1);
    setenv("SLURM_TASKS_PER_NODE", blank + 1, 1);
    check_list(host_list_allocated(&list, &variable, why, sizeof why), &list, why);
    unsetenv("SLURM_JOB_NODELIST");
    unsetenv("SLURM_TASKS_PER_NODE");
    free(nodes);
}

static void option_value(const char *text)
{
    static const char *const choices[] = {"median", "mean", "least", NULL};
    static const cm_option options[] = {
        CM_INTEGER("size", 's', "N", NULL, 1, 64, "a size"),
        CM_BYTES("bytes", 'b', "BYTES", NULL, 0, 1e12, "some bytes"),
        CM_REAL("time", 't', "S", NULL, 0, 1e6, "a time"),
        CM_INTEGER("any", 0, "N", NULL, 0, 0, "any number"),
        CM_CHOICE("by", 0, "HOW", NULL, choices, "how"),
        CM_TEXT("name", 0, "TEXT", NULL, "a name"),
    };
    int64_t bytes;
    if (cm_option_bytes(text, &bytes)) FUZZ_CHECK(bytes >= 0);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const cm_option *o = &options[i];
        char problem[1024] = "";
        cm_value value;
        if (!cm_value_parse(o, text, &value, problem, sizeof problem)) {
            FUZZ_CHECK(*problem && o->kind != CM_OPTION_TEXT);
            continue;
        }
        double number = o->kind == CM_OPTION_REAL ? value.real : (double)value.integer;
        if (o->low != o->high) FUZZ_CHECK(number >= o->low && number <= o->high);
        if (o->kind == CM_OPTION_CHOICE) FUZZ_CHECK(strcmp(choices[value.choice], text) == 0);
    }
}

static void algorithm(const char *text)
{
    cm_algorithm algorithm;
    if (!cm_algorithm_parse(text, &algorithm)) return;
    const char *name = cm_algorithm_name(algorithm);
    FUZZ_CHECK(strncmp(name, text, strlen(name)) == 0 && algorithm.parameter >= 0);
}

static void dummy(const char *text)
{
    cm_dummy_settings settings;
    if (cm_dummy_settings_parse(text, 4096, &settings)) return;
    FUZZ_CHECK(settings.ranks >= 1 && settings.latency_us >= 0 && settings.bandwidth_MB_per_s > 0
               && settings.rendezvous_bandwidth_MB_per_s > 0 && settings.nic_MB_per_s > 0
               && settings.loss < 1 && settings.jitter < 1 && settings.call_us > 0);
}

/* NAME=VALUE among the CM_ variables. */
static void variable(const char *text)
{
    static const char *const names[] = {
        "CM_EAGER_BYTES", "CM_SEND_CHUNK_BYTES", "CM_UNEXPECTED_BYTES",  "CM_NODELAY",
        "CM_SPIN_US",     "CM_TIMEOUT_S",        "SLURM_STEP_NUM_TASKS", "PMIX_RANK"};
    cm_environment e;
    if (!*text) return;
    const char *name = names[(unsigned char)*text % (sizeof names / sizeof *names)];
    setenv(name, text + 1, 1);
    if (cm_environment_read(&e) == 0)
        FUZZ_CHECK(e.eager_bytes <= 1 << 30 && e.piece_bytes >= 1 && e.timeout_s >= 0.1
                   && e.timeout_s <= 86400 && e.spin_us >= -1);
    cm_launch_check();
    unsetenv(name);
}

static void named_variables(const char *text)
{
    const char *wrong, *named[] = {text, "FUZZ=1", NULL};
    char **variables = variables_collect(named, &wrong);
    FUZZ_CHECK(variables || wrong == text);
    for (char **each = variables; each && *each; each++) FUZZ_CHECK(strchr(*each, '=') > *each);
    variables_free(variables);
}

static void (*const parsers[])(const char *text) = {hosts, host_file, option_value,    algorithm,
                                                    dummy, variable,  named_variables, allocation};

static void play(void *context)
{
    fuzz_input *input = context;
    unsigned which = fuzz_byte(input) % (sizeof parsers / sizeof *parsers);
    char *text = malloc(input->left + 1); /* exactly as long as it is */
    memcpy(text, input->bytes, input->left);
    text[input->left] = '\0';
    parsers[which](text);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    fuzz_input input = {data, bytes};
    FUZZ_CHECK(fuzz_run(play, &input) == -1);
    FUZZ_CHECK(fuzz_memory_blocks() == 0);
    return 0;
}
