/* SPDX-License-Identifier: BSD-3-Clause */
/* record_json.c: `record_json TEXT` writes the JSON of a result that a test gives as text, so that
   a benchmark's stand-in gives the same result in both formats. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "result/result_internal.h"

enum { FORMAT = 4096 };

/* True if the column's cells are as printf writes them in this format. */
static bool fits(const cm_record *record, size_t column, const char *format)
{
    for (size_t r = 0; r < record->n_rows; r++) {
        char text[512];
        double value;
        const char *cell = cm_record_cell(record, r, column);
        if (strcmp(cell, "nan") == 0) continue;
        if (!cm_record_number(cell, &value)) return false;
        cm_result_number_text(text, sizeof text, format, value);
        if (strcmp(text, cell) != 0) return false;
    }
    return true;
}

/* "=plain|past" for words; numbers that no format writes as they are keep all digits. */
static void find_format(const cm_record *record, size_t column, char *format)
{
    for (const char *kind = "feg"; *kind; kind++)
        for (int digits = 0; digits < 10; digits++) {
            snprintf(format, FORMAT, "%%.%d%c", digits, *kind);
            if (fits(record, column, format)) return;
        }
    double value;
    char words[FORMAT] = "=";
    size_t n = 1;
    strcpy(format, "%.17g");
    for (size_t r = 0; r < record->n_rows; r++) {
        const char *cell = cm_record_cell(record, r, column);
        if (cm_record_number(cell, &value)) return;
        n += (size_t)snprintf(words + n, n < FORMAT ? FORMAT - n : 0, "%s%s", r ? "|" : "", cell);
        if (n >= FORMAT) return;
    }
    strcpy(format, words);
}

int main(int argc, char **argv)
{
    cm_record record;
    char why[1024];
    if (argc != 2 || !cm_record_read(argv[1], &record, why, sizeof why)) {
        fprintf(stderr, "record_json: %s\n", argc == 2 ? why : "expected one file");
        return 2;
    }
    for (size_t c = 0; c < record.n_columns; c++) {
        char format[FORMAT];
        find_format(&record, c, format);
        free(record.format[c]);
        record.format[c] = strdup(format);
    }
    char *json = cm_record_json(&record, NULL, 12, NULL);
    const bool written = json && puts(json) >= 0 && fflush(stdout) == 0;
    free(json);
    cm_record_free(&record);
    return written ? 0 : 3;
}
