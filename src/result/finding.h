/* SPDX-License-Identifier: BSD-3-Clause */
/* finding.h: what a program found out besides its metrics, as data: who, what, a quantity with its
   unit, the bound that it had to pass, and words for people. Programs decide by the data; the
   words may change. */
#ifndef CM_RESULT_FINDING_H
#define CM_RESULT_FINDING_H

/* The kinds of findings. Programs may have further ones. */
#define CM_FINDING_STANDS_OUT "stands_out" /* who is not like the others in the quantity */
#define CM_FINDING_FEW "few_launches" /* who stood out in some launches, but not in all together */
#define CM_FINDING_SPLIT "split"      /* hosts differ in the quantity; no value is that of most */
#define CM_FINDING_LOOKED "looked_slow"    /* pairs that were measured again, and what came of it */
#define CM_FINDING_SENT_AGAIN "sent_again" /* TCP segments of a pair, of "bound" */
#define CM_FINDING_NONE "none"             /* no host or pair stands out */
#define CM_FINDING_CANNOT_TELL "cannot_tell" /* whether somebody does */
#define CM_FINDING_FEW_HOSTS "few_hosts"     /* too few to tell who is slow from who is fast */
#define CM_FINDING_LIMIT "limit"             /* who passes the bound would have stood out */
#define CM_FINDING_FALSE_ALARMS "false_alarms"
#define CM_FINDING_COVERED "covered"        /* how much was looked at */
#define CM_FINDING_BURN_IN "burn_in"        /* how long everything was repeated */
#define CM_FINDING_EXTREME "extreme"        /* who has most or least of the quantity */
#define CM_FINDING_PERIOD "period"          /* of the noise */
#define CM_FINDING_COUNTERS "counters"      /* what moved of a host's counters of errors */
#define CM_FINDING_DISTURBED "disturbed"    /* how many samples, of "bound", or rows */
#define CM_FINDING_DISTANCE "pair_distance" /* between cores, in ns: last; bound: first */
#define CM_FINDING_DISTANCE_CHANGED "pair_distance_changed" /* of a pair, from bound to value */
#define CM_FINDING_DISTURBED_BY "disturbed_by" /* how many samples by the cause "quantity" */

/* Where a host at this ratio to the others would not be named, it could not be told. */
#define CM_FINDING_BLIND 0.5

/* The metric that counts who stands out. It is FAIL if somebody does. */
#define CM_FINDINGS_METRIC "findings"

#endif
