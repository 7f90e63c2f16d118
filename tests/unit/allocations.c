/* SPDX-License-Identifier: BSD-3-Clause */
/* allocations.c: the hosts that batch systems have allocated, by what they set for a job. */
#include "config.h"
#include "tap.h"
#include "launch/host_list.h"
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const file_name = "unit_allocations.nodes";

/* All variables that are read. */
static const char *const variables[] = {"SLURM_JOB_NODELIST",
                                        "SLURM_TASKS_PER_NODE",
                                        "SLURM_STEP_NODELIST",
                                        "SLURM_STEP_TASKS_PER_NODE",
                                        "SLURM_JOB_NODELIST_HET_GROUP_0",
                                        "SLURM_JOB_NODELIST_HET_GROUP_1",
                                        "SLURM_JOB_NODELIST_HET_GROUP_2",
                                        "SLURM_TASKS_PER_NODE_HET_GROUP_0",
                                        "SLURM_TASKS_PER_NODE_HET_GROUP_1",
                                        "PBS_NODEFILE",
                                        "LSB_DJOB_HOSTFILE",
                                        "LSB_HOSTS",
                                        "LSB_MCPU_HOSTS",
                                        "CSM_ALLOCATION_ID",
                                        "PE_HOSTFILE",
                                        "OAR_NODEFILE",
                                        "OAR_NODE_FILE",
                                        "OAR_FILE_NODES",
                                        "COBALT_NODEFILE",
                                        "FLUX_JOB_ID",
                                        "FLUX_URI"};

static void clear(void)
{
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) unsetenv(variables[i]);
}

static bool write_text(const char *name, const char *text)
{
    FILE *out = fopen(name, "w");
    if (!out) return false;
    fputs(text, out);
    return fclose(out) == 0;
}

/* The list of NAME=VALUE words in the environment, separated by '|', or why there is none. A value
   FILE stands for the file with this text. */
static const char *hosts_of(const char *environment, const char *text)
{
    static char out[4096];
    char copy[1024], why[512] = "", *rest;
    const char *variable;
    host_list list;
    snprintf(copy, sizeof copy, "%s", environment);
    if (text && !write_text(file_name, text)) return "cannot write";
    for (char *word = strtok_r(copy, "|", &rest); word; word = strtok_r(NULL, "|", &rest)) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        setenv(word, strcmp(value, "FILE") == 0 ? file_name : value, 1);
    }
    const int status = host_list_allocated(&list, &variable, why, sizeof why);
    char *names = status ? NULL : host_list_text(&list);
    snprintf(out, sizeof out, "%s", names ? names : why);
    if (!status && list.counted) snprintf(out, sizeof out, "no more ranks than slots");
    free(names);
    host_list_free(&list);
    unlink(file_name);
    clear();
    return out;
}

/* Variables as seen in real jobs. FILE stands for the text after it. */
static const struct {
    const char *environment, *text, *want, *name;
} taken[] = {
    {"SLURM_JOB_NODELIST=n[01-03,20],a", NULL, "n01,n02,n03,n20,a", "Slurm's nodes"},
    {"SLURM_JOB_NODELIST=n[1-4]|SLURM_TASKS_PER_NODE=2(x3),1", NULL, "n1:2,n2:2,n3:2,n4",
     "and its tasks"},
    {"SLURM_JOB_NODELIST=r[1-2]n[1-2]|SLURM_TASKS_PER_NODE=1(x4)", NULL, "r1n1,r1n2,r2n1,r2n2",
     "two ranges"},
    {"SLURM_JOB_NODELIST=s13n[09-11]|SLURM_TASKS_PER_NODE=8(x3)", NULL,
     "s13n09:8,s13n10:8,s13n11:8", "whole nodes"},
    {"SLURM_JOB_NODELIST=n[1-4]|SLURM_TASKS_PER_NODE=2(x2)"
     "|SLURM_STEP_NODELIST=n[3-4]|SLURM_STEP_TASKS_PER_NODE=2(x2)",
     NULL, "n3:2,n4:2", "a step on some of the nodes"},
    {"SLURM_JOB_NODELIST=n[1-2]|SLURM_TASKS_PER_NODE=4(x2)"
     "|SLURM_STEP_NODELIST=n1|SLURM_STEP_TASKS_PER_NODE=1",
     NULL, "n1:4,n2:4", "salloc's shell is a step on one of them"},
    {"SLURM_JOB_NODELIST=cpu[01-02]|SLURM_TASKS_PER_NODE=96(x2)"
     "|SLURM_JOB_NODELIST_HET_GROUP_0=cpu[01-02]|SLURM_JOB_NODELIST_HET_GROUP_1=gpu01"
     "|SLURM_TASKS_PER_NODE_HET_GROUP_0=96(x2)|SLURM_TASKS_PER_NODE_HET_GROUP_1=4",
     NULL, "cpu01:96,cpu02:96,gpu01:4", "a heterogeneous job"},
    {"SLURM_JOB_NODELIST_HET_GROUP_0=a|SLURM_JOB_NODELIST_HET_GROUP_1=b[1-2]"
     "|SLURM_JOB_NODELIST_HET_GROUP_2=c",
     NULL, "a,b1,b2,c", "its groups without tasks"},
    {"PBS_NODEFILE=FILE", "n1\nn1\nn2\nn2\n", "n1:2,n2:2", "PBS's file"},
    {"PBS_NODEFILE=FILE",
     "s13n09\ns13n09\ns13n10\ns13n09\ns13n11\ns13n09\ns13n11\ns13n09\ns13n10\ns13n09\n",
     "s13n09:6,s13n10:2,s13n11:2", "in no order"},
    {"PBS_NODEFILE=FILE",
     "atl1-1-02-014-20-r.pace.edu\natl1-1-02-014-20-r.pace.edu\natl1-1-02-010-29-r.pace.edu\n"
     "atl1-1-02-010-29-r.pace.edu\n",
     "atl1-1-02-014-20-r.pace.edu:2,atl1-1-02-010-29-r.pace.edu:2", "full names"},
    {"PBS_NODEFILE=FILE", "gpu-2-8.local\ngpu-1-7.local\ngpu-2-8.local\n",
     "gpu-2-8.local:2,gpu-1-7.local", "the order of the file"},
    {"LSB_DJOB_HOSTFILE=FILE", "n1\nn1\nn2\nn2\n", "n1:2,n2:2", "LSF's file"},
    {"LSB_DJOB_HOSTFILE=FILE",
     "batch2\na28n16\na28n16\na28n16\na28n16\na28n16\na28n16\na28n16\na28n16\n"
     "a28n17\na28n17\na28n17\na28n17\na28n17\na28n17\n"
     "a28n17\na28n17\n",
     "a28n16:8,a28n17:8", "without its batch node"},
    {"LSB_DJOB_HOSTFILE=FILE|CSM_ALLOCATION_ID=7",
     "lassen708\nlassen10\nlassen10\nlassen11\nlassen11\n", "lassen10:2,lassen11:2",
     "a batch node of the same name"},
    {"LSB_HOSTS=a b b", NULL, "a,b:2", "few slots are of cores that were asked for"},
    {"LSB_DJOB_HOSTFILE=FILE", "n3 1\nn1 42\nn2 42\n", "n3,n1:42,n2:42",
     "a first host with one slot is none"},
    {"LSB_DJOB_HOSTFILE=FILE", "login1 1\nn1 42\nn2 41\n", "login1,n1:42,n2:41",
     "nor if the others differ"},
    {"LSB_HOSTS=a a b a ", NULL, "a:3,b", "LSF's hosts"},
    {"LSB_MCPU_HOSTS=hostA 4 hostB 4", NULL, "hostA:4,hostB:4", "LSF's hosts in few words"},
    {"LSB_MCPU_HOSTS=batch5 1 h41n08 42 h41n09 42 ", NULL, "h41n08:42,h41n09:42",
     "without the batch node, too"},
    {"LSB_MCPU_HOSTS=a 2 b 1|LSB_HOSTS=c c", NULL, "c:2", "the whole list goes before"},
    {"PE_HOSTFILE=FILE",
     "node01.cluster 4 all.q@node01.cluster UNDEFINED\nnode02.cluster 2 all.q@node02.cluster "
     "UNDEFINED\n",
     "node01.cluster:4,node02.cluster:2", "Grid Engine's file"},
    {"PE_HOSTFILE=FILE", "a 2 x.q@a 0,0:0,1\nb 2 x.q@b <NULL>\na 1 y.q@a <NULL>\n", "a:3,b:2",
     "with cores, and two queues"},
    {"OAR_NODEFILE=FILE", "dahu-3.grenoble\ndahu-3.grenoble\ndahu-9.grenoble\n",
     "dahu-3.grenoble:2,dahu-9.grenoble", "OAR's file"},
    {"OAR_NODE_FILE=FILE", "a\nb\n", "a,b", "by its other name"},
    {"OAR_FILE_NODES=FILE", "a\nb\n", "a,b", "and by its third"},
    {"COBALT_NODEFILE=FILE", "nid00012\nnid00013\n", "nid00012,nid00013", "Cobalt's file"},
    {"FLUX_JOB_ID=f2PSQLxsCK", NULL, "tioga3,tioga4,tioga7", "a job of Flux"},
    {"FLUX_URI=local:///run/flux/local", NULL, "gadi-0645,gadi-0646", "an instance of Flux"},
    {"NO_BATCH_SYSTEM=a", NULL, "", "no allocation"},
};

static const struct {
    const char *environment, *text, *word, *name;
} refused[] = {
    {"SLURM_JOB_NODELIST=n[1-4]|SLURM_TASKS_PER_NODE=2(x3)", NULL,
     "SLURM_TASKS_PER_NODE=2(x3) does not fit", "tasks of fewer nodes"},
    {"SLURM_JOB_NODELIST=n[1-2]|SLURM_TASKS_PER_NODE=2(x3)", NULL, "does not fit", "of more nodes"},
    {"SLURM_JOB_NODELIST=n[1-2]|SLURM_TASKS_PER_NODE=1"
     "|SLURM_STEP_NODELIST=n[1-3]|SLURM_STEP_TASKS_PER_NODE=1",
     NULL, "3 hosts, to which SLURM_STEP_TASKS_PER_NODE=1 does not fit",
     "tasks of fewer in a step"},
    {"SLURM_JOB_NODELIST=n[1-2]|SLURM_TASKS_PER_NODE=2 2", NULL, "does not fit",
     "no list of tasks"},
    {"SLURM_JOB_NODELIST=n[1-2]|SLURM_TASKS_PER_NODE=2(x2),", NULL,
     "SLURM_TASKS_PER_NODE=2(x2), does not fit", "a comma at the end"},
    {"SLURM_JOB_NODELIST=n[1-2", NULL, "no ']'", "no list of nodes"},
    {"SLURM_JOB_NODELIST_HET_GROUP_0=a|SLURM_JOB_NODELIST_HET_GROUP_1=b[1-2]"
     "|SLURM_TASKS_PER_NODE_HET_GROUP_1=4",
     NULL, "2 hosts, to which SLURM_TASKS_PER_NODE_HET_GROUP_1=4 does not fit",
     "tasks of fewer nodes in a group"},
    {"PBS_NODEFILE=/no/such", NULL, "cannot be read", "PBS's file is not there"},
    {"PE_HOSTFILE=/no/such", NULL, "cannot be read", "nor Grid Engine's"},
    {"PE_HOSTFILE=/", NULL, "cannot be read: Is a directory", "a folder"},
    {"PE_HOSTFILE=FILE", "a 2 x.q@a\nb 2 x.q@b UNDEFINED\n",
     "has 7 words; expected 4 for each host", "a column is missing"},
    {"PE_HOSTFILE=FILE", "a two x.q@a UNDEFINED\n", "no valid number of slots", "no number"},
    {"PE_HOSTFILE=FILE", "", "no valid host name", "an empty file"},
    {"LSB_MCPU_HOSTS=a 2 b", NULL, "has 3 words; expected 2 for each host", "a number is missing"},
    {"LSB_MCPU_HOSTS=a 0", NULL, "no valid number of slots", "no slots"},
    {"FLUX_JOB_ID=nosuch", NULL, "name the hosts with --hosts", "a job that Flux does not know"},
    {"FLUX_JOB_ID=gone", NULL, "lists no hosts; name the hosts", "a Flux that never answers"},
};

/* flux, with output as in its manual, and a shorter time limit. */
static bool stand_in_for_flux(void)
{
    static const char script[] =
        "#!/bin/sh\ncase \"$*\" in\n"
        "'jobs -no {nodelist} f2PSQLxsCK') echo 'tioga[3-4, 7]' ;;\n"
        "'resource list -s free,allocated -no {nodelist}') echo 'gadi-0645,gadi-0645'\n"
        "    echo 'gadi-[0645-0646]' ;;\n"
        "'jobs -no {nodelist} gone') sleep 40; echo late ;;\n"
        "*) echo 'flux-jobs: ERROR: JobID not found' >&2; exit 1 ;;\nesac\n";
    static const char limit[] = "#!/bin/sh\nshift\nreal=$(PATH=${PATH#*:}; command -v timeout)\n"
                                "exec \"$real\" 3 \"$@\"\n";
    return mkdir("unit_allocations.bin", 0777) == 0
           && write_text("unit_allocations.bin/flux", script)
           && chmod("unit_allocations.bin/flux", 0755) == 0
           && write_text("unit_allocations.bin/timeout", limit)
           && chmod("unit_allocations.bin/timeout", 0755) == 0;
}

int main(void)
{
    clear();
    unlink("unit_allocations.bin/flux");
    unlink("unit_allocations.bin/timeout");
    rmdir("unit_allocations.bin");
    ok(stand_in_for_flux(), "a stand-in for flux");
    char path[4096];
    snprintf(path, sizeof path, "unit_allocations.bin:%s", getenv("PATH"));
    setenv("PATH", path, 1);
    for (size_t k = 0; k < sizeof taken / sizeof taken[0]; k++)
        ok_text(hosts_of(taken[k].environment, taken[k].text), taken[k].want, taken[k].name);
    for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
        const char *why = hosts_of(refused[k].environment, refused[k].text);
        ok(strstr(why, refused[k].word) != NULL, "%s: %s", refused[k].name, why);
    }
    unlink("unit_allocations.bin/flux");
    unlink("unit_allocations.bin/timeout");
    rmdir("unit_allocations.bin");
    return tap_done();
}
