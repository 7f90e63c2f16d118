/* SPDX-License-Identifier: BSD-3-Clause */
/* warm_up.c: runs untimed trials, which open connections, touch memory and let the clock frequency
   rise. */
#include "sample/internal.h"

enum { LEADER = 0 };

void cm_sample_warm_up(const cm_sampling *sampling, cm_group *group, const cm_subject *subject)
{
    cm_sample_stage stage;
    cm_sample_stage_open(&stage, sampling, group, subject);
    char word = 0;
    if (group && cm_rank(group) != LEADER) {
        cm_sample_obey(&stage, &word, sizeof word);
    } else {
        /* Limits the loop if the clock stands still. */
        enum { MOST_TRIALS = 100000, MOST_OPERATIONS = 1 << 20 };
        int64_t operations = cm_sample_least(subject), most = cm_sample_most(subject);
        if (most > MOST_OPERATIONS) most = MOST_OPERATIONS;
        double begin_s = cm_sample_now_s(sampling);
        for (int k = 0; k < MOST_TRIALS; k++) {
            double left_s = sampling->warm_up_s - (cm_sample_now_s(sampling) - begin_s);
            if (left_s <= 0) break;
            double lasted_s = cm_sample_trial(&stage, 0, operations, false);
            if (lasted_s < 0) break;
            if (lasted_s < 0.1 * sampling->warm_up_s && operations <= most / 2) operations *= 2;
        }
        cm_sample_end(&stage, &word, sizeof word);
    }
    cm_sample_stage_close(&stage);
}
