/* SPDX-License-Identifier: BSD-3-Clause */
/* print.c: shows the lines of a result as they come, and keeps them for --output. */
#include <config.h>
#include <errno.h>
#include <signal.h>
#include "result/result_internal.h"

/* Writing to a pipe whose reader is gone would end this process by SIGPIPE and lose the files
   that are still to be written; so it is held back, and taken off if it came, when there are
   files. */
static void to_stdout(cm_result *result, const char *text, size_t length)
{
    sigset_t pipe_only, before;
    bool hold = result->output.path || result->json.path;
    if (result->stdout_error != 0) return;
    if (hold) {
        sigemptyset(&pipe_only);
        sigaddset(&pipe_only, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    }
    errno = 0;
    if (fwrite(text, 1, length, stdout) != length || fflush(stdout) != 0)
        result->stdout_error = errno ? errno : EIO;
    if (hold) {
        if (result->stdout_error == EPIPE && !sigismember(&before, SIGPIPE))
            sigtimedwait(&pipe_only, NULL, &(struct timespec){0, 0});
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    }
}

void cm_result_print(cm_result *result)
{
    if (fflush(result->out) != 0) result->out_of_memory = true;
    cm_result_progress_erase(result);
    to_stdout(result, result->text + result->printed, result->text_bytes - result->printed);
    result->printed = result->text_bytes;
}

void cm_result_print_line(cm_result *result, const char *key, const char *text)
{
    cm_text_line(result->out, key, text);
    cm_result_print(result);
}
