/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.h: the CM_ environment variables: their values, names and meanings. Needs no
   backend. */
#ifndef CM_ENVIRONMENT_H
#define CM_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

/* The number of bytes of a rendezvous message that are sent before its receiver answers. */
typedef struct {
    size_t bytes;
    bool grows; /* more where a connection has more in flight */
} cm_ahead;
enum { CM_AHEAD_LEAST = 256 * 1024 }; /* the bytes of one that grows */

/* How ranks of a host move long messages: through a ring, which copies twice; each of them half, by
   the kernel; or whichever is quicker. */
typedef enum { CM_COPY_RING, CM_COPY_HALVES, CM_COPY_AUTO } cm_copy_way;

/* Ports, both ends included; low is 0: any. */
typedef struct {
    int low, high;
} cm_ports;

/* Sizes in bytes, times in the unit that the name ends with. */
typedef struct {
    size_t eager_bytes;  /* CM_EAGER_BYTES: longest message sent eagerly */
    cm_ahead ahead;      /* CM_AHEAD_BYTES: the part of a longer one that is sent before the
                              receiver answers */
    size_t piece_bytes;  /* CM_SEND_CHUNK_BYTES: largest size of one send */
    size_t pool_bytes;   /* CM_UNEXPECTED_BYTES: unexpected messages that a rank can keep */
    size_t buffer_bytes; /* CM_SOCKET_BUFFER_BYTES: socket buffers of each connection; 0: the kernel
                              chooses */
    bool nodelay;        /* CM_NODELAY */
    int delay_ns;        /* CM_DELAY_NS: each message is held up at its sender; 0: not */
    double spin_us;      /* CM_SPIN_US: spinning before sleeping; negative: the layer chooses */
    double timeout_s;    /* CM_TIMEOUT_S: time within which a failure ends all ranks */
    const char *transport; /* CM_TRANSPORT: "auto", or a name that the engine looks up */
    cm_copy_way copy;      /* CM_COPY: long messages inside a host */
    const char *interface; /* CM_INTERFACE: network interfaces; NULL: chosen automatically */
    cm_ports ports;        /* CM_PORTS: those that ranks and cmrun listen at */
    const char *rails;     /* CM_RAILS: number of connections, or interfaces; NULL: one */
    size_t rail_bytes;     /* CM_STRIPE_THRESHOLD: longer messages go over all rails */
    const char *tuning;    /* CM_TUNING: table of measured choices of collective algorithms; NULL:
                              the built-in one */
    const char *set;       /* CM_ISA: instruction set of the kernels, or "auto" */
    const char *bsp_trace; /* CM_BSP_TRACE */
    int bsp_direct_most;   /* CM_BSP_DIRECT_MOST: most processes each of which tells all others when
                              a superstep ends */
    bool bsp_check;        /* CM_BSP_CHECK: overlapping writes of a superstep end the job */
    const char *dummy;     /* CM_DUMMY: settings of the dummy backend */
    const char *launcher;  /* CM_LAUNCHER: "cmrun" if cmrun started this process; otherwise NULL */
    int local_ranks;       /* CM_LOCAL_RANKS: ranks on this host; 0: cmrun did not say */
    double item_ns;        /* CM_SIM_ITEM_NS: under a simulator, an item of a program's own work */
    const char *place;     /* CM_PLACE: the simulated cluster; NULL: none */
    const char *virtual_cluster; /* CM_VIRTUAL: "rate=...,delay=...,mtu=..."; NULL: none */
    const char *references;      /* CM_REFERENCES: results of other computers, for the report */
    bool keep_going;             /* CM_KEEP_GOING: cmrun goes on without ranks that die */
} cm_environment;

/* Reads all variables. Returns 0. If a value is wrong, or a variable begins with CM_ and is not in
   the table, launch rank 0 prints one line with the variable and the expected value, and all ranks
   return CM_EXIT_USAGE. A variable that is set by its old name gets the new one, and launch rank 0
   says so in a line. */
int cm_environment_read(cm_environment *environment);

/* Prints one line for each variable, for `clustermark env`: name, current value, default,
   meaning. */
void cm_environment_print(void);

/* Returns true if there is a variable of this name (length in bytes), whatever the backend. */
bool cm_environment_known(const char *name, size_t length);

/* The new name of a variable whose old name this is (length in bytes); NULL: it is no old name. */
const char *cm_environment_renamed(const char *name, size_t length);

/* Calls each once for each variable. initial is its default as a user would write it, or NULL. */
void cm_environment_each(void (*each)(const char *name, const char *initial, const char *meaning,
                                      void *context),
                         void *context);

#endif
