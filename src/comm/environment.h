/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.h: the CM_ environment variables: what they say, and their names and meanings. Needs
   no backend. */
#ifndef CM_ENVIRONMENT_H
#define CM_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

/* Sizes in bytes, times in microseconds. */
typedef struct {
    size_t eager_bytes;    /* CM_EAGER_BYTES: longest message sent eagerly */
    size_t ahead_bytes;    /* CM_AHEAD_BYTES: of a longer one, sent before the receiver answers */
    size_t piece_bytes;    /* CM_PIECE_BYTES: cap of one send */
    size_t pool_bytes;     /* CM_POOL_BYTES: of unexpected messages a rank keeps */
    size_t buffer_bytes;   /* CM_BUFFER_BYTES: of each connection's socket; 0: the kernel chooses */
    bool nodelay;          /* CM_NODELAY */
    double spin_us;        /* CM_SPIN_US: spinning before sleeping; negative: the layer chooses */
    double timeout_s;      /* CM_TIMEOUT_S: until a failure has ended all ranks */
    const char *interface; /* CM_INTERFACE: network interface; NULL: the layer chooses */
    const char *rails;     /* CM_RAILS: their number, or interfaces; NULL: one */
    size_t rail_bytes;     /* CM_RAIL_BYTES: longer messages go over all rails */
    const char *bsp_trace; /* CM_BSP_TRACE */
    bool bsp_check;        /* CM_BSP_CHECK: overlapping writes of a superstep end the job */
    const char *dummy;     /* CM_DUMMY: settings of the dummy backend */
    const char *launcher;  /* CM_LAUNCHER: "cmrun" if that started this process; else NULL */
    int local_ranks;       /* CM_LOCAL_RANKS: ranks on this host; 0: cmrun did not say */
    bool keep_going;       /* CM_KEEP_GOING: cmrun goes on without ranks that die */
} cm_environment;

/* Reads all of them. On a bad value, and on a variable that begins with CM_ and is none of these,
   prints one line naming the variable and what would be right (on launch rank 0) and returns
   CM_EXIT_USAGE; else 0. */
int cm_environment_read(cm_environment *environment);

/* One line a variable for `clustermark env`: name, value in force, default, meaning. */
void cm_environment_print(void);

/* Returns true if there is a variable of this name, with any backend; length in bytes. */
bool cm_environment_known(const char *name, size_t length);

/* Calls each once a variable; initial is its default as a user would write it, NULL: none. */
void cm_environment_each(void (*each)(const char *name, const char *initial, const char *meaning,
                                      void *context),
                         void *context);

#endif
