/* SPDX-License-Identifier: BSD-3-Clause */
/* together.h: figures that combine several results of a folder: one benchmark on several numbers of
   ranks (figures/scale.gp), and the gain of one network over another for all benchmarks together
   (the manifests' pair, with --beside). */
#ifndef SUITE_TOGETHER_H
#define SUITE_TOGETHER_H

#include "places/beside.h"
#include "common/home.h"
#include "results/results.h"
#include "common/table.h"
#include "common/words.h"

typedef struct {
    const suite_run *run; /* the first of them */
    char *figure;         /* the script's name: "scale" */
    char *id;             /* of its files: "heat-scale"; "relative" if it is of all benchmarks */
    suite_words names;    /* of the results */
    bool beside;          /* the script also gets those that stand beside, as others */
} suite_joint;

typedef struct {
    suite_joint *joint;
    size_t n;
} suite_joints;

/* The figures for which a folder has the results: right ones, with no more ranks than cores. A
   scale has three numbers of ranks or more. Free with suite_joints_free. */
suite_joints suite_joints_find(const suite_table *table, const suite_results *results,
                               const suite_beside *beside);
void suite_joints_free(suite_joints *joints);

#endif
