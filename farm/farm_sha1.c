/* SPDX-License-Identifier: BSD-3-Clause */
/* farm_sha1.c: SHA-1 by libcrypto, with one context for all messages. */
#include "config.h"
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include "farm_unit.h"

struct farm_sha1 {
    EVP_MD_CTX *context;
};

farm_sha1 *farm_sha1_open(void)
{
    farm_sha1 *sha1 = malloc(sizeof *sha1);
    if (!sha1) return NULL;
    sha1->context = EVP_MD_CTX_new();
    if (!sha1->context || !EVP_DigestInit_ex(sha1->context, EVP_sha1(), NULL)) {
        farm_sha1_close(sha1);
        return NULL;
    }
    return sha1;
}

void farm_sha1_close(farm_sha1 *sha1)
{
    if (!sha1) return;
    EVP_MD_CTX_free(sha1->context);
    free(sha1);
}

/* No algorithm given: the one that the context has. Looking SHA-1 up again takes libcrypto 3 longer
   than a short message. */
bool farm_sha1_digest(farm_sha1 *sha1, const void *data, size_t bytes, farm_digest *digest)
{
    return EVP_DigestInit_ex(sha1->context, NULL, NULL)
           && EVP_DigestUpdate(sha1->context, data, bytes)
           && EVP_DigestFinal_ex(sha1->context, digest->byte, NULL);
}

const char *farm_sha1_version(void) { return OpenSSL_version(OPENSSL_VERSION); }
