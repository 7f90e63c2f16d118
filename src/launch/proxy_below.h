/* SPDX-License-Identifier: BSD-3-Clause */
/* proxy_below.h: the hosts below a proxy: it starts their proxies and relays frames between them
   and whoever started this one. */
#ifndef CM_LAUNCH_PROXY_BELOW_H
#define CM_LAUNCH_PROXY_BELOW_H

#include "launch/channel.h"
#include "launch/tree.h"

/* Initialize with zeros, except up. */
typedef struct {
    channel *up;
    char **names;
    int n, to; /* how many hosts; the one that the next frame is for, if next_is_for */
    bool next_is_for;
    char *launcher;
    tree *tree; /* NULL: no host is below */
} proxy_below;

/* Takes a frame that describes the hosts below, or says whom the next frame is for. Returns false
   if it makes no sense, or memory is exhausted. */
bool proxy_below_take(proxy_below *below, int epoll, const frame *frame);

/* Passes a frame on to the host that it is for. Returns false if it is for this one. */
bool proxy_below_relay(proxy_below *below, const frame *frame);

/* Passes a frame on to all hosts below; if it describes the job, also to those that come later. */
void proxy_below_all(proxy_below *below, const frame *frame);

/* Starts the proxies. Returns 0, or prints one line and returns CM_EXIT_SYSTEM. */
int proxy_below_launch(proxy_below *below);

int proxy_below_files(const proxy_below *below); /* how many open files that takes */
void proxy_below_free(proxy_below *below);

#endif
