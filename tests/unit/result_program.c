/* SPDX-License-Identifier: BSD-3-Clause */
/* result_program.c: writes a result as a benchmark does, for the tests of what happens to its
   files. */
#include <config.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>
#include "comm/comm.h"
#include "machine/machine.h"
#include "result/result.h"

int main(int argc, char **argv)
{
    cm_result_files files = {0};
    int64_t rows = 3, samples = 5;
    const char *hold = NULL;
    bool wrong = false;
    const cm_option options[] = {
        CM_INTEGER("rows", 0, "N", &rows, 0, 1e6, "rows"),
        CM_INTEGER("samples", 0, "N", &samples, 0, 1e8, "raw samples a row"),
        CM_TEXT("hold", 0, "FIFO", &hold, "read FIFO to its end before closing"),
        CM_FLAG("wrong", 0, &wrong, "fail a check"),
        CM_RESULT_OPTIONS(&files),
        {0}};
    const cm_program program = {
        .name = "result_program",
        .purpose = "write a result",
        .options = options,
        .metrics = (const cm_metric[]){
            {"latency_us", "Latency", "us", CM_BETTER_LOW, "of the smallest message"},
            {"speed_up", "Speed-up", "1", CM_BETTER_HIGH, "over one rank"},
            {0},
        }};
    typedef struct {
        double size_bytes, median_s, rate_MB_per_s;
        bool past;
    } table_row;
    const cm_result_column columns[] = {
        CM_COLUMN(table_row, size_bytes, "size_bytes", "%.0f"),
        CM_COLUMN(table_row, median_s, "median_s", "%.3e"),
        CM_COLUMN(table_row, rate_MB_per_s, "rate_MB_per_s", "%.2f"),
        CM_COLUMN(table_row, past, "stores", "=ordinary|past"),
    };

    cm_machine_require_cpu(program.name);
    int status = cm_option_parse(&program, argc, argv, NULL);
    if (status == CM_OPTION_RUN) status = cm_result_files_check(&program, &files);
    if (status != 0) return status;
    const char *const hosts[] = {"h1", "h2", "h1"};
    const char *const descriptions[] = {"kernel: Linux 6\nnic: eth0 driver=veth mtu_bytes=9000\n",
                                        "nic: eth0 driver=veth mtu_bytes=1500\n", NULL};
    double *value = malloc((size_t)(samples + 1) * sizeof *value);
    cm_result *result = cm_result_open(&program, argc, argv, &files, columns, 4);
    if (!value || !result) return CM_EXIT_SYSTEM;
    cm_result_describe_hosts(result, descriptions);
    cm_result_meta_run(result, NULL, hosts, 3);
    cm_result_meta(result, "buffer_policy", "%s", "same");
    cm_result_meta_number(result, "repetitions", (double)samples, "%.0f");
    for (int64_t i = 0; i < samples; i++) value[i] = 1e-6 / (double)(i + 3);
    for (int64_t row = 0; row < rows; row++) {
        double bytes = ldexp(1, (int)(row % 30)), time_s = 1e-6 + bytes / 3e9;
        const table_row now = {bytes, time_s, row == 1 ? NAN : bytes / time_s / 1e6, row % 2};
        cm_result_row(result, &now, &(cm_samples){.value = value, .n = (size_t)samples}, "s");
        cm_result_progress(result, (double)row / (double)rows, "%.0f bytes", bytes);
    }
    cm_result_comment(result, "%s", "a comment");
    cm_result_check(result, "largest error", wrong ? 17.0 : 0.25, "<=", 16);
    cm_result_metric(
        result, true, "latency_us",
        (cm_quantity){1.0003, 0.9, 1.1, CM_INTERVAL_RANGE, "trials", 3, CM_DISTURBED_YES});
    cm_result_metric(result, true, "speed_up", cm_quantity_of(1.75));
    free(value);
    int fifo = hold ? open(hold, O_RDONLY) : -1;
    for (char byte; fifo >= 0 && read(fifo, &byte, 1) > 0;) {}
    return cm_result_close(result);
}
