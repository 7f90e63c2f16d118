/* SPDX-License-Identifier: BSD-3-Clause */
/* compare_item.c: what is compared, and lists of it in the order of the change. */
#include "config.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "compare.h"
#include "common/memory.h"

bool compare_lone_differ(const compare_item *item)
{
    const cm_lone *base = &item->lone[0], *new = &item->lone[1];
    return base->n != new->n || (base->n > 0 && base->high != new->high);
}

bool compare_can_tell_item(const compare_item *item)
{
    if (item->by_launch) /* sizes tell, too */
        return item->family > 0 && (isfinite(item->visible) || item->verdict > COMPARE_UNKNOWN);
    return item->family > 0
           && cm_rank_least_p(item->base.n, item->new.n) <= COMPARE_LEVEL / (double)item->family;
}

compare_item *compare_items_add(compare_items *items, compare_item item)
{
    items->item = suite_longer(items->item, items->n + 1, sizeof item);
    items->item[items->n] = item;
    return &items->item[items->n++];
}

/* The size of a change, whatever its direction; less than any change if there is no ratio. */
static double size_of(const compare_item *item)
{
    double size = fabs(log(item->factor.ratio));
    return isnan(size) ? -1 : size;
}

static int by_size(const void *a, const void *b)
{
    const compare_item *x = a, *y = b;
    double size_x = size_of(x), size_y = size_of(y);
    if (size_x != size_y) return size_x < size_y ? 1 : -1;
    int order = strcmp(x->bench, y->bench);
    if (!order) order = strcmp(x->metric, y->metric);
    return order || !x->setting ? order : strcmp(x->setting, y->setting);
}

void compare_items_sort(compare_items *items)
{
    if (items->n > 0) qsort(items->item, items->n, sizeof *items->item, by_size);
}

void compare_items_free(compare_items *items)
{
    for (size_t k = 0; k < items->n; k++) {
        compare_item *item = &items->item[k];
        free(item->bench);
        free(item->metric);
        free(item->setting);
        free(item->unit);
        free(item->by_launch);
        suite_words_free(&item->remarks);
        compare_values_free(&item->base);
        compare_values_free(&item->new);
    }
    free(items->item);
}
