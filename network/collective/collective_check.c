/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_check.c: checks the options together, and with the job that was started. */
#include <string.h>
#include "collective.h"

int collective_check(const cm_program *program, void *given)
{
    collective_options *o = given;
    collective_algorithms named, some;
    collective_list list;
    int status = cm_pair_check_sizes(program, o->lower_bytes, o->upper_bytes);
    if (status) return status;
    if (!collective_names_parse(o->algorithms_text, &named))
        return cm_option_error(program,
                               "--algorithm %s: expected all, or a list of " CM_ALGORITHM_FORMS
                               "separated by commas",
                               o->algorithms_text);
    if (o->leaves_text && strcmp(o->leaves_text, "all") != 0
        && !collective_numbers_parse(o->leaves_text, &list))
        return cm_option_error(program,
                               "--leaves %s: expected all, or at most %d numbers, each at least 1, "
                               "separated by commas: 1,2,4",
                               o->leaves_text, COLLECTIVE_MOST_LIST);
    if (o->ranks_text && strcmp(o->ranks_text, "all") != 0
        && !collective_numbers_parse(o->ranks_text, &list))
        return cm_option_error(program,
                               "--ranks %s: expected all, or at most %d numbers, each at least 1, "
                               "separated by commas: 2,4,8",
                               o->ranks_text, COLLECTIVE_MOST_LIST);
    if (o->sync == COLLECTIVE_SYNC_WINDOW && o->repetition == COLLECTIVE_BACK_TO_BACK - 1)
        return cm_option_error(program, "--sync window with --repetition back-to-back: windows "
                                        "separate operations; use --repetition separated or both");
    if (o->sync == COLLECTIVE_SYNC_WINDOW && !cm_comm_has(CM_HAS_PROCESSES))
        return cm_option_error(program,
                               "--sync window: the dummy backend's peers have no clocks to "
                               "synchronise; use --sync barrier");
    if (o->overlap && o->sync == COLLECTIVE_SYNC_WINDOW)
        return cm_option_error(program, "--overlap with --sync window: operations with computing "
                                        "are separated by barriers; leave --sync out");
    if (o->overlap && o->repetition != 2)
        return cm_option_error(program,
                               "--overlap with --repetition %s: operations with computing are "
                               "separated by barriers; leave --repetition out",
                               collective_repetitions[o->repetition]);
    if (o->overlap && (!cm_comm_has(CM_HAS_PROCESSES) || cm_comm_has(CM_HAS_SIMULATOR)))
        return cm_option_error(program, "--overlap: computing takes no time by the clock of the "
                                        "dummy backend or of a simulator");
    if (!collective_segments_parse(o->segments_text, &list))
        return cm_option_error(program,
                               "--segments %s: expected at most %d lengths in bytes, "
                               "separated by commas (0: the layer chooses): 4Ki,64Ki",
                               o->segments_text, COLLECTIVE_MOST_LIST);
    for (int k = 0; k < COLLECTIVE_OPERATIONS && named.n; k++) {
        if (o->operation != COLLECTIVE_OPERATIONS && o->operation != k) continue;
        collective_algorithms_of(&collective_operations[k], &named, &list, &list, false, false,
                                 &some);
        if (some.n) break;
        if (k == COLLECTIVE_OPERATIONS - 1 || o->operation == k)
            return cm_option_error(program,
                                   "--algorithm %s: not available for --operation %s in the layer",
                                   o->algorithms_text, collective_operation_names[o->operation]);
    }
    cm_sampling_check(&o->sampling);
    return 0;
}

collective_room collective_require(const collective_options *o, bool peers, collective_list *ranks)
{
    int size = cm_size(cm_world());
    collective_list leaves;
    bool leaves_fit = collective_leaves(o->leaves_text, size, &leaves);
    bool ranks_fit = collective_ranks(o->ranks_text, size, ranks);
    /* The dummy's peers are in a group all together or not at all. */
    for (size_t i = 0; ranks_fit && peers && i < ranks->n; i++)
        if (ranks->value[i] != size && o->ranks_text && strcmp(o->ranks_text, "all") != 0)
            ranks_fit = false;
    if (peers && ranks_fit) collective_ranks(NULL, size, ranks);
    if (cm_rank(cm_world()) == 0 && !leaves_fit)
        cm_abort(CM_EXIT_USAGE,
                 "--leaves all: with %d ranks there are more than %d trees; "
                 "name some, as --leaves 1,2,4,%d",
                 size, COLLECTIVE_MOST_LIST, size - 1);
    if (cm_rank(cm_world()) == 0 && !ranks_fit)
        cm_abort(CM_EXIT_USAGE, "--ranks %s: the job has %d ranks%s", o->ranks_text, size,
                 peers ? ", and the dummy backend has no smaller groups" : "");
    collective_room room = collective_room_of(o, size);
    cm_run_require_memory(collective_memory(&room), "--upper", "--upper %lld",
                          (long long)o->upper_bytes);
    /* Without it a rank that has not checked would print a line of its own about the job's end. */
    cm_barrier(cm_world(), CM_AUTO);
    return room;
}
