/* SPDX-License-Identifier: BSD-3-Clause */
/* main.c: virtual-cluster's command line. */
#include "config.h"
#include <stdlib.h>
#include <string.h>
#include "comm/comm.h"
#include "virtual.h"

typedef struct {
    const cm_program *program, *up, *down, *run, *list, *link;
} programs;

/* ---- Called like ssh ------------------------------------------------------------------------- */

/* True if the words are not those of a command: options of ssh, HOST and a command for it. */
static bool is_launcher(const programs *p, int argc, char **argv)
{
    if (argc < 2) return false;
    const char *word = argv[1];
    if (strcmp(word, "--") == 0) return true;
    if (strncmp(word, "--", 2) == 0 || strcmp(word, "-h") == 0 || strcmp(word, "-V") == 0)
        return false;
    if (*word == '-') return true;
    for (const cm_program *const *each = p->program->commands; *each; each++)
        if (strcmp(strchr((*each)->name, ' ') + 1, word) == 0) return false;
    return argc > 2 && strcmp(word, "help") != 0;
}

static int launch(const programs *p, const char *name, int argc, char **argv)
{
    int at = 1;
    for (; at < argc && *argv[at] == '-'; at++) {
        if (strcmp(argv[at], "--") == 0) {
            at++;
            break;
        }
        const char *letter = argv[at] + 1 + strspn(argv[at] + 1, "46AaCfGgKkMNnqsTtVvXxYy");
        if (letter[0] && !letter[1]) at++; /* its value is the next word */
    }
    if (argc - at < 2) return cm_option_error(p->run, "expected HOST and a COMMAND");
    return virtual_run(name, argv + at, true);
}

/* ---- The commands ---------------------------------------------------------------------------- */

static int up(const programs *p, const char *name, virtual_settings *settings, int64_t networks,
              int argc, char **argv)
{
    char *end;
    if (argc != 1) return cm_option_error(p->up, "expected one operand, the number of hosts");
    long hosts = strtol(argv[0], &end, 10);
    if (end == argv[0] || *end || hosts < 1 || hosts > VIRTUAL_HOSTS)
        return cm_option_error(p->up, "'%s': expected 1 to %d hosts", argv[0], VIRTUAL_HOSTS);
    if (settings->owner && !virtual_owner_is((long)settings->owner))
        return cm_option_error(p->up, "--owner %ld: expected the number of a process that runs",
                               (long)settings->owner);
    int status = virtual_settings_read(p->up, settings);
    settings->hosts = (int)hosts;
    settings->networks = (int)networks;
    return status ? status : virtual_up(name, settings);
}

static int dispatch(const programs *p, const cm_program *command, const char *name,
                    virtual_settings *settings, int64_t networks, int argc, char **argv)
{
    if (command == p->up) return up(p, name, settings, networks, argc, argv);
    if (command == p->down) return virtual_down(name);
    if (command == p->list) return virtual_list(name);
    if (command == p->run) {
        if (argc < 2) return cm_option_error(command, "expected HOST and a COMMAND");
        return virtual_run(name, argv, false);
    }
    if (argc != 2 || (strcmp(argv[1], "up") != 0 && strcmp(argv[1], "down") != 0))
        return cm_option_error(command, "expected HOST, and up or down");
    return virtual_link(name, argv[0], argv[1]);
}

int main(int argc, char **argv)
{
    virtual_settings settings = {0};
    int64_t networks = 1;
    const cm_option up_options[] = {
        CM_TEXT("rate", 0, "RATE", &settings.rate,
                "limit what each host sends, and what it receives, to RATE, as 100mbit or 1gbit: "
                "every frame takes its length divided by RATE. Default: no limit"),
        CM_TEXT("delay", 0, "TIME", &settings.delay,
                "let every frame arrive TIME later, as 50us or 1ms. Default: no delay"),
        CM_INTEGER("mtu", 0, "BYTES", &settings.mtu_bytes, VIRTUAL_MTU_LEAST, VIRTUAL_MTU_MOST,
                   "the largest packet. No interface then carries larger pieces and leaves the "
                   "division to the next. Default: 1500, with such pieces unless there is a rate "
                   "or a delay; --ipv6 needs 1280 or more"),
        CM_INTEGER("interfaces", 0, "K", &networks, 1, VIRTUAL_NETWORKS,
                   "give each host interfaces eth0 to eth(K-1), each on a network of its own"),
        CM_INTEGER("owner", 0, "PID", &settings.owner, 1, 0x1p31,
                   "the hosts are for process PID: if that has ended, the next `up` of any cluster "
                   "removes them. Default: they stay until `down`"),
        CM_FLAG("ipv6", 0, &settings.ipv6, "use IPv6 addresses instead of IPv4"),
        {0},
    };
    static const cm_option none[] = {{0}};
    const cm_program command_up = {
        .name = "virtual-cluster up",
        .purpose = "Make N hosts.",
        .description =
            "Makes the hosts NAME1 to NAMEN. The addresses of NAME1 are 10.77.0.1 (eth0), "
            "10.78.0.1 (eth1) and so on, or fd77::1, fd78::1 and so on. Host names resolve to "
            "those of eth0. If it is interrupted or fails, it removes what it has made.\n"
            "\n"
            "With --rate or --delay a process of the cluster carries all frames, and needs some "
            "of the time of a core: about 30 % while 100 Mbit/s pass, nearly all at 1 Gbit/s.",
        .operands = "N",
        .options = up_options,
        .mixed = true,
    };
    const cm_program command_down = {
        .name = "virtual-cluster down",
        .purpose = "Remove the hosts.",
        .description = "Programs that still run on the hosts get SIGTERM, and SIGKILL if they have "
                       "not ended after two seconds.",
        .options = none,
    };
    const cm_program command_run = {
        .name = "virtual-cluster run",
        .purpose = "Run a command on a host.",
        .description = "COMMAND starts in the current folder and gets its arguments as they are "
                       "given: no shell reads them, so a command line of a shell is sh -c 'LINE'. "
                       "It exits with the status of COMMAND; all processes of COMMAND end with it. "
                       "SIGTERM and SIGHUP are passed on to COMMAND. "
                       "Results say in which cluster they were measured (CM_VIRTUAL).",
        .operands = "HOST COMMAND...",
        .options = none,
    };
    const cm_program command_list = {
        .name = "virtual-cluster list",
        .purpose = "Print the hosts and their addresses.",
        .options = none,
    };
    const cm_program command_link = {
        .name = "virtual-cluster link",
        .purpose = "Plug in or pull out the cable of a host's eth0.",
        .operands = "HOST up|down",
        .options = none,
    };
    static const cm_exit_status statuses[] = {
        {CM_EXIT_PASS, "done; of `run`, the status of the command"},
        {CM_EXIT_USAGE, "wrong usage, or there is no such host"},
        {CM_EXIT_SYSTEM, "the system failed, or the user is not root"},
        {0, NULL}};
    const cm_program *const commands[] = {&command_up,   &command_down, &command_run,
                                          &command_list, &command_link, NULL};
    const cm_program program = {
        .name = "virtual-cluster",
        .purpose = "Make hosts on this machine, from network namespaces.",
        .description =
            "Programs on different hosts see different host names and reach each other over TCP "
            "only. The hosts share the cores and the memory of this machine. Needs root, and "
            "Linux with ip (iproute2) and unshare (util-linux).\n"
            "\n"
            "The hosts are NAME1, NAME2 and so on. NAME is the value of VIRTUAL_CLUSTER_NAME, or "
            "h. Clusters of different names exist side by side, but do not reach each other.\n"
            "\n"
            "`virtual-cluster HOST COMMAND...` is like ssh: it ignores ssh's options before HOST, "
            "joins the words of COMMAND with blanks and gives them to a shell, in the folder /. So "
            "virtual-cluster is a launcher for cmrun and mpiexec. In the examples PATH is its "
            "absolute path.",
        .options = none,
        .commands = commands,
        .exit_statuses = statuses,
        .examples =
            "virtual-cluster up 4 --rate 100mbit --delay 50us\tfour hosts on Fast Ethernet\n"
            "virtual-cluster run h1 cmrun -l PATH --hosts h1,h2 cm-netpipe\twith cmrun\n"
            "virtual-cluster run h1 mpiexec -launcher-exec PATH -hosts h1,h2 a.out\twith MPICH\n"
            "virtual-cluster down\tremove them\n",
    };
    const programs p = {&program,     &command_up,   &command_down,
                        &command_run, &command_list, &command_link};
    const char *name = virtual_name();
    const cm_program *command;
    int first, operand;
    if (!name) return CM_EXIT_USAGE;
    if (is_launcher(&p, argc, argv)) return launch(&p, name, argc, argv);
    int status = cm_option_command(&program, argc, argv, &command, &first);
    if (status != CM_OPTION_RUN) return status;
    status = cm_option_parse(command, argc - first, argv + first, &operand);
    if (status != CM_OPTION_RUN) return status;
    operand += first;
    return dispatch(&p, command, name, &settings, networks, argc - operand, argv + operand);
}
