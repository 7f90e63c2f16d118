/* SPDX-License-Identifier: BSD-3-Clause */
/* read.c: reads a file into a record, whichever form it has. */
#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "result/read_internal.h"
#include "result/result_internal.h"

/* No line of a text begins with {: its rows begin with blanks or values. */
static bool read_either(cm_reader *reader, FILE *file)
{
    size_t lines = 0;
    int first = getc(file);
    for (; first == '\n' || first == '\r'; first = getc(file)) lines += first == '\n';
    if (ferror(file)) return cm_reader_fail(reader, "%s", strerror(errno));
    if (first != EOF) ungetc(first, file);
    return (first == '{' ? cm_reader_json : cm_reader_text)(reader, file, lines);
}

FILE *cm_record_open(const char *path)
{
    struct stat status;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &status) < 0) return NULL;
    if (S_ISREG(status.st_mode)) return fdopen(fd, "r");
    close(fd);
    errno = S_ISDIR(status.st_mode) ? EISDIR : 0;
    return NULL;
}

bool cm_record_read(const char *path, cm_record *record, char *why, size_t why_size)
{
    cm_reader reader = {record, 0, path, why, why_size};
    *record = (cm_record){0};
    locale_t numbers = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (numbers == (locale_t)0) return cm_reader_fail(&reader, "%s", strerror(errno));
    locale_t user = uselocale(numbers);
    FILE *file = cm_record_open(path);
    bool fine = file ? read_either(&reader, file)
                     : cm_reader_fail(&reader, "%s",
                                      errno ? strerror(errno) : "a pipe or a device, not a file");
    if (file) fclose(file);
    uselocale(user);
    freelocale(numbers);
    if (!fine) cm_reader_free(&reader);
    return fine;
}
