/* Reads XML by Expat. */
#include "bench/import/xml.h"

#include <ctype.h>
#include <expat.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

/* Elements inside each other: a chain of bodies is as deep as it is long. The readers recurse; a level takes less than
 * 2 kB of a stack of 8 MB. */
enum { DEPTH = 1000, MESSAGE = 512 };

typedef struct reader {
    xml_file *file;
    XML_Parser parser;
    xml_element *open;
    int depth, status;
} reader;

int sb_xml_fail(const xml_file *file, const xml_element *e, const char *format, ...) {
    char text[MESSAGE];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return sb_fail(file->ctx, SB_BAD_USAGE, "import: %s, line %d, %s: %s", file->path, e->line, e->name, text);
}

static void stop(reader *r, int status) {
    r->status = status;
    XML_StopParser(r->parser, XML_FALSE);
}

static char *keep(reader *r, const char *text) { return sb_asprintf(r->file->arena, "%s", text); }

static int new_element(reader *r, const char *name, const char **attributes, xml_element **out) {
    sb_arena *arena = r->file->arena;
    const char **list;
    int count = 0;
    while (attributes[count] != NULL) {
        count++;
    }
    SB_NEW(arena, *out, 1);
    SB_NEW(arena, list, count + 1);
    **out = (xml_element){
        .name = keep(r, name), .attributes = list, .line = (int)XML_GetCurrentLineNumber(r->parser), .parent = r->open};
    for (int k = 0; k < count; k++) {
        list[k] = keep(r, attributes[k]);
        SB_TRY(list[k] != NULL ? SB_OK : SB_NO_MEMORY);
    }
    return (*out)->name != NULL ? SB_OK : SB_NO_MEMORY;
}

static void begin(void *self, const char *name, const char **attributes) {
    reader *r = self;
    xml_element *e;
    if (r->status != SB_OK) {
        return;
    }
    if (++r->depth > DEPTH) {
        stop(r, sb_fail(r->file->ctx, SB_BAD_USAGE, "import: %s, line %lu: more than %d elements are nested",
                        r->file->path, (unsigned long)XML_GetCurrentLineNumber(r->parser), DEPTH));
        return;
    }
    const int status = new_element(r, name, attributes, &e);
    if (status != SB_OK) {
        stop(r, status);
        return;
    }
    if (r->open == NULL) {
        r->file->root = e;
    } else if (r->open->last == NULL) {
        r->open->first = r->open->last = e;
    } else {
        r->open->last = r->open->last->next = e;
    }
    r->open = e;
}

static void end(void *self, const char *name) {
    reader *r = self;
    r->depth--;
    r->open = r->open != NULL ? r->open->parent : NULL;
}

static void doctype(void *self, const char *name, const char *system, const char *public, int internal) {
    reader *r = self;
    stop(r, sb_fail(r->file->ctx, SB_BAD_USAGE,
                    "import: %s, line %lu: a document type is not read, because its entities may grow without bound; "
                    "take the line <!DOCTYPE ...> out",
                    r->file->path, (unsigned long)XML_GetCurrentLineNumber(r->parser)));
}

static int parse(reader *r, const char *text) {
    const size_t length = strlen(text);
    if (length > INT_MAX) {
        return sb_fail(r->file->ctx, SB_BAD_USAGE, "import: %s has more than 2 GB", r->file->path);
    }
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, begin, end);
    XML_SetStartDoctypeDeclHandler(r->parser, doctype);
    const enum XML_Status parsed = XML_Parse(r->parser, text, (int)length, XML_TRUE);
    if (r->status != SB_OK) {
        return r->status;
    }
    return parsed == XML_STATUS_OK ? SB_OK
                                   : sb_fail(r->file->ctx, SB_BAD_USAGE, "import: %s, line %lu is no XML: %s",
                                             r->file->path, (unsigned long)XML_GetCurrentLineNumber(r->parser),
                                             XML_ErrorString(XML_GetErrorCode(r->parser)));
}

int sb_xml_read(sb_context *ctx, sb_arena *arena, const char *path, xml_file *out) {
    char *text;
    *out = (xml_file){.ctx = ctx, .arena = arena, .path = path};
    SB_TRY(sb_text_read(ctx, arena, path, &text));
    reader r = {.file = out, .parser = XML_ParserCreate(NULL)};
    if (r.parser == NULL) {
        return sb_fail(ctx, SB_NO_MEMORY, "out of memory: Expat got none");
    }
    const int status = parse(&r, text);
    XML_ParserFree(r.parser);
    return status;
}

const xml_element *sb_xml_next(const xml_element *e, const char *name) {
    while (e != NULL && name != NULL && strcmp(e->name, name) != 0) {
        e = e->next;
    }
    return e;
}

const xml_element *sb_xml_child(const xml_element *e, const char *name) {
    return e != NULL ? sb_xml_next(e->first, name) : NULL;
}

const char *sb_xml_attribute(const xml_element *e, const char *key) {
    for (const char *const *a = e != NULL ? e->attributes : NULL; a != NULL && *a != NULL; a += 2) {
        if (strcmp(a[0], key) == 0) {
            return a[1];
        }
    }
    return NULL;
}

int sb_xml_numbers(const xml_file *file, const xml_element *e, const char *key, const char *value, int least, int most,
                   double *out, int *count) {
    int found = 0;
    char *at;
    for (const char *from = value; from != NULL; from = at) {
        sb_scalar x;
        while (isspace((unsigned char)*from)) {
            from++;
        }
        if (*from == '\0') {
            break;
        }
        if (found == most || !sb_text_number(from, &at, &x)) {
            return sb_xml_fail(file, e, "%s=\"%.60s\" is not what it needs: %d to %d finite numbers", key, value, least,
                               most);
        }
        out[found++] = x;
    }
    if (value != NULL && found < least) {
        return sb_xml_fail(file, e, "%s=\"%.60s\" has %d numbers and needs %d", key, value, found, least);
    }
    if (count != NULL) {
        *count = found;
    }
    return SB_OK;
}
