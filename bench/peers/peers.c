/* peers DIRECTORY: checks the engines, runs them beside the steppers, and writes peers.csv and peers_exponents.csv with
 * their origin. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analysis/timing.h"
#include "bench/cli/arithmetic.h"
#include "bench/cli/cli.h"
#include "bench/peers/check.h"
#include "bench/peers/reference.h"
#include "bench/runner/experiment_tools.h"
#include "core/output/provenance.h"

static const char *const modules[] = {PEER_MODULES NULL};
static const char *const problems[] = {"ladder", "four_bar"};
static const char *const steppers[] = {
    "spook", "spook:eps=0",     "shake",           "gauss_seidel_spook", "gauss_seidel_spook:sweeps=200",
    "xpbd",  "xpbd:sweeps=200", "yoshida4(rattle)"};

/* Mechanisms and steps: accuracy against the step at N = 10, time against N at the usual step of engines, 1/60 s. */
static const struct {
    long N, rate; /* steps per s */
} cases[] = {{3, 60}, {10, 60}, {10, 240}, {10, 960}, {30, 60}, {100, 60}, {300, 60}};

enum {
    PROBLEMS = sizeof problems / sizeof *problems,
    STEPPERS = sizeof steppers / sizeof *steppers,
    CASES = sizeof cases / sizeof *cases,
    MOST = 32,              /* contenders */
    FRAMES = 60,            /* samples per s */
    DURATION = 5,           /* s */
    LONGEST_CHART = 30,     /* squares of a ladder whose exact motion is computed: a minute at 100 */
    LONGEST_ACCURACY = 100, /* for larger N only the time is measured */
    LONGEST_STEPPER = 100   /* of the steppers with 200 sweeps */
};

/* The tips are compared up to this time, before errors grow with the chaotic motion. */
static const double smooth[PROBLEMS] = {1.0, DURATION};
static const double known = 1e-6; /* m; the exact motion is known while two references differ by less */

typedef struct result {
    int problem, at, who, status;
    double seconds, gap, energy, tip, until, known;
} result;

typedef struct bench {
    sb_context ctx;
    sb_arena arena;
    sb_registry registry;
    int count, nresults;
    contender who[MOST];
    result results[PROBLEMS * CASES * MOST];
} bench;

/* ---- Contenders. ---- */

static int load_engines(bench *b) {
    for (int i = 0; modules[i] != NULL; i++) {
        void *library = dlopen(modules[i], RTLD_NOW | RTLD_LOCAL);
        const peer_engine *(*get)(void) = NULL;
        if (library != NULL) {
            *(void **)&get = dlsym(library, "peer_engine_get");
        }
        if (get == NULL) {
            return sb_fail(&b->ctx, SB_IO, "cannot load %s: %s", modules[i], dlerror());
        }
        const peer_engine *peer = get();
        for (int s = 0; s < peer->nsettings && b->count < MOST - STEPPERS; s++) {
            b->who[b->count++] = (contender){peer->name, peer->settings[s].name, peer, &peer->settings[s]};
        }
    }
    for (int s = 0; s < STEPPERS; s++) {
        b->who[b->count++] = (contender){"stepbench", steppers[s], NULL, NULL};
    }
    return SB_OK;
}

/* Returns whether a contender is run on a mechanism of this size. */
static bool is_run(const contender *who, const mechanism *m) {
    if (who->peer != NULL) {
        return who->values->largest == 0 || m->world.nbodies <= who->values->largest;
    }
    return strstr(who->settings, "200") == NULL || m->N <= LONGEST_STEPPER;
}

/* ---- Accuracy. ---- */

/* Runs 5 s and computes the mean of the gaps over the samples, the change of the energy, and the rms error of the tip
 * over the smooth part. */
static int run_accuracy(bench *b, const mechanism *m, const reference *exact, result *r) {
    SB_SCRATCH(arena, &b->ctx);
    const long per_frame = cases[r->at].rate / FRAMES;
    contest run;
    peer_body *body;
    double gaps = 0.0, tips = 0.0, energy = 0.0, first = mechanism_energy(m, m->world.body);
    int compared = 0;
    SB_NEW(&arena, body, m->world.nbodies);
    SB_TRY(contest_open(&b->ctx, &arena, m, &b->who[r->who], 1.0 / (double)cases[r->at].rate, &run));
    for (int frame = 1; frame <= FRAMES * DURATION; frame++) {
        for (long k = 0; k < per_frame; k++) {
            SB_TRY(contest_step(&run));
        }
        double tip[2];
        SB_TRY(contest_read(&run, body));
        mechanism_tip(m, body, tip);
        energy = mechanism_energy(m, body);
        gaps += mechanism_gap(m, body);
        if (frame < exact->count && frame <= smooth[r->problem] * FRAMES) {
            const double dx = tip[0] - exact->tip[frame][0], dy = tip[1] - exact->tip[frame][1];
            tips += dx * dx + dy * dy;
            compared = frame;
        }
    }
    r->gap = gaps / (FRAMES * DURATION);
    r->energy = fabs(energy - first) / m->energy;
    r->until = (double)compared / FRAMES;
    r->known = exact->count > 0 ? (double)(exact->count - 1) / FRAMES : NAN;
    r->tip = compared > 0 ? sqrt(tips / compared) : NAN;
    return isfinite(r->gap + r->energy) ? SB_OK : SB_NOT_FINITE;
}

/* ---- Times: the first second of motion. ---- */

static int run_time(bench *b, const mechanism *m, result *r) {
    SB_SCRATCH(arena, &b->ctx);
    const long steps = cases[r->at].rate;
    contest run;
    SB_TRY(contest_open(&b->ctx, &arena, m, &b->who[r->who], 1.0 / (double)steps, &run));
    const double begin = sb_processor_time();
    for (long k = 0; k < steps; k++) {
        SB_TRY(contest_step(&run));
    }
    r->seconds = fmin(r->seconds, (sb_processor_time() - begin) / (double)steps);
    return SB_OK;
}

static int run_case(bench *b, int problem, int at, bool accuracy) {
    SB_SCRATCH(arena, &b->ctx);
    mechanism m;
    reference exact = {0};
    SB_TRY(mechanism_new(&b->ctx, &arena, problems[problem], cases[at].N, &m));
    if (accuracy && (problem > 0 || cases[at].N <= LONGEST_CHART)) {
        SB_TRY(reference_new(&b->ctx, &arena, &m, 1.0 / FRAMES, FRAMES * DURATION, known, &exact));
    }
    for (int i = 0; accuracy && i < b->count; i++) {
        if (is_run(&b->who[i], &m)) {
            result *r = &b->results[b->nresults++];
            *r = (result){problem, at, i, SB_OK, INFINITY, NAN, NAN, NAN, NAN, NAN};
            r->status = m.N <= LONGEST_ACCURACY ? run_accuracy(b, &m, &exact, r) : SB_OK;
            if (r->status < 0) {
                return r->status;
            }
        }
    }
    for (int i = 0; !accuracy && i < b->nresults; i++) {
        result *r = &b->results[i];
        if (r->problem == problem && r->at == at && r->status == SB_OK) {
            SB_TRY(run_time(b, &m, r));
        }
    }
    fprintf(stderr, "peers: %s of %ld at 1/%ld s: %s\n", problems[problem], cases[at].N, cases[at].rate,
            accuracy ? "accuracy" : "times");
    return SB_OK;
}

static int run_cases(bench *b, bool accuracy) {
    for (int i = 0; i < PROBLEMS * CASES; i++) {
        SB_TRY(run_case(b, i / CASES, i % CASES, accuracy));
    }
    return SB_OK;
}

/* ---- Tables. ---- */

static const sb_column columns[] = {
    {"problem", SB_COL_KEY, "", "mechanism"},
    {"N", SB_COL_KEY, "", "squares or loops"},
    {"rate", SB_COL_KEY, "1/s", "steps per s"},
    {"engine", SB_COL_KEY, "", "engine, or stepbench"},
    {"settings", SB_COL_KEY, "", "settings of the engine, or stepper with its parameters"},
    {"time", SB_COL_TIME, "us", "processor time per step, least of the passes"},
    {"work", SB_COL_TIME, "ms", "processor time per s of motion"},
    {"gap", SB_COL_ERROR, "m", "violation: rms distance of the two points of a pin, mean over 5 s"},
    {"energy", SB_COL_ERROR, "", "change of the energy at 5 s over weight times depth of fall"},
    {"tip", SB_COL_ERROR, "m", "rms distance of the tip from the exact motion until `until`"},
    {"until", SB_COL_INFO, "s", "end of the comparison of the tip"},
    {"known", SB_COL_INFO, "s", "time until which the exact motion is known to 1e-6 m, at most 5 s"},
    {"status", SB_COL_INFO, "", "ok, or what ended the run"},
};
static const sb_column exponent_columns[] = {
    {"problem", SB_COL_KEY, "", "mechanism"},
    {"engine", SB_COL_KEY, "", "engine, or stepbench"},
    {"settings", SB_COL_KEY, "", "settings of the engine, or stepper with its parameters"},
    {"exponent", SB_COL_SLOPE, "", "of the time per step at 60 steps per s as a power of N"},
    {"se", SB_COL_INFO, "", "its standard error"},
    {"points", SB_COL_INFO, "", "lengths in the fit"},
};

static sb_cell digits(double x) {
    sb_cell cell = isfinite(x) ? sb_real(x) : sb_empty();
    cell.digits = isfinite(x) ? 3 : 0;
    return cell;
}

static int write_results(bench *b, sb_sink *out) {
    SB_TRY(out->begin(out, sizeof columns / sizeof *columns, columns));
    for (int i = 0; i < b->nresults; i++) {
        const result *r = &b->results[i];
        const contender *who = &b->who[r->who];
        const long rate = cases[r->at].rate;
        SB_TRY(SB_ROW(out, sb_text(problems[r->problem]), sb_int(cases[r->at].N), sb_int(rate), sb_text(who->engine),
                      sb_text(who->settings), digits(1e6 * r->seconds), digits(1e3 * r->seconds * (double)rate),
                      digits(r->gap), digits(r->energy), digits(r->tip), digits(r->until), digits(r->known),
                      sb_text(r->status == SB_OK ? "ok" : sb_status_text(r->status))));
    }
    return out->end(out);
}

static int write_exponents(bench *b, sb_sink *out) {
    SB_TRY(out->begin(out, sizeof exponent_columns / sizeof *exponent_columns, exponent_columns));
    for (int k = 0; k < PROBLEMS * b->count; k++) {
        double N[CASES], seconds[CASES], zero[CASES] = {0.0}, work[2 * CASES];
        int n = 0;
        for (int i = 0; i < b->nresults; i++) {
            const result *r = &b->results[i];
            if (r->problem == k / b->count && r->who == k % b->count && cases[r->at].rate == FRAMES &&
                isfinite(r->seconds)) {
                N[n] = (double)cases[r->at].N;
                seconds[n++] = r->seconds;
            }
        }
        const sb_slope slope = sb_slope_power(n, N, seconds, zero, work);
        const contender *who = &b->who[k % b->count];
        SB_TRY(SB_ROW(out, sb_text(problems[k / b->count]), sb_text(who->engine), sb_text(who->settings),
                      digits(slope.value), digits(slope.se), sb_int(slope.used)));
    }
    return out->end(out);
}

static int write_table(bench *b, const char *directory, const char *name, int (*rows)(bench *b, sb_sink *out)) {
    char path[4096];
    sb_sink *out;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    SB_TRY(sb_sink_open(&b->ctx, &b->arena, SB_FORMAT_CSV, path, NULL, &out));
    const int status = rows(b, out);
    if (status != SB_OK) {
        out->abandon(out);
    }
    return status;
}

/* Writes the machine and the build, and the engines with version, precision and settings. */
static int write_origin(bench *b, const char *directory, long passes) {
    char path[4096], date[16];
    const time_t now = time(NULL);
    json_t *origin = sb_provenance_new(), *engines = json_array();
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    for (int i = 0; i < b->count && b->who[i].peer != NULL; i++) {
        const peer_settings *s = b->who[i].values;
        json_array_append_new(engines,
                              json_pack("{s:s,s:s,s:s,s:s,s:i,s:i,s:f,s:f}", "engine", b->who[i].engine, "version",
                                        b->who[i].peer->version, "precision", b->who[i].peer->precision, "settings",
                                        s->name, "iterations", s->iterations, "position_iterations",
                                        s->position_iterations, "erp", s->erp, "cfm", s->cfm));
    }
    if (origin == NULL || json_object_set_new(origin, "date", json_string(date)) != 0 ||
        json_object_set_new(origin, "passes", json_integer(passes)) != 0 ||
        json_object_set_new(origin, "engines", engines) != 0) {
        return sb_fail(&b->ctx, SB_NO_MEMORY, "no memory for the origin of the results");
    }
    snprintf(path, sizeof path, "%s/peers.provenance.json", directory);
    return sb_provenance_write(&b->ctx, origin, path);
}

static int run(bench *b, const char *directory, long passes) {
    SB_TRY(cli_register(&b->registry, &b->ctx));
    SB_TRY(load_engines(b));
    for (int i = 0; i < PROBLEMS * b->count; i++) {
        const contender *who = &b->who[i % b->count];
        if (who->peer != NULL && who->values == &who->peer->settings[who->peer->nsettings - 1]) {
            SB_TRY(check_physics(&b->ctx, who, problems[i / b->count]));
        }
    }
    SB_TRY(run_cases(b, true));
    for (long pass = 0; pass < passes; pass++) {
        SB_TRY(run_cases(b, false));
    }
    SB_TRY(write_table(b, directory, "peers.csv", write_results));
    SB_TRY(write_table(b, directory, "peers_exponents.csv", write_exponents));
    return write_origin(b, directory, passes);
}

int main(int argc, char **argv) {
    static bench b;
    const long passes = argc == 3 ? strtol(argv[2], NULL, 10) : 5;
    if (argc < 2 || argc > 3 || passes < 1) {
        fprintf(stderr, "usage: peers DIRECTORY [PASSES]; PASSES of the times, at least 1, are 5 by default\n");
        return CLI_BAD_USAGE;
    }
    cli_pin_arithmetic(argv);
    setvbuf(stdout, NULL, _IOLBF, 0);
    cli_libraries();
    sb_context_init(&b.ctx);
    sb_arena_init(&b.arena, &b.ctx);
    const int status = run(&b, argv[1], passes);
    if (status != SB_OK) {
        fprintf(stderr, "peers: %s\n", b.ctx.message);
    }
    sb_registry_free(&b.registry);
    sb_arena_free(&b.arena);
    return status == SB_OK ? CLI_DONE : CLI_FAILED;
}
