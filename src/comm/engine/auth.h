/* SPDX-License-Identifier: BSD-3-Clause */
/* auth.h: how two ranks prove to each other that they belong to one job before anything else they
   say is believed: HMAC-SHA256 (RFC 2104, FIPS 180-4) over the job's secret, with a nonce of either
   side.

   Each rank's card on the launcher's board carries a nonce. Who connects sends a nonce of its own
   and its proof over both; who accepts answers with its proof. Proofs name role, both ranks and the
   connection's rail, so that none can be reflected or used for another pair or a second time.
   Without libcrypto there is no HMAC: then the secret itself is the proof, which is sound only
   where nobody else can listen, so such builds refuse jobs of several hosts. */
#ifndef CM_AUTH_H
#define CM_AUTH_H

#include <stdbool.h>

enum { CM_SECRET_BYTES = 16, CM_NONCE_BYTES = 16, CM_PROOF_BYTES = 32 };

typedef enum { CM_ROLE_CONNECTS = 1, CM_ROLE_ACCEPTS = 2 } cm_auth_role;

/* Who proves what to whom. */
typedef struct {
    cm_auth_role role;                                  /* of the one who proves */
    int prover, verifier;                               /* world ranks */
    const unsigned char *prover_nonce, *verifier_nonce; /* CM_NONCE_BYTES each */
    int rail;                                           /* of the connection */
} cm_auth_claim;

/* Whether proofs can travel where others listen. */
bool cm_auth_strong(void);

/* Unpredictable bytes from the kernel; false: it gives none. */
bool cm_auth_random(unsigned char *bytes, int n);

/* false: libcrypto refuses HMAC-SHA256. */
bool cm_auth_prove(const unsigned char *secret, const cm_auth_claim *claim, unsigned char *proof);

/* In time that does not depend on where proofs differ. */
bool cm_auth_verify(const unsigned char *secret, const cm_auth_claim *claim,
                    const unsigned char *proof);

#endif
