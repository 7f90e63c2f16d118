/* SPDX-License-Identifier: BSD-3-Clause */
/* xhpl_check.c: HPL.dat as people have it: what HPL reads in a way of its own is told, or with
   --strict refused. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "xhpl.h"

/* The lines that tell, in one text: a file that is refused later has only the line of that. */
typedef struct {
    FILE *out;
    char *text;
    size_t size;
} lines;

static void note(const char *line, void *context)
{
    fprintf(((lines *)context)->out, "%s\n", line);
}

static int tell(const cm_program *program, const xhpl_options *x, char *text)
{
    for (char *line; (line = strsep(&text, "\n")) && *line;) {
        if (x->strict) return cm_option_error(program, "--strict: " XHPL_FILE ":%s", line);
        fprintf(stderr, "%s: " XHPL_FILE ":%s\n", program->name, line);
    }
    return 0;
}

static bool has_file(const linpack_hpl *hpl) { return hpl->device != 6 && hpl->device != 7; }

static int check_output(const cm_program *program, const linpack_options *o)
{
    struct stat input, output;
    if (!has_file(&o->hpl)) return 0;
    if (stat(o->hpl.output, &output) == 0) {
        /* Under any name: "./HPL.dat", a link. */
        if (stat(XHPL_FILE, &input) == 0 && input.st_dev == output.st_dev
            && input.st_ino == output.st_ino)
            return cm_option_error(program,
                                   XHPL_FILE ":3: the output file is this file; name another one");
        /* The file is opened, not replaced, so /dev/null may be written to, as by HPL. */
        if (S_ISCHR(output.st_mode) || S_ISFIFO(output.st_mode)) return 0;
    }
    return cm_result_file_check(program, XHPL_FILE ":3: ", o->hpl.output, o->files.force);
}

static int read_dat(const cm_program *program, xhpl_options *x)
{
    linpack_options *o = &x->linpack;
    char why[512];
    struct stat is;
    FILE *file = fopen(XHPL_FILE, "r");
    if (file && fstat(fileno(file), &is) == 0 && S_ISDIR(is.st_mode)) {
        fclose(file), file = NULL; /* a folder can be opened, but not read */
        errno = EISDIR;
    }
    if (!file)
        return cm_option_error(program,
                               XHPL_FILE ": %s; the tests are those of this file in the current "
                                         "folder, and --write-dat writes one",
                               strerror(errno));
    lines l = {0};
    l.out = open_memstream(&l.text, &l.size);
    if (!l.out) cm_abort(CM_EXIT_SYSTEM, "out of memory: lines of " XHPL_FILE);
    const bool good = linpack_hpl_read_as_hpl(file, LINPACK_ORDER_MOST, LINPACK_PANEL_MOST, note,
                                              &l, &o->hpl, why, sizeof why);
    fclose(file);
    fclose(l.out);
    int status = good ? 0 : cm_option_error(program, XHPL_FILE ":%s", why);
    if (!status) status = check_output(program, o);
    if (!status) status = tell(program, x, l.text);
    free(l.text);
    return status;
}

static int check_write(const cm_program *program, xhpl_options *x)
{
    const linpack_options *o = &x->linpack;
    if (!x->write) {
        if (o->fit || x->from)
            return cm_option_error(program, "%s %s: only --write-dat needs it; omit it",
                                   o->fit ? "--fit" : "--from", o->fit ? o->fit : x->from);
        return 0;
    }
    if (x->strict)
        return cm_option_error(program, "--strict: it reads " XHPL_FILE ", which --write-dat "
                                        "writes; omit one of them");
    if (!o->fit)
        return cm_option_error(program, "--write-dat: expected --fit memory=P%% beside it, such as "
                                        "--fit memory=80%%");
    x->part = linpack_part_of_memory(o->fit);
    if (x->part == 0)
        return cm_option_error(
            program, "--fit %s: expected memory=P%%, with P above 0 and up to 90", o->fit);
    return 0;
}

int xhpl_check(const cm_program *program, void *options)
{
    xhpl_options *x = options;
    int status = check_write(program, x);
    if (!status) status = linpack_check_binding(program, &x->linpack);
    if (!status) status = cm_blas_check(program);
    /* Only rank 0 reads the file; the other ranks may run where there is another. */
    if (status || cm_launch_rank() != 0) return status;
    if (!x->write) return read_dat(program, x);
    if (x->from) status = xhpl_from_check(program, x);
    if (status) return status;
    struct stat is; /* no option gives it another name */
    if (!x->linpack.files.force && lstat(XHPL_FILE, &is) == 0)
        return cm_option_error(program, XHPL_FILE " exists; --force overwrites it");
    return cm_result_file_check(program, "", XHPL_FILE, x->linpack.files.force);
}
