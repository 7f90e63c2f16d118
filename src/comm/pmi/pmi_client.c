/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi_client.c: a rank's side of PMI-1, on the socket that the launcher passes in PMI_FD. */
#include "config.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "comm/comm.h"
#include "comm/pmi/pmi_internal.h"

__attribute__((format(printf, 2, 3))) static int request(cm_pmi *pmi, const char *format, ...)
{
    char line[CM_PMI_LINE_BYTES];
    va_list list;
    va_start(list, format);
    int bytes = vsnprintf(line, sizeof line, format, list);
    va_end(list);
    if (bytes < 0 || (size_t)bytes >= sizeof line)
        return cm_pmi_failed(pmi, "PMI: a request is too long");
    if (!cm_pmi_line_send(pmi->fd, line, (size_t)bytes))
        return cm_pmi_lost(pmi, errno == EPIPE || errno == ECONNRESET ? 0 : errno);
    return 0;
}

/* Reads the next line, which must be cmd=expected. *line is NULL if none has arrived yet and wait
   is false. */
static int answer(cm_pmi *pmi, const char *expected, bool wait, char **line)
{
    char command[CM_PMI_NAME_BYTES];
    *line = NULL;
    switch (cm_pmi_reader_next(&pmi->reader, pmi->fd, wait, line)) {
    case CM_PMI_READ_MORE:
        return 0;
    case CM_PMI_READ_END:
        return cm_pmi_lost(pmi, 0);
    case CM_PMI_READ_ERROR:
        return cm_pmi_lost(pmi, errno);
    case CM_PMI_READ_TOO_LONG:
        return cm_pmi_failed(pmi, "PMI: the launcher sent a line of more than %d bytes",
                             CM_PMI_LINE_BYTES);
    case CM_PMI_READ_LINE:
        break;
    }
    if (!cm_pmi_line_valid(*line) || !cm_pmi_line_field(*line, "cmd", command, sizeof command)
        || strcmp(command, expected) != 0)
        return cm_pmi_failed(pmi, "PMI: expected cmd=%s from the launcher, got '%.80s'", expected,
                             *line);
    return 0;
}

/* Parses a whole decimal number, 0 <= number < limit. */
static bool variable(const char *name, int limit, int *number)
{
    const char *text = getenv(name);
    char *end;
    if (!text || *text < '0' || *text > '9') return false;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno || *end || value >= limit) return false;
    *number = (int)value;
    return true;
}

static int usage(const char *name, const char *right)
{
    const char *value = getenv(name);
    fprintf(stderr,
            "clustermark: %s is %s%s%s; with PMI_FD set, expected %s; "
            "start the program with cmrun or MPICH's mpiexec\n",
            name, value ? "'" : "", value ? value : "not set", value ? "'" : "", right);
    return CM_EXIT_USAGE;
}

/* Reads the answer to init. */
static int take_welcome(cm_pmi *pmi, const char *line)
{
    int version, code, gather;
    char launcher[CM_PMI_NAME_BYTES];
    if (!cm_pmi_line_number(line, "rc", &code) || code != 0
        || !cm_pmi_line_number(line, "pmi_version", &version) || version != 1)
        return cm_pmi_failed(pmi, "PMI: the launcher does not speak version 1: '%.80s'", line);
    pmi->collects_messages = cm_pmi_line_field(line, "launcher", launcher, sizeof launcher)
                             && strcmp(launcher, "cmrun") == 0;
    pmi->gathers = cm_pmi_line_number(line, "gather", &gather) && gather == 1;
    pmi->joined = true;
    return 0;
}

/* Asks for this version. Returns whether the launcher speaks it; otherwise it may speak the
   other. */
static int ask_for(cm_pmi *pmi, int wanted, bool *speaks, char **line)
{
    int code, version;
    int status = request(pmi, "cmd=init pmi_version=%d pmi_subversion=%d\n", wanted, wanted == 1);
    if (!status) status = answer(pmi, "response_to_init", true, line);
    *speaks = !status && cm_pmi_line_number(*line, "rc", &code) && code == 0
              && cm_pmi_line_number(*line, "pmi_version", &version) && version == wanted;
    return status;
}

/* PMI-1, or PMI-2 if the launcher speaks only that. Slurm's pmi2, which sets PMI_JOBID, speaks
   both; with PMI-2 it can say which rank is missing. */
static int join(cm_pmi *pmi)
{
    char *line;
    bool speaks = false;
    int first = getenv("PMI_JOBID") ? 2 : 1, version = first;
    int status = ask_for(pmi, version, &speaks, &line);
    if (!status && !speaks) status = ask_for(pmi, version = 3 - first, &speaks, &line);
    if (status || (speaks && version == 2)) return status ? status : cm_pmi2_join(pmi);
    return take_welcome(pmi, line);
}

/* Returns true if the socket is one that cmrun has made for this rank. A variable that only said
   so could come from a launcher further out. */
static bool is_of_cmrun(int fd)
{
    const char *text = getenv("PMI_SOCKET");
    struct stat status;
    char number[24];
    if (!text || fstat(fd, &status) != 0) return false;
    snprintf(number, sizeof number, "%llu", (unsigned long long)status.st_ino);
    return strcmp(text, number) == 0;
}

/* Asks for the name of the key-value space, once. */
static int learn_space(cm_pmi *pmi)
{
    char *line;
    if (*pmi->space) return 0;
    int status = request(pmi, "cmd=get_my_kvsname\n");
    if (status || (status = answer(pmi, "my_kvsname", true, &line))) return status;
    if (!cm_pmi_line_field(line, "kvsname", pmi->space, sizeof pmi->space) || !*pmi->space)
        return cm_pmi_failed(pmi, "PMI: no usable kvsname in '%.80s'", line);
    return 0;
}

static int open_socket(cm_pmi **pmi, bool may_wait)
{
    int fd, rank, size;
    char why[256];
    *pmi = NULL;
    if (cm_pmix_present() && cm_pmix_load(why, sizeof why)) return cm_pmix_open(pmi);
    if (!getenv("PMI_FD")) return 0;
    if (!variable("PMI_FD", 1 << 30, &fd)) return usage("PMI_FD", "the number of an open file");
    if (!variable("PMI_SIZE", 1 << 30, &size) || size < 1) return usage("PMI_SIZE", "at least 1");
    if (!variable("PMI_RANK", size, &rank)) {
        char right[40];
        snprintf(right, sizeof right, "0 to %d (PMI_SIZE - 1)", size - 1);
        return usage("PMI_RANK", right);
    }
    cm_pmi *new = calloc(1, sizeof *new);
    if (!new) {
        fprintf(stderr, "clustermark: out of memory for the connection to the launcher\n");
        return CM_EXIT_SYSTEM;
    }
    *new = (cm_pmi){.fd = fd, .rank = rank, .size = size};

    /* Close on exec: programs that this rank starts must not use the socket or keep it open. */
    int flags = fcntl(fd, F_GETFD);
    int status = 0;
    if (flags < 0 || fcntl(fd, F_SETFD, flags | FD_CLOEXEC) < 0)
        status = cm_pmi_failed(new,
                               "PMI_FD=%d is not an open file; a program between launcher and "
                               "rank must leave it open",
                               fd);
    if (!status && may_wait && size > 1 && is_of_cmrun(fd))
        new->collects_messages = new->gathers = true;
    else if (!status) status = join(new);
    if (status) free(new);
    else *pmi = new;
    return status;
}

int cm_pmi_open(cm_pmi **pmi) { return open_socket(pmi, false); }
int cm_pmi_open_to_gather(cm_pmi **pmi) { return open_socket(pmi, true); }

int cm_pmi_rank(const cm_pmi *pmi) { return pmi->rank; }
int cm_pmi_size(const cm_pmi *pmi) { return pmi->size; }
int cm_pmi_fd(const cm_pmi *pmi) { return pmi->fd; }
bool cm_pmi_by_cmrun(const cm_pmi *pmi) { return pmi->collects_messages; }
bool cm_pmi_gathers(const cm_pmi *pmi) { return pmi->gathers; }

/* Reads the status in an answer: rc=0, or its msg. */
static int verdict(const cm_pmi *pmi, const char *line, const char *verb, const char *key)
{
    int code;
    char message[256];
    if (cm_pmi_line_number(line, "rc", &code) && code == 0) return 0;
    if (!cm_pmi_line_field(line, "msg", message, sizeof message))
        strcpy(message, "no reason given");
    return cm_pmi_failed(pmi, "PMI: cannot %s key '%s': %s", verb, key, message);
}

static int wrong_value(const cm_pmi *pmi, const char *key)
{
    return cm_pmi_failed(pmi,
                         "PMI: the value of key '%s' is empty, longer than %d bytes or contains "
                         "a space",
                         key, CM_PMI_VALUE_BYTES - 1);
}

int cm_pmi_put(cm_pmi *pmi, const char *key, const char *value)
{
    char *line;
    if (!cm_pmi_key_valid(key)) return cm_pmi_failed(pmi, "PMI: '%.80s' is not a valid key", key);
    if (!cm_pmi_value_valid(value)) return wrong_value(pmi, key);
    if (pmi->protocol) return pmi->protocol->put(pmi, key, value);
    int status = learn_space(pmi);
    if (!status)
        status = request(pmi, "cmd=put kvsname=%s key=%s value=%s\n", pmi->space, key, value);
    if (!status) status = answer(pmi, "put_result", true, &line);
    return status ? status : verdict(pmi, line, "put", key);
}

int cm_pmi_get(cm_pmi *pmi, int owner, const char *key, char *value, size_t capacity)
{
    char *line;
    if (!cm_pmi_key_valid(key)) return cm_pmi_failed(pmi, "PMI: '%.80s' is not a valid key", key);
    if (pmi->protocol) return pmi->protocol->get(pmi, owner, key, value, capacity);
    int status = learn_space(pmi);
    if (!status) status = request(pmi, "cmd=get kvsname=%s key=%s\n", pmi->space, key);
    if (!status) status = answer(pmi, "get_result", true, &line);
    if (!status) status = verdict(pmi, line, "get", key);
    if (!status && !cm_pmi_line_field(line, "value", value, capacity))
        status =
            cm_pmi_failed(pmi, "PMI: the value of key '%s' is missing or longer than %zu bytes",
                          key, capacity - 1);
    return status;
}

int cm_pmi_barrier_start(cm_pmi *pmi)
{
    if (pmi->protocol) return pmi->protocol->barrier_start(pmi);
    int status = request(pmi, "cmd=barrier_in\n");
    pmi->in_barrier = !status;
    return status;
}

int cm_pmi_leave_start(cm_pmi *pmi)
{
    if (!pmi->collects_messages) return cm_pmi_barrier_start(pmi);
    int status = request(pmi, "cmd=barrier_in finalize=1\n");
    pmi->in_barrier = pmi->leaving = !status;
    return status;
}

int cm_pmi_barrier_done(cm_pmi *pmi, bool *done)
{
    char *line = NULL;
    if (pmi->protocol) return pmi->protocol->barrier_done(pmi, false, done);
    const char *expected = pmi->leaving ? "finalize_ack" : "barrier_out";
    int status = pmi->in_barrier ? answer(pmi, expected, false, &line) : 0;
    if (line) pmi->in_barrier = false;
    if (line && pmi->leaving) pmi->left = true;
    *done = !status && !pmi->in_barrier;
    return status;
}

int cm_pmi_barrier(cm_pmi *pmi)
{
    char *line;
    bool done;
    int status = cm_pmi_barrier_start(pmi);
    if (pmi->protocol) return status ? status : pmi->protocol->barrier_done(pmi, true, &done);
    if (!status) status = answer(pmi, "barrier_out", true, &line);
    pmi->in_barrier = false;
    return status;
}

/* Takes a line of values, the first of which belongs to rank *next. */
static bool take_values(char *line, int size, int *next, char *value,
                        void (*each)(void *context, int rank, const char *value), void *context)
{
    int first;
    if (!cm_pmi_line_number(line, "first", &first) || first != *next) return false;
    for (char *word = strstr(line, " v="); word && *next < size; word = strstr(word, " v=")) {
        word += 3;
        if (!cm_pmi_lengthen(word, strcspn(word, " "), value)) return false;
        each(context, (*next)++, value);
    }
    return *next > first;
}

int cm_pmi_gather(cm_pmi *pmi, const char *value,
                  void (*each)(void *context, int rank, const char *value), void *context)
{
    char *line, known[CM_PMI_VALUE_BYTES] = "";
    if (!cm_pmi_value_valid(value)) return wrong_value(pmi, "gather");
    const char *join_too = "cmd=init pmi_version=1 pmi_subversion=1", *expected = "gather_out";
    int status = request(pmi, "%s value=%s\n", pmi->joined ? "cmd=gather_in" : join_too, value);
    for (int rank = 0; !status && rank < pmi->size;) {
        status = answer(pmi, pmi->joined ? expected : "response_to_init", true, &line);
        if (!status && !pmi->joined) status = take_welcome(pmi, line);
        if (!status && !take_values(line, pmi->size, &rank, known, each, context))
            status = cm_pmi_failed(pmi, "PMI: the launcher sent malformed values: '%.80s'", line);
    }
    return status;
}

int cm_pmi_finalize(cm_pmi *pmi)
{
    char *line;
    if (!pmi) return 0;
    if (pmi->protocol) {
        int ended = pmi->protocol->finalize(pmi);
        free(pmi);
        return ended;
    }
    int status = pmi->left ? 0 : request(pmi, "cmd=finalize\n");
    if (!status && !pmi->left) status = answer(pmi, "finalize_ack", true, &line);
    /* The descriptor stays open. It belongs to the launcher, and if this rank is a shell script,
       its next program may use it. */
    free(pmi);
    return status;
}

/* Sleeps the whole time even if signals arrive; a program may have a timer running. */
static void nap(double seconds)
{
    struct timespec left = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    while (nanosleep(&left, &left) != 0 && errno == EINTR) {}
}

/* A launcher that does not collect messages prints the lines of all ranks that fail together. So
   the ranks take turns, each long enough for the launcher to end the others. */
static double turn_s(int rank)
{
    enum { TURNS = 4 };
    return 0.5 * (rank < TURNS ? rank : TURNS);
}

/* Its peers see its connections close when it exits, and would report that, so a rank that has told
   such a launcher waits to be ended together with them. */
static const double KILLED_WITHIN_S = 0.5;

void cm_pmi_abort(cm_pmi *pmi, int status, int blames, const char *text)
{
    if (pmi) {
        char line[CM_PMI_LINE_BYTES], message[CM_PMI_LINE_BYTES - 128];
        int bytes;
        if (pmi->collects_messages) {
            cm_pmi_encode(text, message, sizeof message);
            bytes = snprintf(line, sizeof line, "cmd=abort exitcode=%d blames=%d message=%s\n",
                             status, blames, message);
        } else bytes = snprintf(line, sizeof line, "cmd=abort exitcode=%d\n", status);
        if (!pmi->collects_messages) {
            /* Hydra ends its proxies at once and loses the output of ranks that they have not read
               yet. */
            nap(turn_s(pmi->rank));
            fprintf(stderr, "%s\n", text);
            nap(0.1);
        }
        if (pmi->protocol) {
            pmi->protocol->abort(pmi, status);
            nap(KILLED_WITHIN_S);
            return;
        }
        /* A launcher that does not read must not keep a failing rank alive. */
        bool sent = send(pmi->fd, line, (size_t)bytes, MSG_NOSIGNAL | MSG_DONTWAIT) == bytes;
        if (!pmi->collects_messages) {
            nap(KILLED_WITHIN_S);
            return;
        }
        if (sent) return;
    }
    fprintf(stderr, "%s\n", text);
}
