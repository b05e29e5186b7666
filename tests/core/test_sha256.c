/* SHA-256: the examples that NIST publishes for FIPS 180-2, and messages around the length of a block. */
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_test.h>

#include "core/base/sha256.h"

static void expect(const char *what, size_t length, const char *digest) {
    char found[SB_SHA256_SIZE] = "";
    FILE *file = tmpfile();
    const size_t piece = strlen(what);
    for (size_t written = 0; written < length; written += piece) {
        fwrite(what, 1, piece, file);
    }
    rewind(file);
    gsl_test(!sb_sha256(file, found), "a file of %zu bytes is read", length);
    gsl_test(strcmp(found, digest) != 0, "%zu bytes of \"%.20s\": %s", length, what, found);
    fclose(file);
}

int main(void) {
    expect("abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
           "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    expect("a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    expect("a", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    /* Lengths at which the padding fills a block or begins another, by sha256sum. */
    expect("a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    expect("a", 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
    expect("a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    return gsl_test_summary();
}
