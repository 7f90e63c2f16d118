/* SPDX-License-Identifier: BSD-3-Clause */
/* step.h: proxies that one command, srun, starts on all hosts at once. srun's streams are one for
   all of them, so each proxy connects to cmrun. Its standard input says where, and gives it the
   secret by which both prove themselves (comm/engine/auth.h). */
#ifndef CM_LAUNCH_STEP_H
#define CM_LAUNCH_STEP_H

#include "comm/engine/auth.h"

/* What a proxy sends when it is connected: its nonce, its proof, and the name of its host, filled
   with NULs. cmrun answers with its own proof. */
enum {
    STEP_NAME_BYTES = 256,
    STEP_HANDSHAKE_BYTES = CM_NONCE_BYTES + CM_PROOF_BYTES + STEP_NAME_BYTES,
    STEP_ADDRESSES = 32,
    STEP_TEXT_BYTES = 8192 /* SECRET NONCE PORT ADDRESS..., in one line */
};

/* The claim of the proxy, or cmrun's, for its proof. */
cm_auth_claim step_claim(cm_auth_role role, const unsigned char *proxy_nonce,
                         const unsigned char *nonce);

/* A proxy's side: reads its standard input, connects to cmrun and proves itself. Returns the
   socket; -1 after one line on stderr. */
int step_join(void);

#endif
