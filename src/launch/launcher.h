/* SPDX-License-Identifier: BSD-3-Clause */
/* launcher.h: the command line by which cmrun runs itself on another host. */
#ifndef CM_LAUNCH_LAUNCHER_H
#define CM_LAUNCH_LAUNCHER_H

/* Within a job of Slurm: reaches one host. */
#define LAUNCHER_SRUN "srun --quiet -N1 -n1 --overlap --cpu-bind=none -w"

/* The words of the launcher, then those that run `self OPTION` on the host (step_hosts > 0: on so
   many hosts, by one srun; name is their list). Returns the words, NULL-terminated, in one
   allocation; *text holds them. The caller frees both. NULL if out of memory. */
char **launcher_words(const char *launcher, const char *name, int step_hosts, const char *self,
                      const char *option, char **text);

#endif
