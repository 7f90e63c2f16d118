/* SPDX-License-Identifier: BSD-3-Clause */
/* seal.c: `clustermark seal` and `clustermark verify`; see seal.h. */
#include "config.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "comm/comm.h"
#include "common/memory.h"
#include "common/say.h"
#include "results/folder.h"
#include "seal.h"

static const char *const parts[] = {"SHA256SUMS", "SHA256SUMS.sig", "SHA256SUMS.asc"};
enum { PARTS = sizeof parts / sizeof *parts };

/* Made under other names first: an earlier seal stays until the new one is whole. */
static char *part_path(const char *dir, int part, bool made)
{
    static const char *const ends[] = {"", ".sig", ".asc"};
    return made ? suite_text("%s/SHA256SUMS.part%s", dir, ends[part])
                : suite_text("%s/%s", dir, parts[part]);
}

static void remove_parts(const char *dir)
{
    for (int k = 0; k < PARTS; k++) {
        char *path = part_path(dir, k, true);
        unlink(path);
        free(path);
    }
}

/* The signatures first: an old one would not be the new list's. */
static int put_in_place(const char *dir)
{
    int status = CM_EXIT_PASS;
    for (int k = PARTS - 1; k >= 0 && !status; k--) {
        char *from = part_path(dir, k, true), *to = part_path(dir, k, false);
        if (access(from, F_OK) != 0) unlink(to);
        else if (rename(from, to) < 0)
            status = suite_fail(CM_EXIT_SYSTEM, "seal: cannot write %s: %s", to, strerror(errno));
        free(from);
        free(to);
    }
    return status;
}

static bool is_sealed(const char *dir)
{
    bool sealed = false;
    for (int k = 0; k < PARTS; k++) {
        char *path = part_path(dir, k, false);
        sealed |= access(path, F_OK) == 0;
        free(path);
    }
    return sealed;
}

int suite_seal(const char *dir, const suite_seal_options *options)
{
    suite_sums sums = {0};
    if (suite_folder_has_several("seal", dir)) return CM_EXIT_USAGE;
    if (is_sealed(dir) && !options->force)
        return suite_fail(CM_EXIT_USAGE, "seal: %s is sealed already; --force seals it anew", dir);
    remove_parts(dir);
    int status = suite_sums_take("seal", dir, &sums);
    if (!status && sums.n == 0) status = suite_fail(CM_EXIT_USAGE, "seal: %s has no file", dir);
    char *text = NULL, *path = part_path(dir, 0, true);
    size_t length = 0;
    if (!status) {
        FILE *out = suite_there(open_memstream(&text, &length));
        for (size_t k = 0; k < sums.n; k++)
            fprintf(out, "%s  %s\n", sums.file[k].sum, sums.file[k].name);
        if (fclose(out) != 0) suite_there(NULL);
        if (!suite_file_write("seal", path, true, text, length)) status = CM_EXIT_SYSTEM;
        else status = suite_sign(path, options);
        if (!status) status = put_in_place(dir);
        remove_parts(dir);
    }
    if (!status)
        printf("%s: %zu file%s sealed%s\n", dir, sums.n, sums.n == 1 ? "" : "s",
               options->ssh_key || options->gpg_key ? " and signed" : ", not signed");
    free(text);
    free(path);
    suite_sums_free(&sums);
    return status;
}

/* ---- verify ---------------------------------------------------------------------------------- */

enum { MOST_NAMES = 20 };

static void tell(const char *dir, const char *name, const char *what, size_t *told)
{
    if ((*told)++ < MOST_NAMES) printf("%s/%s: %s\n", dir, name, what);
}

/* Both lists are sorted. Returns how many files are not as sealed. */
static size_t differences(const char *dir, const suite_sums *sealed, const suite_sums *now)
{
    size_t told = 0, i = 0, k = 0;
    while (i < sealed->n || k < now->n) {
        int order = i == sealed->n ? 1
                    : k == now->n  ? -1
                                   : strcmp(sealed->file[i].name, now->file[k].name);
        if (order < 0) tell(dir, sealed->file[i++].name, "was sealed and is not there", &told);
        else if (order > 0)
            tell(dir, now->file[k++].name, "was not there when it was sealed", &told);
        else {
            if (strcmp(sealed->file[i].sum, now->file[k].sum) != 0)
                tell(dir, now->file[k].name, "was changed", &told);
            i++;
            k++;
        }
    }
    if (told > MOST_NAMES) printf("and %zu more\n", told - MOST_NAMES);
    return told;
}

int suite_verify(const char *dir, const char *signers)
{
    suite_sums sealed = {0}, now = {0};
    bool has_signature = false;
    int status = suite_sums_read("verify", dir, &sealed);
    if (!status) status = suite_sums_take("verify", dir, &now);
    if (!status) {
        char *path = part_path(dir, 0, false);
        size_t wrong = differences(dir, &sealed, &now);
        status = suite_sign_check(path, signers, &has_signature);
        if (!status && signers && !has_signature) {
            printf("%s: not signed\n", dir);
            status = CM_EXIT_WRONG;
        }
        if (wrong && !status) status = CM_EXIT_WRONG;
        if (!status)
            printf("%s: all %zu files are as sealed%s\n", dir, sealed.n,
                   has_signature ? "" : "; not signed, so anybody may have sealed them anew");
        free(path);
    }
    suite_sums_free(&sealed);
    suite_sums_free(&now);
    return status;
}
