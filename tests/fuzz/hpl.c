/* SPDX-License-Identifier: BSD-3-Clause */
/* hpl.c: HPL.dat of cm-linpack --hpl (linpack/linpack_hpl.c). An input is the file.

   Wrong: a file that is taken has a value out of range or a test that is none of its values; a
   refused one has no line and reason; HPL's lines have another number of words. */
#include "fuzz.h"
#include "../../linpack/linpack_hpl.h"

enum { ORDERS = 1000000, BLOCKS = 1024 };

static bool has(const linpack_hpl_list *list, int value)
{
    for (int k = 0; k < list->n; k++)
        if (list->value[k] == value) return true;
    return false;
}

static void check_list(const linpack_hpl_list *list, int low, int high)
{
    FUZZ_CHECK(list->n >= 1 && list->n <= LINPACK_HPL_MOST);
    for (int k = 0; k < list->n; k++) FUZZ_CHECK(list->value[k] >= low && list->value[k] <= high);
}

static void check_lines(const linpack_hpl *hpl, const linpack_hpl_test *test)
{
    char text[2000] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    linpack_hpl_print_time(out, hpl, test, 0.5);
    linpack_hpl_print_residual(out, hpl, 1e-3);
    linpack_hpl_print_end(out, hpl, &(linpack_hpl_counts){1, 2, 3});
    fclose(out);
    FUZZ_CHECK(*text == 'W');
    char name[80], more[80];
    int numbers[4];
    double reals[2];
    FUZZ_CHECK(sscanf(text, "%79s %d %d %d %d %lf %lf%79[^\n]", name, &numbers[0], &numbers[1],
                      &numbers[2], &numbers[3], &reals[0], &reals[1], more)
               == 7);
    FUZZ_CHECK(numbers[0] == test->order && numbers[1] == test->block);
    FUZZ_CHECK(numbers[2] == test->rows && numbers[3] == test->columns);
}

static void check_file(const linpack_hpl *hpl)
{
    FUZZ_CHECK(memchr(hpl->output, 0, sizeof hpl->output) != NULL);
    FUZZ_CHECK(hpl->device >= 0 && hpl->column_major >= 0 && hpl->column_major <= 1);
    FUZZ_CHECK(hpl->swap >= 0 && hpl->swap <= 2 && hpl->align > 0);
    check_list(&hpl->order, 0, ORDERS);
    check_list(&hpl->block, 1, BLOCKS);
    check_list(&hpl->rows, 1, 1 << 20);
    check_list(&hpl->columns, 1, 1 << 20);
    FUZZ_CHECK(hpl->rows.n == hpl->columns.n);
    check_list(&hpl->panel_fact, 0, 2);
    check_list(&hpl->stop, 1, INT32_MAX);
    check_list(&hpl->divisions, 2, INT32_MAX);
    check_list(&hpl->recursive_fact, 0, 2);
    check_list(&hpl->broadcast, 0, 5);
    check_list(&hpl->depth, 0, INT32_MAX);
    const int64_t tests = linpack_hpl_tests(hpl);
    FUZZ_CHECK(tests >= 1);
    for (int64_t k = 0; k < tests; k += 1 + tests / 50) {
        const linpack_hpl_test test = linpack_hpl_test_of(hpl, k);
        FUZZ_CHECK(has(&hpl->order, test.order) && has(&hpl->block, test.block));
        FUZZ_CHECK(has(&hpl->rows, test.rows) && has(&hpl->columns, test.columns));
        FUZZ_CHECK(has(&hpl->stop, test.stop) && has(&hpl->depth, test.depth));
        check_lines(hpl, &test);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    linpack_hpl hpl;
    char why[512] = "", *end;
    if (!bytes) return 0;
    FILE *file = fmemopen((void *)data, bytes, "r");
    const bool good = linpack_hpl_read(file, ORDERS, BLOCKS, &hpl, why, sizeof why);
    fclose(file);
    if (good) {
        check_file(&hpl);
        return 0;
    }
    const long line = strtol(why, &end, 10);
    FUZZ_CHECK(line >= 1 && line <= 31 && end[0] == ':' && end[1] == ' ' && end[2]);
    return 0;
}
