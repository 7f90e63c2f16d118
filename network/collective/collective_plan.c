/* SPDX-License-Identifier: BSD-3-Clause */
/* collective_plan.c: chooses the algorithms and sizes of an operation. */
#include <stdio.h>
#include <string.h>
#include "collective.h"

enum { WORD_BYTES = 48 };

/* Copies the word before the next comma and advances *text, which is NULL after the last word.
   Returns false if the word is empty or too long. */
static bool next_word(const char **text, char word[WORD_BYTES])
{
    size_t n = strcspn(*text, ",");
    if (n == 0 || n >= WORD_BYTES) return false;
    memcpy(word, *text, n);
    word[n] = 0;
    *text = (*text)[n] ? *text + n + 1 : NULL;
    return true;
}

bool collective_numbers_parse(const char *text, collective_list *list)
{
    list->n = cm_option_integers(text, 1, INT64_MAX, list->value, COLLECTIVE_MOST_LIST);
    return list->n > 0;
}

bool collective_segments_parse(const char *text, collective_list *list)
{
    list->n = cm_option_bytes_list(text, 0, INT64_MAX, list->value, COLLECTIVE_MOST_LIST);
    return list->n > 0;
}

bool collective_leaves(const char *text, int size, collective_list *list)
{
    int most = size > 2 ? size - 1 : 1;
    bool all = text && strcmp(text, "all") == 0;
    if (text && !all) return collective_numbers_parse(text, list);
    list->n = 0;
    if (all && most > COLLECTIVE_MOST_LIST) return false;
    for (int64_t k = 1; k < most; k = all ? k + 1 : 2 * k) list->value[list->n++] = k;
    list->value[list->n++] = most;
    return true;
}

bool collective_ranks(const char *text, int size, collective_list *list)
{
    list->n = 0;
    if (!text) {
        list->value[list->n++] = size;
        return true;
    }
    if (strcmp(text, "all") == 0) {
        for (int64_t k = 2; k < size; k *= 2) list->value[list->n++] = k;
        list->value[list->n++] = size;
        return true;
    }
    if (!collective_numbers_parse(text, list)) return false;
    for (size_t i = 0; i < list->n; i++)
        if (list->value[i] > size) return false;
    return true;
}

bool collective_names_parse(const char *text, collective_algorithms *list)
{
    char word[WORD_BYTES];
    list->n = 0;
    if (strcmp(text, "all") == 0) return true;
    while (text) {
        if (!next_word(&text, word) || list->n == COLLECTIVE_MOST_LIST) return false;
        if (!cm_algorithm_parse(word, &list->algorithm[list->n++])) return false;
    }
    return true;
}

static void add(const collective_operation *operation, cm_algorithm algorithm,
                collective_algorithms *list)
{
    if (cm_algorithm_available(operation->collective, algorithm))
        list->algorithm[list->n++] = algorithm;
}

void collective_algorithms_of(const collective_operation *operation,
                              const collective_algorithms *named, const collective_list *leaves,
                              const collective_list *segments, cm_group *group,
                              collective_algorithms *list)
{
    const int hosts = group ? cm_hosts_of(group)->hosts : 1;
    list->n = 0;
    if (named->n) {
        for (size_t i = 0; i < named->n; i++) add(operation, named->algorithm[i], list);
        return;
    }
    /* If the backend has collectives of its own, native would repeat auto. */
    add(operation, CM_AUTO, list);
    static const collective_list none = {.n = 1};
    for (int kind = CM_KIND_NATIVE + 1; kind < CM_KINDS; kind++) {
        /* On one host, or with one rank on each, it would repeat auto. */
        if (kind == CM_KIND_HOSTS && (hosts == 1 || hosts == cm_size(group))) continue;
        /* Where ranks share no memory it would repeat linear. */
        if (kind == CM_KIND_DIRECT && (hosts > 1 || !cm_comm_has(CM_HAS_SHARED))) continue;
        const cm_algorithm_counts counts = cm_algorithm_parameter(kind);
        const collective_list *values = counts == CM_COUNTS_LEAVES  ? leaves
                                        : counts == CM_COUNTS_BYTES ? segments
                                                                    : &none;
        for (size_t i = 0; i < values->n; i++)
            add(operation, CM_ALGORITHM(kind, values->value[i]), list);
    }
}

static int64_t whole_elements(int64_t bytes)
{
    return (bytes + COLLECTIVE_ELEMENT_BYTES - 1) / COLLECTIVE_ELEMENT_BYTES
           * COLLECTIVE_ELEMENT_BYTES;
}

/* Returns the size after this one: the last is upper. */
static int64_t next_size(int64_t size, int64_t upper, int64_t factor)
{
    return size > upper / factor ? upper : size * factor;
}

void collective_sizes(const collective_operation *operation, int64_t lower, int64_t upper,
                      int64_t factor, collective_list *sizes)
{
    sizes->n = 0;
    if (!operation->sized) {
        sizes->value[sizes->n++] = 0;
        return;
    }
    for (int64_t size = lower; sizes->n < COLLECTIVE_MOST_LIST;
         size = next_size(size, upper, factor)) {
        int64_t bytes = operation->reduction ? whole_elements(size) : size;
        if (sizes->n == 0 || bytes > sizes->value[sizes->n - 1]) sizes->value[sizes->n++] = bytes;
        if (size >= upper) break;
    }
}

bool collective_has_blocks(const collective_operation *operation)
{
    return operation->in_all || operation->out_all;
}

/* Raises *most to a buffer of so many blocks of so many bytes. */
static void make_room(int64_t bytes, int blocks, size_t *most)
{
    size_t all;
    if (__builtin_mul_overflow((size_t)whole_elements(bytes), (size_t)blocks, &all)
        || __builtin_add_overflow(all, COLLECTIVE_GUARD_BYTES, &all))
        all = SIZE_MAX;
    if (all > *most) *most = all;
}

collective_room collective_room_of(const collective_options *options, int64_t block_bytes, int size)
{
    collective_room room = {.in = COLLECTIVE_GUARD_BYTES, .out = COLLECTIVE_GUARD_BYTES};
    for (int k = 0; k < COLLECTIVE_OPERATIONS; k++) {
        const collective_operation *o = &collective_operations[k];
        if (options->operation != COLLECTIVE_OPERATIONS && options->operation != k) continue;
        const int64_t bytes = collective_has_blocks(o) ? block_bytes : options->upper_bytes;
        make_room(bytes, o->in_all ? size : 1, &room.in);
        if (!o->in_place) make_room(bytes, o->out_all ? size : 1, &room.out);
    }
    return room;
}

size_t collective_memory(const collective_room *room)
{
    size_t bytes;
    return __builtin_add_overflow(room->in, room->out, &bytes)
                   || __builtin_mul_overflow(bytes, 2, &bytes)
               ? SIZE_MAX
               : bytes;
}

int64_t collective_block_bytes(const collective_options *o, int size, size_t free_bytes)
{
    int64_t fits = o->lower_bytes;
    const collective_room least = collective_room_of(o, fits, size);
    if (collective_memory(&least) > free_bytes) free_bytes = collective_memory(&least);
    for (int64_t bytes = fits; bytes < o->upper_bytes;) {
        bytes = next_size(bytes, o->upper_bytes, o->factor);
        const collective_room room = collective_room_of(o, bytes, size);
        if (collective_memory(&room) <= free_bytes) fits = bytes;
    }
    return fits;
}
