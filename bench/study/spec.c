/* Reads the specifications of a study: fixed parameters, values to vary, and ensembles. */
#include <math.h>
#include <string.h>

#include "analysis/random.h"
#include "bench/study/study.h"

int sb_study_placed(const node *at, int status) {
    return status == SB_OK || status == SB_NO_MEMORY || status == SB_INTERRUPTED
               ? status
               : NODE_FAIL(at, "%s", at->from->ctx->message);
}

int sb_study_value(const node *at, const char **text) {
    const description *d = at->from;
    const json_t *value = at->value;
    char number[32];
    if (json_is_array(value)) {
        for (int k = 0; k < (int)json_array_size(value); k++) {
            const node item = sb_node_item(at, k);
            const char *one;
            if (json_is_array(item.value)) {
                return NODE_FAIL(&item, "a list within a list is not a value; write the numbers in one list");
            }
            SB_TRY(sb_study_value(&item, &one));
            SB_PRINT(d->arena, *text, "%s%s%s", k > 0 ? *text : "", k > 0 ? "," : "", one);
        }
        return json_array_size(value) > 0 ? SB_OK : NODE_FAIL(at, "an empty list is not a value; leave out the key");
    }
    if (json_is_real(value)) {
        sb_format_real(json_real_value(value), number);
        *text = sb_strdup(d->arena, number);
    } else if (json_is_integer(value)) {
        *text = sb_asprintf(d->arena, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_boolean(value)) {
        *text = json_is_true(value) ? "yes" : "no";
    } else if (json_is_string(value)) {
        *text = json_string_value(value);
    } else {
        return NODE_FAIL(at, "a number, a word in quotes, true or false, or a list of them is needed");
    }
    return *text != NULL ? SB_OK : SB_NO_MEMORY;
}

/* Sets *out to the specification with one more parameter; a list stands in brackets. */
static int append(sb_arena *arena, const char *spec, const char *key, const char *value, bool list, const char **out) {
    SB_PRINT(arena, *out, "%s%c%s=%s%s%s", spec, strchr(spec, ':') != NULL ? ',' : ':', key, list ? "[" : "", value,
             list ? "]" : "");
    return SB_OK;
}

static int append_value(const node *at, const char *spec, const char *key, const char **out) {
    const char *value;
    SB_TRY(sb_study_value(at, &value));
    return append(at->from->arena, spec, key, value, json_is_array(at->value), out);
}

typedef struct specs {
    int count;
    const char **list;
} specs;

/* Replaces each specification by one for every value of the list `at`. */
static int vary(const node *at, const char *key, specs *all) {
    specs out = {0, NULL};
    int count;
    SB_TRY(sb_node_count(at, &count));
    if (count == 0) {
        return NODE_FAIL(at, "a list with at least one value is needed");
    }
    SB_NEW(at->from->arena, out.list, (size_t)all->count * (size_t)count);
    for (int i = 0; i < all->count; i++) {
        for (int k = 0; k < count; k++) {
            const node item = sb_node_item(at, k);
            SB_TRY(append_value(&item, all->list[i], key, &out.list[out.count++]));
        }
    }
    *all = out;
    return SB_OK;
}

static int read_integer(const node *of, const char *key, double low, double high, long initial, long *out) {
    const node at = sb_node_member(of, key);
    const double x = at.value != NULL ? json_number_value(at.value) : (double)initial;
    *out = (long)x;
    return (at.value == NULL || json_is_integer(at.value)) && x >= low && x <= high
               ? SB_OK
               : NODE_FAIL(at.value != NULL ? &at : of, "%s has to be an integer from %.0f to %.0f", key, low, high);
}

/* ---- Ensembles. ---- */

/* Appends a number between the bounds at `at`, with six significant digits. */
static int draw(const node *at, const char *key, gsl_rng *generator, const char **spec) {
    sb_scalar bound[2];
    char value[32];
    SB_TRY(sb_node_numbers(at, 2, bound));
    if (!(bound[0] < bound[1])) {
        return NODE_FAIL(at, "the first number, %g, has to be below the second, %g", (double)bound[0],
                         (double)bound[1]);
    }
    snprintf(value, sizeof value, "%.6g",
             (double)bound[0] + (double)(bound[1] - bound[0]) * gsl_rng_uniform(generator));
    return append(at->from->arena, *spec, key, value, false, spec);
}

/* Replaces each specification by the members of its ensemble, the same for all of them. */
static int expand(cli *me, const node *at, specs *all, sb_study_experiment *e) {
    const node drawn = sb_node_member(at, "uniform");
    long members, seed;
    specs out = {0, NULL};
    const char *key;
    json_t *value;
    SB_TRY(sb_node_keys(at, "members|seed|uniform"));
    SB_TRY(read_integer(at, "members", 2.0, 10000.0, 0, &members));
    SB_TRY(read_integer(at, "seed", 0.0, 1e9, 0, &seed));
    if (!json_is_object(drawn.value) || json_object_size(drawn.value) == 0) {
        return NODE_FAIL(at, "\"uniform\": {PARAMETER: [LOW, HIGH], ...} is needed");
    }
    const int count = all->count * (int)members;
    sb_study_member *known = e->members;
    SB_NEW(me->arena, out.list, count);
    SB_NEW(me->arena, e->members, e->nmembers + count);
    for (int i = 0; i < e->nmembers; i++) {
        e->members[i] = known[i];
    }
    gsl_rng *generator;
    SB_TRY(sb_random(me->arena, (unsigned long)seed, &generator));
    for (int i = 0; i < all->count; i++) {
        gsl_rng_set(generator, (unsigned long)seed);
        for (long k = 0; k < members; k++) {
            const char *spec = all->list[i];
            json_object_foreach((json_t *)drawn.value, key, value) {
                const node item = sb_node_member(&drawn, key);
                SB_TRY(draw(&item, key, generator, &spec));
            }
            out.list[out.count++] = spec;
            e->members[e->nmembers++] = (sb_study_member){spec, all->list[i]};
        }
    }
    *all = out;
    return SB_OK;
}

/* ---- Specifications. ---- */

/* Reads the label of a specification. */
static int read_label(cli *me, const node *at, const specs *all, sb_study_experiment *e) {
    const node place = sb_node_member(at, "label");
    const char *label;
    if (place.value == NULL) {
        return SB_OK;
    }
    SB_TRY(sb_node_word(at, "label", &label));
    if (all->count != 1) {
        return NODE_FAIL(&place, "a label is that of one specification, and here are %d", all->count);
    }
    SB_PRINT(me->arena, label, "--label=%s=%s", label, all->list[0]);
    return cli_push(me, &e->labels, label);
}

static int read_object(cli *me, const node *at, specs *all, sb_study_experiment *e) {
    const node fixed = sb_node_member(at, "parameters"), varied = sb_node_member(at, "vary"),
               ensemble = sb_node_member(at, "ensemble");
    const char *key;
    json_t *value;
    SB_TRY(sb_node_keys(at, "name|label|parameters|vary|ensemble"));
    SB_TRY(sb_node_word(at, "name", all->list));
    if (fixed.value != NULL && !json_is_object(fixed.value)) {
        return NODE_FAIL(&fixed, "an object {PARAMETER: VALUE, ...} is needed");
    }
    if (varied.value != NULL && !json_is_object(varied.value)) {
        return NODE_FAIL(&varied, "an object {PARAMETER: [VALUE, ...], ...} is needed");
    }
    json_object_foreach((json_t *)fixed.value, key, value) {
        const node item = sb_node_member(&fixed, key);
        SB_TRY(append_value(&item, all->list[0], key, &all->list[0]));
    }
    json_object_foreach((json_t *)varied.value, key, value) {
        const node item = sb_node_member(&varied, key);
        SB_TRY(vary(&item, key, all));
    }
    SB_TRY(ensemble.value != NULL ? expand(me, &ensemble, all, e) : SB_OK);
    return read_label(me, at, all, e);
}

int sb_study_read_spec(cli *me, const node *at, sb_kind kind, const char *flag, sb_study_experiment *e) {
    specs all = {1, NULL};
    sb_specs parsed;
    SB_NEW(me->arena, all.list, 1);
    if (json_is_string(at->value)) {
        all.list[0] = json_string_value(at->value);
    } else if (json_is_object(at->value)) {
        SB_TRY(read_object(me, at, &all, e));
    } else {
        return NODE_FAIL(at, "a %s is needed: \"NAME:PARAMETER=VALUE,...\" or {\"name\": ...}", sb_kind_name[kind]);
    }
    for (int i = 0; i < all.count; i++) {
        SB_SCRATCH(scratch, me->ctx);
        SB_TRY(sb_study_placed(at, sb_specs_parse(me->ctx, &scratch, kind, 1, &all.list[i], &parsed)));
        SB_TRY(cli_push(me, &e->words, flag));
        SB_TRY(cli_push(me, &e->words, all.list[i]));
    }
    return SB_OK;
}
