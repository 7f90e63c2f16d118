/* SPDX-License-Identifier: BSD-3-Clause */
/* nodes_job.c: the parts of a round; see nodes_job.h. */
#include "nodes_job.h"

void nodes_job_compute(nodes_job *j, int round, double *rate)
{
    for (int turn = 0; turn < j->place.turns; turn++) {
        nodes_meet(0);
        if ((j->place.turn[j->place.host] + round) % j->place.turns != turn) continue;
        nodes_disturbed_begin(&j->disturbed);
        nodes_compute_trial(&j->compute, j->of_host, j->options->trial_s, rate);
        nodes_disturbed_end(&j->disturbed);
    }
}

void nodes_job_exchange(nodes_job *j, int n, nodes_pair *pair)
{
    const nodes_place *place = &j->place;
    const int waves = nodes_waves(place, n, j->first, j->second, j->wave);
    for (int wave = 0; wave < waves; wave++) {
        nodes_meet(0);
        for (int k = 0; place->is_first && k < n; k++) {
            if (j->wave[k] != wave) continue;
            bool leads = j->first[k] == place->host;
            if (!leads && j->second[k] != place->host) continue;
            int peer = place->first[leads ? j->second[k] : j->first[k]];
            nodes_pair_trial(&j->buffers, peer, leads, j->options->trial_s, &pair[k]);
            if (leads) pair[k].first = j->first[k], pair[k].second = j->second[k];
        }
    }
}

void nodes_job_draw(nodes_job *j, int round)
{
    const int hosts = j->place.hosts;
    nodes_partners(hosts, (uint64_t)j->seed, round, j->partner);
    for (int k = 0; k < hosts; k++) {
        j->first[k] = k;
        j->second[k] = j->partner[k] > k ? j->partner[k] : -1;
    }
}
