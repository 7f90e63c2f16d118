/* SPDX-License-Identifier: BSD-3-Clause */
/* limits.h: what a host may not have enough of: open files, ports. */
#ifndef CM_LIMITS_H
#define CM_LIMITS_H

/* Raises the limit of open files, as far as this process may, to what so many listeners, a
   connection with every peer over each rail, and so many strangers can take. Ends the job when
   there are not enough even without strangers: better at its start than in the middle. */
void cm_limits_files(int listeners, int rails, int strangers);

/* What can be done about the cause of a failure, an errno, in parentheses after a blank; "" when
   that is not known. no_port: the errno by which this kind of call says that no port is left; 0:
   it cannot. The text is valid until the next call. */
const char *cm_limits_advice(int cause, int no_port);

#endif
