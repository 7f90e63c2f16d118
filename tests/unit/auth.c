/* SPDX-License-Identifier: BSD-3-Clause */
/* auth.c: proofs of ranks are right for their claim alone, and can be made at any time: a process
   that ends may still be asked for one (cm_finalize in a handler of atexit). */
#include "comm/engine/auth.h"
#include <stdlib.h>
#include <unistd.h>
#include "../tap.h"

static const unsigned char secret[CM_SECRET_BYTES] = "a secret";
static const unsigned char nonces[2][CM_NONCE_BYTES] = {"one", "other"};
static const cm_auth_claim claim = {
    .prover = 1, .verifier = 2, .prover_nonce = nonces[0], .verifier_nonce = nonces[1]};
static unsigned char proof[CM_PROOF_BYTES];

/* Registered before libcrypto is used, so this runs after what libcrypto may have registered. */
static void at_the_end(void)
{
    if (!cm_auth_verify(secret, &claim, proof)) _exit(1);
}

int main(void)
{
    if (atexit(at_the_end)) return 99;
    ok(cm_auth_prove(secret, &claim, proof), "a proof");
    ok(cm_auth_verify(secret, &claim, proof), "is right");
    cm_auth_claim other = claim;
    other.verifier = 3;
    ok(!cm_auth_verify(secret, &other, proof), "but not for another rank");
    unsigned char changed[CM_PROOF_BYTES];
    for (int k = 0; k < CM_PROOF_BYTES; k++) changed[k] = proof[k];
    changed[CM_PROOF_BYTES - 1] ^= 1;
    ok(!cm_auth_verify(secret, &claim, changed), "nor if a bit differs");
    return tap_done();
}
