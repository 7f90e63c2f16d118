/* SPDX-License-Identifier: BSD-3-Clause */
/* page_together.c: the figures of several results: over the number of ranks, of two networks. */
#include "config.h"
#include <stdlib.h>
#include <unistd.h>
#include "results/folder.h"
#include "page.h"
#include "figures/together.h"
#include "pages.h"

static bool is_drawn(const suite_page *page, const suite_joint *joint)
{
    char *path = suite_folder_path(page->dir, joint->id, "svg");
    bool there = access(path, R_OK) == 0;
    free(path);
    return there;
}

static void print_section(suite_page *page, const suite_joints *joints, bool beside, const char *id,
                          const char *heading, const char *sentence)
{
    size_t n = 0;
    for (size_t k = 0; k < joints->n; k++) {
        const suite_joint *joint = &joints->joint[k];
        if (joint->beside != beside || !is_drawn(page, joint)) continue;
        if (n++ == 0) piece_together_begin(page->out, id, heading, sentence);
        page_figure(page, joint->run, joint->figure, joint->id);
    }
    if (n) piece_section_end(page->out);
}

void page_together(suite_page *page)
{
    if (!page->drawn) return;
    suite_joints joints = suite_joints_find(page->table, &page->shown.results, page->beside);
    print_section(page, &joints, false, "scale", SAID_SCALE_HEADING, SAID_SCALE_ABOUT);
    print_section(page, &joints, true, "gain", SAID_GAIN_HEADING, SAID_GAIN_ABOUT);
    suite_joints_free(&joints);
}
