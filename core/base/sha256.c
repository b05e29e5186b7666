/* SHA-256 of a file: FIPS 180-4, sections 4.1.2, 4.2.2, 5 and 6.2. */
#include "core/base/sha256.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 64, ROUNDS = 64, WORDS = 8, LENGTH_AT = 56 };

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t K[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotr(uint32_t x, int n) { return x >> n | x << (32 - n); }

/* Section 6.2.2: adds a block of the message to the hash value. */
static void add_block(uint32_t H[WORDS], const unsigned char block[BLOCK]) {
    uint32_t W[ROUNDS], s[WORDS]; /* s: a to h */
    for (int t = 0; t < 16; t++) {
        const unsigned char *b = block + 4 * t;
        W[t] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
    }
    for (int t = 16; t < ROUNDS; t++) {
        const uint32_t sigma1 = rotr(W[t - 2], 17) ^ rotr(W[t - 2], 19) ^ W[t - 2] >> 10;
        const uint32_t sigma0 = rotr(W[t - 15], 7) ^ rotr(W[t - 15], 18) ^ W[t - 15] >> 3;
        W[t] = sigma1 + W[t - 7] + sigma0 + W[t - 16];
    }
    memcpy(s, H, sizeof s);
    for (int t = 0; t < ROUNDS; t++) {
        const uint32_t a = s[0], e = s[4];
        const uint32_t Sigma1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25), Ch = (e & s[5]) ^ (~e & s[6]);
        const uint32_t Sigma0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22), Maj = (a & s[1]) ^ (a & s[2]) ^ (s[1] & s[2]);
        const uint32_t T1 = s[7] + Sigma1 + Ch + K[t] + W[t], T2 = Sigma0 + Maj;
        memmove(s + 1, s, (WORDS - 1) * sizeof *s);
        s[4] += T1;
        s[0] = T1 + T2;
    }
    for (int i = 0; i < WORDS; i++) {
        H[i] += s[i];
    }
}

bool sb_sha256(FILE *file, char digest[SB_SHA256_SIZE]) {
    /* The first 32 bits of the fractional parts of the square roots of the first eight primes. */
    uint32_t H[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    unsigned char block[BLOCK];
    uint64_t bits = 0;
    size_t length;
    while ((length = fread(block, 1, BLOCK, file)) == BLOCK) {
        add_block(H, block);
        bits += 8 * BLOCK;
    }
    bits += 8 * length;
    block[length++] = 0x80;
    memset(block + length, 0, BLOCK - length);
    if (length > LENGTH_AT) {
        add_block(H, block);
        memset(block, 0, BLOCK);
    }
    for (int i = 0; i < 8; i++) {
        block[LENGTH_AT + i] = (unsigned char)(bits >> (56 - 8 * i));
    }
    add_block(H, block);
    for (int i = 0; i < WORDS; i++) {
        snprintf(digest + 8 * i, 9, "%08x", (unsigned)H[i]);
    }
    return ferror(file) == 0;
}

bool sb_sha256_of(const char *path, char digest[SB_SHA256_SIZE]) {
    FILE *file = fopen(path, "rb");
    const bool whole = file != NULL && sb_sha256(file, digest);
    const int reason = errno;
    if (file != NULL) {
        fclose(file);
    }
    errno = reason;
    return whole;
}
