/* Refuses a command whose outputs would replace each other or a file that the command reads. */
#include <errno.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/cli/cli.h"
#include "core/base/params.h"
#include "core/base/text.h"
#include "core/output/json.h"

static bool is_same_file(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && S_ISREG(one.st_mode) && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* A word of the command line names files: NAME:k=FILE,k=FILE, or "python3 FILE". */
static const char separators[] = " '\"=,";

/* Files that name each other in turn: a study its mechanisms, a mechanism its tables. */
enum { DEPTH = 2 };

static bool reads(const char *path, int depth, const char *file);

/* Returns whether a part of a text between separators is the file, or a file of JSON that names it; a relative name is
 * one in the first `length` bytes of `folder`. A name with separators of its own has up to SEPARATED bytes. */
static bool names(const char *text, const char *folder, int length, int depth, const char *file) {
    enum { SEPARATED = 256 };
    char path[4096];
    for (const char *part = text; *part != '\0'; part++) {
        const bool begins = part == text || strchr(separators, part[-1]) != NULL;
        for (const char *end = part; begins && *end != '\0' && end - part < SEPARATED;) {
            end += 1 + strcspn(end + 1, separators);
            snprintf(path, sizeof path, "%.*s%.*s", part[0] == '/' ? 0 : length, folder, (int)(end - part), part);
            if (is_same_file(path, file) || (depth > 0 && reads(path, depth - 1, file))) {
                return true;
            }
        }
    }
    return false;
}

/* Returns whether a text in a JSON value names the file. */
static bool has_name(const json_t *value, const char *folder, int length, int depth, const char *file) {
    const char *key, *text = json_string_value(value);
    json_t *member;
    size_t i;
    json_object_foreach((json_t *)value, key, member) {
        if (has_name(member, folder, length, depth, file)) {
            return true;
        }
    }
    json_array_foreach(value, i, member) {
        if (has_name(member, folder, length, depth, file)) {
            return true;
        }
    }
    return text != NULL && (names(text, folder, length, depth, file) || names(text, "", 0, depth, file));
}

/* Returns whether a file of JSON names the file. */
static bool reads(const char *path, int depth, const char *file) {
    struct stat found;
    const char *slash = strrchr(path, '/');
    bool named = false;
    if (sb_ends_with(path, ".json") && stat(path, &found) == 0 && S_ISREG(found.st_mode)) {
        json_t *root = json_load_file(path, 0, NULL); /* another command says what is wrong with it */
        named = root != NULL && has_name(root, path, slash != NULL ? (int)(slash + 1 - path) : 0, depth, file);
        json_decref(root);
    }
    return named;
}

/* Fails if a word of the command line, but for the values of the options of outputs, or a plug-in or an engine names
 * the file. */
static int check_inputs(cli *me, const char *option, const char *file) {
    const int words = me->words.count, inputs = words + me->inputs.count;
    for (int i = 0; i < inputs + me->registry->nplugins; i++) {
        const char *word = i < words    ? me->words.list[i]
                           : i < inputs ? me->inputs.list[i - words]
                                        : me->registry->plugins[i - inputs].path;
        if (names(word, "", 0, DEPTH, file)) {
            return sb_fail(me->ctx, SB_BAD_USAGE,
                           "%s %s would replace a file that the command reads, in %s; take another name", option, file,
                           word);
        }
    }
    return SB_OK;
}

/* Fails if the provenance of an output would replace another file of that name. */
static int check_provenance(cli *me, const char *option, const char *value, const char *file) {
    return sb_json_is_foreign(file)
               ? sb_fail(me->ctx, SB_BAD_USAGE,
                         "%s %s would replace %s, which is no provenance that stepbench has written; take another name",
                         option, value, file)
               : SB_OK;
}

/* Fails if a file that compare writes into the directory of --out replaces one that it reads. */
static int check_directory(cli *me) {
    static const char *const written[] = {"compare.csv",       "compare.tex",       "compare_work.csv",
                                          "compare_work.svg",  "compare_work.png",  "compare_times.csv",
                                          "compare_times.svg", "compare_times.png", "provenance.json"};
    const char *folder = NULL, *file;
    if (strcmp(me->command.entry->name, "compare") == 0 && cli_given(me, "out")) {
        folder = *(const char **)((char *)me->config + sb_param_find(me->command.entry, "out")->offset);
    }
    for (size_t k = 0; folder != NULL && k < sizeof written / sizeof *written; k++) {
        SB_PRINT(me->arena, file, "%s/%s", folder, written[k]);
        SB_TRY(check_inputs(me, "--out", file));
        SB_TRY(sb_ends_with(file, "/provenance.json") ? check_provenance(me, "--out", folder, file) : SB_OK);
    }
    return SB_OK;
}

/* Fails with SB_IO if the file cannot be written, before anything runs: its directory is missing or protected, or it
 * is, or its name is too long for the names beside it. */
static int check_place(cli *me, const char *file) {
    struct stat info;
    char *directory, *longest;
    SB_PRINT(me->arena, directory, "%.*s.", (int)(sb_file_name(file) - file), file);
    SB_PRINT(me->arena, longest, "%s.provenance.json.tmp-XXXXXX", file);
    const bool linked = lstat(file, &info) == 0 && S_ISLNK(info.st_mode), there = stat(file, &info) == 0;
    const bool appears = !linked && (!there || S_ISREG(info.st_mode)); /* in its directory */
    const bool right = !(there && (S_ISDIR(info.st_mode) || access(file, W_OK) != 0)) &&
                       !(appears && access(directory, W_OK | X_OK) != 0) &&
                       !(appears && access(longest, F_OK) != 0 && errno == ENAMETOOLONG);
    return right ? SB_OK
                 : sb_fail(me->ctx, SB_IO, "%s cannot be written: %s", file,
                           strerror(there && S_ISDIR(info.st_mode) ? EISDIR : errno));
}

int cli_check_outputs(cli *me) {
    enum { OUTPUTS = 3 };
    const char *script = me->shared.plot_script, *plot = me->shared.plot, *data;
    const char *const option[OUTPUTS] = {"-o", "--plot", "--plot-script"};
    const char *const file[OUTPUTS] = {me->output != NULL ? me->output : "",
                                       strcmp(plot, CLI_PLOT_SHOWN) == 0 ? "" : plot, script};
    SB_TRY(check_directory(me));
    for (int k = 0; k < OUTPUTS; k++) {
        for (int i = 0; i < k && file[k][0] != '\0'; i++) {
            if (strcmp(file[i], file[k]) == 0 || is_same_file(file[i], file[k])) {
                return sb_fail(me->ctx, SB_BAD_USAGE, "%s %s and %s %s are one file; take two names", option[i],
                               file[i], option[k], file[k]);
            }
        }
        SB_TRY(file[k][0] != '\0' ? check_inputs(me, option[k], file[k]) : SB_OK);
        SB_TRY(file[k][0] != '\0' ? check_place(me, file[k]) : SB_OK);
    }
    if (me->output != NULL) {
        SB_PRINT(me->arena, data, "%s.provenance.json", me->output);
        SB_TRY(check_provenance(me, "-o", me->output, data));
    }
    if (!sb_ends_with(script, ".gp")) {
        return SB_OK;
    }
    SB_PRINT(me->arena, data, "%.*scsv", (int)strlen(script) - 2, script);
    return check_inputs(me, option[OUTPUTS - 1], data);
}
