/* `stepbench new KIND NAME`: copies the source of a registered entry under a new name, into the source tree or into the
 * directory of a plug-in. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "bench/cli/cli.h"
#include "bench/data/data.h"
#include "bench/runner/claims.h"
#include "bench/runner/registry.h"
#include "core/base/escape.h"
#include "core/output/csv.h"
#include "core/output/provenance.h"
#include "core/output/sink.h"

typedef struct new_options {
    const char *from, *dir;
    int out_of_tree;
} new_options;

static const sb_param new_params[] = {
    SB_PARAM_TEXT(new_options, from, "", "the registered entry of the kind to copy; empty: a short example"),
    {"out_of_tree", SB_CHOICE, offsetof(new_options, out_of_tree), "no", 0, 0, SB_CLOSED, "no|yes", "",
     "a plug-in in a directory of its own, with a CMakeLists.txt that finds this stepbench"},
    SB_PARAM_TEXT(new_options, dir, ".",
                  "the source tree of stepbench, or where the directory of the plug-in is created"),
    {0},
};

static const struct {
    const char *define, *macro; /* of the definition, and of a line of list.def */
    const char *source;         /* directory of the sources in the data directory; NULL: not a kind of `new` */
    const char *target;         /* directory of the new source in the tree */
    const char *example;        /* the entry copied without --from */
    const char *trial;          /* a command that uses the new entry; %s: its name */
} kinds[SB_KIND_COUNT] = {
    [SB_KIND_STEPPER] = {"SB_DEFINE_STEPPER", "SB_STEPPER", "integrators", "integrators", "verlet",
                         "order -p oscillator -s %s"},
    [SB_KIND_PROBLEM] = {"SB_DEFINE_PROBLEM", "SB_PROBLEM", "problems", "problems", "oscillator", "check %s --all"},
    [SB_KIND_FORMULATION] = {"SB_DEFINE_FORMULATION", "SB_FORMULATION", "problems", "problems/formulations", "penalty",
                             "order -p pendulum -w %s -s rk4"},
    [SB_KIND_ANALYSIS] = {"SB_DEFINE_ANALYSIS", "SB_ANALYSIS", "analysis", "analysis", "energy", "%s -p oscillator"},
    [SB_KIND_EXPERIMENT] = {"SB_DEFINE_EXPERIMENT", "SB_EXPERIMENT", "experiments", "bench/experiments/general",
                            "work_precision", "bench %s --out trial"},
};

typedef struct copy {
    cli *me;
    sb_kind kind;
    const char *name, *from;
    const char *dir; /* prefix of every path: "" or "TREE/" */
} copy;

bool cli_is_new_kind(sb_kind kind) { return kinds[kind].source != NULL; }

/* ---- Files. ---- */

static int check_absent(const copy *c, const char *path) {
    return access(path, F_OK) != 0 ? SB_OK
                                   : sb_fail(c->me->ctx, SB_BAD_USAGE,
                                             "%s is there already and is left as it is; take another name, or move it "
                                             "away",
                                             path);
}

static int write_file(const copy *c, const char *path, const char *text) {
    sb_outfile file;
    SB_TRY(sb_outfile_open(c->me->ctx, c->me->arena, path, &file));
    fputs(text, file.stream);
    SB_TRY(sb_outfile_commit(&file));
    sb_write_line(stdout, "wrote %s", path);
    return SB_OK;
}

/* Creates the directories above a file. */
static int make_directories_of(const copy *c, const char *file) {
    char *directory;
    SB_PRINT(c->me->arena, directory, "%.*s", (int)(strrchr(file, '/') - file), file);
    return sb_make_directories(c->me->ctx, c->me->arena, directory);
}

static int read_source(const copy *c, const char *file, char **text) {
    const char *path;
    SB_TRY(sb_data_find(c->me->ctx, c->me->arena, kinds[c->kind].source, file, &path));
    return sb_text_read(c->me->ctx, c->me->arena, path, text);
}

/* ---- The source. ---- */

/* Sets *out to the source with the new name: in the definition and in the entry, the next string after it. In an
 * experiment the name is replaced everywhere, because its files have it. */
static int copy_source(const copy *c, const char *suffix, char **out) {
    sb_arena *arena = c->me->arena;
    char *file, *text, *old, *quoted;
    SB_PRINT(arena, file, "%s%s", c->from, suffix);
    SB_TRY(read_source(c, file, &text));
    if (c->kind == SB_KIND_EXPERIMENT) {
        *out = sb_text_replace(arena, text, c->from, c->name);
        return *out != NULL ? SB_OK : SB_NO_MEMORY;
    }
    SB_PRINT(arena, old, "%s(%s)", kinds[c->kind].define, c->from);
    SB_PRINT(arena, quoted, "{\"%s\"", c->from);
    char *define = strstr(text, old), *entry = define != NULL ? strstr(define, quoted) : NULL;
    if (entry == NULL) {
        return sb_fail(c->me->ctx, SB_BAD_USAGE, "%s does not define %s as expected: %s... {\"%s\"", file, c->from, old,
                       c->from);
    }
    const char *middle = define + strlen(old);
    SB_PRINT(
        arena, *out,
        "/* %s: a copy of %s of stepbench %s; text and references are still those of %s. */\n%.*s%s(%s)%.*s{\"%s\"%s",
        c->name, c->from, sb_version, c->from, (int)(define - text), text, kinds[c->kind].define, c->name,
        (int)(entry - middle), middle, c->name, entry + strlen(quoted));
    return SB_OK;
}

/* Sets *script to the plot script for the copy of an experiment, NULL if there is none, and *path to its file. */
static int copy_script(const copy *c, const char *directory, const char **path, char **script) {
    const char *original;
    *script = NULL;
    SB_PRINT(c->me->arena, *path, "%s%s/%s.gp", c->dir, directory, c->name);
    SB_PRINT(c->me->arena, original, "%s.gp", c->from);
    if (c->kind != SB_KIND_EXPERIMENT ||
        sb_data_find(c->me->ctx, c->me->arena, "experiments", original, &original) != SB_OK) {
        return SB_OK;
    }
    SB_TRY(check_absent(c, *path));
    return copy_source(c, ".gp", script);
}

/* ---- In the tree. ---- */

/* Returns the text with the original's name replaced where it is a whole name: "dsp" or "chart(dsp)"; NULL if it is not
 * in it, or with parameters. */
static char *renamed(const copy *c, const char *text) {
    const char *at = strstr(text, c->from), *end = at != NULL ? at + strlen(c->from) : NULL;
    return at != NULL && (at == text || at[-1] == '(') && (*end == '\0' || *end == ')')
               ? sb_asprintf(c->me->arena, "%.*s%s%s", (int)(at - text), text, c->name, end)
               : NULL;
}

/* Adds copies of a row of tests/expected_fail.csv: one per alternative, between bars, of its stepper or its problem
 * that is the original. */
static int copy_row(const copy *c, const char *line, char **rows) {
    const int end = (int)strcspn(line, "\n"), stepper = (int)strcspn(line, ",");
    const bool first = c->kind == SB_KIND_STEPPER;
    const int from = first ? 0 : stepper + 1, to = first ? stepper : from + (int)strcspn(line + from, ",\n");
    for (int at = from, length; at < to; at += length + 1) {
        char *alternative;
        length = (int)strcspn(line + at, "|,\n");
        SB_PRINT(c->me->arena, alternative, "%.*s", length, line + at);
        alternative = renamed(c, alternative);
        if (alternative != NULL) {
            SB_PRINT(c->me->arena, *rows, "%s%.*s%s%.*s\n", *rows, from, line, alternative, end - to, line + to);
        }
    }
    return SB_OK;
}

/* Copies the rows of tests/expected_fail.csv that name the original in the column stepper or problem. Rows that name it
 * with parameters are not copied: they are of variants that are tested only of the original. */
static int copy_expected_failures(const copy *c) {
    sb_arena *arena = c->me->arena;
    char *path, *text, *rows;
    SB_PRINT(arena, path, "%stests/expected_fail.csv", c->dir);
    if (access(path, F_OK) != 0) {
        return SB_OK;
    }
    SB_TRY(sb_text_read(c->me->ctx, arena, path, &text));
    SB_PRINT(arena, rows, "%s", "");
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        SB_TRY(copy_row(c, line, &rows));
    }
    if (rows[0] == '\0') {
        return SB_OK;
    }
    SB_PRINT(arena, text, "%s%s", text, rows);
    return write_file(c, path, text);
}

/* Writes `file` in the folder of the copy of an experiment: the rows of `all` with the original's name in the first or
 * second column, or the names of its tables, with the new name, after the rows of a file that is there. */
static int copy_rows(const copy *c, const char *folder, const char *file, const sb_table *all) {
    sb_arena *arena = c->me->arena;
    const size_t length = strlen(c->from);
    const int key = sb_table_column(all, "experiment");
    const char *path;
    sb_table own;
    sb_sink *sink;
    SB_PRINT(arena, path, "%s%s/%s", c->dir, folder, file);
    SB_TRY(sb_table_begin(&own, arena, all->ncolumns, all->columns));
    if (access(path, F_OK) == 0) {
        sb_table_init(&own, arena);
        SB_TRY(sb_table_read_csv_text(&own, c->me->ctx, path));
    }
    const int known = own.nrows;
    for (int i = 0; i < all->nrows; i++) {
        sb_cell *row = sb_table_cell(all, i, 0);
        const char *name = row[key < 0 ? 0 : key].text, *rest = name + length;
        const bool same = strncmp(name, c->from, length) == 0 && (*rest == '\0' || (key < 0 && *rest == '_'));
        for (int j = 0; j < all->ncolumns && same; j++) {
            row[j] = sb_text(sb_text_replace(arena, row[j].text, c->from, c->name));
            SB_TRY(row[j].text != NULL ? SB_OK : SB_NO_MEMORY);
        }
        SB_TRY(same ? own.sink.row(&own.sink, row) : SB_OK);
    }
    if (own.nrows == known) {
        return SB_OK;
    }
    SB_TRY(sb_sink_open(c->me->ctx, arena, SB_FORMAT_CSV, path, NULL, &sink));
    sb_write_line(stdout, "wrote %s", path);
    return sb_table_write(&own, sink);
}

/* Writes experiments.csv and columns.csv in the folder of the copy of an experiment. */
static int copy_data(const copy *c, const char *folder) {
    sb_table all;
    SB_TRY(sb_experiments_read(c->me->ctx, c->me->arena, &all));
    SB_TRY(copy_rows(c, folder, "experiments.csv", &all));
    SB_TRY(sb_columns_read(c->me->ctx, c->me->arena, &all));
    return copy_rows(c, folder, "columns.csv", &all);
}

static int copy_into_tree(const copy *c) {
    sb_arena *arena = c->me->arena;
    const char *target = kinds[c->kind].target, *plot;
    char *file, *list, *line, *lines, *text, *script;
    SB_PRINT(arena, file, "%s%s/%s.c", c->dir, target, c->name);
    SB_PRINT(arena, list, "%s%s/list.def", c->dir, target);
    SB_PRINT(arena, line, "\n%s(%s)\n", kinds[c->kind].macro, c->name);
    if (access(list, F_OK) != 0) {
        return sb_fail(c->me->ctx, SB_BAD_USAGE,
                       "%s is not there: call new in the source tree of stepbench, or with --dir TREE, or with "
                       "--out-of-tree",
                       list);
    }
    SB_TRY(sb_text_read(c->me->ctx, arena, list, &lines));
    if (strstr(lines, line) != NULL) {
        return sb_fail(c->me->ctx, SB_BAD_USAGE, "%s has the line %s(%s) already; take another name", list,
                       kinds[c->kind].macro, c->name);
    }
    SB_TRY(copy_source(c, ".c", &text));
    SB_TRY(check_absent(c, file));
    SB_TRY(copy_script(c, target, &plot, &script));
    SB_TRY(write_file(c, file, text));
    SB_TRY(script != NULL ? write_file(c, plot, script) : SB_OK);
    SB_PRINT(arena, lines, "%s%s", lines, line + 1);
    SB_TRY(write_file(c, list, lines));
    SB_TRY(c->kind == SB_KIND_EXPERIMENT ? copy_data(c, target) : SB_OK);
    return c->kind == SB_KIND_STEPPER || c->kind == SB_KIND_PROBLEM || c->kind == SB_KIND_FORMULATION
               ? copy_expected_failures(c)
               : SB_OK;
}

/* ---- A plug-in. ---- */

/* Copies the headers of the tree that `text` includes, and those that they include, below the directory. */
static int copy_headers(const copy *c, const char *text) {
    static const char directive[] = "\n#include \"";
    for (const char *at = strstr(text, directive); at != NULL; at = strstr(at, directive)) {
        char *header, *path, *content;
        const char *source;
        at += sizeof directive - 1;
        SB_PRINT(c->me->arena, header, "%.*s", (int)strcspn(at, "\"\n"), at);
        SB_PRINT(c->me->arena, path, "%s%s/%s", c->dir, c->name, header);
        if (access(path, F_OK) == 0) {
            continue;
        }
        SB_TRY(sb_data_path(c->me->ctx, c->me->arena, header, &source));
        SB_TRY(sb_text_read(c->me->ctx, c->me->arena, source, &content));
        SB_TRY(make_directories_of(c, path));
        SB_TRY(write_file(c, path, content));
        SB_TRY(copy_headers(c, content));
    }
    return SB_OK;
}

/* Writes quantities.csv beside the copy of an experiment. */
static int copy_quantities(const copy *c) {
    sb_table all;
    SB_TRY(sb_quantities_read(c->me->ctx, c->me->arena, NULL, &all));
    return copy_rows(c, c->name, "quantities.csv", &all);
}

/* Writes measures.json beside the copy of an experiment whose quantities are cells of its tables: the same list for the
 * new name. */
static int copy_measures(const copy *c) {
    sb_arena *arena = c->me->arena;
    const char *folder, *file;
    char *path, *text;
    json_t *list = NULL, *root = NULL;
    SB_TRY(sb_data_path(c->me->ctx, arena, "experiments", &folder));
    for (const sb_paper *paper = sb_papers; paper->key != NULL && list == NULL; paper++) {
        SB_PRINT(arena, file, "%s/%s/measures.json", folder, paper->key);
        json_decref(root);
        root = json_load_file(file, 0, NULL);
        list = json_object_get(root, c->from);
    }
    json_t *copied = list != NULL ? json_pack("{s:O}", c->name, list) : NULL;
    char *written = copied != NULL ? json_dumps(copied, JSON_INDENT(2)) : NULL;
    text = written != NULL ? sb_text_replace(arena, written, c->from, c->name) : NULL;
    free(written);
    json_decref(copied);
    json_decref(root);
    if (text == NULL) {
        return SB_OK;
    }
    SB_PRINT(arena, path, "%s%s/measures.json", c->dir, c->name);
    return write_file(c, path, text);
}

static int copy_as_plugin(const copy *c) {
    sb_arena *arena = c->me->arena;
    char *file, *build, *text, *cmake, *script, program[4096];
    const char *template, *plot;
    SB_PRINT(arena, file, "%s%s/%s.c", c->dir, c->name, c->name);
    SB_PRINT(arena, build, "%s%s/CMakeLists.txt", c->dir, c->name);
    SB_TRY(copy_source(c, ".c", &text));
    SB_TRY(sb_data_path(c->me->ctx, arena, "assets/plugin.cmake", &template));
    SB_TRY(sb_text_read(c->me->ctx, arena, template, &cmake));
    sb_program_path(program);
    *(strrchr(program, '/') != NULL ? strrchr(program, '/') : program) = '\0';
    cmake = sb_text_replace(arena, cmake, "@NAME@", c->name);
    cmake = cmake != NULL ? sb_text_replace(arena, cmake, "@PROGRAM_DIR@", program) : NULL;
    if (cmake == NULL) {
        return SB_NO_MEMORY;
    }
    SB_TRY(check_absent(c, file));
    SB_TRY(check_absent(c, build));
    SB_TRY(copy_script(c, c->name, &plot, &script));
    SB_TRY(make_directories_of(c, file));
    SB_TRY(write_file(c, file, text));
    SB_TRY(script != NULL ? write_file(c, plot, script) : SB_OK);
    SB_TRY(write_file(c, build, cmake));
    SB_TRY(c->kind == SB_KIND_EXPERIMENT ? copy_data(c, c->name) : SB_OK);
    SB_TRY(c->kind == SB_KIND_EXPERIMENT ? copy_quantities(c) : SB_OK);
    SB_TRY(c->kind == SB_KIND_EXPERIMENT ? copy_measures(c) : SB_OK);
    /* the plug-in of an analysis or an experiment uses the internal headers of this version */
    return c->kind == SB_KIND_ANALYSIS || c->kind == SB_KIND_EXPERIMENT ? SB_OK : copy_headers(c, text);
}

/* ---- The command. ---- */

static int find_kind(cli *me, const char *word, sb_kind *kind) {
    const char *words[SB_KIND_COUNT];
    int count = 0;
    for (int k = 0; k < SB_KIND_COUNT; k++) {
        if (cli_is_new_kind((sb_kind)k)) {
            *kind = (sb_kind)k;
            if (strcmp(word, sb_kind_name[k]) == 0) {
                return SB_OK;
            }
            words[count++] = sb_kind_name[k];
        }
    }
    return sb_fail_name(me->ctx, "new creates no", word, count, words,
                        "it creates a stepper, a problem, a formulation, an analysis or an experiment");
}

static int check(const copy *c) {
    SB_TRY(sb_registry_check_name(c->me->registry, c->kind, c->name));
    cli_command command;
    if (cli_find_command(c->me, c->name, &command)) { /* an analysis is refused above */
        return sb_fail(c->me->ctx, SB_BAD_USAGE, "no %s can be named \"%s\": it is a command", sb_kind_name[c->kind],
                       c->name);
    }
    return sb_registry_find(c->me->ctx, c->kind, c->from) != NULL ? SB_OK : SB_BAD_USAGE;
}

static void print_next(const copy *c, bool out_of_tree) {
    char program[4096] = "build/stepbench";
    puts("next");
    if (out_of_tree) {
        sb_program_path(program);
        if (c->kind == SB_KIND_STEPPER) {
            printf("  %s check %s%s/%s.c\n", program, c->dir, c->name, c->name);
        }
        printf("  cmake -S %s%s -B %s%s/build && cmake --build %s%s/build\n", c->dir, c->name, c->dir, c->name, c->dir,
               c->name);
        printf("  %s --plugin %s%s/build/%s.so ", program, c->dir, c->name, c->name);
    } else {
        printf("  cmake --build build\n  %s ", program);
    }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* a constant of the table of kinds */
    printf(kinds[c->kind].trial, c->name);
#pragma GCC diagnostic pop
    puts(out_of_tree ? "" : "\n  make check docs");
}

static int run_new(cli *me) {
    const new_options *options = me->config;
    copy c = {.me = me, .kind = SB_KIND_STEPPER};
    if (me->words.count != 2) {
        return sb_fail(me->ctx, SB_BAD_USAGE,
                       "new takes a kind and a name, as in `stepbench new stepper my_method`, not %d word%s",
                       me->words.count, me->words.count == 1 ? "" : "s");
    }
    SB_TRY(find_kind(me, me->words.list[0], &c.kind));
    c.name = me->words.list[1];
    c.from = options->from[0] != '\0' ? options->from : kinds[c.kind].example;
    SB_PRINT(me->arena, c.dir, "%s%s", strcmp(options->dir, ".") == 0 ? "" : options->dir,
             strcmp(options->dir, ".") == 0 ? "" : "/");
    SB_TRY(check(&c));
    SB_TRY(options->out_of_tree ? copy_as_plugin(&c) : copy_into_tree(&c));
    print_next(&c, options->out_of_tree != 0);
    return SB_OK;
}

const cli_command cli_new = {
    &(const sb_entry){"new",
                      "Copies a stepper, problem, formulation, analysis or experiment under a new name, to be changed",
                      "", new_params, sizeof(new_options)},
    "stepbench new stepper|problem|formulation|analysis|experiment NAME [--from NAME] [--out-of-tree] [--dir DIR]",
    CLI_WORDS,
    run_new,
    NULL,
    "stepbench new stepper mine --out-of-tree",
};
