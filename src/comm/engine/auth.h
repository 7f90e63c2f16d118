/* SPDX-License-Identifier: BSD-3-Clause */
/* auth.h: how two ranks prove to each other that they belong to one job, before any other data of
   the peer is trusted. The proof is HMAC-SHA256 (RFC 2104, FIPS 180-4) with the job's secret over a
   nonce of each side. A rank publishes its nonce on its card, through the launcher. The connecting
   rank sends its own nonce and a proof over both; the accepting rank answers with its proof. Proofs
   contain the role, both ranks and the connection's rail, so none can be reflected or used for
   another pair or a second time. Without libcrypto there is no HMAC and the secret itself is the
   proof. This is safe only where no one else can listen, so such builds refuse jobs on several
   hosts. */
#ifndef CM_AUTH_H
#define CM_AUTH_H

#include <stdbool.h>

/* Nothing here is exported. */
#pragma GCC visibility push(hidden)

enum { CM_SECRET_BYTES = 16, CM_NONCE_BYTES = 16, CM_PROOF_BYTES = 32 };

typedef enum { CM_ROLE_CONNECTS = 1, CM_ROLE_ACCEPTS = 2 } cm_auth_role;

/* A claim: which rank proves itself to which. */
typedef struct {
    cm_auth_role role;                                  /* role of the prover */
    int prover, verifier;                               /* world ranks */
    const unsigned char *prover_nonce, *verifier_nonce; /* CM_NONCE_BYTES each */
    int rail;                                           /* rail of the connection */
} cm_auth_claim;

/* Returns true if proofs are safe on networks where others listen. */
bool cm_auth_strong(void);

/* Fills bytes with n random bytes from the kernel. Returns false if it provides none. */
bool cm_auth_random(unsigned char *bytes, int n);

/* Computes a proof. Returns false if libcrypto refuses HMAC-SHA256. */
bool cm_auth_prove(const unsigned char *secret, const cm_auth_claim *claim, unsigned char *proof);

/* Returns true if the proof is right. The time does not depend on where proofs differ. */
bool cm_auth_verify(const unsigned char *secret, const cm_auth_claim *claim,
                    const unsigned char *proof);

#pragma GCC visibility pop
#endif
