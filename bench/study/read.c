/* Reads the file of a study and checks its experiments. */
#include <sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/cli/plugin.h"
#include "bench/data/data.h"
#include "bench/runner/registry.h"
#include "bench/study/study.h"
#include "core/base/escape.h"

enum {
    LONGEST_COMMAND = 4000
}; /* longest command that the page shows; the command of a large ensemble is not worth reading */

/* ---- Experiments. ---- */

/* Returns the problems, formulations or steppers of a run; if it has none, those of the experiment or of the file. */
static node specs_of(const sb_study_reader *r, const node *run, const node *of, const char *key) {
    node at = sb_node_member(run, key);
    at = at.value != NULL ? at : sb_node_member(of, key);
    return at.value != NULL ? at : sb_node_member(&r->root, key);
}

/* Returns whether a specification is of an engine of the study that --engine has not started. */
static bool is_missing(const sb_study_reader *r, const json_t *spec) {
    const char *text = json_string_value(json_is_object(spec) ? json_object_get(spec, "name") : spec);
    const size_t length = text != NULL ? strcspn(text, ":") : 0;
    bool listed = false;
    for (size_t k = 0; k < json_array_size(r->engines.value); k++) {
        const char *name = json_string_value(json_array_get(r->engines.value, k));
        listed = listed || (name != NULL && strlen(name) == length && strncmp(name, text, length) == 0);
    }
    for (int i = 0; listed && i < r->me->registry->count[SB_KIND_STEPPER]; i++) {
        const char *name = r->me->registry->entries[SB_KIND_STEPPER][i]->name;
        listed = strlen(name) != length || strncmp(name, text, length) != 0;
    }
    return listed;
}

/* Reads them, without steppers that are missing engines. */
static int read_specs(sb_study_reader *r, const node *run, const node *of, const char *key, sb_kind kind,
                      const char *flag, sb_study_experiment *e) {
    const node at = specs_of(r, run, of, key);
    int count;
    SB_TRY(sb_node_count(&at, &count));
    for (int k = 0; k < count; k++) {
        const node item = sb_node_item(&at, k);
        SB_TRY(kind == SB_KIND_STEPPER && is_missing(r, item.value) ? SB_OK
                                                                    : sb_study_read_spec(r->me, &item, kind, flag, e));
    }
    return SB_OK;
}

static int read_option(sb_study_reader *r, const node *at, const char *key, sb_study_experiment *e) {
    char option[CLI_OPTION_SIZE];
    const char *text;
    SB_SCRATCH(scratch, r->me->ctx);
    cli call = sb_study_cli(e, r->me->ctx, &scratch);
    for (int i = 0; cli_shared_params[i].name != NULL; i++) {
        const bool of_rows = (cli_shared_takes[i] & (unsigned)(CLI_SECONDS | CLI_ENSEMBLE)) != 0;
        if (strcmp(cli_shared_params[i].name, key) == 0 && !of_rows) {
            return NODE_FAIL(at,
                             "%s is no option of the rows: columns, pivot and digits stand in \"tables\", the "
                             "format and the figure follow from the name of a file, and `stepbench study` has "
                             "--jobs",
                             key);
        }
    }
    SB_TRY(sb_study_value(at, &text));
    cli_option_name(key, option);
    SB_PRINT(r->me->arena, text, "%s=%s", option, text);
    SB_TRY(cli_push(r->me, &e->words, text));
    call.command.takes &= (unsigned)(CLI_SECONDS | CLI_ENSEMBLE);
    return sb_study_placed(at, cli_parse(&call, 2, (char *[]){"--help", (char *)text}));
}

/* Writes the commands that compute the rows, one per run and line. Returns the length of the first part of each, with
 * the paths of the plug-ins, on which the files do not depend. */
static long write_commands(const sb_study_reader *r, const sb_study_experiment *e, FILE *to) {
    const sb_registry *registry = r->me->registry;
    long paths = 0;
    for (int run = 0; run < e->nruns; run++) {
        fputs(run > 0 ? "\nstepbench" : "stepbench", to);
        for (int i = 0; i < registry->nplugins; i++) {
            fputs(registry->plugins[i].engine != NULL ? " --engine " : " --plugin ", to);
            sb_escape(to, SB_SHELL, registry->plugins[i].path);
        }
        paths = run == 0 ? ftell(to) : paths;
        fprintf(to, " %s", e->command.entry->name);
        for (int i = 0; i < e->runs[run].count; i++) {
            fputc(' ', to);
            sb_escape(to, SB_SHELL, e->runs[run].list[i]);
        }
    }
    return paths;
}

/* Writes the other data on which the files depend: the digests of the plug-ins, the versions of
 * the engines, the labels, the tables and the figures. */
static void write_inputs(const sb_study_reader *r, const sb_study_experiment *e, FILE *to) {
    const sb_registry *registry = r->me->registry;
    for (int i = 0; i < registry->nplugins; i++) {
        const sb_loaded *loaded = &registry->plugins[i];
        fprintf(to, " %s", loaded->engine != NULL ? loaded->engine : loaded->sha256);
    }
    for (int k = 0; k < e->nscripts; k++) {
        fprintf(to, "\n%s", e->scripts[k]);
    }
    for (int k = 0; k < e->labels.count; k++) {
        fprintf(to, "\n%s", e->labels.list[k]);
    }
    for (int k = 0; k < e->nviews; k++) {
        fprintf(to, "\n%s", e->views[k].file);
        for (int i = 0; i < e->views[k].words.count; i++) {
            fprintf(to, " %s", e->views[k].words.list[i]);
        }
    }
}

static const char *first_figure(const sb_study_experiment *e) {
    int k = 0;
    while (strcmp(e->views[k].option, "--plot") != 0) {
        k++;
    }
    return e->views[k].file;
}

/* Sets the command that writes the rows and the first figure, and the version, a digest of all data on which the files
 * depend. */
static int identify(sb_study_reader *r, sb_study_experiment *e) {
    char *text = NULL, sha256[SB_SHA256_SIZE];
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    SB_TRY(to != NULL ? SB_OK : SB_NO_MEMORY);
    const long paths = write_commands(r, e, to), length = ftell(to);
    write_inputs(r, e, to);
    const bool whole = ferror(to) == 0;
    SB_TRY(fclose(to) == 0 && whole ? sb_arena_own(r->me->arena, text, free) : SB_NO_MEMORY);
    SHA256Data((const uint8_t *)text + paths, strlen(text + paths), sha256);
    SB_PRINT(r->me->arena, e->experiment.version, "%.16s", sha256);
    if (length < LONGEST_COMMAND && e->nruns > 1) {
        SB_PRINT(r->me->arena, e->experiment.command, "%.*s", (int)length, text);
    } else if (length < LONGEST_COMMAND) {
        const char *rows = sb_escaped(r->me->arena, SB_SHELL, e->views[0].file),
                   *figure = sb_escaped(r->me->arena, SB_SHELL, e->drawn ? first_figure(e) : "");
        SB_TRY(rows != NULL && figure != NULL ? SB_OK : SB_NO_MEMORY);
        SB_PRINT(r->me->arena, e->experiment.command, "%.*s -o %s%s%s", (int)length, text, rows,
                 e->drawn ? " --plot " : "", e->drawn ? figure : "");
    }
    return SB_OK;
}

static int choose_analysis(sb_study_reader *r, const node *at, sb_study_experiment *e) {
    const node place = sb_node_member(at, "analysis");
    const char *name;
    SB_TRY(sb_node_word(at, "analysis", &name));
    e->registry = r->me->registry;
    e->command = cli_run;
    if (strcmp(name, cli_run.entry->name) != 0) {
        const sb_entry *analysis = sb_registry_find(r->me->ctx, SB_KIND_ANALYSIS, name);
        SB_TRY(sb_study_placed(&place, analysis != NULL ? SB_OK : SB_BAD_USAGE));
        e->command = cli_analysis_command(analysis);
    }
    return SB_OK;
}

static int read_options(sb_study_reader *r, const node *of, sb_study_experiment *e) {
    const node options = sb_node_member(of, "options");
    const char *key;
    json_t *value;
    if (options.value != NULL && !json_is_object(options.value)) {
        return NODE_FAIL(&options, "an object {OPTION: VALUE, ...} is needed");
    }
    json_object_foreach((json_t *)options.value, key, value) {
        const node item = sb_node_member(&options, key);
        SB_TRY(read_option(r, &item, key, e));
    }
    return SB_OK;
}

/* Reads a run of the experiment `at`, which is `at` itself if that lists no runs. */
static int read_run(sb_study_reader *r, const node *at, const node *run, sb_study_experiment *e) {
    e->words = (cli_words){0, NULL};
    SB_TRY(read_specs(r, run, at, "problems", SB_KIND_PROBLEM, "-p", e));
    SB_TRY(read_specs(r, run, at, "formulations", SB_KIND_FORMULATION, "-w", e));
    SB_TRY(read_specs(r, run, at, "steppers", SB_KIND_STEPPER, "-s", e));
    SB_TRY(run != at ? read_options(r, at, e) : SB_OK);
    SB_TRY(read_options(r, run, e));
    e->runs[e->nruns++] = e->words;
    return SB_OK;
}

static int read_runs(sb_study_reader *r, const node *at, sb_study_experiment *e) {
    const node runs = sb_node_member(at, "runs");
    int count;
    SB_TRY(sb_node_count(&runs, &count));
    SB_NEW(r->me->arena, e->runs, count + 1);
    for (int k = 0; k < count; k++) {
        const node run = sb_node_item(&runs, k);
        SB_TRY(sb_node_keys(&run, "problems|formulations|steppers|options"));
        SB_TRY(read_run(r, at, &run, e));
    }
    return count > 0 ? SB_OK : read_run(r, at, at, e);
}

/* Reads a key that is true or false. */
static int read_flag(const node *of, const char *key, bool *out) {
    const node at = sb_node_member(of, key);
    *out = json_is_true(at.value);
    return at.value == NULL || json_is_boolean(at.value) ? SB_OK : NODE_FAIL(&at, "true or false is needed");
}

/* Returns whether an experiment lacks an engine that it needs: one of those with which it measures quantities, or all
 * of its steppers in a run. */
static bool lacks_engines(const sb_study_reader *r, const node *at) {
    const node runs = sb_node_member(at, "runs");
    const bool measures = sb_node_member(at, "measure").value != NULL;
    const int count = (int)json_array_size(runs.value);
    bool lacks = false;
    for (int k = 0; k < (count > 0 ? count : 1); k++) {
        const node run = count > 0 ? sb_node_item(&runs, k) : *at, steppers = specs_of(r, &run, at, "steppers");
        const size_t all = json_array_size(steppers.value);
        size_t missing = 0;
        for (size_t i = 0; i < all; i++) {
            missing += is_missing(r, json_array_get(steppers.value, i));
        }
        lacks = lacks || (missing > 0 && (measures || missing == all));
    }
    return lacks;
}

static int read_experiment(sb_study_reader *r, const node *at) {
    sb_study_experiment *e;
    const node place = sb_node_member(at, "name");
    SB_SCRATCH(scratch, r->me->ctx);
    sb_table rows;
    SB_NEW(r->me->arena, e, 1);
    sb_entry *entry = &e->experiment.entry;
    SB_TRY(sb_node_keys(at,
                        "name|caption|reference|analysis|problems|formulations|steppers|options|runs|directed|timed|"
                        "tables|figures|scripts|measure"));
    SB_TRY(sb_node_word(at, "name", &entry->name));
    if (lacks_engines(r, at)) {
        sb_write_line(stderr,
                      "stepbench: the experiment %s is left out: --engine starts none of its engines, or not all",
                      entry->name);
        return SB_OK;
    }
    SB_TRY(sb_study_word(at, "caption", "", &entry->brief));
    SB_TRY(sb_study_word(at, "reference", "", &entry->ref));
    SB_TRY(read_flag(at, "directed", &e->experiment.directed));
    SB_TRY(read_flag(at, "timed", &e->experiment.timed));
    e->experiment.run = sb_study_run;
    e->experiment.replot = sb_study_replot;
    SB_TRY(sb_study_placed(&place, sb_registry_add(r->me->registry, SB_KIND_EXPERIMENT, entry)));
    SB_TRY(choose_analysis(r, at, e));
    if (e->experiment.timed && strcmp(e->command.entry->name, "workprec") != 0) {
        return NODE_FAIL(at, "only the analysis workprec is timed");
    }
    SB_TRY(read_runs(r, at, e));
    e->drawn = json_array_size(sb_node_member(at, "figures").value) > 0;
    SB_TRY(sb_study_placed(at, sb_study_columns(r->me->ctx, &scratch, e, r->check, &rows)));
    SB_TRY(sb_study_read_views(r, at, e, &rows));
    const node measures = sb_node_member(at, "measure");
    SB_TRY(sb_study_read_measures(&measures, &rows, e));
    return identify(r, e);
}

/* ---- The file. ---- */

/* Loads a plug-in; its path is relative to the directory of the study. */
static int load(sb_study_reader *r, const char *study, const node *at) {
    const char *file = json_string_value(at->value), *slash = strrchr(study, '/');
    if (file == NULL) {
        return NODE_FAIL(at, "the name of a file .c or .so is needed");
    }
    SB_PRINT(r->me->arena, file, "%.*s%s", slash != NULL && file[0] != '/' ? (int)(slash - study) + 1 : 0, study, file);
    SB_TRY(sb_study_placed(at, cli_load_plugin(r->me->ctx, r->me->registry, file)));
    return sb_study_placed(at, sb_experiments_describe(r->me->ctx, r->me->arena, r->me->registry));
}

static int read_study(cli *me, const char *file, bool check, sb_study *out) {
    sb_study_reader r = {.me = me, .check = check};
    description *d;
    char *text;
    int count;
    SB_NEW(me->arena, d, 1);
    SB_TRY(sb_text_read(me->ctx, me->arena, file, &text));
    *d = (description){.ctx = me->ctx, .arena = me->arena, .what = "study", .file = file, .text = text};
    *out = (sb_study){.file = file};
    SB_TRY(sb_description_open(d, &r.root));
    SB_TRY(sb_node_keys(&r.root, "title|text|plugins|engines|problems|formulations|steppers|experiments|summary"));
    SB_TRY(sb_node_word(&r.root, "title", &out->title));
    SB_TRY(sb_study_word(&r.root, "text", "", &out->text));
    r.engines = sb_node_member(&r.root, "engines");
    SB_TRY(sb_node_count(&r.engines, &count));
    const node plugins = sb_node_member(&r.root, "plugins"), experiments = sb_node_member(&r.root, "experiments");
    SB_TRY(sb_node_count(&plugins, &count));
    for (int k = 0; k < count; k++) {
        const node item = sb_node_item(&plugins, k);
        SB_TRY(load(&r, file, &item));
    }
    SB_TRY(sb_node_count(&experiments, &count));
    if (count == 0) {
        return NODE_FAIL(&r.root, "\"experiments\": [{\"name\": ..., \"analysis\": ...}, ...] is needed");
    }
    for (int k = 0; k < count; k++) {
        const node item = sb_node_item(&experiments, k);
        SB_TRY(read_experiment(&r, &item));
    }
    SB_TRY(sb_study_read_summary(&r, out));
    SHA256Data((const uint8_t *)text, strlen(text), out->sha256);
    return SB_OK;
}

int sb_study_read(cli *me, const char *file, sb_study *out) { return read_study(me, file, true, out); }

/* ---- The studies of the papers, and what they and plug-ins measure of experiments in C. ---- */

int sb_study_read_papers(cli *me) {
    const char *folder, *file;
    sb_study study;
    SB_TRY(sb_experiments_describe(me->ctx, me->arena, me->registry));
    SB_TRY(sb_data_path(me->ctx, me->arena, "experiments", &folder));
    for (const sb_paper *paper = sb_papers; paper->key != NULL; paper++) {
        SB_PRINT(me->arena, file, "%s/%s/study.json", folder, paper->key);
        SB_TRY(access(file, R_OK) == 0 ? read_study(me, file, false, &study) : SB_OK);
        SB_PRINT(me->arena, file, "%s/%s/measures.json", folder, paper->key);
        SB_TRY(access(file, R_OK) == 0 ? sb_study_read_programs(me, file) : SB_OK);
    }
    for (int i = 0; i < me->registry->nplugins; i++) {
        SB_TRY(sb_data_beside(me->arena, me->registry->plugins[i].path, "measures.json", &file));
        SB_TRY(file != NULL ? sb_study_read_programs(me, file) : SB_OK);
    }
    return SB_OK;
}
