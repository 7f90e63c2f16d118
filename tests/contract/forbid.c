/* SPDX-License-Identifier: BSD-3-Clause */
/* forbid.c: contract/forbid PROGRAM [ARGUMENT]...: runs the program under a filter of system calls
   that refuses process_vm_readv and process_vm_writev, as containers do. Without a program: exit
   status 0 if there is no such filter already. */
#include "config.h"
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static bool may_copy_itself(void)
{
    char from = 1, to = 0;
    const struct iovec here = {&to, 1}, there = {&from, 1};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1 && to == 1;
}

int main(int argc, char **argv)
{
    if (argc < 2) return may_copy_itself() ? 0 : 1;
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0
        || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        perror("contract/forbid");
        return 77;
    }
    execv(argv[1], argv + 1);
    perror(argv[1]);
    return 99;
}
