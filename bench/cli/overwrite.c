/* Refuses a command whose outputs would replace each other or a file that the command reads. */
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/cli/cli.h"
#include "core/base/text.h"

static bool is_same_file(const char *a, const char *b) {
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && S_ISREG(one.st_mode) && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}

/* A word of the command line names files: NAME:k=FILE,k=FILE, or "python3 FILE". */
static const char separators[] = " '\"=,";

/* Returns whether a text, or a part of it, is the file; a relative name is one in the first `length` bytes of `folder`.
 */
static bool names(const char *text, const char *folder, int length, const char *file) {
    char path[4096];
    for (const char *part = text; *part != '\0'; part += *part != '\0') {
        const int size = (int)strcspn(part, separators);
        snprintf(path, sizeof path, "%.*s%.*s", part[0] == '/' ? 0 : length, folder, size, part);
        if (size > 0 && is_same_file(path, file)) {
            return true;
        }
        part += size;
    }
    return is_same_file(text, file);
}

/* Returns whether a text in a JSON value names the file, as a mechanism its tables and a study its mechanisms. */
static bool has_name(const json_t *value, const char *folder, int length, const char *file) {
    const char *key;
    json_t *member;
    size_t i;
    json_object_foreach((json_t *)value, key, member) {
        if (has_name(member, folder, length, file)) {
            return true;
        }
    }
    json_array_foreach(value, i, member) {
        if (has_name(member, folder, length, file)) {
            return true;
        }
    }
    return json_is_string(value) &&
           (names(json_string_value(value), folder, length, file) || names(json_string_value(value), "", 0, file));
}

/* Returns whether a file of JSON names the file. */
static bool reads(const char *path, const char *file) {
    struct stat found;
    const char *slash = strrchr(path, '/');
    bool named = false;
    if (sb_ends_with(path, ".json") && stat(path, &found) == 0 && S_ISREG(found.st_mode)) {
        json_t *root = json_load_file(path, 0, NULL); /* another command says what is wrong with it */
        named = root != NULL && has_name(root, path, slash != NULL ? (int)(slash + 1 - path) : 0, file);
        json_decref(root);
    }
    return named;
}

/* Fails if a word of the command line is the file, or has it as a part, or a part of it is a file that names it. */
static int check_word(cli *me, const char *word, const char *option, const char *file) {
    char *part, *rest = NULL;
    bool same = names(word, "", 0, file);
    SB_PRINT(me->arena, part, "%s", word);
    for (part = strtok_r(part, separators, &rest); part != NULL && !same; part = strtok_r(NULL, separators, &rest)) {
        same = reads(part, file);
    }
    return same ? sb_fail(me->ctx, SB_BAD_USAGE,
                          "%s %s would replace a file that the command reads, in %s; take another name", option, file,
                          word)
                : SB_OK;
}

/* Fails if a word of the command line, but for the values of the options of outputs, or a plug-in or an engine names
 * the file. */
static int check_inputs(cli *me, int argc, char *const *argv, const char *option, const char *file) {
    for (int i = 0; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "-o") == 0 || strcmp(word, "--plot") == 0 || strcmp(word, "--plot-script") == 0) {
            i++;
        } else if (strncmp(word, "-o", 2) != 0 && strncmp(word, "--plot", 6) != 0) {
            SB_TRY(check_word(me, word, option, file));
        }
    }
    for (int i = 0; i < me->registry->nplugins; i++) {
        SB_TRY(check_word(me, me->registry->plugins[i].path, option, file));
    }
    return SB_OK;
}

/* Fails if a file that compare writes into the directory of --out replaces one that it reads. */
static int check_directory(cli *me, int argc, char *const *argv) {
    static const char *const written[] = {"compare.csv",       "compare.tex",       "compare_work.csv",
                                          "compare_work.svg",  "compare_work.png",  "compare_times.csv",
                                          "compare_times.svg", "compare_times.png", "provenance.json"};
    const char *folder = NULL, *file;
    for (int i = 0; i < argc && strcmp(me->command.entry->name, "compare") == 0; i++) {
        folder = strncmp(argv[i], "--out=", 6) == 0 ? argv[i] + 6
                 : strcmp(argv[i], "--out") == 0    ? argv[i + 1]
                                                    : folder;
    }
    for (size_t k = 0; folder != NULL && k < sizeof written / sizeof *written; k++) {
        SB_PRINT(me->arena, file, "%s/%s", folder, written[k]);
        SB_TRY(check_inputs(me, argc, argv, "--out", file));
    }
    return SB_OK;
}

int cli_check_outputs(cli *me, int argc, char *const *argv) {
    enum { OUTPUTS = 3 };
    const char *script = me->shared.plot_script, *plot = me->shared.plot, *data;
    const char *const option[OUTPUTS] = {"-o", "--plot", "--plot-script"};
    const char *const file[OUTPUTS] = {me->output != NULL ? me->output : "",
                                       strcmp(plot, CLI_PLOT_SHOWN) == 0 ? "" : plot, script};
    SB_TRY(check_directory(me, argc, argv));
    for (int k = 0; k < OUTPUTS; k++) {
        for (int i = 0; i < k && file[k][0] != '\0'; i++) {
            if (strcmp(file[i], file[k]) == 0 || is_same_file(file[i], file[k])) {
                return sb_fail(me->ctx, SB_BAD_USAGE, "%s %s and %s %s are one file; take two names", option[i],
                               file[i], option[k], file[k]);
            }
        }
        SB_TRY(file[k][0] != '\0' ? check_inputs(me, argc, argv, option[k], file[k]) : SB_OK);
    }
    if (!sb_ends_with(script, ".gp")) {
        return SB_OK;
    }
    SB_PRINT(me->arena, data, "%.*scsv", (int)strlen(script) - 2, script);
    return check_inputs(me, argc, argv, option[OUTPUTS - 1], data);
}
