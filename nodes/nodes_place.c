/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_place.c: the hosts of the job, and which of them share a computer. */
#include <stdlib.h>
#include "comm/computer.h"
#include "nodes.h"

typedef struct {
    uint64_t computer;
    int host;
} seat;

static int by_computer(const void *a, const void *b)
{
    const seat *x = a, *y = b;
    if (x->computer != y->computer) return x->computer < y->computer ? -1 : 1;
    return (x->host > y->host) - (x->host < y->host);
}

static void find_turns(nodes_place *place, seat *seats)
{
    for (int host = 0; host < place->hosts; host++)
        seats[host] = (seat){cm_computer_of(cm_world(), place->first[host]), host};
    qsort(seats, (size_t)place->hosts, sizeof *seats, by_computer);
    place->computers = place->turns = 0;
    for (int k = 0, turn = 0; k < place->hosts; k++) {
        bool is_new = k == 0 || seats[k].computer != seats[k - 1].computer;
        place->computers += is_new;
        turn = is_new ? 0 : turn + 1;
        place->computer[seats[k].host] = place->computers - 1;
        place->turn[seats[k].host] = turn;
        if (turn >= place->turns) place->turns = turn + 1;
    }
}

void nodes_place_open(nodes_place *place)
{
    const int ranks = cm_size(cm_world());
    const size_t n = (size_t)ranks;
    int *host = calloc(n, sizeof *host);
    seat *seats = calloc(n, sizeof *seats);
    *place = (nodes_place){.first = calloc(n, sizeof *place->first),
                           .ranks = calloc(n, sizeof *place->ranks),
                           .computer = calloc(n, sizeof *place->computer),
                           .turn = calloc(n, sizeof *place->turn)};
    if (!host || !seats || !place->first || !place->ranks || !place->computer || !place->turn)
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the hosts of %d ranks", ranks);
    place->hosts = cm_run_number_hosts(cm_world(), host);
    for (int rank = ranks - 1; rank >= 0; rank--) {
        place->first[host[rank]] = rank;
        place->ranks[host[rank]]++;
    }
    place->host = host[cm_rank(cm_world())];
    place->is_first = place->first[place->host] == cm_rank(cm_world());
    find_turns(place, seats);
    free(seats);
    free(host);
}

void nodes_place_close(nodes_place *place)
{
    free(place->first);
    free(place->ranks);
    free(place->computer);
    free(place->turn);
}
