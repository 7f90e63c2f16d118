/* SPDX-License-Identifier: BSD-3-Clause */
/* files.c: the files of a folder and their SHA-256, by libcrypto. */
#include "config.h"
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef HAVE_CRYPTO
#include <openssl/evp.h>
#endif
#include "comm/comm.h"
#include "common/memory.h"
#include "common/say.h"
#include "results/folder.h"
#include "seal.h"

static bool is_seal(const char *name)
{
    return strcmp(name, "SHA256SUMS") == 0 || strcmp(name, "SHA256SUMS.sig") == 0
           || strcmp(name, "SHA256SUMS.asc") == 0;
}

#ifdef HAVE_CRYPTO
static bool sum_of(FILE *file, char *sum)
{
    static char buffer[1 << 16];
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned bytes = 0;
    size_t n;
    EVP_MD_CTX *context = suite_there(EVP_MD_CTX_new());
    bool done = EVP_DigestInit_ex(context, EVP_sha256(), NULL) == 1;
    while (done && (n = fread(buffer, 1, sizeof buffer, file)) > 0)
        done = EVP_DigestUpdate(context, buffer, n) == 1;
    done = done && !ferror(file) && EVP_DigestFinal_ex(context, digest, &bytes) == 1;
    EVP_MD_CTX_free(context);
    for (unsigned k = 0; done && k < bytes; k++) sprintf(sum + 2 * k, "%02x", digest[k]);
    return done;
}
#else
static bool sum_of(FILE *file, char *sum)
{
    (void)file;
    (void)sum;
    errno = ENOSYS; /* suite_sums_take does not come here */
    return false;
}
#endif

static int add(const char *command, const char *dir, const char *name, suite_sums *sums)
{
    suite_file_sum one = {0};
    char *path = suite_text("%s/%s", dir, name);
    FILE *file = fopen(path, "r");
    bool done = file && sum_of(file, one.sum);
    if (!done) suite_say("%s: cannot read %s: %s", command, path, strerror(errno));
    if (file) fclose(file);
    free(path);
    if (!done) return CM_EXIT_SYSTEM;
    one.name = suite_copy(name);
    sums->file = suite_longer(sums->file, sums->n + 1, sizeof *sums->file);
    sums->file[sums->n++] = one;
    return CM_EXIT_PASS;
}

/* below: "" or "launches/". */
static int take(const char *command, const char *dir, const char *below, suite_sums *sums)
{
    char *folder = suite_text("%s/%s", dir, below);
    struct dirent **entry;
    int n = scandir(folder, &entry, NULL, alphasort), status = CM_EXIT_PASS;
    if (n < 0) {
        int usage = *below || errno == EACCES ? CM_EXIT_SYSTEM : CM_EXIT_USAGE;
        status = suite_fail(usage, "%s: %s: %s", command, folder, strerror(errno));
    }
    for (int k = 0; k < n; k++) {
        const char *own = entry[k]->d_name;
        char *name = suite_text("%s%s", below, own), *path = suite_text("%s/%s", dir, name);
        struct stat kind;
        if (status || strcmp(own, ".") == 0 || strcmp(own, "..") == 0
            || (!*below && is_seal(own))) {
        } else if (strpbrk(own, "\n\r\\")) {
            status = suite_fail(CM_EXIT_USAGE, "%s: %s: a name with a line break or a backslash",
                                command, path);
        } else if (lstat(path, &kind) < 0) {
            status = suite_fail(CM_EXIT_SYSTEM, "%s: %s: %s", command, path, strerror(errno));
        } else if (S_ISDIR(kind.st_mode)) {
            char *deeper = suite_text("%s/", name);
            status = take(command, dir, deeper, sums);
            free(deeper);
        } else if (S_ISREG(kind.st_mode)) {
            status = add(command, dir, name, sums);
        } else {
            status = suite_fail(CM_EXIT_USAGE,
                                "%s: %s is no plain file: what it is or leads to cannot be sealed",
                                command, path);
        }
        free(path);
        free(name);
        free(entry[k]);
    }
    if (n >= 0) free(entry);
    free(folder);
    return status;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const suite_file_sum *)a)->name, ((const suite_file_sum *)b)->name);
}

int suite_sums_take(const char *command, const char *dir, suite_sums *sums)
{
#ifndef HAVE_CRYPTO
    return suite_fail(CM_EXIT_SYSTEM,
                      "%s: this build has no libcrypto, which makes SHA-256 (configure finds it; "
                      "Debian: libssl-dev)",
                      command);
#endif
    int status = take(command, dir, "", sums);
    if (sums->n) qsort(sums->file, sums->n, sizeof *sums->file, by_name);
    return status;
}

/* "SUM  NAME", as sha256sum writes it; a star before the name says that it was read as it is. */
static bool read_line(char *line, suite_file_sum *one)
{
    size_t digits = strspn(line, "0123456789abcdef");
    if (digits != 64 || line[64] != ' ' || (line[65] != ' ' && line[65] != '*') || !line[66])
        return false;
    memcpy(one->sum, line, 64);
    one->name = line + 66;
    /* Not out of the folder. */
    return *one->name != '/' && strncmp(one->name, "../", 3) != 0 && !strstr(one->name, "/../");
}

int suite_sums_read(const char *command, const char *dir, suite_sums *sums)
{
    char *path = suite_text("%s/SHA256SUMS", dir), *text = suite_file_text(path), *rest = text;
    int status = CM_EXIT_PASS, number = 0;
    if (!text)
        status = suite_fail(CM_EXIT_USAGE,
                            "%s: %s: there is no seal (clustermark seal %s makes "
                            "one), or it cannot be read",
                            command, path, dir);
    for (char *line; !status && (line = strsep(&rest, "\n")) && (*line || rest);) {
        suite_file_sum one = {0};
        number++;
        if (!read_line(line, &one)) {
            status = suite_fail(CM_EXIT_USAGE, "%s: %s:%d: not a line \"SHA-256  FILE\"", command,
                                path, number);
            break;
        }
        one.name = suite_copy(one.name);
        sums->file = suite_longer(sums->file, sums->n + 1, sizeof *sums->file);
        sums->file[sums->n++] = one;
    }
    if (!status && sums->n == 0)
        status = suite_fail(CM_EXIT_USAGE, "%s: %s: it lists no file", command, path);
    if (sums->n) qsort(sums->file, sums->n, sizeof *sums->file, by_name);
    free(text);
    free(path);
    return status;
}

void suite_sums_free(suite_sums *sums)
{
    for (size_t k = 0; k < sums->n; k++) free(sums->file[k].name);
    free(sums->file);
    *sums = (suite_sums){0};
}
