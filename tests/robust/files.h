/* Files that are damaged at random, and the command lines that read them. */
#ifndef STEPBENCH_TESTS_FILES_H
#define STEPBENCH_TESTS_FILES_H

#include "tests/robust/grammar.h"

enum { FILES_MAX = 24, FILE_SIZE = 1 << 16 };

/* The undamaged files, from the source tree. */
typedef struct files {
    int count;
    const char *text[FILES_MAX];
    size_t length[FILES_MAX];
} files;

/* Reads the files of the source tree. Fails with SB_IO, and if a file is larger than FILE_SIZE. */
int files_init(files *f, sb_context *ctx, sb_arena *arena);

/* Writes damaged file number `seed` into the working directory, with the files that it names, and sets the command line
 * that reads it: the same for the same number. Returns the name of the damaged file, NULL if it cannot be written. */
const char *files_line(const files *f, uint64_t seed, line *out);

#endif
