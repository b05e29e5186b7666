/* Parameter tables: what parses, what is refused and in which words, and that printing a configuration and parsing it
 * again changes nothing. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <gsl/gsl_rng.h>
#include <gsl/gsl_test.h>

#include <stepbench/method.h>

#include "core/base/params.h"

typedef struct config {
    double open, closed, any, extended;
    long count;
    int choice, flag;
    sb_reals list;
    const char *word;
} config;

static const sb_param params[] = {
    SB_PARAM_REAL(config, open, "1/2", 0.0, 1.0, SB_OPEN, "m", "in (0, 1)"),
    SB_PARAM_REAL(config, closed, "0", 0.0, 1.0, SB_CLOSED, "", "in [0, 1]"),
    SB_PARAM_ANY(config, any, "0", "", "finite"),
    SB_PARAM_REAL(config, extended, "inf", 0.0, INFINITY, SB_CLOSED, "", "infinity is allowed"),
    SB_PARAM_INT(config, count, "3", 1.0, 1e6, "an integer"),
    {"choice", SB_CHOICE, offsetof(config, choice), "left", 0.0, 0.0, SB_CLOSED, "midpoint|left|right", "", "a word"},
    {"flag", SB_CHOICE, offsetof(config, flag), "no", 0.0, 0.0, SB_CLOSED, "no|yes", "", "a switch"},
    {"list", SB_REALS, offsetof(config, list), "1,2", 0.0, INFINITY, SB_OPEN, NULL, "kg", "positive numbers"},
    SB_PARAM_TEXT(config, word, "some", "kept as it is"),
    {0},
};
static const sb_entry entry = {"thing", "a thing", "", params, sizeof(config)};

static sb_context ctx;
static sb_arena arena;

static int parse(const char *text, config *out) {
    memset(out, 0, sizeof *out);
    ctx.message[0] = '\0';
    return sb_config_parse(&ctx, &arena, &entry, text, out);
}

static void defaults(void) {
    config c;
    gsl_test(parse(NULL, &c) != SB_OK, "defaults parse: %s", ctx.message);
    gsl_test(c.open != 0.5 || c.closed != 0.0 || c.count != 3 || c.choice != 1 || c.flag != 0 ||
                 strcmp(c.word, "some") != 0,
             "defaults are set");
    gsl_test(!(isinf(c.extended) && c.extended > 0.0), "a closed infinite end takes infinity");
    gsl_test(c.list.n != 2 || c.list.x[0] != 1.0 || c.list.x[1] != 2.0, "a default list is set");
}

static void accepted(void) {
    config c;
    gsl_test(parse("open=1/60", &c) != SB_OK || c.open != 1.0 / 60.0, "1/60 is the nearest double to a sixtieth");
    gsl_test(parse("open= 3e-1 / 2 ,closed=1", &c) != SB_OK || c.open != 3e-1 / 2.0 || c.closed != 1.0,
             "blanks around numbers do not matter: %s", ctx.message);
    gsl_test(parse("any=-1/3", &c) != SB_OK || c.any != -1.0 / 3.0, "a negative fraction");
    gsl_test(parse("count=1e5", &c) != SB_OK || c.count != 100000, "an integer may be written 1e5");
    gsl_test(parse("list=[1,1/2,3e2],choice=midpoint", &c) != SB_OK || c.list.n != 3 || c.list.x[1] != 0.5 ||
                 c.list.x[2] != 300.0 || c.choice != 0,
             "a list in brackets");
    gsl_test(parse("list=4,5,6,word=a", &c) != SB_OK || c.list.n != 3 || c.list.x[2] != 6.0 || strcmp(c.word, "a") != 0,
             "a list without brackets ends at the next name");
    gsl_test(parse("list=[]", &c) != SB_OK || c.list.n != 0, "an empty list");
    gsl_test(parse("word=x=y", &c) != SB_OK || strcmp(c.word, "x=y") != 0, "a word may hold an equals sign");
    memset(&c, 0, sizeof c);
    gsl_test(sb_config_set(&ctx, &arena, &entry, "list", "7,8", &c) != SB_OK || c.list.n != 2,
             "sb_config_set takes a bare list");
    gsl_test(!sb_param_is_switch(&params[6]) || sb_param_is_switch(&params[5]), "a switch is a choice of no and yes");
}

/* Every refusal names the parameter, the value and what would do. */
static void refused(const char *text, const char *a, const char *b) {
    config c;
    const int status = parse(text, &c);
    gsl_test(status != SB_BAD_USAGE, "\"%s\" is refused (status %d)", text, status);
    gsl_test(strstr(ctx.message, a) == NULL || strstr(ctx.message, b) == NULL,
             "\"%s\" is refused with \"%s\" and \"%s\": %s", text, a, b, ctx.message);
}

static void refusals(void) {
    refused("open=0", "open=0", "in (0, 1)");
    refused("open=1", "open=1", "in (0, 1)");
    refused("closed=1.0000000000000002", "closed", "in [0, 1]");
    refused("closed=-1e-300", "closed", "in [0, 1]");
    refused("open=nan", "open", "not a number");
    refused("open=0.5m", "0.5m", "not a number");
    refused("any=0x10", "any=0x10", "not a number");
    refused("any=1/0x2", "1/0x2", "not a number");
    refused("any=1e999", "any=1e999", "out of range");
    refused("any=1_000", "1_000", "not a number");
    refused("open=", "open", "not a number");
    refused("open=1/", "1/", "not a number");
    refused("any=1/0", "any", "out of range");
    refused("any=0/0", "any", "not a number");
    refused("any=inf", "any", "finite");
    refused("extended=-inf", "extended", ">= 0");
    refused("count=2.5", "count", "whole number");
    refused("count=0", "count", "integer in [1, 1000000]");
    refused("count=1e300", "count", "out of range");
    refused("choice=centre", "choice=centre", "midpoint, left or right");
    refused("choice=lef", "choice=lef", "midpoint, left or right");
    refused("list=[1,0]", "list", "each > 0");
    refused("list=[1,2", "list", "bracket");
    refused("list=[1,,2]", "list", "not a number");
    refused("opne=1", "opne", "nearest: open");
    refused("mass=1", "mass", "open, closed, any");
    refused("open", "open", "name=value");
    refused("open=0.5,", "", "name=value");
    refused("open=0.5,open=0.5", "open", "twice");
}

/* ---- print, then parse. ---- */

static double random_finite(gsl_rng *rng) {
    for (;;) {
        const uint64_t bits = ((uint64_t)gsl_rng_get(rng) << 32) ^ (uint64_t)gsl_rng_get(rng);
        double x;
        memcpy(&x, &bits, sizeof x);
        if (isfinite(x)) {
            return x;
        }
    }
}

static void round_trip(void) {
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    int different = 0;
    for (int trial = 0; trial < 2000; trial++) {
        double items[5];
        const int n = (int)gsl_rng_uniform_int(rng, 6);
        for (int i = 0; i < n; i++) {
            items[i] = fabs(random_finite(rng)) + 1e-320;
        }
        const config before = {.open = gsl_rng_uniform_pos(rng),
                               .closed = gsl_rng_uniform(rng),
                               .any = random_finite(rng),
                               .extended = trial % 7 == 0 ? INFINITY : fabs(random_finite(rng)),
                               .count = 1 + (long)gsl_rng_uniform_int(rng, 1000000),
                               .choice = (int)gsl_rng_uniform_int(rng, 3),
                               .flag = trial % 2,
                               .list = {n, items},
                               .word = "w"};
        config after;
        sb_arena scratch;
        sb_arena_init(&scratch, &ctx);
        memset(&after, 0, sizeof after);
        const char *text = sb_config_format(&scratch, &entry, &before);
        bool same = text != NULL && sb_config_parse(&ctx, &scratch, &entry, text, &after) == SB_OK;
        same = same && after.open == before.open && after.closed == before.closed && after.any == before.any &&
               after.extended == before.extended && after.count == before.count && after.choice == before.choice &&
               after.flag == before.flag && strcmp(after.word, before.word) == 0 && after.list.n == n;
        for (int i = 0; same && i < n; i++) {
            same = after.list.x[i] == items[i];
        }
        if (!same) {
            different++;
            gsl_test(1, "print and parse differ: %s (%s)", text, ctx.message);
        }
        sb_arena_free(&scratch);
    }
    gsl_test(different != 0, "printing a configuration and parsing it again changes nothing");
    gsl_rng_free(rng);
}

/* Parsing says SB_NO_MEMORY, not more and not less, wherever the memory ends. */
static void no_memory(void) {
    long budget = 0;
    for (; budget < 1000; budget++) {
        config c = {0};
        sb_arena scratch;
        sb_arena_init(&scratch, &ctx);
        ctx.alloc_budget = budget;
        const int status = sb_config_parse(&ctx, &scratch, &entry, "list=[1,2,3],word=a", &c);
        ctx.alloc_budget = -1;
        sb_arena_free(&scratch);
        if (status == SB_OK) {
            break;
        }
        gsl_test(status != SB_NO_MEMORY, "parsing with %ld allocations ends with SB_NO_MEMORY, not %d", budget, status);
    }
    gsl_test(budget < 3 || budget == 1000, "parsing fails cleanly at each of its %ld allocations", budget);
}

int main(void) {
    sb_context_init(&ctx);
    sb_arena_init(&arena, &ctx);
    defaults();
    accepted();
    refusals();
    round_trip();
    no_memory();
    sb_arena_free(&arena);
    return gsl_test_summary();
}
