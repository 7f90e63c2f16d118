/* SPDX-License-Identifier: BSD-3-Clause */
/* linkmap_boxes.c: combines the times of all pairs into times between a few boxes of hosts or
   ranks. */
#include <math.h>
#include <stdlib.h>
#include "linkmap.h"

static void *allocate(size_t n, size_t bytes)
{
    void *memory = calloc(n, bytes);
    if (!memory) cm_abort(CM_EXIT_SYSTEM, "out of memory: %zu bytes for boxes of pairs", n * bytes);
    return memory;
}

int linkmap_box_first(const linkmap_boxes *boxes, int box)
{
    return (int)(((int64_t)box * boxes->units + boxes->n - 1) / boxes->n);
}

/* The inverse of linkmap_box_first. */
static int box_of(const linkmap_boxes *boxes, const linkmap_map *map, int rank)
{
    const int unit = boxes->of_hosts ? map->host[rank] : rank;
    return (int)((int64_t)unit * boxes->n / boxes->units);
}

/* Calls visit for each pair that has a time. */
typedef void visitor(void *context, size_t at, double time_s);
static void each_pair(const linkmap_boxes *boxes, const linkmap_map *map, linkmap_size size,
                      visitor *visit, void *context)
{
    for (int first = 0; first < map->ranks; first++)
        for (int second = first + 1; second < map->ranks; second++) {
            const double time_s = *linkmap_map_at(map, size, LINKMAP_TOGETHER, first, second);
            if (isnan(time_s)) continue;
            const int a = box_of(boxes, map, first), b = box_of(boxes, map, second);
            visit(context, (size_t)((a < b ? a : b) * boxes->n + (a < b ? b : a)), time_s);
        }
}

static void count(void *context, size_t at, double time_s)
{
    linkmap_box *box = &((linkmap_box *)context)[at];
    box->pairs++;
    box->slowest_s = fmax(box->slowest_s, time_s); /* fmax ignores NaN */
}

typedef struct {
    double *time_s; /* of all pairs, box by box */
    size_t *end;    /* of what each box has so far */
} sorting;

static void sort_in(void *context, size_t at, double time_s)
{
    sorting *s = context;
    s->time_s[s->end[at]++] = time_s;
}

static double median(double *time_s, size_t n)
{
    cm_samples samples = {.value = time_s, .n = n};
    cm_summary s;
    if (!cm_summarize(&samples, &s))
        cm_abort(CM_EXIT_SYSTEM, "out of memory for the median of %zu pairs", n);
    return s.median;
}

static linkmap_box *fill(const linkmap_boxes *boxes, const linkmap_map *map, linkmap_size size)
{
    const size_t n = (size_t)boxes->n * (size_t)boxes->n;
    linkmap_box *box = allocate(n, sizeof *box);
    for (size_t k = 0; k < n; k++) box[k].median_s = box[k].slowest_s = NAN;
    each_pair(boxes, map, size, count, box);

    size_t pairs = 0;
    sorting s = {.end = allocate(n, sizeof *s.end)};
    for (size_t k = 0; k < n; k++) {
        s.end[k] = pairs;
        pairs += box[k].pairs;
    }
    s.time_s = allocate(pairs + 1, sizeof *s.time_s);
    each_pair(boxes, map, size, sort_in, &s);
    for (size_t k = 0; k < n; k++)
        if (box[k].pairs > 0)
            box[k].median_s = median(s.time_s + s.end[k] - box[k].pairs, box[k].pairs);
    free(s.time_s);
    free(s.end);
    return box;
}

void linkmap_boxes_open(linkmap_boxes *boxes, const linkmap_map *map)
{
    *boxes = (linkmap_boxes){.of_hosts = map->hosts > 1};
    boxes->units = boxes->of_hosts ? map->hosts : map->ranks;
    boxes->n = boxes->units < LINKMAP_BOXES ? boxes->units : LINKMAP_BOXES;
    for (int size = 0; size < LINKMAP_SIZES; size++)
        boxes->box[size] = fill(boxes, map, (linkmap_size)size);
}

void linkmap_boxes_close(linkmap_boxes *boxes)
{
    for (int size = 0; size < LINKMAP_SIZES; size++) free(boxes->box[size]);
}
