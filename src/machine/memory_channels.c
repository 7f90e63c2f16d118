/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_channels.c: the most bytes that the memory modules can move in a second:

       memory_peak = channels * transfers a second * bytes of a transfer

   The channels with modules are counted by the kernel's memory controllers (EDAC), the transfers
   and their width are in the firmware's tables (DMI, type 17), which only root can read. Where one
   of them is missing, nothing is said. */
#include <config.h>
#include <stdio.h>
#include <string.h>
#include "machine/machine_internal.h"

#define EDAC "/sys/devices/system/edac/mc"
enum { CONTROLLERS = 64, MODULES = 64, CHANNELS = 64 };

/* A module's place is "channel 1 slot 0", or "csrow 0 channel 1". */
static int channel_of(const char *root, int controller, int module)
{
    char place[256];
    int64_t megabytes;
    int channel;
    if (!cm_machine_file_integer(root, &megabytes, EDAC "/mc%d/dimm%d/size", controller, module)
        || megabytes <= 0
        || !cm_machine_file_line(root, place, sizeof place, EDAC "/mc%d/dimm%d/dimm_location",
                                 controller, module))
        return -1;
    const char *at = strstr(place, "channel ");
    return at && sscanf(at, "channel %d", &channel) == 1 && channel < CHANNELS ? channel : -1;
}

static int count_channels(const char *root)
{
    int n = 0;
    for (int controller = 0; controller < CONTROLLERS; controller++) {
        bool seen[CHANNELS] = {false};
        /* A virtual machine has none; trying 4096 names would be most of the time that a rank takes
           to start. */
        if (!cm_machine_file_exists(root, EDAC "/mc%d", controller)) continue;
        for (int module = 0; module < MODULES; module++) {
            int channel = channel_of(root, controller, module);
            if (channel < 0 || seen[channel]) continue;
            seen[channel] = true;
            n++;
        }
    }
    return n;
}

/* SMBIOS 3.7, section 7.18, "Memory Device": bytes 0Ah data width in bits, 0Ch size (0: no module),
   15h the module's speed and 20h the configured speed, in 10^6 transfers a second. */
static bool read_module(const char *root, int module, int *bytes, int *transfers)
{
    enum { WIDTH = 0x0a, SIZE = 0x0c, SPEED = 0x15, CONFIGURED = 0x20, LEAST = 0x22 };
    char name[CM_MACHINE_PATH];
    unsigned char t[256];
    int length = snprintf(name, sizeof name, "%s/sys/firmware/dmi/entries/17-%d/raw", root, module);
    FILE *file = length < (int)sizeof name ? fopen(name, "re") : NULL;
    if (!file) return false;
    size_t n = fread(t, 1, sizeof t, file);
    fclose(file);
#define WORD(at) (t[at] | t[(at) + 1] << 8)
    *bytes = *transfers = 0;
    if (n < LEAST || t[1] < LEAST || WORD(SIZE) == 0) return true;
    *bytes = WORD(WIDTH) / 8;
    *transfers = WORD(CONFIGURED) ? WORD(CONFIGURED) : WORD(SPEED);
#undef WORD
    return true;
}

/* The slowest module's, as all run at the speed of the slowest. Returns false if one of them does
   not say, or if they differ in width. */
static bool rate_of_channel(const char *root, double *MB_per_s)
{
    int bytes, transfers, width = 0, slowest = 0;
    for (int module = 0; read_module(root, module, &bytes, &transfers); module++) {
        if (bytes == 0 && transfers == 0) continue;
        if (bytes <= 0 || transfers <= 0 || transfers == 0xffff) return false;
        if (width != 0 && bytes != width) return false;
        width = bytes;
        if (slowest == 0 || transfers < slowest) slowest = transfers;
    }
    *MB_per_s = (double)width * slowest;
    return width > 0;
}

void cm_machine_describe_channels(const char *root, cm_machine_each *each, void *context)
{
    double MB_per_s;
    int channels = count_channels(root);
    if (channels == 0) return;
    cm_machine_say(each, context, "memory_channels", "%d", channels);
    if (rate_of_channel(root, &MB_per_s))
        cm_machine_say(each, context, "memory_peak_bytes_per_s", "%.6g", 1e6 * channels * MB_per_s);
}
