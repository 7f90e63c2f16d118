/* SPDX-License-Identifier: BSD-3-Clause */
/* door.c: see door.h. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>
#include "comm/engine/shm/door.h"

/* The numbers of a host's first namespaces are constants of the kernel (PROC_USER_INIT_INO). Those
   of containers differ, and the containers of a job may each have their own. */
bool cm_door_sees_all(void)
{
    static const ino_t FIRST_USER = 0xEFFFFFFD, FIRST_PID = 0xEFFFFFFC;
    struct stat user, pid;
    return stat("/proc/self/ns/user", &user) == 0 && stat("/proc/self/ns/pid", &pid) == 0
           && user.st_ino == FIRST_USER && pid.st_ino == FIRST_PID;
}

/* Returns true if this user's processes may follow descriptors of this one: not if its program
   cannot be read, for example. */
static bool is_open_to_own(void) { return prctl(PR_GET_DUMPABLE) == 1; }

static bool bind_to_file(const char *folder, const char *random, cm_door *door)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/.clustermark-%s", folder, random);
    if (bind(door->listener, (struct sockaddr *)&address, sizeof address) != 0) return false;
    door->file = open(address.sun_path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
    unlink(address.sun_path);
    return door->file >= 0;
}

static int new_socket(cm_door *door)
{
    if (door->listener >= 0) close(door->listener);
    door->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return door->listener < 0 ? errno : 0;
}

static bool open_file(const char *random, cm_door *door)
{
    static const char *const folders[] = {"/dev/shm", "/tmp", "/var/tmp"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        /* On Linux a socket's own mode becomes the file's. */
        if (new_socket(door) != 0 || fchmod(door->listener, S_IRUSR | S_IWUSR) != 0) return false;
        if (bind_to_file(folders[i], random, door)) return true;
    }
    return false;
}

socklen_t cm_door_address(const char *name, struct sockaddr_un *address)
{
    const int n = (int)strspn(name, "0123456789abcdef.");
    const char *dot = memchr(name, '.', (size_t)n);
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (dot) {
        snprintf(address->sun_path, sizeof address->sun_path, "/proc/%.*s/fd/%.*s",
                 (int)(dot - name), name, (int)(name + n - dot - 1), dot + 1);
        return sizeof *address;
    }
    const int bytes =
        snprintf(address->sun_path + 1, sizeof address->sun_path - 1, "clustermark-%.*s", n, name);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)bytes);
}

int cm_door_open(const char *random, cm_door *door)
{
    struct sockaddr_un address;
    *door = (cm_door){.listener = -1, .file = -1};
    if (cm_door_sees_all() && is_open_to_own() && open_file(random, door)) {
        snprintf(door->name, sizeof door->name, "%ld.%d", (long)getpid(), door->file);
    } else {
        snprintf(door->name, sizeof door->name, "%s", random);
        const int cause = new_socket(door);
        if (cause) return cause;
        const socklen_t length = cm_door_address(door->name, &address);
        if (bind(door->listener, (struct sockaddr *)&address, length) != 0) return errno;
    }
    return listen(door->listener, SOMAXCONN) == 0 ? 0 : errno;
}

void cm_door_shut(cm_door *door)
{
    if (door->listener >= 0) close(door->listener);
    if (door->file >= 0) close(door->file);
    door->listener = door->file = -1;
}
