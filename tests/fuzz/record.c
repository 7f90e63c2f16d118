/* SPDX-License-Identifier: BSD-3-Clause */
/* record.c: results that are read again, text or JSON (src/result/read*.c). An input is the file.

   Wrong: a record does not keep read.h's promises, or changes when it is printed as text and read
   again; a refused file leaves something or has no reason; memory is lost. */
#include "fuzz.h"
#include "result/result_internal.h"
#include "result/read.h"
#include <math.h>
#include <sys/mman.h>

/* For what text.c prints, which nothing here calls. */
void cm_result_print_line(cm_result *result, const char *key, const char *text)
{
    (void)result, (void)key, (void)text;
    fuzz_wrong(__FILE__, __LINE__, "a result is printed");
}

/* A file of memory with this name. */
static int memory_file(char *name, size_t size)
{
    int file = memfd_create("record", MFD_CLOEXEC);
    FUZZ_CHECK(file >= 0);
    snprintf(name, size, "/proc/self/fd/%d", file);
    return file;
}

static void check_line(const char *text)
{
    FUZZ_CHECK(text != NULL);
    for (; *text; text++) FUZZ_CHECK((unsigned char)*text >= ' ' && *text != 0x7f);
}

static void check_word(const char *text)
{
    check_line(text);
    FUZZ_CHECK(*text && !strchr(text, ' '));
}

static void check_table(const cm_record *r)
{
    double value;
    for (size_t i = 0; i < r->n_columns; i++) {
        check_word(r->column[i]);
        int at = cm_record_column(r, r->column[i]);
        FUZZ_CHECK(at >= 0 && (size_t)at <= i && strcmp(r->column[at], r->column[i]) == 0);
    }
    for (size_t row = 0; row < r->n_rows; row++)
        for (size_t i = 0; i < r->n_columns; i++) {
            check_word(cm_record_cell(r, row, i));
            if (cm_record_number(cm_record_cell(r, row, i), &value)) FUZZ_CHECK(isfinite(value));
        }
    for (size_t i = 0; i < r->n_samples; i++) {
        const cm_record_samples *s = &r->samples[i];
        double sum = 0;
        check_line(s->unit);
        FUZZ_CHECK(r->n_columns == 0 || s->row < r->n_rows);
        for (size_t k = 0; k < s->n; k++) sum += s->value[k];
        FUZZ_CHECK(sum != 1 || s->n > 0); /* all of them may be read */
    }
}

static void check_record(const cm_record *r)
{
    check_table(r);
    for (size_t i = 0; i < r->n_meta; i++) {
        check_word(r->meta[i].key);
        check_line(r->meta[i].value);
        FUZZ_CHECK(cm_record_meta(r, r->meta[i].key) != NULL);
    }
    for (size_t i = 0; i < r->n_checks; i++) check_line(r->check[i].text);
    for (size_t i = 0; i < r->n_fits; i++)
        FUZZ_CHECK(cm_record_fit_value(r, r->fit[i].model, r->fit[i].key) != NULL);
    for (size_t i = 0; i < r->n_fastest; i++) check_line(r->fastest[i]);
    for (size_t i = 0; i < r->n_comments; i++) check_line(r->comment[i]);
    for (size_t i = 0; i < r->n_findings; i++) {
        const cm_record_finding *f = &r->finding[i];
        check_word(f->what);
        check_line(f->words);
        if (f->who) check_line(f->who);
        if (f->quantity) check_line(f->quantity);
        FUZZ_CHECK(!isinf(f->value) && !isinf(f->low) && !isinf(f->high) && !isinf(f->bound));
    }
    bool failed = false;
    for (size_t i = 0; i < r->n_metrics; i++) {
        const cm_record_metric *m = &r->metric[i];
        check_word(m->name);
        check_word(m->value);
        check_word(m->unit);
        FUZZ_CHECK(!isinf(m->low) && !isinf(m->high));
        FUZZ_CHECK(cm_record_metric_of(r, m->name) <= m);
        failed |= !m->pass;
    }
    FUZZ_CHECK(cm_record_complete(r) == (r->n_metrics > 0) && cm_record_failed(r) == failed);
}

/* What a text can say of it: metadata, table, metrics. */
static void print_record(const cm_record *r, FILE *file)
{
    for (size_t i = 0; i < r->n_meta; i++)
        fprintf(file, "# %s: %s\n", r->meta[i].key, r->meta[i].value);
    for (size_t i = 0; i < r->n_columns; i++) fprintf(file, " %s", r->column[i]);
    for (size_t row = 0; row < r->n_rows; row++)
        for (size_t i = 0; i < r->n_columns; i++)
            fprintf(file, "%s%s", i ? " " : "\n ", cm_record_cell(r, row, i));
    fprintf(file, "\n");
    for (size_t i = 0; i < r->n_metrics; i++) {
        const cm_record_metric *m = &r->metric[i];
        fprintf(file, "# RESULT: %s %s %s %s low=%.17g n=%zu disturbed=%s\n",
                m->pass ? "PASS" : "FAIL", m->name, m->value, m->unit, m->low, m->n,
                m->disturbed ? "yes" : "no");
    }
}

static void check_same(const cm_record *a, const cm_record *b)
{
    FUZZ_CHECK(a->n_meta == b->n_meta && a->n_columns == b->n_columns && a->n_rows == b->n_rows
               && a->n_metrics == b->n_metrics);
    for (size_t i = 0; i < a->n_meta; i++)
        FUZZ_CHECK(strcmp(a->meta[i].key, b->meta[i].key) == 0
                   && strcmp(a->meta[i].value, b->meta[i].value) == 0);
    for (size_t i = 0; i < a->n_columns; i++) FUZZ_CHECK(strcmp(a->column[i], b->column[i]) == 0);
    for (size_t i = 0; i < a->n_rows * a->n_columns; i++)
        FUZZ_CHECK(strcmp(a->cell[i], b->cell[i]) == 0);
    for (size_t i = 0; i < a->n_metrics; i++) {
        const cm_record_metric *m = &a->metric[i], *w = &b->metric[i];
        FUZZ_CHECK(m->pass == w->pass && m->n == w->n && m->disturbed == w->disturbed
                   && strcmp(m->name, w->name) == 0 && strcmp(m->value, w->value) == 0
                   && strcmp(m->unit, w->unit) == 0);
        FUZZ_CHECK(m->low == w->low || (isnan(m->low) && isnan(w->low)));
    }
}

static void read_again(const cm_record *record)
{
    char name[32], why[256] = "";
    int file = memory_file(name, sizeof name);
    FILE *stream = fdopen(dup(file), "w");
    cm_record again;
    FUZZ_CHECK(stream != NULL);
    print_record(record, stream);
    FUZZ_CHECK(fclose(stream) == 0);
    if (!cm_record_read(name, &again, why, sizeof why)) fuzz_wrong(__FILE__, __LINE__, why);
    check_same(record, &again);
    cm_record_free(&again);
    close(file);
}

static void play(void *context)
{
    const fuzz_input *input = context;
    char name[32], why[256] = "";
    int file = memory_file(name, sizeof name);
    FUZZ_CHECK(write(file, input->bytes, input->left) == (ssize_t)input->left);
    cm_record record;
    memset(&record, 0x55, sizeof record);
    if (cm_record_read(name, &record, why, sizeof why)) {
        check_record(&record);
        read_again(&record);
        cm_record_free(&record);
    } else {
        check_line(why);
        FUZZ_CHECK(strncmp(why, name, strlen(name)) == 0 && strlen(why) > strlen(name) + 2);
    }
    static const cm_record empty;
    FUZZ_CHECK(memcmp(&record, &empty, sizeof empty) == 0);
    close(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    fuzz_input input = {data, bytes};
    FUZZ_CHECK(fuzz_run(play, &input) == -1);
    FUZZ_CHECK(fuzz_memory_blocks() == 0);
    return 0;
}
