/* Writes pages from templates, files of the data directory, and from values: texts, flags, lists and objects, which are
 * collected first.
 *
 * In a template
 *
 *     {{name}}              is the text, escaped for the language of the file, by its ending .html or .md
 *     {{name:url}}          is escaped as a part of an address; :code for a code block in Markdown; {{name:json}}
 *                           is any value as JSON
 *     {{#name}}...{{/name}} is written for each object or text of a list, or once for an object, a text or a flag that
 *                           is set; {{^name}}...{{/name}} once where there is no such thing
 *     {{>file}}             is a file of the directory, unchanged
 *
 * Within a list a name is looked up in the object of the list, then in what is around it; "." is the text of a list of
 * texts, and {{#first}} holds for the first element. A line with nothing but a tag of a block is no line of the page.
 */
#pragma once

#include <stdio.h>

#include <jansson.h>

#include <stepbench/context.h>

typedef struct sb_page {
    sb_context *ctx;
    sb_arena *arena;
    json_t *values; /* an object */
    bool failed;    /* for lack of memory, which sb_page_write reports */
} sb_page;

/* Begins an empty page; the arena owns its values. */
int sb_page_begin(sb_context *ctx, sb_arena *arena, sb_page *page);

/* Set a member of an object. A text of NULL is empty; a formatted one has at most 255 bytes. */
void sb_page_text(sb_page *page, json_t *in, const char *name, const char *text);
void sb_page_format(sb_page *page, json_t *in, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void sb_page_flag(sb_page *page, json_t *in, const char *name, bool flag);

/* Add an empty list, which the object owns; add a text or an empty object to a list. */
json_t *sb_page_list(sb_page *page, json_t *in, const char *name);
void sb_page_item(sb_page *page, json_t *list, const char *text);
json_t *sb_page_object(sb_page *page, json_t *list);

/* Adds any value to a list; NULL stands for a lack of memory. */
void sb_page_add(sb_page *page, json_t *list, json_t *value);

/* Writes the template `file`, relative to bench/report/assets. Fails with SB_IO or SB_NO_MEMORY. */
int sb_page_write(const sb_page *page, const char *file, FILE *to);
