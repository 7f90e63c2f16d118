/* SPDX-License-Identifier: BSD-3-Clause */
/* turns.c: builds or installations that are measured in turns. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "common/memory.h"
#include "common/say.h"
#include "turns.h"

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

char *suite_turns_program(const char *build, const char *backend)
{
    char *const tried[] = {
        suite_text("%s/suite/clustermark", build),
        suite_text("%s/bin/clustermark%s%s", build, backend ? "-" : "", backend ? backend : ""),
        suite_text("%s/bin/clustermark", build), suite_copy(build)};
    char *found = NULL;
    for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
        if (!found && is_program(tried[k])) found = tried[k];
        else free(tried[k]);
    }
    return found;
}

size_t suite_turns_side(size_t round, size_t k, size_t n) { return (round - 1 + k) % n; }

void suite_turns_option(suite_words *command, const char *name, const char *value)
{
    if (!value) return;
    suite_words_add(command, name);
    suite_words_add(command, value);
}

char *suite_turns_end(suite_child_end end, int status)
{
    return end == SUITE_CHILD_EXITED        ? suite_text("exit status %d", status)
           : end == SUITE_CHILD_NOT_STARTED ? suite_copy(strerror(status))
                                            : suite_text("signal %d", status);
}

int suite_turns_interrupted(const suite_children *children, const char *command, suite_again again)
{
    static const char *const does[] = {[SUITE_AGAIN_MEASURES_ANEW] = "measures anew",
                                       [SUITE_AGAIN_BEGINS_ANEW] = "begins anew",
                                       [SUITE_AGAIN_GOES_ON] = "goes on where this one ended",
                                       [SUITE_AGAIN_GOES_ON_UNLESS_FRESH] =
                                           "without --fresh goes on where this one ended"};
    return suite_fail(128 + children->interrupted, "%s: interrupted; the same command %s", command,
                      does[again]);
}
