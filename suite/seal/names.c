/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c: texts without the names of hosts, users, paths and addresses; see names.h. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "names.h"

static bool of_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.'
           || c == '_' || c == '-';
}

/* Where a word begins: what may stand before a path. */
static bool before_path(char c) { return c == '\0' || strchr(" \t\n\"'`=(,:;<[|@", c) != NULL; }
static bool ends_path(char c) { return c == '\0' || strchr(" \t\n\"'`,;)>]|", c) != NULL; }

/* How much of a host's name is its first part. */
static size_t first_part(const char *name) { return strcspn(name, "."); }

void suite_names_add(suite_names *names, const char *host)
{
    if (!*host || strcmp(host, "localhost") == 0) return;
    /* A short name is that of the long one that is there. */
    const bool is_short = !strchr(host, '.');
    for (size_t k = 0; k < names->n_hosts; k++) {
        size_t first = first_part(names->host[k]);
        if (strcmp(names->host[k], host) == 0) return;
        if (is_short && strlen(host) == first && strncmp(names->host[k], host, first) == 0) return;
    }
    names->host = suite_longer(names->host, names->n_hosts + 1, sizeof *names->host);
    names->host[names->n_hosts++] = suite_copy(host);
}

void suite_names_free(suite_names *names)
{
    for (size_t k = 0; k < names->n_hosts; k++) free(names->host[k]);
    free(names->host);
    *names = (suite_names){0};
}

/* The host that a word names, or n_hosts. The whole name goes before its first part, as two hosts
   may share that. */
static size_t host_of(const suite_names *names, const char *word, size_t length)
{
    size_t found = names->n_hosts;
    for (size_t k = 0; k < names->n_hosts; k++) {
        const char *host = names->host[k];
        size_t whole = strlen(host), first = first_part(host);
        if (length == whole && strncmp(word, host, whole) == 0) return k;
        bool begins = length >= first && strncmp(word, host, first) == 0
                      && (length == first || word[first] == '.' || word[first] == '-');
        bool longer = length > whole && strncmp(word, host, whole) == 0
                      && (word[whole] == '.' || word[whole] == '-');
        /* An address has no first part. */
        if ((longer || (begins && strspn(host, "0123456789.") != whole)) && found == names->n_hosts)
            found = k;
    }
    return found;
}

static bool is_address(const char *word, size_t length)
{
    unsigned part[4];
    int end = 0;
    char copy[16];
    if (length >= sizeof copy) return false;
    memcpy(copy, word, length);
    copy[length] = '\0';
    if (strspn(copy, "0123456789.") != length
        || sscanf(copy, "%3u.%3u.%3u.%3u%n", &part[0], &part[1], &part[2], &part[3], &end) != 4
        || copy[end])
        return false;
    for (int k = 0; k < 4; k++)
        if (part[k] > 255) return false;
    return part[0] != 127 && part[0] + part[1] + part[2] + part[3] > 0;
}

/* Writes what stands for a path; returns its length in the text. */
static size_t path(FILE *out, const char *text)
{
    size_t length = 0, base = 0;
    while (!ends_path(text[length])) {
        if (text[length] == '/') base = length + 1;
        length++;
    }
    fputs("PATH", out);
    if (strncmp(text + base, "cm-", 3) == 0 || strncmp(text + base, "cmrun", 5) == 0)
        fprintf(out, "/%.*s", (int)(length - base), text + base);
    return length;
}

static bool begins_path(const char *text, const char *at, suite_names_kind kind)
{
    char before = at == text ? '\0' : at[-1];
    if (!before_path(before)) return false;
    if (*at == '/') return !ends_path(at[1]) && at[1] != '/';
    if (*at == '~' && at[1] == '/') return true;
    if (kind != SUITE_NAMES_COMMAND || !of_name(*at)) return false;
    for (const char *c = at; !ends_path(*c) && *c != '='; c++)
        if (*c == '/') return true;
    return false;
}

char *suite_names_replace(suite_names *names, const char *text, suite_names_kind kind)
{
    char *replaced = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&replaced, &size);
    suite_there(out);
    for (const char *at = text; *at;) {
        if (begins_path(text, at, kind)) {
            at += path(out, at);
            names->paths++;
            continue;
        }
        size_t length = 0;
        while (of_name(at[length])) length++;
        if (length == 0) {
            fputc(*at++, out);
            continue;
        }
        size_t word = length; /* without the dots that end a sentence */
        while (word > 0 && at[word - 1] == '.') word--;
        size_t host = host_of(names, at, word);
        if (at[length] == '@') {
            fputs("user", out);
            names->users++;
        } else if (host < names->n_hosts) {
            fprintf(out, "host-%zu", host + 1);
            names->hosts++;
        } else if (kind != SUITE_NAMES_VERSION && is_address(at, word)) {
            fputs("ADDRESS", out);
            names->addresses++;
        } else {
            fwrite(at, 1, word, out);
        }
        fwrite(at + word, 1, length - word, out);
        at += length;
    }
    if (fclose(out) != 0) suite_there(NULL);
    return replaced;
}
