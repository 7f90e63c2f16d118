/* SPDX-License-Identifier: BSD-3-Clause */
/* contract.c: all subjects that need no process of their own, in one job: contract.ranks
   [SUBJECT]... runs these subjects, by default all that are linked. */
#include "subject.h"

static contract_entry *first, **end = &first;

void contract_add(contract_entry *entry)
{
    *end = entry;
    end = &entry->next;
}

static bool is_wanted(const char *name, int n, char **names)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(names[i], name)) return true;
    return n == 0;
}

/* Ends the job if there is no such subject, because the job would pass without a point. */
static void require(const char *name)
{
    char names[1000] = "";
    for (const contract_entry *e = first; e; e = e->next) {
        if (!strcmp(e->name, name)) return;
        snprintf(names + strlen(names), sizeof names - strlen(names), " %s", e->name);
    }
    cm_abort(CM_EXIT_USAGE, "no subject '%s'; expected one of:%s", name, names);
}

int main(int argc, char **argv)
{
    contract_start(&argc, &argv);
    for (int i = 1; i < argc; i++) require(argv[i]);
    for (const contract_entry *e = first; e; e = e->next) {
        if (!is_wanted(e->name, argc - 1, argv + 1)) continue;
        contract_subject = e->name;
        e->run();
        contract_report();
        meet(); /* what one subject sends, no other one's rank finds */
    }
    contract_subject = NULL;
    return contract_done();
}
