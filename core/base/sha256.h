/* SHA-256 of a file, which identifies it. */
#ifndef STEPBENCH_CORE_BASE_SHA256_H
#define STEPBENCH_CORE_BASE_SHA256_H

#include <stdbool.h>
#include <stdio.h>

enum { SB_SHA256_SIZE = 65 }; /* 64 hexadecimal digits and the end of the text */

/* Writes the SHA-256 digest (FIPS 180-4) of the bytes from the position of `file` to its end, as `sha256sum` prints it.
 * Returns false if the file cannot be read. */
bool sb_sha256(FILE *file, char digest[SB_SHA256_SIZE]);

/* Writes the digest of the file of this name. Returns false, with errno, if it cannot be read. */
bool sb_sha256_of(const char *path, char digest[SB_SHA256_SIZE]);

#endif
