/* SPDX-License-Identifier: BSD-3-Clause */
/* stopped_child.c: preloaded. Each child that begins with SIGTSTP blocked has got one: Ctrl-Z was
   typed between fork and setpgid, when the child was still in the terminal's process group. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

pid_t fork(void)
{
    pid_t (*const next)(void) = (pid_t(*)(void))dlsym(RTLD_NEXT, "fork");
    if (!next) abort();
    const pid_t child = next();
    sigset_t now;
    if (child == 0 && sigprocmask(SIG_BLOCK, NULL, &now) == 0 && sigismember(&now, SIGTSTP) == 1)
        raise(SIGTSTP);
    return child;
}
