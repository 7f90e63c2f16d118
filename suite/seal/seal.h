/* SPDX-License-Identifier: BSD-3-Clause */
/* seal.h: a folder's files and their SHA-256 in DIR/SHA256SUMS, as sha256sum writes and checks it,
   and a signature of that file by ssh-keygen or gpg. */
#ifndef SUITE_SEAL_H
#define SUITE_SEAL_H

#include <stdbool.h>

typedef struct {
    const char
        *ssh_key; /* file of a private key, or of a public one whose private is in the agent */
    const char *gpg_key; /* "": gpg's default key; NULL: not gpg */
    bool force;          /* replace an earlier seal */
} suite_seal_options;

/* Writes DIR/SHA256SUMS and, if asked, its signature (SHA256SUMS.sig, SHA256SUMS.asc): both or
   none. Prints a line about what was sealed. Returns CM_EXIT_PASS, or prints one line and returns
   CM_EXIT_USAGE (a seal is there, no folder, a file that cannot be sealed) or CM_EXIT_SYSTEM. */
int suite_seal(const char *dir, const suite_seal_options *options);

/* Prints a line for each file that was changed, removed or added, and one of the signature.
   signers: ssh's file of allowed signers; NULL: an ssh signature is only told. Returns
   CM_EXIT_PASS,
   CM_EXIT_WRONG if something is not as sealed (signers: also if there is no signature of theirs),
   or prints one line and returns CM_EXIT_USAGE (no seal) or CM_EXIT_SYSTEM. */
int suite_verify(const char *dir, const char *signers);

/* files.c: the files of a folder, and below it, in the order of their names. */
typedef struct {
    char *name;   /* below the folder */
    char sum[65]; /* SHA-256, in hexadecimal digits */
} suite_file_sum;
typedef struct {
    suite_file_sum *file;
    size_t n;
} suite_sums;
/* All of dir but the seal itself. Returns CM_EXIT_PASS, or prints one line for the command and
   returns the status: CM_EXIT_USAGE for a file that is neither a folder nor a plain file, or has a
   line break or a backslash in its name. */
int suite_sums_take(const char *command, const char *dir, suite_sums *sums);
/* Of DIR/SHA256SUMS. CM_EXIT_USAGE: there is none, or a line is wrong. */
int suite_sums_read(const char *command, const char *dir, suite_sums *sums);
void suite_sums_free(suite_sums *sums);

/* sign.c: starts the programs. sums is the path of SHA256SUMS. Returns the exit status. */
int suite_sign(const char *sums, const suite_seal_options *options);
/* Says who signed. *there: there was a signature. */
int suite_sign_check(const char *sums, const char *signers, bool *there);

#endif
