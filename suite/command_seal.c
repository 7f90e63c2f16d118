/* SPDX-License-Identifier: BSD-3-Clause */
/* command_seal.c: `clustermark seal` and `clustermark verify`. */
#include "config.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "comm/comm.h"
#include "commands.h"
#include "common/memory.h"
#include "common/say.h"
#include "results/folder.h"
#include "seal/anonymous.h"
#include "seal/seal.h"

static suite_seal_options given;
static bool gpg, anonymous;
static const char *output;

static const cm_exit_status seal_statuses[] = {
    {CM_EXIT_PASS, "DIR is sealed"},
    {CM_EXIT_USAGE, "wrong usage, DIR is sealed already, or the key cannot sign"},
    {CM_EXIT_SYSTEM, "a file cannot be read or written, or a program is not there"},
    {0, NULL}};
static const cm_option seal_options[] = {
    CM_TEXT("sign", 0, "KEY", &given.ssh_key,
            "sign by ssh-keygen -Y with this private key, or with the public one of a key that "
            "ssh-agent has"),
    CM_FLAG("gpg", 0, &gpg, "sign by gpg with its default key"),
    CM_TEXT("gpg-key", 0, "KEY", &given.gpg_key, "sign by gpg with this key"),
    CM_FLAG("anonymous", 0, &anonymous,
            "copy the results to the new folder that --output names, without the names of hosts, "
            "users and paths and without addresses, and seal the copy"),
    CM_TEXT("output", 'o', "NEW", &output, "the folder of --anonymous"),
    CM_FLAG("force", 'f', &given.force, "seal anew what is sealed"),
    {0},
};

static int check(const cm_program *program)
{
    if (gpg && given.gpg_key)
        return cm_option_error(program, "--gpg and --gpg-key '%s': give one of them",
                               given.gpg_key);
    if (gpg) given.gpg_key = "";
    if (anonymous && !output)
        return cm_option_error(program, "--anonymous without --output NEW: a seal is one of files "
                                        "as they are, so the copy needs a folder");
    if (output && !anonymous)
        return cm_option_error(program,
                               "--output '%s' without --anonymous: a seal is written into "
                               "DIR",
                               output);
    if (given.ssh_key && access(given.ssh_key, R_OK) < 0)
        return cm_option_error(program, "--sign '%s': %s", given.ssh_key, strerror(errno));
    return CM_OPTION_RUN;
}

/* A copy that is not sealed does not stay: the same command can be given again. */
static int seal_copy(const char *dir)
{
    if (!suite_folder_require("seal", dir)) return CM_EXIT_USAGE;
    if (mkdir(output, 0777) < 0)
        return suite_fail(CM_EXIT_USAGE, "seal: --output %s: %s", output, strerror(errno));
    const int status =
        suite_anonymous_copy("seal", dir, output) ? suite_seal(output, &given) : CM_EXIT_SYSTEM;
    if (status) suite_anonymous_remove(suite_copy(output));
    return status;
}

static int seal(const cm_program *program, const suite_home *home, int n, char **operand)
{
    const char *dir = NULL;
    (void)home;
    int status = suite_command_dir(program, n, operand, &dir);
    if (status == CM_OPTION_RUN) status = check(program);
    if (status != CM_OPTION_RUN) return status;
    return anonymous ? seal_copy(dir) : suite_seal(dir, &given);
}

const suite_command suite_command_seal = {
    .program =
        {
            .name = "clustermark seal",
            .purpose = "Write down what the files of DIR are, so that a change shows.",
            .description =
                "DIR/SHA256SUMS lists all files of DIR with their SHA-256, in the form that "
                "sha256sum --check reads. --sign and --gpg sign the list. Make the report first: "
                "what is added later is no part of the seal.",
            .operands = "DIR",
            .options = seal_options,
            .exit_statuses = seal_statuses,
            .examples = "clustermark seal --sign ~/.ssh/id_ed25519 results\tsealed and signed\n"
                        "clustermark seal --anonymous -o given results\ta copy that names nobody\n",
            .mixed = true,
        },
    .work = seal,
};

static const char *signers;

static const cm_exit_status verify_statuses[] = {
    {CM_EXIT_PASS, "all files are as they were sealed"},
    {CM_EXIT_WRONG, "a file was changed, removed or added, or the signature is not right"},
    {CM_EXIT_USAGE, "wrong usage, or DIR has no seal"},
    {CM_EXIT_SYSTEM, "a file cannot be read, or a program is not there"},
    {0, NULL}};
static const cm_option verify_options[] = {
    CM_TEXT("signers", 0, "FILE", &signers,
            "who may have signed: ssh's file of allowed signers (ssh-keygen(1), ALLOWED SIGNERS). "
            "Without a signature of one of them the status is 1"),
    {0},
};

static int verify(const cm_program *program, const suite_home *home, int n, char **operand)
{
    const char *dir = NULL;
    (void)home;
    int status = suite_command_dir(program, n, operand, &dir);
    if (status != CM_OPTION_RUN) return status;
    if (signers && access(signers, R_OK) < 0)
        return cm_option_error(program, "--signers '%s': %s", signers, strerror(errno));
    return suite_verify(dir, signers);
}

const suite_command suite_command_verify = {
    .program =
        {
            .name = "clustermark verify",
            .purpose = "Look whether the files of DIR are as clustermark seal found them.",
            .description =
                "Each file that was changed, removed or added since is named. A signature by gpg "
                "is checked against gpg's keys.",
            .operands = "DIR",
            .options = verify_options,
            .exit_statuses = verify_statuses,
            .examples = "clustermark verify --signers allowed_signers results\tonly if one of "
                        "these signed\n",
            .mixed = true,
        },
    .work = verify,
};
