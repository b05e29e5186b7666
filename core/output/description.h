/* Reads a JSON description, with messages that name the file, the line and the key of a mistake. */
#pragma once

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include <stepbench/system.h>

#include "core/base/text.h"

enum { PATH_SIZE = 256 };

typedef struct description {
    sb_context *ctx;
    sb_arena *arena;
    const char *what; /* first word of messages */
    const char *file, *text;
    json_t *root;
} description;

/* A value and its path: "joints[2].length". */
typedef struct node {
    const description *from;
    const json_t *value; /* NULL: the key is missing */
    char path[PATH_SIZE];
} node;

/* Records an error about a node; returns SB_BAD_USAGE, or SB_NO_MEMORY if `message` is NULL. */
int sb_node_fail(const node *at, const char *message);

/* Fails with a sentence about a node: `mechanism: crank.json, line 7, joints[0].type: ...`. */
#define NODE_FAIL(at, ...)                                                                                             \
    sb_node_fail(at, sb_asprintf((at)->from->arena, __VA_ARGS__)) /* a message of NULL: out of memory */

/* Parses the text; the arena owns the values. */
int sb_description_open(description *d, node *root);

/* Returns a member of an object; its value is NULL if there is none. */
node sb_node_member(const node *of, const char *key);

/* Returns item k of a list. */
node sb_node_item(const node *of, int k);

/* Fails unless the node is an object with no other keys than those of the list "mass|inertia". */
int sb_node_keys(const node *at, const char *known);

/* Reads a member that is a number above `low`. A missing member gives `initial`, or an error if that is NAN. */
int sb_node_number(const node *of, const char *key, sb_scalar low, sb_scalar initial, sb_scalar *out);

/* Reads a list of `count` numbers. */
int sb_node_numbers(const node *at, int count, sb_scalar *out);

/* Reads a member that is a list of `count` numbers. A missing member leaves `out` unchanged, or is an error if
 * `required` is set. */
int sb_node_vector(const node *of, const char *key, bool required, int count, sb_scalar *out);

/* Reads a member that is a list of two vectors. */
int sb_node_two_vectors(const node *of, const char *key, int count, sb_scalar out[2][3]);

/* Reads a member that is a word. */
int sb_node_word(const node *of, const char *key, const char **out);

/* Sets `count` to the number of items of a list; 0 if it is missing. */
int sb_node_count(const node *at, int *count);
