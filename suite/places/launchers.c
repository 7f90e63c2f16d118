/* SPDX-License-Identifier: BSD-3-Clause */
/* launchers.c: the table of launchers, and their shapes written out for hosts. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/environment.h"
#include "launch/host_list.h"
#include "common/memory.h"
#include "launchers.h"

/* ---- The table ------------------------------------------------------------------------------- */

/* No launcher binds: the programs do it themselves (--bind), and a rank alone on a host would have
   one core. Processors may have more ranks than the job asked for (--overcommit), as under the
   other launchers; and clustermark itself may run in a step of the job (--overlap). */
#define SRUN "--quiet %m --overlap --overcommit --cpu-bind=none --kill-on-bad-exit=1 "
#define FLUX "run --exclusive -o cpu-affinity=off --nodes=%N --ntasks=%n --requires=hosts:%h "
#define INTEL "-genv I_MPI_PIN off "
#define OPEN "--bind-to none "
#define HYDRA_PROGRAMS "mpiexec.mpich", "mpiexec.hydra", "/usr/lib64/mpich/bin/mpiexec"

/* A launcher that is told by its name stands before those that share mpiexec; Intel MPI before
   Hydra, whose words it may say, too. */
static const suite_launcher_row table[] = {
    {.name = "srun",
     .program = {"srun"},
     .variable = {"SLURM_JOB_ID"},
     .here = SRUN "--nodes=1 --ntasks=%n",
     .spread = SRUN "--nodes=%N --nodelist=%h --ntasks=%n --distribution=cyclic",
     .filled = SRUN "--nodes=%N --nodelist=%h --ntasks=%n --ntasks-per-node=%p "
                    "--distribution=block",
     .listed = SRUN "--nodelist=%r --ntasks=%n --distribution=arbitrary"},
    {.name = "flux",
     .program = {"flux"},
     .variable = {"FLUX_URI", "FLUX_JOB_ID"},
     .here = "run --exclusive -o cpu-affinity=off --nodes=1 --ntasks=%n",
     .spread = FLUX "--taskmap=cyclic",
     .filled = FLUX},
    {.name = "jsrun",
     .program = {"jsrun"},
     .variable = {"LSB_JOBID"},
     .here = "--nrs=1 --tasks_per_rs=%n --cpu_per_rs=ALL_CPUS --bind=none",
     .spread = "--nrs=%n --rs_per_host=1 --tasks_per_rs=1 --cpu_per_rs=ALL_CPUS --bind=none",
     .filled = "--nrs=%n --rs_per_host=%p --tasks_per_rs=1 --cpu_per_rs=1 --bind=none",
     .unnamed = true},
    {.name = "aprun",
     .program = {"aprun"},
     .here = "-n %n -cc none",
     .spread = "-n %n -N %p -L %h -cc none",
     .filled = "-n %n -N %p -L %h -cc none"},
    {.name = "mpirun_rsh",
     .program = {"mpirun_rsh"},
     .mpi = SUITE_MPI_MPICH,
     .here = "-np %n %w MV2_ENABLE_AFFINITY=0",
     .spread = "-np %n %w MV2_ENABLE_AFFINITY=0",
     .filled = "-np %n %w MV2_ENABLE_AFFINITY=0",
     .listed = "-np %n %w MV2_ENABLE_AFFINITY=0"},
    {.name = "pals",
     .program = {"mpiexec"},
     .says = {"PALS", "pals"},
     .variable = {"PALS_"},
     .here = "-n %n --cpu-bind none",
     .spread = "-n %n --ppn %p --hosts %h --cpu-bind none",
     .filled = "-n %n --ppn %p --hosts %h --cpu-bind none"},
    {.name = "intel",
     .program = {"mpiexec.hydra", "mpiexec", "mpirun"},
     .says = {"Intel(R) MPI"},
     .mpi = SUITE_MPI_MPICH,
     /* In a batch job -ppn would otherwise be passed over. */
     .setting = "I_MPI_JOB_RESPECT_PROCESS_PLACEMENT=off",
     .here = INTEL "-n %n",
     .spread = INTEL "-hosts %a -ppn 1 -n %n",
     .filled = INTEL "-hosts %a -ppn %p -n %n",
     .rsh = "-bootstrap ssh -bootstrap-exec %r"},
    {.name = "hydra",
     .program = {HYDRA_PROGRAMS, "mpiexec"},
     .says = {"HYDRA", "MPICH"},
     .mpi = SUITE_MPI_MPICH,
     .here = "-n %n",
     .spread = "-hosts %a -ppn 1 -n %n",
     .filled = "-hosts %a -ppn %p -n %n",
     .listed = "-hosts %c -ppn 1 -n %n",
     .rsh = "-launcher ssh -launcher-exec %r"},
    /* Open MPI counts one slot for each time that a host is named without a number. It starts ranks
       on other hosts without the variables of this one but for those that -x names. */
    {.name = "openmpi",
     .program = {"mpiexec.openmpi", "mpirun.openmpi", "/usr/lib64/openmpi/bin/mpiexec", "mpirun",
                 "mpiexec", "prterun"},
     .says = {"Open MPI", "OpenRTE", "PRRTE"},
     .mpi = SUITE_MPI_OPEN,
     .here = OPEN "-n %n",
     .spread = OPEN "--host %a --map-by node %x -n %n",
     .filled = OPEN "--host %c %x -n %n",
     .listed = OPEN "--host %c --map-by node %x -n %n",
     .rsh = "--mca plm_rsh_agent %r"},
    {.name = "cmrun",
     .program = {"cmrun"},
     .here = "-n %n",
     .spread = "--hosts %a -n %n",
     .filled = "--hosts %a --per-host %p -n %n",
     .listed = "--hosts %c -n %n",
     .rsh = "--rsh %r"},
};
enum { ROWS = sizeof table / sizeof table[0] };

const suite_launcher_row *suite_launchers_next(const suite_launcher_row *row)
{
    row = row ? row + 1 : table;
    return row < table + ROWS ? row : NULL;
}

/* The blanks around a name do not count, as around the words of a command. */
const suite_launcher_row *suite_launchers_named(const char *name)
{
    name += strspn(name, " \t");
    const size_t length = strcspn(name, " \t");
    if (name[length + strspn(name + length, " \t")] != '\0') return NULL;
    for (int r = 0; r < ROWS; r++)
        if (strlen(table[r].name) == length && memcmp(table[r].name, name, length) == 0)
            return &table[r];
    return NULL;
}

char *suite_launchers_names(void)
{
    char *names = suite_copy(table[0].name);
    for (int r = 1; r < ROWS; r++) {
        char *longer = suite_text("%s, %s", names, table[r].name);
        free(names);
        names = longer;
    }
    return names;
}

const char *suite_launchers_mpi_name(suite_mpi mpi)
{
    static const char *const names[SUITE_MPIS] = {"an unknown MPI", "MPICH", "Open MPI"};
    return names[mpi];
}

/* ---- Which one it is ------------------------------------------------------------------------- */

const suite_launcher_row *suite_launchers_of_program(const char *program)
{
    const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
    for (int r = 0; r < ROWS; r++)
        if (!table[r].says[0] && strcmp(table[r].program[0], name) == 0) return &table[r];
    return NULL;
}

/* HPE's mpiexec need not say its name: it is installed below .../pals/. */
static bool is_of_pals(const char *program)
{
    char *path = suite_find_program(program), *whole = path ? realpath(path, NULL) : NULL;
    const bool is = whole && strstr(whole, "/pals/");
    free(whole);
    free(path);
    return is;
}

const suite_launcher_row *suite_launchers_of_version(const char *program, const char *said)
{
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < SUITE_LAUNCHER_WORDS && table[r].says[k]; k++)
            if (strstr(said, table[r].says[k])) return &table[r];
    const suite_launcher_row *pals = suite_launchers_named("pals");
    return is_of_pals(program) || suite_launchers_is_site(pals) ? pals : NULL;
}

static bool is_set(const char *variable)
{
    extern char **environ;
    const size_t bytes = strlen(variable);
    const bool begin = variable[bytes - 1] == '_';
    for (char **entry = environ; entry && *entry; entry++)
        if (strncmp(*entry, variable, bytes) == 0 && (begin || (*entry)[bytes] == '=')) return true;
    return false;
}

bool suite_launchers_is_site(const suite_launcher_row *row)
{
    for (int k = 0; k < SUITE_LAUNCHER_WORDS && row->variable[k]; k++)
        if (is_set(row->variable[k])) return true;
    return false;
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

/* Ranks on hosts, as the words of a shape need them. */
typedef struct {
    host_list list; /* with ranks placed */
    int ranks, used;
    int per_host; /* the most that a host gets */
} placed;

static void place(placed *p, int ranks, const char *hosts, int per_host)
{
    char why[512];
    *p = (placed){.ranks = ranks};
    host_list_parse(hosts ? hosts : "localhost", &p->list, why, sizeof why);
    if (per_host > 0) host_list_set_slots(&p->list, per_host);
    p->list.counted = false; /* who asks for more ranks than that gets them in turn */
    host_list_place(&p->list, ranks);
    for (int i = 0; i < p->list.n; i++)
        if (p->list.host[i].count > p->per_host) p->per_host = p->list.host[i].count;
    p->used = host_list_used(&p->list);
}

typedef enum { NAMES, WITH_SLOTS, REPEATED } host_form;

/* The hosts, or those with ranks, with commas. */
static char *hosts_text(const placed *p, bool all, host_form form)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = suite_there(open_memstream(&text, &bytes));
    for (int i = 0, n = 0; i < p->list.n; i++) {
        const host *host = &p->list.host[i];
        const bool colons = strchr(host->name, ':') != NULL;
        if (!all && host->count == 0) continue;
        for (int k = 0; k < (form == REPEATED ? host->count : 1); k++)
            fprintf(out, "%s%s%s%s", n++ ? "," : "", colons ? "[" : "", host->name,
                    colons ? "]" : "");
        if (form == WITH_SLOTS) fprintf(out, ":%d", host->slots);
    }
    fclose(out);
    return suite_there(text);
}

/* The name of each rank's host. */
static void add_host_of_each(const placed *p, suite_words *words)
{
    for (int rank = 0; rank < p->ranks; rank++)
        for (int i = 0; i < p->list.n; i++) {
            const host *host = &p->list.host[i];
            const int k = rank - host->first;
            if (k < 0 || k % host->stride || k / host->stride >= host->count) continue;
            suite_words_add(words, host->name);
        }
}

/* -x NAME of each variable of clustermark that is set. */
static void add_variables(suite_words *words)
{
    extern char **environ;
    for (char **entry = environ; entry && *entry; entry++) {
        const size_t bytes = strcspn(*entry, "=");
        if (!cm_environment_known(*entry, bytes)) continue;
        char *name = suite_text("%.*s", (int)bytes, *entry);
        suite_words_add(words, "-x");
        suite_words_add(words, name);
        free(name);
    }
}

static char *filled_in(const placed *p, const char *word)
{
    char *text = suite_copy(word);
    const struct {
        const char *mark;
        char *value;
    } marks[] = {{"%n", suite_text("%d", p->ranks)},    {"%N", suite_text("%d", p->used)},
                 {"%p", suite_text("%d", p->per_host)}, {"%h", hosts_text(p, false, NAMES)},
                 {"%a", hosts_text(p, true, NAMES)},    {"%c", hosts_text(p, true, WITH_SLOTS)},
                 {"%r", hosts_text(p, false, REPEATED)}};
    for (size_t k = 0; k < sizeof marks / sizeof marks[0]; k++) {
        char *next = suite_replace(text, marks[k].mark, marks[k].value);
        free(text);
        free(marks[k].value);
        text = next;
    }
    return text;
}

static bool are_alike(const host_list *list)
{
    for (int i = 1; i < list->n; i++)
        if (list->host[i].slots != list->host[0].slots) return false;
    return true;
}

/* The shape for a list that says itself how many ranks each host has, or does not. */
static const char *shape_of(const suite_launcher_row *row, const placed *p, int per_host)
{
    if (per_host > 0) return row->filled;
    const bool counted = !are_alike(&p->list) || p->list.host[0].slots > 1;
    /* Two ranks of jsrun cannot have all cores of a host each. */
    if (!counted) return row->unnamed && p->per_host > 1 ? row->filled : row->spread;
    return row->listed ? row->listed : row->filled;
}

void suite_launchers_write(const suite_launcher_row *row, int ranks, const char *hosts,
                           int per_host, const char *mpi, suite_words *words)
{
    placed p;
    suite_words shape = {0};
    place(&p, ranks, hosts, per_host);
    suite_words_split(&shape, hosts ? shape_of(row, &p, per_host) : row->here);
    for (size_t k = 0; k < shape.n; k++) {
        if (strcmp(shape.word[k], "%w") == 0) add_host_of_each(&p, words);
        else if (strcmp(shape.word[k], "%x") == 0) add_variables(words);
        else if (strcmp(shape.word[k], "%m") != 0) {
            char *word = filled_in(&p, shape.word[k]);
            suite_words_add(words, word);
            free(word);
        } else if (mpi) suite_words_add(words, mpi);
    }
    suite_words_free(&shape);
    host_list_free(&p.list);
}

char *suite_launchers_fill(const char *word, int ranks, const char *hosts, int per_host)
{
    placed p;
    place(&p, ranks, hosts, per_host);
    char *number = suite_text("%d", ranks), *each = suite_text("%d", p.per_host);
    char *names = hosts_text(&p, false, NAMES);
    char *with_number = suite_replace(word, "%n", number);
    char *with_each = suite_replace(with_number, "%p", each);
    char *whole = suite_replace(with_each, "%h", names);
    free(with_each);
    free(with_number);
    free(names);
    free(each);
    free(number);
    host_list_free(&p.list);
    return whole;
}
