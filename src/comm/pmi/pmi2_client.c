/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi2_client.c: a rank's side of PMI-2, on the socket that the launcher passes in PMI_FD. */
#include "config.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "comm/pmi/pmi_internal.h"

__attribute__((format(printf, 2, 3))) static int request(cm_pmi *pmi, const char *format, ...)
{
    char message[CM_PMI2_HEAD_BYTES + CM_PMI2_MESSAGE_BYTES];
    const size_t room = sizeof message - CM_PMI2_HEAD_BYTES;
    va_list list;
    va_start(list, format);
    int bytes = vsnprintf(message + CM_PMI2_HEAD_BYTES, room, format, list);
    va_end(list);
    if (bytes < 0 || (size_t)bytes >= room)
        return cm_pmi_failed(pmi, "PMI-2: a request is too long");
    char head[CM_PMI2_HEAD_BYTES + 1];
    snprintf(head, sizeof head, "%6u", (unsigned)bytes % 1000000);
    memcpy(message, head, CM_PMI2_HEAD_BYTES);
    if (!cm_pmi_line_send(pmi->fd, message, CM_PMI2_HEAD_BYTES + (size_t)bytes))
        return cm_pmi_lost(pmi, errno == EPIPE || errno == ECONNRESET ? 0 : errno);
    return 0;
}

/* Reads the next message. *message is NULL if none has arrived yet and wait is false. */
static int next(cm_pmi *pmi, bool wait, char **message)
{
    *message = NULL;
    switch (cm_pmi2_reader_next(&pmi->reader2, pmi->fd, wait, message)) {
    case CM_PMI_READ_LINE:
    case CM_PMI_READ_MORE:
        return 0;
    case CM_PMI_READ_END:
        return cm_pmi_lost(pmi, 0);
    case CM_PMI_READ_ERROR:
        return cm_pmi_lost(pmi, errno);
    case CM_PMI_READ_TOO_LONG:
        break;
    }
    return cm_pmi_failed(pmi,
                         "PMI-2: the launcher sent a message of no length, or of more than %d "
                         "bytes",
                         CM_PMI2_MESSAGE_BYTES - 1);
}

static const char fence[] = "kvs-fence";

static int verdict(const cm_pmi *pmi, const char *message, const char *what)
{
    char why[256] = "no reason given";
    if (cm_pmi2_success(message)) return 0;
    cm_pmi2_field(message, "errmsg", why, sizeof why);
    return cm_pmi_failed(pmi, "PMI-2: the launcher refused %s: %s", what, why);
}

/* Takes a message of the barrier. Hydra answers a fence at once, and holds back only who asks for a
   key that is missing until all ranks have come to the fence. So a rank then asks for one that
   nobody puts, whatever the answer; another launcher gives it at once. Returns false if the message
   is of another kind. */
static bool take_of_barrier(cm_pmi *pmi, const char *message, int *status)
{
    *status = 0;
    if (pmi->in_barrier && !pmi->all_asked && cm_pmi2_responds(message, fence)) {
        *status = verdict(pmi, message, "a barrier");
        if (!*status)
            *status =
                request(pmi, "cmd=kvs-get;jobid=%s;srcid=-1;key=clustermark-none;", pmi->space);
        pmi->all_asked = true;
        return true;
    }
    if (pmi->in_barrier && pmi->all_asked && cm_pmi2_responds(message, "kvs-get")) {
        pmi->in_barrier = pmi->all_asked = false;
        return true;
    }
    return false;
}

/* Reads the response to a command. The barrier may open before it comes. */
static int response(cm_pmi *pmi, const char *command, char **message)
{
    for (;;) {
        int status = next(pmi, true, message);
        if (status || cm_pmi2_responds(*message, command)) return status;
        if (!take_of_barrier(pmi, *message, &status))
            return cm_pmi_failed(pmi,
                                 "PMI-2: expected cmd=%s-response from the launcher, got "
                                 "'%.80s'",
                                 command, *message);
        if (status) return status;
    }
}

/* Writes a value without semicolons. Returns false if it does not fit. */
static bool encode(const char *value, char text[CM_PMI_VALUE_BYTES])
{
    size_t used = 0;
    for (; *value; value++) {
        const bool plain = *value != ';' && *value != '%';
        if (used + (plain ? 1 : 3) >= CM_PMI_VALUE_BYTES) return false;
        if (plain) text[used++] = *value;
        else used += (size_t)sprintf(text + used, "%%%02X", (unsigned)*value);
    }
    text[used] = '\0';
    return true;
}

static int put(cm_pmi *pmi, const char *key, const char *value)
{
    char *message, text[CM_PMI_VALUE_BYTES];
    if (strchr(key, ';') || !encode(value, text))
        return cm_pmi_failed(pmi, "PMI-2: key '%s' has a semicolon, or its value is too long", key);
    int status = request(pmi, "cmd=kvs-put;key=%s;value=%s;", key, text);
    if (!status) status = response(pmi, "kvs-put", &message);
    return status ? status : verdict(pmi, message, "a put");
}

static int get(cm_pmi *pmi, int owner, const char *key, char *value, size_t capacity)
{
    char *message, found[8], text[CM_PMI_VALUE_BYTES];
    (void)owner;
    int status = request(pmi, "cmd=kvs-get;jobid=%s;srcid=-1;key=%s;", pmi->space, key);
    if (!status) status = response(pmi, "kvs-get", &message);
    if (!status) status = verdict(pmi, message, "a get");
    if (!status
        && (!cm_pmi2_field(message, "found", found, sizeof found) || strcmp(found, "TRUE") != 0))
        status = cm_pmi_failed(pmi, "PMI-2: cannot get key '%s': key_%s_not_found", key, key);
    if (!status && !cm_pmi2_field(message, "value", text, sizeof text))
        status = cm_pmi_failed(pmi, "PMI-2: the value of key '%s' is missing or too long", key);
    if (!status && strlen(text) >= capacity)
        status = cm_pmi_failed(pmi, "PMI-2: the value of key '%s' is longer than %zu bytes", key,
                               capacity - 1);
    if (!status) cm_pmi_decode(text, value, capacity);
    return status;
}

static int barrier_start(cm_pmi *pmi)
{
    int status = request(pmi, "cmd=%s;", fence);
    pmi->in_barrier = !status;
    return status;
}

static int barrier_done(cm_pmi *pmi, bool wait, bool *done)
{
    int status = 0;
    for (;;) {
        char *message = NULL;
        *done = !pmi->in_barrier;
        if (!*done) status = next(pmi, wait, &message);
        if (status || !message) return status;
        if (!take_of_barrier(pmi, message, &status))
            return cm_pmi_failed(pmi,
                                 "PMI-2: expected the end of a barrier from the launcher, got "
                                 "'%.80s'",
                                 message);
        if (status) return status;
    }
}

/* Publishes under a name in the job. Launchers that do not support this refuse. */
static int show(cm_pmi *pmi)
{
    char *message;
    int status = request(pmi, "cmd=name-publish;name=clustermark-%d;port=here;", pmi->rank);
    return status ? status : response(pmi, "name-publish", &message);
}

static bool seen(cm_pmi *pmi, int rank)
{
    char *message;
    if (request(pmi, "cmd=name-lookup;name=clustermark-%d;", rank) != 0
        || response(pmi, "name-lookup", &message) != 0)
        return false;
    return cm_pmi2_success(message) && strstr(message, "here");
}

static int finalize(cm_pmi *pmi)
{
    char *message;
    int status = request(pmi, "cmd=finalize;");
    return status ? status : response(pmi, "finalize", &message);
}

static void end_job(cm_pmi *pmi, int status)
{
    char text[80], head[CM_PMI2_HEAD_BYTES + 1], message[sizeof text + sizeof head];
    int bytes =
        snprintf(text, sizeof text, "cmd=abort;isworld=TRUE;exitcode=%d;msg=failed;", status);
    snprintf(head, sizeof head, "%6u", (unsigned)bytes % 1000000);
    bytes = snprintf(message, sizeof message, "%s%s", head, text);
    send(pmi->fd, message, (size_t)bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* The launcher's rank and size must be those of the environment. */
static int check_number(const cm_pmi *pmi, const char *message, const char *name, int expected)
{
    char text[16];
    if (!cm_pmi2_field(message, name, text, sizeof text) || atoi(text) == expected) return 0;
    return cm_pmi_failed(pmi, "PMI-2: the launcher says %s=%s, but PMI_%s is %d", name, text,
                         strcmp(name, "rank") == 0 ? "RANK" : "SIZE", expected);
}

int cm_pmi2_join(cm_pmi *pmi)
{
    static const cm_pmi_protocol protocol = {.put = put,
                                             .get = get,
                                             .barrier_start = barrier_start,
                                             .barrier_done = barrier_done,
                                             .show = show,
                                             .seen = seen,
                                             .finalize = finalize,
                                             .abort = end_job};
    char *message;
    const char *job = getenv("PMI_JOBID");
    pmi->protocol = &protocol;
    int status = request(pmi, "cmd=fullinit;pmijobid=%.64s;pmirank=%d;threaded=FALSE;",
                         job && cm_pmi2_text_valid(job) ? job : "", pmi->rank);
    if (!status) status = response(pmi, "fullinit", &message);
    if (!status) status = verdict(pmi, message, "to let this rank join");
    if (!status) status = check_number(pmi, message, "rank", pmi->rank);
    if (!status) status = check_number(pmi, message, "size", pmi->size);
    if (!status) status = request(pmi, "cmd=job-getid;");
    if (!status) status = response(pmi, "job-getid", &message);
    if (!status) status = verdict(pmi, message, "the job's name");
    if (!status && !cm_pmi2_field(message, "jobid", pmi->space, sizeof pmi->space))
        status = cm_pmi_failed(pmi, "PMI-2: no usable jobid in '%.80s'", message);
    if (!status) pmi->joined = true;
    return status;
}
