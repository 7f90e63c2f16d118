/* SPDX-License-Identifier: BSD-3-Clause */
/* hypervisor.c: whether this is a virtual machine, and of whom. */
#include <config.h>
#include <stdio.h>
#include <string.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif
#include "machine/machine_internal.h"

const char *cm_machine_hypervisor(const char *root, char *name, size_t size)
{
#if defined(__x86_64__) || defined(__i386__)
    static const struct {
        const char *signature, *name;
    } known[] = {{"KVMKVMKVM", "kvm"},    {"VMwareVMware", "vmware"}, {"Microsoft Hv", "hyperv"},
                 {"XenVMMXenVMM", "xen"}, {"TCGTCGTCGTCG", "qemu"},   {"bhyve bhyve ", "bhyve"},
                 {"ACRNACRNACRN", "acrn"}};
    if (root[0] == '\0') {
        unsigned registers[4], a, c, d;
        if (!__get_cpuid(1, &a, &registers[0], &c, &d)) return NULL;
        if (!(c >> 31 & 1)) return "none";
        __cpuid(0x40000000, a, registers[0], registers[1], registers[2]);
        char signature[13] = {0};
        memcpy(signature, registers, 12);
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (strcmp(signature, known[i].signature) == 0) return known[i].name;
        snprintf(name, size, "%s", signature[0] ? signature : "yes");
        return name;
    }
#endif
    if (cm_machine_file_line(root, name, size, "/sys/hypervisor/type")) return name;
    if (cm_machine_file_line(root, name, size, "/sys/class/dmi/id/sys_vendor")
        && (strcmp(name, "QEMU") == 0 || strstr(name, "VMware") || strstr(name, "Amazon EC2")))
        return name;
    return NULL;
}

bool cm_machine_is_virtual(void)
{
    char name[256];
    const char *found = cm_machine_hypervisor("", name, sizeof name);
    return found && strcmp(found, "none") != 0;
}
