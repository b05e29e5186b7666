/* Writes pages from templates and values. */
#include "bench/report/page.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "bench/data/data.h"
#include "core/base/escape.h"
#include "core/base/text.h"

/* ---- Values. ---- */

static void put(sb_page *page, json_t *in, const char *name, json_t *value) {
    page->failed = json_object_set_new_nocheck(in, name, value) != 0 || page->failed;
}

static void free_values(void *values) { json_decref(values); }

int sb_page_begin(sb_context *ctx, sb_arena *arena, sb_page *page) {
    *page = (sb_page){.ctx = ctx, .arena = arena, .values = json_object()};
    return page->values != NULL ? sb_arena_own(arena, page->values, free_values) : SB_NO_MEMORY;
}

/* Returns a text; bytes that are not UTF-8, which JSON has no form of, are shown as a terminal shows them. */
static json_t *new_text(sb_page *page, const char *text) {
    text = text == NULL ? "" : sb_utf8_valid(text) ? text : sb_escaped(page->arena, SB_TERMINAL, text);
    return text != NULL ? json_string(text) : NULL;
}

void sb_page_text(sb_page *page, json_t *in, const char *name, const char *text) {
    put(page, in, name, new_text(page, text));
}

void sb_page_format(sb_page *page, json_t *in, const char *name, const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sb_page_text(page, in, name, text);
}

void sb_page_flag(sb_page *page, json_t *in, const char *name, bool flag) { put(page, in, name, json_boolean(flag)); }

json_t *sb_page_list(sb_page *page, json_t *in, const char *name) {
    json_t *list = json_array();
    put(page, in, name, list);
    return page->failed ? NULL : list;
}

void sb_page_add(sb_page *page, json_t *list, json_t *value) {
    page->failed = json_array_append_new(list, value) != 0 || page->failed;
}

void sb_page_item(sb_page *page, json_t *list, const char *text) { sb_page_add(page, list, new_text(page, text)); }

json_t *sb_page_object(sb_page *page, json_t *list) {
    json_t *object = json_object();
    sb_page_add(page, list, object);
    return page->failed ? NULL : object;
}

/* ---- Templates. ---- */

/* A value, and what is around it. */
typedef struct frame {
    const json_t *value;
    bool first; /* of its list */
    const struct frame *outer;
} frame;

typedef struct writer {
    const sb_page *page;
    sb_language language;
    const char *text; /* the template */
    FILE *to;
} writer;

/* A tag: its kind, one of # ^ / > and a blank for a text, its name, and its ends in the template. */
typedef struct tag {
    char kind;
    const char *name;
    size_t length;
    const char *begin, *end;
} tag;

/* Finds the next tag before `end`. A tag of a block that has a line of its own takes the line break. */
static bool next_tag(const writer *me, const char *at, const char *end, tag *out) {
    const char *begin = strstr(at, "{{"), *stop = begin != NULL ? strstr(begin, "}}") : NULL;
    if (stop == NULL || begin >= end) {
        return false;
    }
    const char *name = begin + 2;
    *out = (tag){.kind = strchr("#^/>", *name) != NULL ? *name++ : ' ', .begin = begin, .end = stop + 2};
    out->name = name;
    out->length = (size_t)(stop - name);
    if (strchr("#^/", out->kind) != NULL && (begin == me->text || begin[-1] == '\n') && *out->end == '\n') {
        out->end++;
    }
    return true;
}

static bool is(const tag *t, const char *word) {
    return strlen(word) == t->length && strncmp(t->name, word, t->length) == 0;
}

/* Returns the value of a name of this length, NULL if there is none. */
static const json_t *find(const frame *at, const char *name, size_t length) {
    char key[64];
    const json_t *found = NULL;
    if (length == 1 && name[0] == '.') {
        return at->value;
    }
    snprintf(key, sizeof key, "%.*s", (int)length, name);
    for (; at != NULL && found == NULL; at = at->outer) {
        found = json_object_get(at->value, key);
    }
    return found;
}

static bool holds(const json_t *value) {
    return json_is_array(value)    ? json_array_size(value) > 0
           : json_is_string(value) ? json_string_value(value)[0] != '\0'
                                   : json_is_object(value) || json_is_true(value);
}

static int write_file(const writer *me, const tag *t) {
    const char *path, *file;
    char *text;
    SB_PRINT(me->page->arena, file, "assets/%.*s", (int)t->length, t->name);
    SB_TRY(sb_data_path(me->page->ctx, me->page->arena, file, &path));
    SB_TRY(sb_text_read(me->page->ctx, me->page->arena, path, &text));
    fputs(text, me->to);
    return SB_OK;
}

/* Writes a value as JSON, which does not end the element of a page that holds it. */
static int write_json(const writer *me, const json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(5) | JSON_ENCODE_ANY);
    for (const char *c = text; c != NULL && *c != '\0'; c++) {
        *c == '<' ? fputs("\\u003c", me->to) : fputc(*c, me->to);
    }
    free(text);
    return text != NULL ? SB_OK : SB_NO_MEMORY;
}

static int write_value(const writer *me, const frame *at, const tag *t) {
    static const struct {
        const char *suffix;
        sb_language language;
    } forms[] = {{":url", SB_URL}, {":code", SB_CODE_BLOCK}};
    const char *colon = memchr(t->name, ':', t->length);
    const size_t length = colon != NULL ? (size_t)(colon - t->name) : t->length;
    const json_t *value = find(at, t->name, length);
    const char *text = json_string_value(value);
    sb_language language = me->language;
    if (value != NULL && colon != NULL && strncmp(colon, ":json", 5) == 0) {
        return write_json(me, value);
    }
    if (text == NULL) {
        return SB_OK;
    }
    for (size_t k = 0; k < sizeof forms / sizeof *forms && colon != NULL; k++) {
        language = strncmp(colon, forms[k].suffix, strlen(forms[k].suffix)) == 0 ? forms[k].language : language;
    }
    sb_escape(me->to, language, text);
    return SB_OK;
}

static int write_part(const writer *me, const char *begin, const char *end, const frame *at);

/* Writes the block between two tags for each element of its value. */
static int write_block(const writer *me, const tag *first, const tag *last, const frame *at) {
    const json_t *value = is(first, "first") ? json_boolean(at->first) : find(at, first->name, first->length), *item;
    size_t i;
    if (holds(value) == (first->kind == '^')) {
        return SB_OK;
    }
    if (first->kind == '^' || !json_is_array(value)) {
        const frame inner = {value, at->first, at};
        return write_part(me, first->end, last->begin, json_is_object(value) ? &inner : at);
    }
    json_array_foreach(value, i, item) {
        const frame inner = {item, i == 0, at};
        SB_TRY(write_part(me, first->end, last->begin, &inner));
    }
    return SB_OK;
}

/* Writes a template from `begin` to `end`. */
static int write_part(const writer *me, const char *begin, const char *end, const frame *at) {
    tag first, last;
    const char *from = begin;
    for (; next_tag(me, from, end, &first); from = last.end) {
        fwrite(from, 1, (size_t)(first.begin - from), me->to);
        last = first;
        if (first.kind == ' ') {
            SB_TRY(write_value(me, at, &first));
        } else if (first.kind == '>') {
            SB_TRY(write_file(me, &first));
        } else {
            int depth = 1;
            while (depth > 0) {
                if (!next_tag(me, last.end, end, &last)) {
                    return sb_fail(me->page->ctx, SB_IO, "a template has no end of the block %.*s", (int)first.length,
                                   first.name);
                }
                depth += last.kind == '/' ? -1 : last.kind == '#' || last.kind == '^';
            }
            SB_TRY(write_block(me, &first, &last, at));
        }
    }
    fwrite(from, 1, (size_t)(end - from), me->to);
    return SB_OK;
}

int sb_page_write(const sb_page *page, const char *file, FILE *to) {
    writer me = {page, sb_ends_with(file, ".md") ? SB_MARKDOWN : SB_HTML, NULL, to};
    const frame all = {page->values, true, NULL};
    const char *path;
    char *text;
    SB_TRY(page->failed ? SB_NO_MEMORY : SB_OK);
    SB_PRINT(page->arena, file, "assets/%s", file);
    SB_TRY(sb_data_path(page->ctx, page->arena, file, &path));
    SB_TRY(sb_text_read(page->ctx, page->arena, path, &text));
    me.text = text;
    return write_part(&me, text, text + strlen(text), &all);
}
