/* Beginning a new entry: its source file from a template or from another entry's, its line in list.def, or a plug-in's
 * folder. */
#include "bench/cli/scaffold.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/cli/data.h"
#include "core/output/provenance.h"
#include "core/output/sink.h"

static const struct {
    const char *folder, *macro; /* where the sources are, and what a line of their list.def calls */
    const char *define;         /* what opens the definition, for the kinds that plug-ins bring */
} kinds[SB_KIND_COUNT] = {
    [SB_KIND_STEPPER] = {"integrators", "SB_STEPPER", "SB_DEFINE_STEPPER"},
    [SB_KIND_PROBLEM] = {"problems", "SB_PROBLEM", "SB_DEFINE_PROBLEM"},
    [SB_KIND_FORMULATION] = {"problems/formulations", "SB_FORMULATION", "SB_DEFINE_FORMULATION"},
    [SB_KIND_ANALYSIS] = {"analysis", "SB_ANALYSIS", NULL},
    [SB_KIND_EXPERIMENT] = {"bench/experiments/general", "SB_EXPERIMENT", NULL},
};

const char *sb_scaffold_folder(sb_kind kind) {
    return kinds[kind].folder;
}

/* ---- Texts and files. ---- */

/* The pieces one after the other, in the arena; the list ends with NULL. NULL when out of memory. */
static char *join(const sb_scaffold *me, const char *const *pieces) {
    size_t size = 1;
    for (const char *const *piece = pieces; *piece != NULL; piece++) {
        size += strlen(*piece);
    }
    char *text = sb_alloc(me->arena, size, 1);
    for (const char *const *piece = pieces; text != NULL && *piece != NULL; piece++) {
        strcat(text, *piece);
    }
    return text;
}

#define JOIN(me, out, ...)                                                                                             \
    do {                                                                                                               \
        (out) = join((me), (const char *const[]){__VA_ARGS__, NULL});                                                  \
        if ((out) == NULL) {                                                                                           \
            return SB_NO_MEMORY;                                                                                       \
        }                                                                                                              \
    } while (0)

static int read_text(const sb_scaffold *me, const char *path, char **out) {
    FILE *file = fopen(path, "rb");
    struct stat info;
    if (file == NULL || fstat(fileno(file), &info) != 0) {
        const int why = errno;
        if (file != NULL) {
            fclose(file);
        }
        return sb_fail(me->ctx, SB_IO, "%s cannot be read: %s", path, strerror(why));
    }
    *out = sb_alloc(me->arena, (size_t)info.st_size + 1, 1);
    const bool whole = *out != NULL && fread(*out, 1, (size_t)info.st_size, file) == (size_t)info.st_size;
    fclose(file);
    if (*out == NULL) {
        return SB_NO_MEMORY;
    }
    return whole ? SB_OK : sb_fail(me->ctx, SB_IO, "%s cannot be read to its end", path);
}

static int read_data(const sb_scaffold *me, const char *file, char **out) {
    const char *path;
    SB_TRY(sb_data_path(me->ctx, me->arena, file, &path));
    return read_text(me, path, out);
}

static int write_text(const sb_scaffold *me, const char *path, const char *text) {
    sb_outfile file;
    SB_TRY(sb_outfile_open(me->ctx, me->arena, path, &file));
    fputs(text, file.stream);
    return sb_outfile_commit(&file);
}

static int check_free(const sb_scaffold *me, const char *path) {
    if (access(path, F_OK) == 0) {
        return sb_fail(me->ctx, SB_BAD_USAGE,
                       "%s is there already and is left as it is; take another name, or move it away", path);
    }
    return SB_OK;
}

static int write_new(const sb_scaffold *me, const char *path, const char *text) {
    SB_TRY(check_free(me, path));
    SB_TRY(write_text(me, path, text));
    printf("wrote %s\n", path);
    return SB_OK;
}

static int make_folder(const sb_scaffold *me, const char *path) {
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        return sb_fail(me->ctx, SB_IO, "the folder %s cannot be made: %s", path, strerror(errno));
    }
    return SB_OK;
}

/* Every `from` in the text becomes `to`. */
static int replace(const sb_scaffold *me, char **text, const char *from, const char *to) {
    const size_t length = strlen(from), longer = strlen(to);
    size_t count = 0;
    for (const char *at = strstr(*text, from); at != NULL; at = strstr(at + length, from)) {
        count++;
    }
    char *out = sb_alloc(me->arena, strlen(*text) + count * longer + 1, 1), *end = out;
    if (out == NULL) {
        return SB_NO_MEMORY;
    }
    const char *rest = *text;
    for (const char *at = strstr(rest, from); at != NULL; at = strstr(rest, from)) {
        memcpy(end, rest, (size_t)(at - rest));
        end += at - rest;
        memcpy(end, to, longer);
        end += longer;
        rest = at + length;
    }
    strcpy(end, rest);
    *text = out;
    return SB_OK;
}

/* ---- The source file. ---- */

static int from_template(const sb_scaffold *me, const char *suffix, const char *marker, char **out) {
    char *file, *word;
    JOIN(me, file, "templates/", sb_kind_name[me->kind], suffix);
    JOIN(me, word, "new_", marker);
    SB_TRY(read_data(me, file, out));
    return replace(me, out, word, me->name);
}

/* Another entry's file under a new name: in what opens its definition, in the entry, and nowhere else. */
static int from_entry(const sb_scaffold *me, char **out) {
    char *file, *old, *new;
    JOIN(me, file, kinds[me->kind].folder, "/", me->from, ".c");
    SB_TRY(read_data(me, file, out));
    JOIN(me, old, kinds[me->kind].define, "(", me->from, ")");
    JOIN(me, new, kinds[me->kind].define, "(", me->name, ")");
    SB_TRY(replace(me, out, old, new));
    JOIN(me, old, "{\"", me->from, "\",");
    JOIN(me, new, "{\"", me->name, "\",");
    SB_TRY(replace(me, out, old, new));
    JOIN(me, old, "sb_", sb_kind_name[me->kind], "_", me->from);
    JOIN(me, new, "sb_", sb_kind_name[me->kind], "_", me->name);
    SB_TRY(replace(me, out, old, new));
    JOIN(me, *out, "/* ", me->name, ": begun from ", me->from, " of stepbench ", sb_version,
         "; all of it, its references too, is still ", me->from, "'s. */\n", *out);
    return SB_OK;
}

static int source(const sb_scaffold *me, char **out) {
    return me->from != NULL ? from_entry(me, out) : from_template(me, ".c", sb_kind_name[me->kind], out);
}

/* ---- In the tree. ---- */

static int read_list(const sb_scaffold *me, const char *path, const char *line, char **out) {
    char *start;
    if (access(path, F_OK) != 0) {
        return sb_fail(
            me->ctx, SB_BAD_USAGE,
            "%s is not there: new is called in stepbench's source tree, or with --dir TREE, or with --out-of-tree",
            path);
    }
    SB_TRY(read_text(me, path, out));
    JOIN(me, start, "\n", line);
    if (strstr(*out, start) != NULL) {
        return sb_fail(me->ctx, SB_BAD_USAGE, "%s has the line %s already; take another name", path, line);
    }
    return SB_OK;
}

static const char *field_end(const char *at) {
    bool quoted = false;
    while (*at != '\0' && *at != '\n' && (quoted || *at != ',')) {
        quoted = (*at++ == '"') != quoted;
    }
    return at;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* Where the name stands as a word in [begin, end), or NULL; with parameters behind it, it is a variant that is tested
 * of the old entry alone. */
static const char *find_word(const char *begin, const char *end, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = begin; at + length <= end; at++) {
        if (strncmp(at, name, length) == 0 && (at == begin || !is_word(at[-1])) && !is_word(at[length]) &&
            at[length] != ':') {
            return at;
        }
    }
    return NULL;
}

/* What is known to fail of what it began from fails of the new entry: rows with that name in the field stepper or
 * problem. */
static int copy_failures(const sb_scaffold *me) {
    char *path, *text, *added, *template;
    JOIN(me, template, "new_", sb_kind_name[me->kind]);
    const char *from = me->from != NULL ? me->from : template;
    JOIN(me, path, me->dir, "tests/expected_fail.csv");
    if (access(path, F_OK) != 0) {
        return SB_OK;
    }
    SB_TRY(read_text(me, path, &text));
    JOIN(me, added, "");
    for (const char *line = text; *line != '\0';) {
        const char *second = field_end(line), *third = *second == ',' ? field_end(second + 1) : second,
                   *end = third + strcspn(third, "\n");
        const bool stepper = me->kind == SB_KIND_STEPPER;
        const char *at = find_word(stepper ? line : second, stepper ? second : third, from);
        if (at != NULL) {
            char *row = sb_alloc(me->arena, (size_t)(end - line) + strlen(me->name) + 2, 1);
            if (row == NULL) {
                return SB_NO_MEMORY;
            }
            sprintf(row, "%.*s%s%.*s\n", (int)(at - line), line, me->name, (int)(end - at - (long)strlen(from)),
                    at + strlen(from));
            JOIN(me, added, added, row);
        }
        line = *end == '\n' ? end + 1 : end;
    }
    if (added[0] == '\0') {
        return SB_OK;
    }
    JOIN(me, text, text, added);
    SB_TRY(write_text(me, path, text));
    printf("wrote into %s what is known to fail of %s\n", path, from);
    return SB_OK;
}

int sb_scaffold_tree(const sb_scaffold *me) {
    char *file, *list, *line, *lines, *text, *plot = NULL, *script = NULL;
    JOIN(me, file, me->dir, kinds[me->kind].folder, "/", me->name, ".c");
    JOIN(me, list, me->dir, kinds[me->kind].folder, "/list.def");
    JOIN(me, line, kinds[me->kind].macro, "(", me->name, ")");
    SB_TRY(read_list(me, list, line, &lines));
    SB_TRY(source(me, &text));
    if (me->kind == SB_KIND_EXPERIMENT) {
        JOIN(me, plot, me->dir, kinds[me->kind].folder, "/", me->name, ".gp");
        SB_TRY(check_free(me, plot));
        SB_TRY(from_template(me, ".gp", sb_kind_name[me->kind], &script));
    }
    SB_TRY(write_new(me, file, text));
    if (plot != NULL) {
        SB_TRY(write_new(me, plot, script));
    }
    JOIN(me, lines, lines, line, "\n");
    SB_TRY(write_text(me, list, lines));
    printf("wrote the line %s into %s\n", line, list);
    return copy_failures(me);
}

/* ---- Out of the tree. ---- */

/* Writes the file of the tree, "integrators/shared/projection.h", below the plug-in's folder. */
static int bring_header(const sb_scaffold *me, const char *folder, const char *header);

static int bring_headers(const sb_scaffold *me, const char *folder, const char *text) {
    static const char directive[] = "\n#include \"";
    for (const char *at = strstr(text, directive); at != NULL; at = strstr(at, directive)) {
        at += sizeof directive - 1;
        const size_t length = strcspn(at, "\"\n");
        char *header = sb_alloc(me->arena, length + 1, 1);
        if (header == NULL) {
            return SB_NO_MEMORY;
        }
        memcpy(header, at, length);
        SB_TRY(bring_header(me, folder, header));
    }
    return SB_OK;
}

static int bring_header(const sb_scaffold *me, const char *folder, const char *header) {
    char *path, *text;
    JOIN(me, path, folder, "/", header);
    if (access(path, F_OK) == 0) { /* brought by another header */
        return SB_OK;
    }
    SB_TRY(read_data(me, header, &text));
    for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        SB_TRY(make_folder(me, path));
        *slash = '/';
    }
    SB_TRY(write_new(me, path, text));
    return bring_headers(me, folder, text);
}

int sb_scaffold_plugin(const sb_scaffold *me) {
    char *folder, *file, *build, *text, *cmake;
    JOIN(me, folder, me->dir, me->name);
    JOIN(me, file, folder, "/", me->name, ".c");
    JOIN(me, build, folder, "/CMakeLists.txt");
    SB_TRY(source(me, &text));
    SB_TRY(read_data(me, "templates/CMakeLists.txt", &cmake));
    SB_TRY(replace(me, &cmake, "new_plugin", me->name));
    SB_TRY(check_free(me, file));
    SB_TRY(check_free(me, build));
    SB_TRY(make_folder(me, folder));
    SB_TRY(write_new(me, file, text));
    SB_TRY(write_new(me, build, cmake));
    return bring_headers(me, folder, text);
}
