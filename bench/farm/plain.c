/* SPDX-License-Identifier: BSD-3-Clause */
/* plain.c: the reference for a farm: a loop over units 0 .. UNITS - 1 of 32768 bytes without
   messages, SHA-1 by libcrypto. Usage: plain UNITS. Prints the time of a unit in us, and the
   digest. */
#include <openssl/evp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WORDS = 4096, DIGEST_BYTES = 20 };

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* An independent splitmix64, so that equal digests prove the farm's right. */
static void make(uint64_t unit, uint64_t *data)
{
    for (uint64_t j = 0; j < WORDS; j++) {
        uint64_t z = ((unit << 32) + j + 1) * 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        data[j] = z ^ z >> 31;
    }
}

int main(int argc, char **argv)
{
    static uint64_t data[WORDS];
    unsigned char digest[DIGEST_BYTES], sum[DIGEST_BYTES] = {0};
    uint64_t units = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (!context || !EVP_DigestInit_ex(context, EVP_sha1(), NULL)) return 3;
    double begun_s = now_s();
    for (uint64_t unit = 0; unit < units; unit++) {
        make(unit, data);
        if (!EVP_DigestInit_ex(context, NULL, NULL) || !EVP_DigestUpdate(context, data, sizeof data)
            || !EVP_DigestFinal_ex(context, digest, NULL))
            return 3;
        for (int k = 0; k < DIGEST_BYTES; k++) sum[k] ^= digest[k];
    }
    double all_s = now_s() - begun_s;
    printf("%.4f ", 1e6 * all_s / (double)units);
    for (int k = 0; k < DIGEST_BYTES; k++) printf("%02x", sum[k]);
    printf("\n");
    EVP_MD_CTX_free(context);
    return 0;
}
