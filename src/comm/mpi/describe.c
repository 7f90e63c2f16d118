/* SPDX-License-Identifier: BSD-3-Clause */
/* describe.c: describes the backend: the MPI, its settings in the environment, and its properties
   for programs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "comm/mpi/backend_mpi.h"

/* Copies the text of line up to its end. Runs of blanks become one. */
static void copy_line(const char *line, size_t capacity, char *text)
{
    size_t used = 0;
    for (; *line && *line != '\n' && used + 1 < capacity; line++) {
        bool blank = *line == ' ' || *line == '\t';
        if (blank && (used == 0 || text[used - 1] == ' ')) continue;
        text[used++] = blank ? ' ' : *line;
    }
    while (used > 0 && text[used - 1] == ' ') used--;
    text[used] = 0;
}

/* No MPI has a call that tells which network it uses. What its environment requests is known. */
static void describe_transport(void (*each)(const char *, const char *, void *), void *context)
{
    static const char *const names[] = {"UCX_TLS",
                                        "UCX_NET_DEVICES",
                                        "UCX_RNDV_THRESH",
                                        "FI_PROVIDER",
                                        "MPIR_CVAR_CH4_NETMOD",
                                        "MPIR_CVAR_NOLOCAL",
                                        "MPIR_CVAR_ODD_EVEN_CLIQUES",
                                        "OMPI_MCA_pml",
                                        "OMPI_MCA_btl",
                                        "OMPI_MCA_mtl",
                                        "OMPI_MCA_btl_tcp_if_include"};
    char text[1024] = "";
    size_t used = 0;
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        const char *value = getenv(names[k]);
        if (!value || used >= sizeof text) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s=%s", used ? " " : "",
                                 names[k], value);
    }
    if (used) each("transport", text, context);
}

void cm_describe(void (*each)(const char *key, const char *value, void *context), void *context)
{
    static const char *const mpich_device = "MPICH Device:";
    char version[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "", text[256];
    int length, number, subversion, level;
    each("comm", "mpi", context);
    MPI_Get_library_version(version, &length);
    copy_line(version, sizeof text, text);
    each("comm_version", text, context);
    MPI_Get_version(&number, &subversion);
    snprintf(text, sizeof text, "%d.%d", number, subversion);
    each("comm_mpi_standard", text, context);
    const char *device = strstr(version, mpich_device);
    if (device) {
        copy_line(device + strlen(mpich_device), sizeof text, text);
        each("comm_device", text, context);
    }
    if (cm_comm_has(CM_HAS_SIMULATOR)) each("transport", "simulated by SimGrid", context);
    else describe_transport(each, context);
    if (cm_mpi.place) each("place", cm_mpi.place, context);
    snprintf(text, sizeof text, "%.10g", 1e9 * cm_item_s());
    if (cm_item_s() > 0) each("item_ns", text, context);
    if (cm_mpi_simulated_clock()) each("simulated_clock_hz", cm_mpi_simulated_clock(), context);
    MPI_Query_thread(&level);
    each("comm_thread_level",
         level == MPI_THREAD_SINGLE       ? "single"
         : level == MPI_THREAD_FUNNELED   ? "funneled"
         : level == MPI_THREAD_SERIALIZED ? "serialized"
                                          : "multiple",
         context);
    snprintf(text, sizeof text, "%u", cm_mpi.tag_limit - 1);
    each("comm_largest_tag", text, context);
    snprintf(text, sizeof text, "%d", cm_mpi.delay_ns);
    if (cm_mpi.delay_ns) each("delay_ns", text, context);
}

bool cm_comm_has(cm_property property)
{
    switch (property) {
    case CM_HAS_PROCESSES:
    case CM_HAS_NATIVE:
        return true;
    case CM_HAS_SIMULATOR:
        return CM_MPI_SIMULATES;
    case CM_HAS_PMI:
    case CM_HAS_SURVIVAL:
    case CM_HAS_SOCKET_BUFFERS:
    case CM_HAS_RAILS:
    case CM_HAS_SHARED:
        break;
    }
    return false;
}
