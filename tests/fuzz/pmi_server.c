/* SPDX-License-Identifier: BSD-3-Clause */
/* pmi_server.c: lines of ranks, in any order, to the launcher's side of PMI. An input: the
   number of ranks, then lines, each with its rank's digit before it; "!" and a digit: that rank
   is gone.

   Wrong: an answer that is no line of PMI, none or two of them, to a rank that was told off; a
   value that nobody put; a barrier that opens too early; lost memory. */
#include "fuzz.h"
#include "comm/pmi/pmi_line.h"
#include "launch/pmi_server.h"
#include "launch/proxy_keys.h"

enum { SIZE = 5, KEYS = 64 };

typedef struct {
    pmi_server *server;
    int size, rank; /* of the line that is being answered */
    int answers, barriers, aborts, wrong;
    char last[CM_PMI_LINE_BYTES];
    bool inside[SIZE], broken[SIZE];
    bool entering; /* the line may bring its rank into the barrier */
    struct {
        char key[CM_PMI_KEY_BYTES], value[CM_PMI_VALUE_BYTES];
    } put[KEYS];
    int keys;
    proxy_keys known; /* to a proxy */
    /* The barrier: who is out, and how many values each has got; the last of them. */
    bool out[SIZE];
    int values[SIZE];
    char value[SIZE][CM_PMI_VALUE_BYTES];
} job;

static void on_answer(void *context, int rank, const char *line, size_t bytes)
{
    job *job = context;
    FUZZ_CHECK(rank >= 0 && rank < job->size && bytes > 1 && bytes < CM_PMI_LINE_BYTES);
    FUZZ_CHECK(strlen(line) == bytes && strchr(line, '\n') == line + bytes - 1);
    memcpy(job->last, line, bytes);
    job->last[bytes - 1] = '\0';
    FUZZ_CHECK(cm_pmi_line_valid(job->last));
    const bool waited = job->inside[rank] || (job->entering && rank == job->rank);
    if (strcmp(job->last, "cmd=barrier_out") == 0
        || (waited && strcmp(job->last, "cmd=finalize_ack") == 0)) {
        FUZZ_CHECK(!job->out[rank]);
        job->out[rank] = true;
        job->barriers++;
        return;
    }
    if (strncmp(job->last, "cmd=gather_out ", 15) == 0
        || (waited && strncmp(job->last, "cmd=response_to_init ", 21) == 0
            && strstr(job->last, " first="))) {
        int first;
        FUZZ_CHECK(!job->out[rank] && cm_pmi_line_number(job->last, "first", &first));
        FUZZ_CHECK(first == job->values[rank]);
        for (const char *v = strstr(job->last, " v="); v; v = strstr(v + 1, " v=")) {
            FUZZ_CHECK(cm_pmi_lengthen(v + 3, strcspn(v + 3, " "), job->value[rank]));
            job->values[rank]++;
        }
        job->out[rank] = job->values[rank] == job->size;
        job->barriers += job->out[rank];
        return;
    }
    FUZZ_CHECK(rank == job->rank && !job->broken[rank]);
    job->answers++;
}

static void on_answer_all(void *context, const char *line, size_t bytes)
{
    job *job = context;
    for (int rank = 0; rank < job->size; rank++) on_answer(job, rank, line, bytes);
}

/* A proxy takes what it is told. */
static void on_keys(void *context, const char *text, size_t bytes)
{
    job *job = context;
    FUZZ_CHECK(strlen(text) == bytes && bytes < 16384 && !strchr(text, '\n'));
    FUZZ_CHECK(proxy_keys_take(&job->known, text));
}

static void on_abort(void *context, int rank, int status, int blames, const char *text)
{
    (void)blames;
    job *job = context;
    FUZZ_CHECK(rank == job->rank && status > 0 && status < 256);
    for (; text && *text; text++) FUZZ_CHECK((unsigned char)*text >= ' ' && *text != 127);
    job->aborts++;
}

static void on_broken(void *context, int rank, const char *why)
{
    job *job = context;
    FUZZ_CHECK(rank == job->rank && !job->broken[rank] && *why);
    for (; *why; why++) FUZZ_CHECK(*why >= ' ' && *why <= '~');
    job->broken[rank] = true;
    job->wrong++;
}

/* What was put comes back, and nothing else. */
static void check_keys(job *job, const char *line)
{
    char command[CM_PMI_NAME_BYTES], key[CM_PMI_KEY_BYTES], value[CM_PMI_VALUE_BYTES];
    int code;
    cm_pmi_line_field(line, "cmd", command, sizeof command);
    if (!cm_pmi_line_number(job->last, "rc", &code) || code != 0) return;
    bool put = strcmp(command, "put") == 0;
    if (!put && strcmp(command, "get") != 0) return;
    FUZZ_CHECK(cm_pmi_line_field(line, "key", key, sizeof key));
    FUZZ_CHECK(cm_pmi_line_field(put ? line : job->last, "value", value, sizeof value));
    int i = 0;
    while (i < job->keys && strcmp(job->put[i].key, key) != 0) i++;
    if (put && i < KEYS) {
        strcpy(job->put[i].key, key);
        strcpy(job->put[i].value, value);
        job->keys = i == job->keys ? i + 1 : job->keys;
    } else if (!put && job->keys < KEYS)
        FUZZ_CHECK(i < job->keys && strcmp(value, job->put[i].value) == 0);
}

static void take_line(job *job, int rank, const char *line)
{
    static const char enter[] = "cmd=barrier_in", gather[] = "cmd=gather_in", join[] = "cmd=init ";
    int answers = job->answers, barriers = job->barriers, aborts = job->aborts, wrong = job->wrong;
    bool was_broken = job->broken[rank];
    job->rank = rank;
    job->entering = strncmp(line, enter, sizeof enter - 1) == 0
                    || strncmp(line, gather, sizeof gather - 1) == 0
                    || (strncmp(line, join, sizeof join - 1) == 0 && strstr(line, " value="));
    pmi_server_line(job->server, rank, line);
    if (job->barriers == job->size) {
        for (int i = 0; i < job->size; i++) {
            FUZZ_CHECK(job->inside[i] || i == rank);
            job->inside[i] = false;
        }
        job->barriers = 0;
        memset(job->out, 0, sizeof job->out);
        memset(job->values, 0, sizeof job->values);
        memset(job->value, 0, sizeof job->value);
        return;
    }
    FUZZ_CHECK(job->barriers == 0 && barriers == 0);
    int said = job->answers - answers + job->aborts - aborts + job->wrong - wrong;
    bool entered = job->entering && said == 0 && !was_broken;
    FUZZ_CHECK(said == (was_broken || entered ? 0 : 1));
    if (entered) job->inside[rank] = true;
    if (job->answers > answers) check_keys(job, line);
}

static void play(void *context)
{
    static const pmi_server_events events = {.answer = on_answer,
                                             .answer_all = on_answer_all,
                                             .keys = on_keys,
                                             .abort = on_abort,
                                             .broken = on_broken};
    static job job;
    fuzz_input *input = context;
    memset(&job, 0, sizeof job);
    job.size = 1 + fuzz_byte(input) % SIZE;
    job.server = pmi_server_new(job.size, &events, &job);
    while (input->left) {
        size_t n = input->left;
        const char *line = fuzz_bytes(input, &n), *newline = memchr(line, '\n', n);
        size_t length = newline ? (size_t)(newline - line) : n;
        input->bytes -= n - length - (newline != NULL);
        input->left += n - length - (newline != NULL);
        if (length < 2) continue;
        bool gone = line[0] == '!';
        int rank = (unsigned char)line[gone] % job.size, stuck, waiting;
        if (gone) {
            pmi_server_gone(job.server, rank);
        } else {
            char *copy = malloc(length); /* exactly as long as it is */
            memcpy(copy, line + 1, length - 1);
            copy[length - 1] = '\0';
            take_line(&job, rank, copy);
            free(copy);
        }
        FUZZ_CHECK((pmi_server_state(job.server, rank) == PMI_BROKEN) == job.broken[rank]);
        if (pmi_server_stuck(job.server, &stuck, &waiting))
            FUZZ_CHECK(stuck >= 0 && stuck < job.size && !job.inside[stuck] && waiting > 0);
    }
    pmi_server_free(job.server);
    proxy_keys_free(&job.known);
    FUZZ_CHECK(fuzz_memory_blocks() == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    fuzz_input input = {data, bytes};
    FUZZ_CHECK(fuzz_run(play, &input) == -1);
    return 0;
}
