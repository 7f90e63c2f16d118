/* SPDX-License-Identifier: BSD-3-Clause */
/* doors.c: the sockets a process listens on, from its descriptors and /proc/PID/net/tcp and tcp6;
   see doors.h. */
#include <arpa/inet.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "doors.h"

enum { LISTENS = 0x0a, DESCRIPTORS = 4096 };

/* The inodes of a process's sockets; how many descriptors it has in all. */
static int sockets_of(int pid, unsigned long *inodes, int *n)
{
    char path[300], link[64];
    int all = 0;
    snprintf(path, sizeof path, "/proc/%d/fd", pid);
    DIR *folder = opendir(path);
    *n = 0;
    if (!folder) return -1;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.') continue;
        all++;
        snprintf(path, sizeof path, "/proc/%d/fd/%s", pid, entry->d_name);
        ssize_t bytes = readlink(path, link, sizeof link - 1);
        if (bytes < 0) continue;
        link[bytes] = 0;
        if (*n < DESCRIPTORS && sscanf(link, "socket:[%lu]", &inodes[*n]) == 1) ++*n;
    }
    closedir(folder);
    return all;
}

/* 32-bit words in the host's order, in hexadecimal, as the kernel prints addresses. */
static void address_text(const char *hex, char *text, size_t capacity)
{
    uint32_t words[4] = {0};
    int n = (int)strlen(hex) / 8;
    for (int i = 0; i < n && i < 4; i++) {
        char word[9] = "";
        memcpy(word, hex + 8 * i, 8);
        words[i] = (uint32_t)strtoul(word, NULL, 16);
    }
    inet_ntop(n == 1 ? AF_INET : AF_INET6, words, text, (socklen_t)capacity);
}

static void add_listening(int pid, const char *table, const unsigned long *inodes, int n,
                          doors *found)
{
    char path[64], line[512], hex[40];
    snprintf(path, sizeof path, "/proc/%d/net/%s", pid, table);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        unsigned port, state;
        unsigned long inode;
        if (sscanf(line, " %*d: %39[0-9A-F]:%x %*[0-9A-F]:%*x %x %*s %*s %*s %*d %*d %lu", hex,
                   &port, &state, &inode)
                != 4
            || state != LISTENS)
            continue;
        for (int i = 0; i < n; i++)
            if (inodes[i] == inode) {
                found->count++;
                found->port = (uint16_t)port;
                address_text(hex, found->address, sizeof found->address);
            }
    }
    if (file) fclose(file);
}

doors doors_of(int pid)
{
    static unsigned long inodes[DESCRIPTORS];
    doors found = {0};
    int n;
    sockets_of(pid, inodes, &n);
    add_listening(pid, "tcp", inodes, n, &found);
    add_listening(pid, "tcp6", inodes, n, &found);
    return found;
}

bool doors_has_socket(int pid, unsigned long inode)
{
    static unsigned long inodes[DESCRIPTORS];
    int n;
    sockets_of(pid, inodes, &n);
    while (n > 0 && inodes[n - 1] != inode) n--;
    return n > 0;
}

int doors_descriptors(int pid)
{
    static unsigned long inodes[DESCRIPTORS];
    int n;
    return sockets_of(pid, inodes, &n);
}

long doors_resident_kib(int pid)
{
    char path[64], line[256];
    long kib = -1;
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmRSS: %ld", &kib) == 1) break;
    if (file) fclose(file);
    return kib;
}
