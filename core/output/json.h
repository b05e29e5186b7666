/* Writes JSON with jansson, whose functions return NULL both for bad UTF-8 and for lack of memory: here the statuses
 * differ. */
#pragma once

#include <stdio.h>

#include <jansson.h>

#include <stepbench/context.h>

/* Writes the text as a JSON string. Fails with SB_IO when it is not valid UTF-8 or the stream refuses it, with
 * SB_NO_MEMORY when jansson gets no memory. */
int sb_json_write_text(sb_context *ctx, FILE *to, const char *text);

/* Writes a value with jansson's `flags`. Fails with SB_NO_MEMORY for a value of NULL, which jansson returns when out of
 * memory, and with SB_IO when the stream refuses it. */
int sb_json_write(sb_context *ctx, FILE *to, const json_t *value, size_t flags);

/* Returns whether a file has the name that is no provenance, which has the key "stepbench". */
bool sb_json_is_foreign(const char *path);
