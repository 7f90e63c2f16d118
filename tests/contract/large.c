/* SPDX-License-Identifier: BSD-3-Clause */
/* large.c: comm.h: lengths are size_t: messages and broadcasts beyond 2 GiB. */
#include "contract.h"

/* Every 4096th byte and the last ones, which is what a length cut to 32 bits would get wrong. */
static size_t wrong_sampled(const unsigned char *data, size_t bytes, unsigned seed)
{
    for (size_t i = 0; i < bytes; i += 4093)
        if (data[i] != contract_byte(i, seed)) return i;
    for (size_t i = bytes - 4096; i < bytes; i++)
        if (data[i] != contract_byte(i, seed)) return i;
    return bytes;
}

static double available_GiB(void)
{
    char line[256];
    double kB = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lf", &kB) == 1) break;
    fclose(file);
    return kB / (1 << 20);
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    int enough = available_GiB() >= 10;
    cm_bcast(world, &enough, sizeof enough, 0, CM_LINEAR);
    if (size != 2 || !enough) {
        if (rank == 0)
            printf("1..0 # SKIP %s\n",
                   size != 2 ? "for two ranks" : "less than 10 GiB of memory are free");
        cm_finalize();
        return 0;
    }
    size_t bytes = ((size_t)2 << 30) + 12345;
    unsigned char *data = memory(bytes);
    cm_status status;

    point("a message of %zu bytes", bytes);
    if (rank == 0) {
        fill(data, bytes, 3);
        cm_send(world, data, bytes, 1, 1);
    } else {
        memset(data, 0, bytes);
        cm_probe(world, 0, 1, &status);
        EXPECT(status.bytes == bytes, "the probe says %zu", status.bytes);
        cm_recv(world, data, bytes, 0, 1, &status);
        EXPECT(status.bytes == bytes, "%zu", status.bytes);
        size_t at = wrong_sampled(data, bytes, 3);
        EXPECT(at == bytes, "byte %zu", at);
    }

    point("a broadcast of %zu bytes", bytes);
    if (rank == 1) fill(data, bytes, 4);
    cm_bcast(world, data, bytes, 1, CM_AUTO);
    size_t at = wrong_sampled(data, bytes, 4);
    EXPECT(at == bytes, "byte %zu", at);
    free(data);
    return contract_done();
}
