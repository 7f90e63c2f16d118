/* SPDX-License-Identifier: BSD-3-Clause */
/* check_host.c: what `cmrun --check` looks at on a host; see check_internal.h for what is said. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "base/environment.h"
#include "base/exit.h"
#include "comm/engine/auth.h"
#include "launch/check_internal.h"
#include "launch/loop.h"
#include "revision.h"

/* For all names: a name server that does not answer must not hold up the check. */
static const double resolving_s = 5;

typedef struct {
    check_here here;
    char **name; /* of all hosts, as cmrun calls them */
    char *folder, *program;
    pid_t resolver; /* 0: none */
    double resolver_since_s;
    cm_environment environment;
} helper;

/* ---- Cards ----------------------------------------------------------------------------------- */

static void write_card(const check_card *card, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s", card->token);
    for (int i = 0; i < card->n && used < size; i++) {
        const cm_machine_interface *interface = &card->at[i].interface;
        used += (size_t)snprintf(text + used, size - used, "%c%s %d %s", i ? ';' : ' ',
                                 interface->name, interface->network_bits, interface->text);
        for (int k = 0; k < card->ports && used < size; k++)
            used += (size_t)snprintf(text + used, size - used, " %d", card->at[i].port[k]);
    }
}

static bool read_address(const char *text, cm_machine_interface *to)
{
    struct addrinfo *found, hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST};
    if (getaddrinfo(text, NULL, &hints, &found) != 0) return false;
    memcpy(&to->address, found->ai_addr, found->ai_addrlen);
    to->length = found->ai_addrlen;
    freeaddrinfo(found);
    return true;
}

static bool read_card(const char *text, check_card *card)
{
    memset(card, 0, sizeof *card);
    if (sscanf(text, "%32[0-9a-f]", card->token) != 1) return false;
    for (const char *at = strchr(text, ' '); at && card->n < CHECK_ADDRESSES;
         at = strchr(at + 1, ';')) {
        cm_machine_interface *interface = &card->at[card->n].interface;
        int *port = card->at[card->n].port;
        const int ports = sscanf(at + 1, "%31s %d %63s %d %d", interface->name,
                                 &interface->network_bits, interface->text, &port[0], &port[1])
                          - 3;
        if (ports < 1 || !read_address(interface->text, interface)) return false;
        card->ports = ports;
        card->n++;
    }
    return card->n > 0;
}

/* ---- Listening ------------------------------------------------------------------------------- */

static void wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void wrong(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs("wrong ", stdout);
    vprintf(format, list);
    putchar('\n');
    va_end(list);
}

/* Returns -1 if it cannot listen there; see errno. */
static int listen_at(const cm_machine_interface *interface, int *port)
{
    struct sockaddr_storage address = interface->address;
    socklen_t length = interface->length;
    const int on = 1, fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    in_port_t *at = address.ss_family == AF_INET6 ? &((struct sockaddr_in6 *)&address)->sin6_port
                                                  : &((struct sockaddr_in *)&address)->sin_port;
    *at = htons((in_port_t)*port);
    if (fd >= 0 && *port) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&address, length) == 0 && listen(fd, SOMAXCONN) == 0
        && getsockname(fd, (struct sockaddr *)&address, &length) == 0) {
        *port = ntohs(*at);
        return fd;
    }
    const int cause = errno;
    if (fd >= 0) close(fd);
    errno = cause;
    return -1;
}

/* The first port that is free, from low on towards high, as ranks look for theirs; 0, 0: any. */
static int listen_within(const cm_machine_interface *interface, int low, int high, int *port)
{
    const int step = low <= high ? 1 : -1;
    for (int k = low;; k += step) {
        *port = k;
        const int fd = listen_at(interface, port);
        if (fd >= 0 || errno != EADDRINUSE || k == high) return fd;
    }
}

/* Of several ports the first and the last: firewalls open ranges. */
static void listen_everywhere(helper *helper)
{
    check_here *here = &helper->here;
    check_card *own = &here->own;
    const cm_ports ports = helper->environment.ports;
    const int ends[CHECK_PORTS][2] = {{ports.low, ports.high}, {ports.high, ports.low}};
    own->ports = ports.low < ports.high ? 2 : 1;
    for (int i = 0; i < own->n; i++)
        for (int k = 0; k < own->ports; k++) {
            const int fd =
                listen_within(&own->at[i].interface, ends[k][0], ends[k][1], &own->at[i].port[k]);
            if (fd < 0 && k == 1) own->at[i].port[1] = own->at[i].port[0]; /* one is free */
            else if (fd < 0) {
                if (ports.low)
                    wrong("CM_PORTS=%d-%d: no rank can listen at %s: %s", ports.low, ports.high,
                          own->at[i].interface.text, strerror(errno));
                else
                    wrong("no rank can listen at %s: %s", own->at[i].interface.text,
                          strerror(errno));
                own->n = 0;
                return;
            } else here->listener[here->listeners++] = fd;
        }
}

static bool make_token(char *token)
{
    unsigned char bytes[CHECK_TOKEN / 2];
    if (!cm_auth_random(bytes, sizeof bytes)) return false;
    for (size_t k = 0; k < sizeof bytes; k++) snprintf(token + 2 * k, 3, "%02x", bytes[k]);
    return true;
}

/* CM_RAILS may name interfaces instead of CM_INTERFACE. */
static void open_networks(helper *helper)
{
    const cm_environment *environment = &helper->environment;
    const bool rails = environment->rails
                       && strspn(environment->rails, "0123456789") != strlen(environment->rails);
    const char *wanted = rails ? environment->rails : environment->interface;
    cm_machine_interface list[CHECK_ADDRESSES];
    char why[512], text[CHECK_CARD];
    check_card *own = &helper->here.own;
    int n;
    if (cm_machine_interface_list(wanted, AF_UNSPEC, list, CHECK_ADDRESSES, &n, why, sizeof why)) {
        if (wanted) wrong("%s=%s: %s", rails ? "CM_RAILS" : "CM_INTERFACE", wanted, why);
        else wrong("%s", why);
        return;
    }
    if (!make_token(own->token)) {
        wrong("no random numbers: %s", strerror(errno));
        return;
    }
    own->n = n;
    for (int i = 0; i < n; i++) own->at[i].interface = list[i];
    listen_everywhere(helper);
    if (own->n == 0) return;
    write_card(own, text, sizeof text);
    printf("card %s\n", text);
}

/* ---- Facts ----------------------------------------------------------------------------------- */

static void say_limit(const char *what, int resource)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return;
    /* cmrun raises the limit on open files as far as it may. */
    const rlim_t most = resource == RLIMIT_NOFILE ? limit.rlim_max : limit.rlim_cur;
    printf("%s %lld\n", what, most == RLIM_INFINITY ? -1LL : (long long)most);
}

static void say_backlog(void)
{
    long long backlog;
    FILE *file = fopen("/proc/sys/net/core/somaxconn", "r");
    if (file && fscanf(file, "%lld", &backlog) == 1) printf("backlog %lld\n", backlog);
    if (file) fclose(file);
}

static _Noreturn void say_names(const helper *helper)
{
    for (int k = 0; k < helper->here.n; k++) {
        struct addrinfo *found = NULL, hints = {.ai_socktype = SOCK_STREAM};
        const int status = helper->name[k] ? getaddrinfo(helper->name[k], NULL, &hints, &found) : 0;
        if (status) dprintf(1, "unresolved %s\n", helper->name[k]);
        else if (found) freeaddrinfo(found);
    }
    _exit(CM_EXIT_PASS);
}

/* Names are resolved in a process of its own: this one must let others in meanwhile. */
static void begin_names(helper *helper)
{
    const pid_t parent = getpid();
    fflush(stdout);
    helper->resolver = fork();
    helper->resolver_since_s = loop_now_s();
    if (helper->resolver != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) say_names(helper);
    _exit(CM_EXIT_SYSTEM);
}

static void end_names(helper *helper)
{
    while (helper->resolver > 0 && waitpid(helper->resolver, NULL, WNOHANG) == 0) {
        check_let_in(&helper->here);
        if (loop_now_s() - helper->resolver_since_s > resolving_s) kill(helper->resolver, SIGKILL);
        poll(NULL, 0, 10);
    }
    helper->resolver = 0;
}

static bool can_run(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static bool found(const char *program)
{
    char path[4096];
    if (strchr(program, '/')) return can_run(program);
    for (const char *at = getenv("PATH"); at && *at;) {
        const int length = (int)strcspn(at, ":");
        snprintf(path, sizeof path, "%.*s/%s", length ? length : 1, length ? at : ".", program);
        if (can_run(path)) return true;
        at += length;
        at += *at == ':';
    }
    return false;
}

static void look(helper *helper)
{
    const char *program = helper->program;
    const bool there = !helper->folder || chdir(helper->folder) == 0;
    printf("version %s %s %s\n", PACKAGE_VERSION, CM_COMM, CM_REVISION);
    if (!there) wrong("the working folder %s: %s", helper->folder, strerror(errno));
    if (program && !found(program))
        wrong("%s is not %s", program,
              strchr(program, '/') ? "there, or cannot be run" : "in any folder of PATH");
    say_limit("files", RLIMIT_NOFILE);
    say_limit("locked", RLIMIT_MEMLOCK);
    say_limit("processes", RLIMIT_NPROC);
    say_backlog();
    begin_names(helper);
    if (cm_environment_read(&helper->environment) == 0) open_networks(helper);
    helper->here.silence_s = fmin(helper->environment.timeout_s, helper->here.silence_s);
    puts("ready");
}

/* ---- Orders ---------------------------------------------------------------------------------- */

/* Room for the hosts; false: there is none, or there are none. */
static bool set_hosts(helper *helper, const char *text)
{
    check_here *here = &helper->here;
    if (here->n || sscanf(text, "%d %d", &here->number, &here->n) != 2 || here->n < 1) return false;
    here->card = calloc((size_t)here->n, sizeof *here->card);
    helper->name = calloc((size_t)here->n, sizeof *helper->name);
    return here->card && helper->name;
}

static bool set_card(helper *helper, int k, const char *text)
{
    check_card *card = calloc(1, sizeof *card);
    if (!card || !read_card(text, card) || helper->here.card[k]) {
        free(card);
        return false;
    }
    helper->here.card[k] = card;
    return true;
}

static bool put_variable(char *text)
{
    char *equals = strchr(text, '=');
    if (!equals) return false;
    *equals = 0;
    return setenv(text, equals + 1, 1) == 0;
}

/* Returns false if the order makes no sense. */
static bool obey(helper *helper, char *line)
{
    char *rest = line + strcspn(line, " ");
    int k = -1, at = 0;
    if (*rest) *rest++ = 0;
    if (strcmp(line, "variable") == 0) return put_variable(rest);
    if (strcmp(line, "folder") == 0) return (helper->folder = strdup(rest));
    if (strcmp(line, "program") == 0) return (helper->program = strdup(rest));
    if (strcmp(line, "host") == 0) return set_hosts(helper, rest);
    if (strcmp(line, "look") == 0) {
        look(helper);
    } else if (strcmp(line, "clock") == 0) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        printf("clock %.6f\n", (double)now.tv_sec + 1e-9 * (double)now.tv_nsec);
    } else if (strcmp(line, "connect") == 0) {
        check_connect_all(&helper->here);
        end_names(helper);
        puts("done");
    } else {
        if (sscanf(rest, "%d %n", &k, &at) != 1 || !at || k < 0 || k >= helper->here.n)
            return false;
        if (strcmp(line, "name") == 0) return (helper->name[k] = strdup(rest + at));
        return strcmp(line, "card") == 0 && set_card(helper, k, rest + at);
    }
    return true;
}

/* Returns the next line of stdin, NULL at its end. Meanwhile others are let in. */
static char *next_line(const check_here *here, char *buffer, size_t size, size_t *bytes)
{
    for (;;) {
        char *end = memchr(buffer, '\n', *bytes);
        if (end) {
            *end = 0;
            return buffer;
        }
        struct pollfd file[1 + CHECK_ADDRESSES * CHECK_PORTS] = {{.fd = 0, .events = POLLIN}};
        for (int i = 0; i < here->listeners; i++)
            file[1 + i] = (struct pollfd){.fd = here->listener[i], .events = POLLIN};
        if (*bytes == size || (poll(file, 1 + (nfds_t)here->listeners, -1) < 0 && errno != EINTR))
            return NULL;
        check_let_in(here);
        if (!file[0].revents) continue;
        const ssize_t got = read(0, buffer + *bytes, size - *bytes);
        if (got == 0 || (got < 0 && errno != EINTR)) return NULL;
        if (got > 0) *bytes += (size_t)got;
    }
}

static void forget(helper *helper)
{
    check_here *here = &helper->here;
    for (int k = 0; k < here->n; k++) {
        free(here->card ? here->card[k] : NULL);
        free(helper->name ? helper->name[k] : NULL);
    }
    if (helper->resolver > 0 && kill(helper->resolver, SIGKILL) == 0)
        waitpid(helper->resolver, NULL, 0);
    while (here->listeners > 0) close(here->listener[--here->listeners]);
    free(here->card);
    free(helper->name);
    free(helper->folder);
    free(helper->program);
}

int check_host(void)
{
    enum { LINE = 65536 };
    helper helper = {.here = {.silence_s = CHECK_SILENCE_S}};
    char *buffer = malloc(LINE), *line;
    size_t bytes = 0;
    bool sensible = buffer;
    struct rlimit files;
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ); /* the resolver writes lines, too */
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max; /* for connections to many hosts at a time */
        setrlimit(RLIMIT_NOFILE, &files);
    }
    while (sensible && (line = next_line(&helper.here, buffer, LINE, &bytes))) {
        const size_t length = strlen(line) + 1;
        sensible = obey(&helper, line) && fflush(stdout) == 0;
        memmove(buffer, buffer + length, bytes - length);
        bytes -= length;
    }
    if (!sensible) fprintf(stderr, "cmrun: wrong usage: --check-host is for cmrun --check only\n");
    forget(&helper);
    free(buffer);
    return sensible ? CM_EXIT_PASS : CM_EXIT_USAGE;
}
