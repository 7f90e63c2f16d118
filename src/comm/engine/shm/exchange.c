/* SPDX-License-Identifier: BSD-3-Clause */
/* exchange.c: regions that two ranks of a host pass to each other; see exchange.h. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "comm/engine/engine.h"
#include "comm/engine/shm/exchange.h"
#include "comm/engine/shm/segment.h"

enum { WAKES = 64 }; /* bytes read at once */

typedef union {
    struct cmsghdr header;
    char bytes[CMSG_SPACE(sizeof(int))];
} control_one;

cm_exchange *cm_exchange_new(void)
{
    cm_exchange *p = cm_engine_allocate(sizeof *p, "regions of memory that ranks share");
    memset(p, 0, sizeof *p);
    return p;
}

/* ---- Giving ---------------------------------------------------------------------------------- */

bool cm_exchange_give(cm_exchange *p, int fd, const cm_region *region, uint32_t *number)
{
    for (int i = 0; i < p->n_given; i++)
        if (p->given[i].region == region) {
            *number = p->given[i].number;
            return true;
        }
    if (p->n_given == CM_REGIONS_MOST) return false;
    char kind = CM_EXCHANGE_REGION;
    struct iovec part = {&kind, 1};
    control_one control = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    control.header = (struct cmsghdr){
        .cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS};
    memcpy(CMSG_DATA(&control.header), &region->fd, sizeof(int));
    if (sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL) != 1) return false;
    *number = p->next_given++;
    p->given[p->n_given].region = region;
    p->given[p->n_given++].number = *number;
    return true;
}

bool cm_exchange_revoke(cm_exchange *p, const cm_region *region, uint32_t *number)
{
    for (int i = 0; i < p->n_given; i++)
        if (p->given[i].region == region) {
            *number = p->given[i].number;
            p->given[i] = p->given[--p->n_given];
            return true;
        }
    return false;
}

/* ---- Getting --------------------------------------------------------------------------------- */

/* A region without a descriptor is one that this rank's limit on open files cut off. */
static const char *keep(cm_exchange *p, int fd)
{
    const char *wrong = NULL;
    const uint32_t number = p->next_kept++;
    if (fd < 0 || p->n_kept == CM_EXCHANGE_KEPT) return NULL;
    const size_t bytes = cm_segment_examine(fd, &wrong);
    if (wrong) return wrong;
    if (bytes <= CM_REGION_FRONT_BYTES) return "has another size than expected";
    if (!cm_segment_map(fd, bytes, &p->kept[p->n_kept].segment)) return NULL;
    p->kept[p->n_kept++].number = number;
    return NULL;
}

static int descriptor_of(struct msghdr *message)
{
    const struct cmsghdr *header = CMSG_FIRSTHDR(message);
    int fd = -1;
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS
        && header->cmsg_len >= CMSG_LEN(sizeof fd))
        memcpy(&fd, CMSG_DATA(header), sizeof fd);
    return fd;
}

ssize_t cm_exchange_hear(cm_exchange **exchange, int fd, const char **wrong)
{
    char bytes[WAKES];
    struct iovec part = {bytes, sizeof bytes};
    control_one control = {.bytes = {0}};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = CMSG_LEN(sizeof(int))}; /* there is no room for a
                                                                          second descriptor */
    const ssize_t got = recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    const int region = got > 0 ? descriptor_of(&message) : -1;
    *wrong = NULL;
    /* The kernel ends a read with the bytes that a descriptor came with. */
    if (got > 0 && bytes[got - 1] == CM_EXCHANGE_REGION) {
        if (!*exchange) *exchange = cm_exchange_new();
        *wrong = keep(*exchange, region);
    }
    if (region >= 0) close(region);
    return got;
}

static int index_of(const cm_exchange *p, uint32_t number)
{
    int i = 0;
    while (i < p->n_kept && p->kept[i].number != number) i++;
    return i;
}

const cm_mapping *cm_exchange_find(const cm_exchange *p, uint32_t number)
{
    const int i = p ? index_of(p, number) : 0;
    return p && i < p->n_kept ? &p->kept[i].segment : NULL;
}

void cm_exchange_forget(cm_exchange *p, uint32_t number)
{
    const int i = p ? index_of(p, number) : 0;
    if (!p || i == p->n_kept) return;
    cm_segment_release(&p->kept[i].segment);
    p->kept[i] = p->kept[--p->n_kept];
}

void cm_exchange_free(cm_exchange *p)
{
    if (!p) return;
    for (int i = 0; i < p->n_kept; i++) cm_segment_release(&p->kept[i].segment);
    free(p);
}
