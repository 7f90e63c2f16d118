/* SPDX-License-Identifier: BSD-3-Clause */
/* names.c: texts without the names of hosts, users, paths and addresses; see names.h. */
#include "config.h"
#include <arpa/inet.h>
#include <ctype.h>
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
    /* A name of digits would be found in all numbers. */
    if (strspn(host, "0123456789") == strlen(host) || strcmp(host, "localhost") == 0) return;
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
    size_t found = names->n_hosts, best = 0;
    for (size_t k = 0; k < names->n_hosts; k++) {
        const char *host = names->host[k];
        size_t part[] = {strlen(host), first_part(host)};
        /* A first part of digits, of an address or of 7.site.edu, is any number. */
        size_t parts = strspn(host, "0123456789") < part[1] ? 2 : 1;
        for (size_t p = 0; p < parts; p++) {
            const char *end = word + part[p];
            if (part[p] <= best || length < part[p] || strncmp(word, host, part[p]) != 0) continue;
            if (length > part[p] && *end != '.' && *end != '-') continue;
            found = k;
            best = part[p];
        }
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

/* Pairs of hexadecimal digits, at least six of them, between colons or hyphens. */
static bool is_hardware(const char *word, size_t length)
{
    if (length < 17 || length % 3 != 2 || !strchr(":-", word[2])) return false;
    for (size_t k = 0; k < length; k++)
        if (k % 3 == 2 ? word[k] != word[2] : !isxdigit((unsigned char)word[k])) return false;
    return true;
}

/* The length of the IPv6 or hardware address that begins there, or 0; "::" and "::1" are nobody's.
   The character before is not of a name. */
static size_t six_at(const char *at)
{
    char copy[64] = "";
    struct in6_addr address;
    size_t length = strspn(at, "0123456789abcdefABCDEF:.-");
    if (length < 3 || of_name(at[length])) return 0;
    /* Without what ends a sentence. */
    while (length > 2
           && (strchr(".-", at[length - 1]) || (at[length - 1] == ':' && at[length - 2] != ':')))
        length--;
    if (length >= sizeof copy) return is_hardware(at, length) ? length : 0;
    memcpy(copy, at, length);
    if (is_hardware(copy, length)) return length;
    if (strcmp(copy, "::") == 0 || strcmp(copy, "::1") == 0) return 0;
    return inet_pton(AF_INET6, copy, &address) == 1 ? length : 0;
}

/* How long the word there is: up to the second one of quotation marks, else before a blank and the
   like. */
static size_t word_end(const char *text, const char *at)
{
    const char quote = at == text ? '\0' : at[-1];
    const char *end = quote == '\'' || quote == '"' ? strchr(at, quote) : NULL;
    if (end) return (size_t)(end - at);
    size_t length = 0;
    while (!ends_path(at[length])) length++;
    return length;
}

/* Writes what stands for a path of that length. */
static void write_path(FILE *out, const char *text, size_t length)
{
    size_t base = 0;
    for (size_t k = 0; k < length; k++)
        if (text[k] == '/') base = k + 1;
    fputs("PATH", out);
    if (strncmp(text + base, "cm-", 3) != 0 && strncmp(text + base, "cmrun", 5) != 0) return;
    fputc('/', out);
    while (base < length && of_name(text[base])) fputc(text[base++], out);
}

/* "-I/usr/include" and "-L/usr/lib". */
static bool is_flag(const char *text, const char *at)
{
    return at - text >= 2 && at[-2] == '-' && isalpha((unsigned char)at[-1])
           && (at - text == 2 || before_path(at[-3]));
}

static bool begins_path(const char *text, const char *at, suite_names_kind kind)
{
    char before = at == text ? '\0' : at[-1];
    if (!before_path(before) && !(*at == '/' && is_flag(text, at))) return false;
    /* Two begin what follows the colon of "file:///home" or "http://site.edu". */
    if (*at == '/') return !ends_path(at[1]) && (at[1] != '/' || before == ':');
    if (*at == '~' && at[1] == '/') return true;
    if (kind != SUITE_NAMES_COMMAND || !of_name(*at)) return false;
    for (size_t k = 0, end = word_end(text, at); k < end && at[k] != '='; k++)
        if (at[k] == '/') return true;
    return false;
}

char *suite_names_replace(suite_names *names, const char *text, suite_names_kind kind)
{
    char *replaced = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&replaced, &size);
    suite_there(out);
    for (const char *at = text; *at;) {
        size_t length = begins_path(text, at, kind) ? word_end(text, at) : 0;
        if (length > 0) {
            write_path(out, at, length);
            at += length;
            names->paths++;
            continue;
        }
        length = at == text || !of_name(at[-1]) ? six_at(at) : 0;
        if (length > 0) {
            fputs("ADDRESS", out);
            at += length;
            names->addresses++;
            continue;
        }
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
