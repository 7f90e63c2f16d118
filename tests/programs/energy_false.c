/* SPDX-License-Identifier: BSD-3-Clause */
/* energy_false.c: a benchmark whose hosts have counters made of files, --root DIR/HOSTNAME, and use
   5 J of each package and 2 J of each memory. With --wrong its answer is wrong. */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "run/run.h"

typedef struct {
    const char *root;
    bool wrong;
    cm_benchmark *benchmark;
    char of_host[4096];
    cm_result_files files;
} options;

static int check(const cm_program *program, void *of_program)
{
    options *o = of_program;
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    if (!o->root) return cm_option_error(program, "--root is missing; expected a folder");
    snprintf(o->of_host, sizeof o->of_host, "%s/%s", o->root, host);
    o->benchmark->root = o->of_host;
    return 0;
}

/* Counters begin again at 2^32 uJ. */
static void use(const char *root, const char *zone, long long microjoules)
{
    char path[4200];
    long long value = 0;
    snprintf(path, sizeof path, "%s/sys/class/powercap/%s/energy_uj", root, zone);
    FILE *file = fopen(path, "r+");
    if (!file) return;
    if (fscanf(file, "%lld", &value) == 1) {
        rewind(file);
        fprintf(file, "%lld\n", (value + microjoules) % (1LL << 32));
    }
    fclose(file);
}

static bool is_first_of_host(void)
{
    int rank = cm_rank(cm_world()), first = 0;
    while (strcmp(cm_host(cm_world(), first), cm_host(cm_world(), rank)) != 0) first++;
    return first == rank;
}

/* Rank 0 is the last to use energy: the others have ended by then. */
static int run(const cm_benchmark *benchmark)
{
    const options *o = benchmark->options;
    typedef struct {
        int n;
    } table_row;
    const cm_result_column columns[] = {CM_COLUMN(table_row, n, "n", "%.0f")};
    if (is_first_of_host()) {
        use(o->of_host, "intel-rapl:0", 5000000);
        use(o->of_host, "intel-rapl:0:0", 4000000); /* cores, which the package contains */
        use(o->of_host, "intel-rapl:0:1", 2000000);
        use(o->of_host, "intel-rapl:1", 5000000);
        use(o->of_host, "intel-rapl:1:1", 2000000);
    }
    if (cm_rank(cm_world()) != 0) return CM_EXIT_PASS;
    cm_result *result = cm_run_result_open(benchmark, columns, 1);
    cm_run_meta(result);
    cm_result_row(result, &(table_row){1}, NULL, NULL);
    usleep(50000);
    cm_result_check(result, "wrong_answers", o->wrong, "==", 0);
    cm_result_metric(result, true, "speed_MB_per_s", cm_quantity_of(100));
    return cm_result_close(result);
}

int main(int argc, char **argv)
{
    static const cm_metric metrics[] = {
        {"speed_MB_per_s", "Speed", "MB/s", CM_BETTER_HIGH, "nothing in particular"}, {0}};
    options o = {0};
    const cm_option table[] = {
        CM_TEXT("root", 0, "DIR", &o.root, "prefix of the counters' paths"),
        CM_FLAG("wrong", 0, &o.wrong, "the answer is wrong"),
        CM_RESULT_OPTIONS(&o.files),
        {0},
    };
    const cm_program program = {.name = "energy_false",
                                .purpose = "uses energy",
                                .description = "Uses energy.",
                                .options = table,
                                .metrics = metrics};
    cm_benchmark benchmark = {
        .program = &program, .files = &o.files, .options = &o, .check = check, .run = run};
    o.benchmark = &benchmark;
    return cm_run_main(&benchmark, argc, argv);
}
