/* The bibliography, docs/references.bib, and whether references resolve in it. */
#ifndef STEPBENCH_TESTS_BIBLIOGRAPHY_H
#define STEPBENCH_TESTS_BIBLIOGRAPHY_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the whole of docs/references.bib, which the caller frees; NULL if it cannot be read. */
static inline char *read_bibliography(void) {
    FILE *file = fopen(SB_SOURCE_DIR "/docs/references.bib", "rb");
    if (file == NULL) {
        return NULL;
    }
    char *text = calloc(1, 1 << 20);
    if (text != NULL && fread(text, 1, (1 << 20) - 1, file) == 0) {
        text[0] = '\0';
    }
    fclose(file);
    return text;
}

/* Returns whether each part of "wm96 (4.8); hlw06 VI.3" begins with a key that the bibliography defines as
 * "@type{key,". */
static inline bool references_resolve(const char *bibliography, const char *ref) {
    while (*ref != '\0') {
        const size_t length = strcspn(ref, " ;");
        char entry[80];
        if (length == 0 || length > sizeof entry - 3) {
            return false;
        }
        snprintf(entry, sizeof entry, "{%.*s,", (int)length, ref);
        if (strstr(bibliography, entry) == NULL) {
            return false;
        }
        ref += strcspn(ref, ";");
        ref += strspn(ref, "; ");
    }
    return true;
}

#endif
