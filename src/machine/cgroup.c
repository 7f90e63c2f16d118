/* SPDX-License-Identifier: BSD-3-Clause */
/* cgroup.c: finds the control group that limits this process, version 1 or 2. /proc/self/cgroup
   contains the group's path in its hierarchy. /proc/self/mountinfo contains which part of the
   hierarchy is mounted where: in a container the path may begin with the root of the mount. */
#include <config.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "machine/machine_internal.h"

/* Returns true if word is one of the comma-separated words of list. */
static bool contains(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length) {
        bool begins = at == list || at[-1] == ',';
        if (begins && (at[length] == ',' || at[length] == '\0' || at[length] == '\n')) return true;
    }
    return false;
}

/* Parses lines "ID:CONTROLLER,CONTROLLER:/PATH". Version 2 has ID 0 and no controllers. */
static bool group_path(const char *root, const char *controller, int version, char *path)
{
    char name[CM_MACHINE_PATH];
    snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
    FILE *file = fopen(name, "re");
    if (!file) return false;
    char *line = NULL;
    size_t capacity = 0;
    bool found = false;
    while (!found && getline(&line, &capacity, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        if (!group) continue;
        *controllers++ = '\0';
        *group++ = '\0';
        found = version == 2 ? strcmp(line, "0") == 0 && *controllers == '\0'
                             : contains(controllers, controller);
        if (found) snprintf(path, CM_MACHINE_PATH, "%s", group);
    }
    free(line);
    fclose(file);
    return found;
}

/* Parses lines "ID PARENT MAJOR:MINOR ROOT MOUNTPOINT OPTIONS [TAG]... - TYPE SOURCE
   SUPEROPTIONS". */
static bool mount_point(const char *root, const char *controller, int version, char *mount_root,
                        char *mount)
{
    char name[CM_MACHINE_PATH];
    snprintf(name, sizeof name, "%s/proc/self/mountinfo", root);
    FILE *file = fopen(name, "re");
    if (!file) return false;
    char *line = NULL;
    size_t capacity = 0;
    bool found = false;
    while (!found && getline(&line, &capacity, file) > 0) {
        char type[32], options[1024];
        char *tail = strstr(line, " - ");
        if (!tail || sscanf(tail, " - %31s %*s %1023s", type, options) != 2
            || sscanf(line, "%*s %*s %*s %4095s %4095s", mount_root, mount) != 2)
            continue;
        found = version == 2 ? strcmp(type, "cgroup2") == 0
                             : strcmp(type, "cgroup") == 0 && contains(options, controller);
    }
    free(line);
    fclose(file);
    return found;
}

static bool find(const char *root, const char *controller, int version, cm_machine_cgroup *cgroup)
{
    char path[CM_MACHINE_PATH], mount_root[CM_MACHINE_PATH], mount[CM_MACHINE_PATH];
    if (!group_path(root, controller, version, path)
        || !mount_point(root, controller, version, mount_root, mount))
        return false;
    const char *below = path;
    size_t length = strlen(mount_root);
    if (strcmp(mount_root, "/") != 0) {
        if (strncmp(path, mount_root, length) == 0 && (path[length] == '/' || !path[length]))
            below = path + length;
        else below = "";
    }
    /* The group is outside of this process's namespace; the mount point is the nearest visible
       group. */
    if (strstr(below, "/..") || strcmp(below, "/") == 0) below = "";
    cgroup->version = version;
    cgroup->top = strlen(mount);
    char folder[2 * CM_MACHINE_PATH];
    if (snprintf(cgroup->folder, sizeof cgroup->folder, "%s%s", mount, below)
        >= (int)sizeof cgroup->folder)
        return false;
    snprintf(folder, sizeof folder, "%s%s", root, cgroup->folder);
    if (access(folder, F_OK) != 0) cgroup->folder[cgroup->top] = '\0';
    return true;
}

bool cm_machine_cgroup_find(const char *root, const char *controller, cm_machine_cgroup *cgroup)
{
    return find(root, controller, 1, cgroup) || find(root, controller, 2, cgroup);
}

bool cm_machine_cgroup_parent(cm_machine_cgroup *cgroup)
{
    char *last = strrchr(cgroup->folder, '/');
    if (!last || strlen(cgroup->folder) <= cgroup->top) return false;
    *last = '\0';
    return true;
}

static uint64_t inode(const char *root, const char *folder)
{
    char path[2 * CM_MACHINE_PATH];
    struct stat status;
    snprintf(path, sizeof path, "%s%s", root, folder);
    return stat(path, &status) == 0 ? status.st_ino : 0;
}

double cm_machine_cgroup_cpu_quota(const char *root, uint64_t *group)
{
    cm_machine_cgroup cgroup;
    double least = 0;
    if (group) *group = 0;
    if (!cm_machine_cgroup_find(root, "cpu", &cgroup)) return 0;
    do {
        char line[64];
        double quota = 0, period = 0;
        int64_t quota_us = 0, period_us = 0;
        if (cgroup.version == 2) {
            if (!cm_machine_file_line(root, line, sizeof line, "%s/cpu.max", cgroup.folder)
                || sscanf(line, "%lf %lf", &quota, &period) != 2) /* "max 100000" */
                continue;
        } else if (cm_machine_file_integer(root, &quota_us, "%s/cpu.cfs_quota_us", cgroup.folder)
                   && cm_machine_file_integer(root, &period_us, "%s/cpu.cfs_period_us",
                                              cgroup.folder)) {
            quota = (double)quota_us; /* -1: no limit */
            period = (double)period_us;
        }
        if (quota > 0 && period > 0 && (least == 0 || quota / period < least)) {
            least = quota / period;
            if (group) *group = inode(root, cgroup.folder);
        }
    } while (cm_machine_cgroup_parent(&cgroup));
    return least;
}

/* Kernels before control groups have a file system of cpusets. */
static bool old_cpuset(const char *root, cm_machine_cpus *cpus)
{
    char list[CM_MACHINE_LIST], group[CM_MACHINE_PATH];
    return cm_machine_file_line(root, group, sizeof group, "/proc/self/cpuset")
           && (cm_machine_file_line(root, list, sizeof list, "/dev/cpuset%s/cpus", group)
               || cm_machine_file_line(root, list, sizeof list, "/dev/cpuset%s/cpuset.cpus", group))
           && cm_machine_cpus_parse(list, cpus);
}

bool cm_machine_cgroup_cpuset(const char *root, cm_machine_cpus *cpus)
{
    cm_machine_cgroup cgroup;
    char list[CM_MACHINE_LIST];
    if (!cm_machine_cgroup_find(root, "cpuset", &cgroup)) return old_cpuset(root, cpus);
    do {
        const char *file = cgroup.version == 2 ? "cpuset.cpus.effective" : "cpuset.effective_cpus";
        if (cm_machine_file_line(root, list, sizeof list, "%s/%s", cgroup.folder, file)
            || cm_machine_file_line(root, list, sizeof list, "%s/cpuset.cpus", cgroup.folder))
            return cm_machine_cpus_parse(list, cpus);
    } while (cm_machine_cgroup_parent(&cgroup));
    return old_cpuset(root, cpus);
}
