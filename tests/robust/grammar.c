/* Command lines derived from the registry. */
#include "tests/robust/grammar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/cli/cli.h"
#include "core/run/build.h"
#include "tests/robust/random.h"

typedef struct maker {
    const grammar *g;
    uint64_t state;
    line *out;
    bool tame; /* every second line: nothing malformed, no number out of its range, so that more of them get to compute
                */
} maker;

static int below(maker *m, int n) { return random_below(&m->state, n); }
static bool chance(maker *m, int percent) { return below(m, 100) < percent; }
static bool odd(maker *m, int percent) { return chance(m, percent) && !m->tame; }
static double uniform(maker *m, double lo, double hi) {
    return lo + (hi - lo) * (double)(random_next(&m->state) >> 11) * 0x1p-53;
}

/* Any character but '/': a damaged name must not become a path that leads out of the scratch folder. */
static char letter(maker *m, int lo, int hi) {
    const int c = lo + below(m, hi - lo);
    return c == '/' ? '_' : (char)c;
}

#define PICK(m, list) (list)[below((m), (int)(sizeof(list) / sizeof *(list)))]

/* ---- Words. ---- */

static void begin_word(maker *m) {
    line *l = m->out;
    if (l->argc < LINE_WORDS && l->used + 2 < LINE_TEXT) {
        l->argv[l->argc++] = l->text + l->used;
        l->text[l->used++] = '\0';
    }
}

/* Goes on with the word begun last. */
static void put(maker *m, const char *text) {
    line *l = m->out;
    const size_t length = strlen(text);
    if (l->argc > 0 && l->used + length + 2 < LINE_TEXT) {
        memcpy(l->text + l->used - 1, text, length + 1);
        l->used += length;
    }
}

static void word(maker *m, const char *text) {
    begin_word(m);
    put(m, text);
}

/* ---- Values. ---- */

static const char *const odd_numbers[] = {"0",
                                          "-0",
                                          "-1",
                                          "1",
                                          "nan",
                                          "inf",
                                          "-inf",
                                          "1e308",
                                          "-1e308",
                                          "1e-308",
                                          "4.9e-324",
                                          "1e999",
                                          "1/0",
                                          "0/0",
                                          "1/3",
                                          "1/",
                                          "/2",
                                          "1e",
                                          "0x10",
                                          "1,5",
                                          "",
                                          " 1",
                                          "1 ",
                                          "x",
                                          "1x",
                                          "--1",
                                          "1e15",
                                          "1e-15",
                                          "2^53",
                                          "9007199254740993",
                                          "9223372036854775808",
                                          "-9223372036854775809",
                                          "1e-300",
                                          "1e300",
                                          "0.1.2",
                                          "١"};
static const char *const odd_texts[] = {"",       "a",      "out",        "x.csv",    "-",      "..", ".",  "no/such",
                                        "é",      "%s%n%d", "a'b",        "a\nb",     "a\"b",   "*",  "[",  "?",
                                        "verlet", "kepler", "oscillator", "--",       "a,b,,c", ",",  "q0", "t,q0,v0",
                                        "all",    "energy", "1",          "\xff\xfe", "a b",    "=,:"};
static const char *const files[] = {"out.csv",   "out.json",  "out.md", "out.tex", "missing/out.csv", ".",
                                    "/dev/full", "/dev/null", "-",      "",        "out.csv/x"};

static void long_text(maker *m) {
    char text[3001];
    const size_t length = (size_t)below(m, 3000);
    memset(text, 'a' + below(m, 26), length);
    text[length] = '\0';
    put(m, text);
}

static void put_text(maker *m) {
    if (chance(m, 2)) {
        long_text(m);
    } else {
        put(m, PICK(m, odd_texts));
    }
}

/* A number that a run of moderate length can do with, if the range has one. */
static double moderate(maker *m, const sb_param *p) {
    double x = pow(10.0, p->type == SB_INT ? uniform(m, 0.0, 1.7) : uniform(m, -2.5, 1.0)) *
               (p->lo < 0.0 && chance(m, 30) ? -1.0 : 1.0);
    if (!(x >= p->lo && x <= p->hi)) {
        x = isfinite(p->lo) && isfinite(p->hi) ? uniform(m, p->lo, p->hi) : isfinite(p->lo) ? p->lo + x : p->hi - x;
    }
    return p->type == SB_INT ? floor(x) : x;
}

static void put_number(maker *m, const sb_param *p) {
    char text[64];
    const int kind = below(m, 100);
    if (m->tame || kind < 84) {
        snprintf(text, sizeof text, chance(m, 50) ? "%.3g" : "%.17g", moderate(m, p));
    } else if (kind < 90 && p->initial != NULL && strchr(p->initial, ',') == NULL) {
        snprintf(text, sizeof text, "%.60s", p->initial);
    } else if (kind < 96) { /* an end of the range, or just beyond */
        const double end = chance(m, 50) ? p->lo : p->hi;
        const double x = p->type == SB_INT ? end + below(m, 3) - 1
                         : chance(m, 50)   ? end
                                           : nextafter(end, chance(m, 50) ? -INFINITY : (double)INFINITY);
        snprintf(text, sizeof text, "%.17g", x);
    } else {
        snprintf(text, sizeof text, "%s", PICK(m, odd_numbers));
    }
    put(m, text);
}

static void put_choice(maker *m, const sb_param *p) {
    const char *at = p->choices;
    int count = 1;
    for (const char *c = at; *c != '\0'; c++) {
        count += *c == '|';
    }
    for (int k = below(m, count); k > 0; k--) {
        at = strchr(at, '|') + 1;
    }
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)strcspn(at, "|"), at);
    put(m, text);
}

static void put_value(maker *m, const sb_param *p) {
    if (odd(m, 1)) {
        put(m, PICK(m, odd_texts));
        return;
    }
    switch (p->type) {
    case SB_REAL:
    case SB_INT: put_number(m, p); return;
    case SB_CHOICE: put_choice(m, p); return;
    case SB_TEXT:
        if (p->initial != NULL && !odd(m, 40)) {
            put(m, p->initial);
        } else {
            put_text(m);
        }
        return;
    case SB_REALS: {
        const bool bracket = chance(m, 50);
        put(m, bracket ? "[" : "");
        for (int n = below(m, 4); n >= 0; n--) {
            put_number(m, p);
            put(m, n > 0 ? "," : "");
        }
        put(m, bracket && !odd(m, 3) ? "]" : "");
        return;
    }
    }
}

/* ---- Names and specifications. ---- */

static void put_mutated(maker *m, const char *name) {
    char text[128];
    snprintf(text, sizeof text - 2, "%s", name);
    const size_t length = strlen(text);
    const int at = length > 0 ? below(m, (int)length) : 0;
    switch (below(m, 4)) {
    case 0: text[at] = '\0'; break;
    case 1: text[at] = letter(m, 32, 127); break;
    case 2:
        text[length] = (char)('a' + below(m, 26));
        text[length + 1] = '\0';
        break;
    default: memmove(text + at, text + at + (length > 0), length - (size_t)at); break;
    }
    put(m, text);
}

static int params(const sb_entry *entry) {
    int count = 0;
    while (entry->params != NULL && entry->params[count].name != NULL) {
        count++;
    }
    return count;
}

static void put_options(maker *m, const sb_entry *entry) {
    const int count = params(entry);
    if (count == 0 || chance(m, 55)) {
        return;
    }
    put(m, ":");
    const int first = below(m, count);
    for (int n = below(m, 3 < count ? 3 : count); n >= 0; n--) {
        const sb_param *p = &entry->params[(first + n) % count];
        if (odd(m, 3)) {
            put_mutated(m, p->name);
        } else {
            put(m, p->name);
        }
        put(m, odd(m, 2) ? "" : "=");
        put_value(m, p);
        put(m, n > 0 || odd(m, 2) ? "," : "");
    }
}

static void put_spec(maker *m, const sb_entry *entry) {
    static const char *const globs[] = {"*", "ver*", "?h*", "[a-f]*", "[", "*_*", "spook", "euler_*"};
    const int kind = below(m, 100);
    if (m->tame || kind < 94) {
        put(m, entry->name);
        put_options(m, entry);
    } else if (kind < 97) {
        put_mutated(m, entry->name);
    } else {
        put(m, PICK(m, globs));
    }
}

static const sb_entry *any(maker *m, sb_kind kind) {
    const sb_registry *r = m->g->registry;
    return r->entries[kind][below(m, r->count[kind])];
}

static void specification(maker *m, const char *option, const sb_entry *entry) {
    word(m, option);
    if (chance(m, 90)) {
        begin_word(m);
    }
    put_spec(m, entry);
}

/* A problem and a stepper, most of the time such that one takes the other. */
static void pair(maker *m, unsigned takes) {
    const sb_registry *r = m->g->registry;
    const int steppers = r->count[SB_KIND_STEPPER], problem = below(m, r->count[SB_KIND_PROBLEM]);
    int stepper = below(m, steppers);
    if (chance(m, 85)) {
        for (int k = 0; k < steppers && !m->g->fits[problem * steppers + stepper]; k++) {
            stepper = (stepper + 1) % steppers;
        }
    }
    if ((takes & CLI_PROBLEMS) != 0 && !odd(m, 5)) {
        specification(m, "-p", r->entries[SB_KIND_PROBLEM][problem]);
    }
    if ((takes & CLI_STEPPERS) != 0 && !odd(m, 5)) {
        specification(m, "-s", r->entries[SB_KIND_STEPPER][stepper]);
    }
}

/* ---- Command lines. ---- */

static void option(maker *m, const sb_param *p) {
    char name[96];
    snprintf(name, sizeof name, "--%s", p->name);
    for (char *c = name; *c != '\0'; c++) {
        *c = *c == '_' && !odd(m, 2) ? '-' : *c;
    }
    begin_word(m);
    if (odd(m, 2)) {
        put_mutated(m, name);
    } else {
        put(m, name);
    }
    const bool is_switch = p->type == SB_CHOICE && strcmp(p->choices, "no|yes") == 0;
    if (is_switch && chance(m, 90)) {
        return;
    }
    if (chance(m, 30)) {
        put(m, "=");
    } else if (!odd(m, 2)) {
        begin_word(m);
    }
    put_value(m, p);
}

static bool has(const sb_entry *entry, const char *name) {
    int k = params(entry) - 1;
    while (k >= 0 && strcmp(entry->params[k].name, name) != 0) {
        k--;
    }
    return k >= 0;
}

/* Of --t-end and --steps most commands take one. */
static void table_options(maker *m, const sb_entry *entry) {
    const int count = params(entry);
    const char *const length =
        chance(m, m->tame ? 0 : 50) || !has(entry, "steps") ? "t_end" : "steps"; /* a run's t_end is a multiple of h */
    for (int k = 0; k < count; k++) {
        const sb_param *p = &entry->params[k];
        const bool is_length = strcmp(p->name, "t_end") == 0 || strcmp(p->name, "steps") == 0;
        if (chance(m, strcmp(p->name, length) == 0                      ? (m->tame ? 100 : 80)
                      : is_length                                       ? (m->tame ? 0 : 5)
                      : p->initial == NULL || strcmp(p->name, "h") == 0 ? (m->tame ? 100 : 90)
                                                                        : 15)) {
            option(m, p);
        }
    }
}

static void words(maker *m, const char *command) {
    static const char *const kinds[] = {"steppers", "problems", "solvers",     "claims",   "analyses",  "experiments",
                                        "stepper",  "problem",  "formulation", "analysis", "experiment"};
    for (int n = below(m, 3); n > 0; n--) {
        begin_word(m);
        if (chance(m, strcmp(command, "new") == 0 || strcmp(command, "list") == 0 ? 50 : 5)) {
            put(m, PICK(m, kinds));
        } else if (chance(m, 80)) {
            put_spec(m, any(m, strcmp(command, "bench") == 0 ? SB_KIND_EXPERIMENT : (sb_kind)below(m, SB_KIND_COUNT)));
        } else {
            put_text(m);
        }
    }
}

static void command(maker *m, const sb_entry *entry, unsigned takes) {
    static const char *const formats[] = {"csv", "table", "md", "latex", "json", "xml"};
    begin_word(m);
    if (odd(m, 2)) {
        put_mutated(m, entry->name);
    } else {
        put(m, entry->name);
    }
    if ((takes & (CLI_PROBLEMS | CLI_STEPPERS)) != 0) {
        for (int n = chance(m, 85) ? 1 : below(m, 4); n > 0; n--) {
            pair(m, takes);
        }
    }
    while ((takes & CLI_FORMULATIONS) != 0 && chance(m, 12)) {
        specification(m, "-w", any(m, SB_KIND_FORMULATION));
    }
    table_options(m, entry);
    if ((takes & CLI_OUTPUT) != 0 && chance(m, 15)) {
        word(m, "-o");
        word(m, PICK(m, files));
    }
    if ((takes & CLI_OUTPUT) != 0 && chance(m, 15)) {
        word(m, "--format");
        word(m, PICK(m, formats));
    }
    if ((takes & CLI_JOBS) != 0 && chance(m, 5)) {
        word(m, "--jobs");
        word(m, m->tame ? "2" : PICK(m, odd_numbers));
    }
    if ((takes & CLI_WORDS) != 0 || odd(m, 2)) {
        words(m, entry->name);
    }
    if (strcmp(entry->name, "bench") == 0 && chance(m, 70)) {
        word(m, chance(m, 50) ? "--dry-run" : "--plan");
    }
    if (chance(m, 2)) {
        word(m, "--help");
    }
    if (odd(m, 1)) {
        word(m, "--plugin");
        word(m, PICK(m, odd_texts));
    }
}

/* Drops, doubles, exchanges or damages a word. */
static void damage(maker *m) {
    line *l = m->out;
    if (l->argc < 2) {
        return;
    }
    const int at = 1 + below(m, l->argc - 1), other = 1 + below(m, l->argc - 1);
    char *kept = l->argv[at];
    switch (below(m, 4)) {
    case 0:
        memmove(&l->argv[at], &l->argv[at + 1], (size_t)(l->argc - at - 1) * sizeof *l->argv);
        l->argc--;
        break;
    case 1:
        if (l->argc < LINE_WORDS) {
            l->argv[l->argc++] = kept;
        }
        break;
    case 2:
        l->argv[at] = l->argv[other];
        l->argv[other] = kept;
        break;
    default:
        if (kept[0] != '\0' && kept[0] != '/') {
            kept[below(m, (int)strlen(kept))] = letter(m, 1, 256);
        }
        break;
    }
}

void grammar_line(const grammar *g, uint64_t seed, line *out) {
    maker m = {.g = g, .state = seed, .out = out};
    int commands = 0;
    while (cli_commands[commands] != NULL) {
        commands++;
    }
    out->argc = 0;
    out->used = 0;
    m.state = random_next(&m.state); /* or the numbers of a line would be those of the line before, one further on */
    m.tame = chance(&m, 50);
    word(&m, "stepbench");
    if (chance(&m, 1)) {
        begin_word(&m);
        put_text(&m);
    } else if (chance(&m, 2)) {
        word(&m, chance(&m, 50) ? "help" : "--version");
        words(&m, "show");
    } else if (chance(&m, 55)) {
        const sb_entry *analysis = any(&m, SB_KIND_ANALYSIS);
        command(&m, analysis, cli_analysis_command(analysis).takes);
    } else { /* `run` as often as all others */
        const cli_command *c = chance(&m, 50) ? &cli_run : cli_commands[below(&m, commands)];
        command(&m, c->entry, c->takes);
    }
    while (odd(&m, 8)) {
        damage(&m);
    }
    out->argv[out->argc] = NULL;
}

int grammar_init(grammar *g, sb_context *ctx, sb_arena *arena, const sb_registry *registry) {
    const int problems = registry->count[SB_KIND_PROBLEM], steppers = registry->count[SB_KIND_STEPPER];
    *g = (grammar){.registry = registry};
    SB_NEW(arena, g->fits, problems * steppers);
    for (int p = 0; p < problems; p++) {
        sb_arena one;
        sb_system sys;
        sb_arena_init(&one, ctx);
        const int status = sb_system_build(ctx, &one, registry->entries[SB_KIND_PROBLEM][p]->name, 0, NULL, &sys);
        for (int s = 0; s < steppers && status == SB_OK; s++) {
            g->fits[p * steppers + s] =
                sb_stepper_check(ctx, (const sb_stepper *)registry->entries[SB_KIND_STEPPER][s], &sys) == SB_OK;
        }
        sb_arena_free(&one);
    }
    return SB_OK;
}
