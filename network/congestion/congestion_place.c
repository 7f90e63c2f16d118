/* SPDX-License-Identifier: BSD-3-Clause */
/* congestion_place.c: divides the ranks, or the hosts, into victims and aggressors, and orders each
   group. */
#include <math.h>
#include <stdlib.h>
#include "comm/hosts.h"
#include "congestion.h"
#include "random/random.h"

const char *const congestion_placements[] = {"random", "alternate", 0};

static int count_aggressors(double share, int units)
{
    int most = units - CONGESTION_LEAST_OF_A_KIND, n = (int)lround(share * units);
    return n < CONGESTION_LEAST_OF_A_KIND ? CONGESTION_LEAST_OF_A_KIND : n > most ? most : n;
}

/* Unit `unit` is one of n of units that are spread evenly. */
static bool spread(int64_t unit, int64_t n, int64_t units)
{
    return (unit + 1) * n / units > unit * n / units;
}

int congestion_place_check(const cm_program *program, const congestion_options *options)
{
    int hosts = cm_hosts_of(cm_world())->hosts;
    if (!options->whole_hosts || hosts >= CONGESTION_LEAST_RANKS) return 0;
    if (cm_rank(cm_world()) != 0) return CM_EXIT_USAGE;
    return cm_option_error(program,
                           "--whole-hosts: expected ranks on at least %d hosts, two of victims and "
                           "two of aggressors; they are on %d",
                           CONGESTION_LEAST_RANKS, hosts);
}

void congestion_place_open(congestion_place *place, const congestion_options *options)
{
    const cm_hosts *hosts = cm_hosts_of(cm_world());
    const bool random = options->placement == CONGESTION_RANDOM, whole = options->whole_hosts;
    const int own = cm_rank(cm_world()), own_unit = whole ? hosts->host[own] : own;
    const int units = whole ? hosts->hosts : cm_size(cm_world());
    const int aggressors = count_aggressors(options->share, units);
    int key = 0;
    size_t *order = calloc((size_t)units, sizeof *order);
    if (!order) cm_abort(CM_EXIT_SYSTEM, "out of memory for the places of %d ranks", units);
    *place = (congestion_place){.victim_root = -1, .load_root = -1};
    cm_random_shuffle((uint64_t)options->seed, 0, (size_t)units, order);
    for (int k = 0; k < units; k++) {
        int unit = random ? (int)order[k] : k;
        bool aggressor = random ? k < aggressors : spread(unit, aggressors, units);
        int *root = aggressor ? &place->load_root : &place->victim_root;
        int *members = aggressor ? &place->aggressors : &place->victims;
        if (*root < 0) *root = whole ? hosts->ranks[hosts->first[unit]] : unit;
        if (unit == own_unit) {
            place->aggressor = aggressor;
            key = *members + (whole ? hosts->local[own] : 0);
        }
        *members += whole ? cm_hosts_count(hosts, unit) : 1;
    }
    free(order);
    place->group = cm_split(cm_world(), place->aggressor, key);
}

void congestion_place_close(congestion_place *place) { cm_group_free(place->group); }
