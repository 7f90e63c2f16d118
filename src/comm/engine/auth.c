/* SPDX-License-Identifier: BSD-3-Clause */
/* auth.c: proofs that a rank belongs to the job; see auth.h. */
#include "config.h"
#include <stdint.h>
#include <string.h>
#include <sys/random.h>
#ifdef HAVE_CRYPTO
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#endif
#include "comm/engine/auth.h"

bool cm_auth_strong(void)
{
#ifdef HAVE_CRYPTO
    return true;
#else
    return false;
#endif
}

bool cm_auth_random(unsigned char *bytes, int n) { return getrandom(bytes, (size_t)n, 0) == n; }

bool cm_auth_prove(const unsigned char *secret, const cm_auth_claim *claim, unsigned char *proof)
{
#ifdef HAVE_CRYPTO
    const uint32_t head[5] = {0x32686d63 /* "cmh2" */, (uint32_t)claim->role,
                              (uint32_t)claim->prover, (uint32_t)claim->verifier,
                              (uint32_t)claim->rail};
    unsigned char text[sizeof head + 2 * CM_NONCE_BYTES];
    memcpy(text, head, sizeof head);
    memcpy(text + sizeof head, claim->prover_nonce, CM_NONCE_BYTES);
    memcpy(text + sizeof head + CM_NONCE_BYTES, claim->verifier_nonce, CM_NONCE_BYTES);
    /* Connections may still be made in cm_finalize, and that may be a handler of atexit (BSPlib's
       parts): libcrypto's own handler, which would run before it, is not wanted. */
#ifdef OPENSSL_INIT_NO_ATEXIT
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
#endif
    return HMAC(EVP_sha256(), secret, CM_SECRET_BYTES, text, sizeof text, proof, NULL) != NULL;
#else
    (void)claim;
    memset(proof, 0, CM_PROOF_BYTES);
    memcpy(proof, secret, CM_SECRET_BYTES);
    return true;
#endif
}

bool cm_auth_verify(const unsigned char *secret, const cm_auth_claim *claim,
                    const unsigned char *proof)
{
    unsigned char right[CM_PROOF_BYTES], difference = 0;
    if (!cm_auth_prove(secret, claim, right)) return false;
    for (int i = 0; i < CM_PROOF_BYTES; i++) difference |= (unsigned char)(right[i] ^ proof[i]);
    return difference == 0;
}
