/* SPDX-License-Identifier: BSD-3-Clause */
/* virtual.h: virtual-cluster: hosts on one machine. Each is a network namespace with interfaces
   eth0, eth1, ..., each on a network of its own. */
#ifndef VIRTUAL_H
#define VIRTUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "option/option.h"

enum {
    VIRTUAL_HOSTS = 250,
    VIRTUAL_NETWORKS = 8,
    VIRTUAL_MTU_LEAST = 576,       /* what every host of IPv4 must take */
    VIRTUAL_MTU_LEAST_IPV6 = 1280, /* below it the kernel takes the addresses away */
    VIRTUAL_MTU_MOST = 65521,
    VIRTUAL_NAME = 10, /* characters; an interface's name has 15 */
    VIRTUAL_HOST = 32, /* bytes of a host's name */
    VIRTUAL_TEXT = 128
};

typedef struct {
    int hosts, networks;
    bool ipv6;
    const char *rate, *delay; /* as given; NULL: no limit, no delay */
    double rate_bit_per_s;    /* 0: no limit */
    double delay_s;
    int64_t mtu_bytes; /* 0: 1500, and the kernel may carry larger pieces */
    int64_t owner;     /* the process that they are for; 0: none */
} virtual_settings;

/* ---- name.c: names of hosts and of the files in /run ----------------------------------------- */

/* The value of VIRTUAL_CLUSTER_NAME. Returns NULL after one line if it is no name. */
const char *virtual_name(void);
void virtual_host(const char *name, int host, char text[VIRTUAL_HOST]);
/* The namespace of the switches, which is no host. */
void virtual_switch(const char *name, char text[VIRTUAL_HOST]);
/* True if the namespace of this name exists. */
bool virtual_exists(const char *host);
/* Calls each for every host of the cluster, in order. Returns their number. each may be NULL. */
int virtual_each_host(const char *name, void (*each)(const char *host, void *context),
                      void *context);
/* "/run/virtual-cluster/NAME.SUFFIX". */
void virtual_path(const char *name, const char *suffix, char text[VIRTUAL_TEXT]);

/* ---- settings.c ------------------------------------------------------------------------------ */

/* Reads rate and delay, in the forms of tc ("100mbit", "50us"). Returns 0, or prints one line and
   returns CM_EXIT_USAGE. */
int virtual_settings_read(const cm_program *program, virtual_settings *settings);
/* CM_VIRTUAL: "rate=100mbit,delay=50us,mtu=1500". */
void virtual_settings_text(const virtual_settings *settings, char text[VIRTUAL_TEXT]);

/* ---- command.c: other programs --------------------------------------------------------------- */

int virtual_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
int virtual_need_root(void);
/* Runs `ip` with these words, separated by blanks. Returns true, or prints one line and returns
   false. */
bool virtual_ip(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* After it, SIGINT, SIGTERM and SIGHUP only make virtual_interrupted return the signal. */
void virtual_catch_signals(void);
int virtual_interrupted(void);

/* ---- namespace.c: what is done inside a host ------------------------------------------------- */

/* Moves this process into the network namespace of host. Returns the way back for virtual_leave, or
   -1 after one line. */
int virtual_enter(const char *host);
bool virtual_leave(int home);
/* Inside a host: true if the interface of this network can send. */
bool virtual_is_running(int network);
/* Inside a host: makes the interface, and returns the file that carries its frames; -1 after one
   line. */
int virtual_tap_open(const char *interface);
/* Inside a host: every packet gets a frame of its own. Returns false after one line. */
bool virtual_offload_off(const char *interface);

/* ---- The commands ---------------------------------------------------------------------------- */

int virtual_up(const char *name, const virtual_settings *settings);
int virtual_down(const char *name);
/* Removes all clusters whose owner has ended, and says so. */
void virtual_sweep(void);
/* words: the host, then the command. as_ssh: joined with blanks, for a shell in the folder /;
   otherwise the command gets them as they are, in the current folder. */
int virtual_run(const char *name, char **words, bool as_ssh);
int virtual_link(const char *name, const char *host, const char *state);
int virtual_list(const char *name);

/* ---- owner.c: the process that a cluster is for ---------------------------------------------- */

/* True if there is such a process. */
bool virtual_owner_is(long pid);
/* Notes the owner. Returns false if that cannot be. */
bool virtual_owner_write(const char *name, long pid);
void virtual_owner_forget(const char *name);
/* Calls each for every cluster whose owner has ended. each may remove it. */
void virtual_owner_each_ended(void (*each)(const char *name, long pid));

/* wire.c: carries the frames of all networks, in a process of its own that virtual_wire_stop ends.
   taps has the files of network 0, host by host, then those of network 1 and so on; they belong to
   that process afterwards. Returns false after one line. */
bool virtual_wire_start(const char *name, const virtual_settings *settings, int *taps);
void virtual_wire_stop(const char *name);
/* The address by which the wire knows an interface: host and network count from 0. */
void virtual_wire_address(int host, int network, unsigned char address[6]);

#endif
