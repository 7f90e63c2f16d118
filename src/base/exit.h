/* SPDX-License-Identifier: BSD-3-Clause */
/* exit.h: how a program of clustermark ends. */
#ifndef CM_EXIT_H
#define CM_EXIT_H

/* Exit statuses of every clustermark program: success; a wrong result; a wrong option or call; an
   error of the system. */
enum { CM_EXIT_PASS = 0, CM_EXIT_WRONG = 1, CM_EXIT_USAGE = 2, CM_EXIT_SYSTEM = 3 };

#endif
