/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_check.c: checks the options together, and with the job that was started. */
#include "config.h"
#include <limits.h>
#include <string.h>
#include "base/environment.h"
#include "collective.h"

/* ---- Lists ----------------------------------------------------------------------------------- */

static int check_algorithms(const cm_program *program, const char *text,
                            collective_algorithms *named)
{
    char name[64];
    if (!collective_names_parse(text, named))
        return cm_option_error(program,
                               "--algorithm %s: expected all, or a list of " CM_ALGORITHM_FORMS
                               "separated by commas",
                               text);
    for (size_t i = 1; i < named->n; i++)
        for (size_t k = 0; k < i; k++) {
            const cm_algorithm *one = &named->algorithm[i], *other = &named->algorithm[k];
            if (one->kind != other->kind || one->parameter != other->parameter) continue;
            cm_algorithm_text(*one, name, sizeof name);
            return cm_option_error(program,
                                   "--algorithm %s: %s is given twice; expected each algorithm "
                                   "once",
                                   text, name);
        }
    return 0;
}

/* The numbers, or bytes, of a list must differ. */
static int check_repeated(const cm_program *program, const char *option, const char *text,
                          const collective_list *list)
{
    const int64_t *twice = cm_option_repeated(list->value, list->n);
    return twice ? cm_option_error(program, "--%s %s: %lld is given twice; expected each once",
                                   option, text, (long long)*twice)
                 : 0;
}

/* A list of --leaves or --ranks; example is one that is right. */
static int check_numbers(const cm_program *program, const char *option, const char *text,
                         const char *example)
{
    collective_list list;
    if (!text || strcmp(text, "all") == 0) return 0;
    if (!collective_numbers_parse(text, &list))
        return cm_option_error(program,
                               "--%s %s: expected all, or at most %d numbers, each at least 1, "
                               "separated by commas: %s",
                               option, text, COLLECTIVE_MOST_LIST, example);
    return check_repeated(program, option, text, &list);
}

static int check_segments(const cm_program *program, const char *text)
{
    collective_list list;
    if (!text) return 0;
    if (!collective_segments_parse(text, &list))
        return cm_option_error(program,
                               "--segments %s: expected at most %d lengths in bytes, "
                               "separated by commas (0: the layer chooses): 4Ki,64Ki",
                               text, COLLECTIVE_MOST_LIST);
    return check_repeated(program, "segments", text, &list);
}

/* ---- What is used ---------------------------------------------------------------------------- */

static int refuse_size(const cm_program *program, const char *option, int64_t value,
                       const char *operation)
{
    return cm_option_error(program, "--%s %lld with --operation %s: it has no size; leave --%s out",
                           option, (long long)value, operation, option);
}

/* A list of what algorithms of the operation count, which none of them does. */
static int refuse_unused(const cm_program *program, const char *option, const char *text,
                         cm_algorithm_counts counts, int operation)
{
    if (!text) return 0;
    for (int kind = 0; kind < CM_KINDS; kind++)
        if (cm_algorithm_parameter(kind) == counts
            && cm_algorithm_available(collective_operations[operation].collective,
                                      CM_ALGORITHM(kind, 1)))
            return 0;
    return cm_option_error(program,
                           "--%s %s with --operation %s: it has no algorithm of that kind; leave "
                           "--%s out",
                           option, text, collective_operation_names[operation], option);
}

/* An option that the chosen operation or algorithms do not use is refused. */
static int check_used(const cm_program *program, const collective_options *o, bool named)
{
    if (named && o->leaves_text)
        return cm_option_error(program,
                               "--leaves %s: needs --algorithm all, this is --algorithm %s; "
                               "a single tree is --algorithm tree:LEAVES",
                               o->leaves_text, o->algorithms_text);
    if (named && o->segments_text)
        return cm_option_error(program,
                               "--segments %s: needs --algorithm all, this is --algorithm %s; "
                               "a single chain is --algorithm chain:BYTES",
                               o->segments_text, o->algorithms_text);
    if (o->operation == COLLECTIVE_OPERATIONS) return 0;
    const collective_operation *operation = &collective_operations[o->operation];
    const char *name = collective_operation_names[o->operation];
    if (o->type != COLLECTIVE_TYPES && !operation->reduction)
        return cm_option_error(program,
                               "--type %s: needs --operation reduce, allreduce, reduce_scatter, "
                               "scan or all, this is --operation %s",
                               collective_type_names[o->type], name);
    int status = refuse_unused(program, "leaves", o->leaves_text, CM_COUNTS_LEAVES, o->operation);
    if (!status)
        status =
            refuse_unused(program, "segments", o->segments_text, CM_COUNTS_BYTES, o->operation);
    if (status || operation->sized) return status;
    return o->lower_bytes   ? refuse_size(program, "lower", o->lower_bytes, name)
           : o->upper_bytes ? refuse_size(program, "upper", o->upper_bytes, name)
           : o->factor      ? refuse_size(program, "factor", o->factor, name)
                            : 0;
}

/* A table names no such setting, so jobs without it would use the table. */
static int check_forced(const cm_program *program, const char *tuning)
{
    cm_environment set;
    const int status = cm_environment_read(&set);
    const bool ring = !status && set.copy == CM_COPY_RING;
    if (status || (!ring && strcmp(set.transport, "auto") == 0)) return status;
    return cm_option_error(program,
                           "--write-tuning %s with %s=%s: a table is for jobs without this "
                           "setting; unset it",
                           tuning, ring ? "CM_COPY" : "CM_TRANSPORT",
                           ring ? "ring" : set.transport);
}

/* The table is of all algorithms of the layer, and of operations that are separated by barriers. */
static int check_tuning(const cm_program *program, collective_options *o, bool named)
{
    if (!o->tuning) return 0;
    if (cm_comm_has(CM_HAS_NATIVE) || !cm_comm_has(CM_HAS_PROCESSES))
        return cm_option_error(program,
                               "--write-tuning %s: over this backend (" CM_COMM ") auto is the "
                               "backend's own operation; use a build over sockets, shm or hybrid",
                               o->tuning);
    if (named)
        return cm_option_error(program,
                               "--write-tuning %s with --algorithm %s: a table is of all "
                               "algorithms; leave --algorithm out",
                               o->tuning, o->algorithms_text);
    if (o->overlap || o->sync == COLLECTIVE_SYNC_WINDOW
        || o->repetition == COLLECTIVE_BACK_TO_BACK - 1)
        return cm_option_error(program,
                               "--write-tuning %s: times operations that are separated by "
                               "barriers; leave --overlap, --sync window and --repetition "
                               "back-to-back out",
                               o->tuning);
    const int forced = check_forced(program, o->tuning);
    if (forced) return forced;
    collective_list ranks = {.n = 0};
    if (o->ranks_text) collective_ranks(o->ranks_text, INT_MAX, &ranks);
    for (size_t i = 0; i < ranks.n; i++)
        if (ranks.value[i] < 2)
            return cm_option_error(program,
                                   "--write-tuning %s with --ranks %s: one rank has no choice; "
                                   "expected numbers of at least 2",
                                   o->tuning, o->ranks_text);
    o->repetition = COLLECTIVE_SEPARATED - 1;
    if (!o->ranks_text) o->ranks_text = "all";
    if (o->lower_bytes == 0) o->lower_bytes = 16;
    if (o->upper_bytes == 0) o->upper_bytes = 4 << 20;
    if (o->factor == 0) o->factor = 8;
    if (o->sweeps == 0) o->sweeps = 3;
    if (o->sampling.rule.time_limit_s < 0) o->sampling.rule.time_limit_s = 0.003;
    const int status = cm_result_file_check(program, "--write-tuning ", o->tuning, o->files.force);
    return status ? status
                  : cm_result_file_differs(program, "--write-tuning", o->tuning, &o->files);
}

static void set_defaults(collective_options *o)
{
    if (o->sweeps == 0) o->sweeps = 1;
    if (o->sampling.rule.time_limit_s < 0) o->sampling.rule.time_limit_s = 0.1;
    if (o->type == COLLECTIVE_TYPES) o->type = COLLECTIVE_INT64;
    if (!o->segments_text) o->segments_text = "4Ki,64Ki";
    if (o->lower_bytes == 0) o->lower_bytes = 1;
    if (o->upper_bytes == 0) o->upper_bytes = 1 << 20;
    if (o->factor == 0) o->factor = 4;
}

/* ---- All ------------------------------------------------------------------------------------- */

int collective_check(const cm_program *program, void *given)
{
    collective_options *o = given;
    collective_algorithms named, some;
    collective_list list = {.n = 0};
    int status = check_algorithms(program, o->algorithms_text, &named);
    if (!status) status = check_numbers(program, "leaves", o->leaves_text, "1,2,4");
    if (!status) status = check_numbers(program, "ranks", o->ranks_text, "2,4,8");
    if (!status) status = check_segments(program, o->segments_text);
    if (!status) status = check_used(program, o, named.n > 0);
    o->fit = o->fit || o->upper_bytes == 0;
    if (!status) status = check_tuning(program, o, named.n > 0);
    if (status) return status;
    set_defaults(o);
    status = cm_pair_check_sizes(program, o->lower_bytes, o->upper_bytes);
    if (status) return status;
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
    for (int k = 0; k < COLLECTIVE_OPERATIONS && named.n; k++) {
        if (o->operation != COLLECTIVE_OPERATIONS && o->operation != k) continue;
        collective_algorithms_of(&collective_operations[k], &named, &list, &list, NULL, &some);
        if (some.n) break;
        if (k == COLLECTIVE_OPERATIONS - 1 || o->operation == k)
            return cm_option_error(program,
                                   "--algorithm %s: not available for --operation %s in the layer",
                                   o->algorithms_text, collective_operation_names[o->operation]);
    }
    cm_sampling_check(&o->sampling);
    return 0;
}

/* Of several hosts, only the ranks of the first and one of each are timed. */
static void require_part(const collective_options *o, const collective_list *ranks)
{
    const cm_hosts *hosts = cm_hosts_of(cm_world());
    const int here = cm_hosts_count(hosts, 0);
    const int most = here > hosts->hosts ? here : hosts->hosts;
    for (size_t i = 0; i < ranks->n; i++)
        if (ranks->value[i] <= most) return;
    if (cm_rank(cm_world()) == 0)
        cm_abort(CM_EXIT_USAGE,
                 "--write-tuning %s with --ranks %s: neither the first host, with %d rank%s, nor "
                 "one rank of each of %d hosts has so many; name a number from 2 to %d",
                 o->tuning, o->ranks_text, here, here == 1 ? "" : "s", hosts->hosts, most);
}

/* The whole job, which --ranks all adds to the powers of two, is no part of several hosts. */
static void ranks_of_parts(collective_list *ranks)
{
    const cm_hosts *hosts = cm_hosts_of(cm_world());
    if (hosts->hosts > 1) collective_ranks_of_parts(cm_hosts_count(hosts, 0), hosts->hosts, ranks);
}

/* Returns half of the memory that each rank may take on the host where it is least. */
static size_t half_of_free_bytes(void)
{
    const int here = cm_run_ranks_on_computer(cm_world(), cm_rank(cm_world()));
    int64_t bytes = cm_machine_memory_share_bytes(here, NULL), least;
    bytes = bytes > 0 ? bytes / 2 : INT64_MAX;
    cm_allreduce(cm_world(), &bytes, &least, 1, CM_INT64, CM_MIN, CM_AUTO);
    return (size_t)least;
}

static void require_memory(const collective_options *o, collective_extent *extent)
{
    const int size = cm_size(cm_world());
    extent->block_bytes = o->upper_bytes;
    if (o->fit) {
        extent->free_bytes = half_of_free_bytes();
        extent->block_bytes = collective_block_bytes(o, size, extent->free_bytes);
    }
    extent->room = collective_room_of(o, extent->block_bytes, size);
    cm_run_require_memory(collective_memory(&extent->room), "--upper", "--upper %lld",
                          (long long)o->upper_bytes);
}

collective_extent collective_require(const collective_options *o, bool peers)
{
    int size = cm_size(cm_world());
    collective_extent extent = {.block_bytes = 0};
    collective_list leaves, *ranks = &extent.ranks;
    bool leaves_fit = collective_leaves(o->leaves_text, size, &leaves);
    bool ranks_fit = collective_ranks(o->ranks_text, size, ranks);
    if (o->tuning && strcmp(o->ranks_text, "all") == 0) ranks_of_parts(ranks);
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
    if (cm_rank(cm_world()) == 0 && !ranks_fit && peers)
        cm_abort(CM_EXIT_USAGE,
                 "--ranks %s: the job has %d ranks, and the dummy backend has no smaller groups; "
                 "leave --ranks out",
                 o->ranks_text, size);
    if (cm_rank(cm_world()) == 0 && !ranks_fit)
        cm_abort(CM_EXIT_USAGE,
                 "--ranks %s: the job has %d rank%s; expected numbers from 1 to %d, or start more "
                 "ranks",
                 o->ranks_text, size, size == 1 ? "" : "s", size);
    if (o->tuning && size == 1 && cm_rank(cm_world()) == 0)
        cm_abort(CM_EXIT_USAGE,
                 "--write-tuning %s: the job has one rank, for which there is no choice; start at "
                 "least 2",
                 o->tuning);
    if (o->tuning) require_part(o, ranks);
    require_memory(o, &extent);
    /* Without this barrier, a rank that has not checked would print a line of its own about the end
       of the job. */
    cm_barrier(cm_world(), CM_AUTO);
    return extent;
}
