/* SPDX-License-Identifier: BSD-3-Clause */
/* deaths.c: keeps track of the ranks of a job that died or survived. */
#include "config.h"
#include <stdlib.h>
#include <sys/wait.h>
#include "launch/deaths.h"

typedef struct {
    bool ended, lost, counted;
    int status; /* as from waitpid */
    pmi_state state;
} fate;

struct deaths {
    int ranks, running, n_ended;
    bool joined;      /* true once any rank has joined */
    int first_status; /* exit status of the first failure; 0 if there was none */
    int *order;       /* ranks in the order in which they ended */
    fate *fate;
};

deaths *deaths_new(int ranks)
{
    deaths *deaths = calloc(1, sizeof *deaths);
    if (!deaths) return NULL;
    deaths->ranks = deaths->running = ranks;
    deaths->order = calloc((size_t)ranks, sizeof *deaths->order);
    deaths->fate = calloc((size_t)ranks, sizeof *deaths->fate);
    if (deaths->order && deaths->fate) return deaths;
    deaths_free(deaths);
    return NULL;
}

void deaths_free(deaths *deaths)
{
    if (!deaths) return;
    free(deaths->order);
    free(deaths->fate);
    free(deaths);
}

void deaths_ended(deaths *deaths, int rank, int status, pmi_state state)
{
    fate *fate = &deaths->fate[rank];
    if (fate->ended) return;
    deaths->running -= !deaths_over(deaths, rank);
    deaths->joined |= state != PMI_OUTSIDE;
    deaths->order[deaths->n_ended++] = rank;
    fate->ended = true;
    fate->status = status;
    fate->state = state;
}

void deaths_lose(deaths *deaths, int rank) { deaths->fate[rank].lost = true; }

void deaths_count(deaths *deaths, int rank, int exit_status)
{
    fate *fate = &deaths->fate[rank];
    deaths->running -= !deaths_over(deaths, rank);
    fate->counted = true;
    if (!deaths->first_status) deaths->first_status = exit_status;
}

bool deaths_counted(const deaths *deaths, int rank) { return deaths->fate[rank].counted; }

bool deaths_over(const deaths *deaths, int rank)
{
    return deaths->fate[rank].ended || deaths->fate[rank].counted;
}

int deaths_running(const deaths *deaths) { return deaths->running; }

static bool survived(const deaths *deaths, const fate *fate)
{
    return fate->ended && !fate->lost && WIFEXITED(fate->status)
           && (fate->state == PMI_LEFT || (fate->state == PMI_OUTSIDE && !deaths->joined));
}

int deaths_status(const deaths *deaths)
{
    bool somebody = false;
    for (int i = 0; i < deaths->n_ended; i++) {
        const fate *fate = &deaths->fate[deaths->order[i]];
        if (!survived(deaths, fate)) continue;
        somebody = true;
        if (WEXITSTATUS(fate->status)) return WEXITSTATUS(fate->status);
    }
    return somebody ? 0 : deaths->first_status;
}
