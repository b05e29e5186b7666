/* Reads XML files into trees of elements with their lines. Files with a document type, whose entities may grow without
 * bound, are refused, and so are elements nested too deeply. */
#pragma once

#include <stepbench/context.h>

typedef struct xml_element {
    const char *name;
    const char *const *attributes; /* name, value, ..., NULL */
    int line;
    struct xml_element *parent, *first, *last, *next; /* its children, and its next sibling */
} xml_element;

typedef struct xml_file {
    sb_context *ctx;
    sb_arena *arena;
    const char *path;
    xml_element *root;
} xml_file;

/* Fails with SB_IO, or with SB_BAD_USAGE for a text that is no XML; the message names the line. */
int sb_xml_read(sb_context *ctx, sb_arena *arena, const char *path, xml_file *out);

/* Returns the next element of this name among `e` and its next siblings; of any name if it is NULL. NULL: none is left.
 * To be called with e->first and then with found->next. */
const xml_element *sb_xml_next(const xml_element *e, const char *name);

/* Returns the first child of this name; NULL: there is none, or e is NULL. */
const xml_element *sb_xml_child(const xml_element *e, const char *name);

/* Returns the value of an attribute; NULL: there is none, or e is NULL. */
const char *sb_xml_attribute(const xml_element *e, const char *key);

/* Records an error about an element: `robot.xml, line 3, joint: ...`. Returns SB_BAD_USAGE. */
int sb_xml_fail(const xml_file *file, const xml_element *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads `least` to `most` numbers of a value, separated by blanks, and sets their number unless `count` is NULL. The
 * value NULL leaves `out` unchanged. Fails if it is something else. */
int sb_xml_numbers(const xml_file *file, const xml_element *e, const char *key, const char *value, int least, int most,
                   double *out, int *count);
