/* SPDX-License-Identifier: BSD-3-Clause */
/* file.c: reads the small text files of /proc and /sys. */
#include <config.h>
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "machine/machine_internal.h"

void cm_machine_say(cm_machine_each *each, void *context, const char *key, const char *format, ...)
{
    char value[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(value, sizeof value, format, list);
    va_end(list);
    each(key, value, context);
}

static char *trim(char *line)
{
    while (isspace((unsigned char)*line)) line++;
    size_t length = strlen(line);
    while (length > 0 && isspace((unsigned char)line[length - 1])) line[--length] = '\0';
    return line;
}

/* Opens the file for reading. Returns NULL if there is none. */
static FILE *open_file(const char *root, const char *path, va_list list)
{
    char name[CM_MACHINE_PATH];
    int before = snprintf(name, sizeof name, "%s", root);
    if (before < 0 || (size_t)before >= sizeof name) return NULL;
    int after = vsnprintf(name + before, sizeof name - (size_t)before, path, list);
    if (after < 0 || (size_t)after >= sizeof name - (size_t)before) return NULL;
    return fopen(name, "re");
}

static bool first_line(const char *root, char *line, size_t size, const char *path, va_list list)
{
    FILE *file = open_file(root, path, list);
    if (!file) return false;
    bool found = fgets(line, (int)size, file) != NULL;
    fclose(file);
    if (!found) return false;
    char *start = trim(line);
    memmove(line, start, strlen(start) + 1);
    return line[0] != '\0';
}

bool cm_machine_file_line(const char *root, char *line, size_t size, const char *path, ...)
{
    va_list list;
    va_start(list, path);
    bool found = first_line(root, line, size, path, list);
    va_end(list);
    return found;
}

bool cm_machine_file_exists(const char *root, const char *path, ...)
{
    va_list list;
    va_start(list, path);
    FILE *file = open_file(root, path, list);
    va_end(list);
    if (file) fclose(file);
    return file != NULL;
}

bool cm_machine_file_integer(const char *root, int64_t *value, const char *path, ...)
{
    char line[64], *end;
    va_list list;
    va_start(list, path);
    bool found = first_line(root, line, sizeof line, path, list);
    va_end(list);
    if (!found) return false;
    errno = 0;
    long long number = strtoll(line, &end, 10);
    if (errno != 0 || end == line || *end != '\0') return false;
    *value = number;
    return true;
}

bool cm_machine_file_field(const char *root, const char *path, const char *key, char *value,
                           size_t size)
{
    char name[CM_MACHINE_PATH];
    if (snprintf(name, sizeof name, "%s%s", root, path) >= (int)sizeof name) return false;
    FILE *file = fopen(name, "re");
    if (!file) return false;
    char *line = NULL;
    size_t capacity = 0, length = strlen(key);
    bool found = false;
    while (!found && getline(&line, &capacity, file) > 0) {
        if (strncmp(line, key, length) != 0) continue;
        char *rest = line + length;
        if (*rest != ':' && !isspace((unsigned char)*rest)) continue;
        rest += strspn(rest, " \t");
        if (*rest == ':') rest++;
        snprintf(value, size, "%s", trim(rest));
        found = true;
    }
    free(line);
    fclose(file);
    return found;
}
