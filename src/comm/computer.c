/* SPDX-License-Identifier: BSD-3-Clause */
/* computer.c: tells computers apart by the number that a kernel draws when it starts. */
#include "config.h"
#include <stdio.h>
#include <string.h>
#include "base/hash.h"
#include "comm/computer.h"

static bool first_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "re");
    if (!file) return false;
    const bool read = fgets(line, (int)size, file) != NULL;
    fclose(file);
    if (read) line[strcspn(line, "\n")] = '\0';
    return read;
}

bool cm_computer_boot(char *text, size_t capacity)
{
    char line[64];
    if (!first_line("/proc/sys/kernel/random/boot_id", line, sizeof line)) return false;
    const size_t length = strlen(line);
    if (length == 0 || length >= capacity || strspn(line, "0123456789abcdef-") < length)
        return false;
    memcpy(text, line, length + 1);
    return true;
}

uint64_t cm_computer_named(const char *host) { return cm_hash_text(CM_HASH_BEGIN, host); }

uint64_t cm_computer_here(const char *host)
{
    char line[512];
    if (!cm_computer_boot(line, sizeof line)) return cm_computer_named(host);
    uint64_t number = cm_hash_text(CM_HASH_BEGIN, line);
    /* A container sees its own group as the topmost one. */
    if (first_line("/sys/fs/cgroup/cpuset.cpus.effective", line, sizeof line))
        number = cm_hash_text(number, line);
    if (first_line("/sys/fs/cgroup/cpu.max", line, sizeof line) && strncmp(line, "max", 3) != 0)
        number = cm_hash_text(number, host);
    return number;
}
