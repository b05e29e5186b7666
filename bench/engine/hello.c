/* Reads the handshake of an engine: what it is, what it claims, and its parameters. */
#include "bench/engine/internal.h"

#include <string.h>

#include "core/base/format.h"
#include "core/base/text.h"

typedef struct reader {
    sb_arena *arena;
    sb_dialogue *program;
    const json_t *hello;
} reader;

/* Fails: a member of the handshake is not what it has to be. */
static int wrong(const reader *r, const char *key, const char *needed) {
    char why[200];
    snprintf(why, sizeof why, "in which %.40s is not %s", key, needed);
    return sb_engine_mistake(r->program, "hello", r->hello, why);
}

/* Copies a text; a missing one gives `initial`, NULL: it is needed. */
static int text(const reader *r, const json_t *of, const char *key, const char *initial, const char **out) {
    const json_t *value = json_object_get(of, key);
    const char *found = value == NULL ? initial : json_string_value(value);
    if (found == NULL || strlen(found) > 400) {
        return wrong(r, key, "a text");
    }
    for (const char *c = found; *c != '\0'; c++) {
        if ((unsigned char)*c < ' ' || *c == 127) { /* it goes to terminals and pages */
            return wrong(r, key, "a text of one line without control characters");
        }
    }
    *out = sb_strdup(r->arena, found);
    return *out != NULL ? SB_OK : SB_NO_MEMORY;
}

/* Reads an integer; a missing one gives `initial`. */
static int integer(const reader *r, const json_t *of, const char *key, int low, int high, int initial, int *out) {
    const json_t *value = json_object_get(of, key);
    *out = value == NULL ? initial : (int)json_integer_value(value);
    if ((value != NULL && !json_is_integer(value)) || *out < low || *out > high) {
        char needed[80];
        snprintf(needed, sizeof needed, "an integer from %d to %d", low, high);
        return wrong(r, key, needed);
    }
    return SB_OK;
}

/* Reads true or false; a missing one is false. */
static int boolean(const reader *r, const char *key, bool *out) {
    const json_t *value = json_object_get(r->hello, key);
    *out = json_is_true(value);
    return value == NULL || json_is_boolean(value) ? SB_OK : wrong(r, key, "true or false");
}

/* ---- Claims. ---- */

#define WORD(name, bit, word, meaning) {(unsigned)(name), word},
static const struct word {
    unsigned bit;
    const char *word;
} features[] = {SB_FEATURE_LIST(WORD){0, NULL}}, properties[] = {SB_KEEPS_LIST(WORD){0, NULL}};

static unsigned bit_of(const struct word *list, const char *word) {
    while (list->word != NULL && (word == NULL || strcmp(list->word, word) != 0)) {
        list++;
    }
    return list->bit;
}

static int claims(const reader *r, sb_stepper *out) {
    const json_t *lower = json_object_get(r->hello, "lower"), *keeps = json_object_get(r->hello, "keeps");
    const char *feature;
    json_t *item;
    size_t i, count = 0;
    SB_TRY(integer(r, r->hello, "order", 1, 20, 0, &out->order));
    json_object_foreach((json_t *)lower, feature, item) {
        const unsigned bit = bit_of(features, feature);
        if (bit == 0 || count == sizeof out->lower / sizeof *out->lower) {
            return wrong(r, "lower", "an object of at most two features and orders, {\"holonomic\": 1}");
        }
        out->lower[count].features = bit;
        SB_TRY(integer(r, lower, feature, 0, 20, 0, &out->lower[count++].order));
    }
    json_array_foreach((json_t *)keeps, i, item) {
        const unsigned bit = bit_of(properties, json_string_value(item));
        if (bit == 0) {
            return wrong(r, "keeps", "a list of position, tangency, momenta, energy and reversibility");
        }
        out->keeps |= bit;
    }
    return (lower != NULL && !json_is_object(lower)) ? wrong(r, "lower", "an object")
           : keeps != NULL && !json_is_array(keeps)  ? wrong(r, "keeps", "a list")
                                                     : SB_OK;
}

static int state(const reader *r, engine *out) {
    static const char *const words[] = {[ENGINE_PURE] = "pure", [ENGINE_OPAQUE] = "opaque", [ENGINE_NONE] = "none"};
    const char *word = "";
    int precision, k = 0;
    SB_TRY(text(r, r->hello, "state", NULL, &word));
    while (k < 3 && strcmp(words[k], word) != 0) {
        k++;
    }
    if (k == 3) {
        return wrong(r, "state", "pure, opaque or none");
    }
    out->state = (engine_state)k;
    const json_t *contacts = json_object_get(r->hello, "contacts");
    const char *kept = json_string_value(contacts);
    out->touching = kept != NULL ? ENGINE_NONE : out->state;
    if (contacts != NULL && !json_is_boolean(contacts) && (kept == NULL || strcmp(kept, "none") != 0)) {
        return wrong(r, "contacts", "true, false, or \"none\" if they have a state that cannot be set");
    }
    SB_TRY(integer(r, r->hello, "bytes", 1, ENGINE_OPAQUE_MAX, k == ENGINE_OPAQUE ? 0 : 1, &out->opaque));
    SB_TRY(integer(r, r->hello, "precision", 32, 64, 64, &precision));
    if (precision != 32 && precision != 64) {
        return wrong(r, "precision", "32 or 64");
    }
    out->stepper.roundoff = precision == 32 ? FLT_EPSILON : 0.0;
    if (json_is_true(contacts) || kept != NULL) {
        out->stepper.supports |= (unsigned)(SB_HAS_CONTACT | SB_HAS_FRICTION);
    }
    out->stepper.continues = k == ENGINE_NONE;
    out->stepper.opaque = k == ENGINE_OPAQUE;
    return SB_OK;
}

/* ---- Steps. ---- */

/* Reads the lengths of the only steps that the engine takes. */
static int lengths(const reader *r, const json_t *list, engine *out) {
    const json_t *item;
    size_t i;
    out->nsteps = (int)json_array_size(list);
    if (out->nsteps == 0 || out->nsteps > ENGINE_STEPS_MAX) {
        return wrong(r, "steps", "a list of 1 to 32 lengths");
    }
    json_array_foreach((json_t *)list, i, item) {
        out->steps[i] = json_number_value(item);
        if (!(out->steps[i] > 0.0)) {
            return wrong(r, "steps", "a list of lengths above 0");
        }
    }
    return SB_OK;
}

/* Reads which steps the engine takes, after its parameters. */
static int steps(const reader *r, engine *out) {
    const json_t *value = json_object_get(r->hello, "steps");
    const char *word = value == NULL ? "forward" : json_string_value(value);
    sb_stepper *stepper = &out->stepper;
    if (json_is_array(value)) {
        SB_TRY(lengths(r, value, out));
    } else if (word == NULL || (strcmp(word, "forward") != 0 && strcmp(word, "any") != 0 && strcmp(word, "own") != 0)) {
        return wrong(r, "steps", "forward, any, own or a list of lengths");
    }
    out->back = word != NULL && strcmp(word, "any") == 0;
    if ((stepper->keeps & (unsigned)SB_KEEPS_REVERSIBILITY) != 0 && !out->back) {
        return wrong(r, "steps", "\"any\", which reversibility under keeps needs");
    }
    if (word == NULL || strcmp(word, "own") != 0) {
        return SB_OK;
    }
    SB_TRY(text(r, r->hello, "tolerance", NULL, &stepper->control.tolerance));
    stepper->control.power = 1.0;
    for (const sb_param *p = out->params; p->name != NULL; p++) {
        if (p->type == SB_REAL && strcmp(p->name, stepper->control.tolerance) == 0) {
            return SB_OK;
        }
    }
    return wrong(r, "tolerance", "the name of a real parameter");
}

/* ---- Parameters. ---- */

static bool well_formed(const char *name) {
    return name[0] >= 'a' && name[0] <= 'z' && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name);
}

/* Joins the words of a choice by bars; reads the orders that belong to them. */
static int choice(const reader *r, const json_t *from, sb_param *p, const int **orders) {
    const json_t *words = json_object_get(from, "choices"), *list = json_object_get(from, "orders");
    const size_t count = json_array_size(words);
    const char *joined = "";
    bool known = false;
    int *numbers;
    for (size_t i = 0; i < count; i++) {
        const char *word = json_string_value(json_array_get(words, i));
        if (word == NULL || word[0] == '\0' || strpbrk(word, "|,:") != NULL) {
            return wrong(r, "choices", "a list of words");
        }
        SB_PRINT(r->arena, joined, "%s%s%s", joined, i > 0 ? "|" : "", word);
        known = known || strcmp(word, p->initial) == 0;
    }
    p->type = SB_CHOICE;
    p->choices = joined;
    if (count == 0 || (list != NULL && json_array_size(list) != count)) {
        return wrong(r, count == 0 ? "choices" : "orders", "a list, as long as the choices");
    }
    if (!known) {
        return wrong(r, "choices", "a list with the default");
    }
    if (list == NULL) {
        return SB_OK;
    }
    SB_NEW(r->arena, numbers, count);
    for (size_t i = 0; i < count; i++) {
        const json_t *order = json_array_get(list, i);
        if (!json_is_integer(order) || json_integer_value(order) < 1 || json_integer_value(order) > 20) {
            return wrong(r, "orders", "a list of integers from 1 to 20");
        }
        numbers[i] = (int)json_integer_value(order);
    }
    *orders = numbers;
    return SB_OK;
}

static int number(const reader *r, const json_t *from, const json_t *initial, sb_param *p) {
    const json_t *range = json_object_get(from, "range"), *low = json_array_get(range, 0),
                 *high = json_array_get(range, 1);
    const bool whole = json_is_integer(initial) && (range == NULL || (json_is_integer(low) && json_is_integer(high)));
    const char *type = whole ? "integer" : "real";
    char shown[32];
    SB_TRY(text(r, from, "type", type, &type));
    if (range != NULL && (!json_is_number(low) || !json_is_number(high))) {
        return wrong(r, "range", "a list of two numbers");
    }
    if (strcmp(type, "real") != 0 && (strcmp(type, "integer") != 0 || !whole)) {
        return wrong(r, "type", whole ? "real or integer" : "real, as the default and the range are");
    }
    p->type = strcmp(type, "real") == 0 ? SB_REAL : SB_INT;
    p->lo = range != NULL ? json_number_value(low) : -INFINITY;
    p->hi = range != NULL ? json_number_value(high) : INFINITY;
    p->ends = range != NULL ? SB_CLOSED : SB_OPEN;
    if (!(p->lo < p->hi) || !(json_number_value(initial) >= p->lo && json_number_value(initial) <= p->hi)) {
        return wrong(r, "range", "two rising numbers around the default");
    }
    sb_format_real(json_number_value(initial), shown);
    p->initial = sb_strdup(r->arena, shown);
    return p->initial != NULL ? SB_OK : SB_NO_MEMORY;
}

static int parameter(const reader *r, const json_t *from, int k, engine *out) {
    const json_t *initial = json_object_get(from, "default");
    sb_param *p = &out->params[k];
    SB_TRY(text(r, from, "name", NULL, &p->name));
    SB_TRY(text(r, from, "doc", NULL, &p->doc));
    SB_TRY(text(r, from, "unit", "", &p->unit));
    for (int j = 0; j < k; j++) {
        if (strcmp(out->params[j].name, p->name) == 0) {
            return wrong(r, "name", "that of one parameter only, and not seconds");
        }
    }
    if (!well_formed(p->name)) {
        return wrong(r, "name", "a word of lower-case letters, digits and underscores");
    }
    p->offset = (size_t)(ENGINE_SLOT * k);
    if (json_is_number(initial)) {
        return number(r, from, initial, p);
    }
    p->type = SB_TEXT;
    SB_TRY(text(r, from, "default", NULL, &p->initial));
    return json_object_get(from, "choices") != NULL ? choice(r, from, p, &out->orders[k]) : SB_OK;
}

static int parameters(const reader *r, engine *out) {
    const json_t *list = json_object_get(r->hello, "parameters");
    const size_t count = json_array_size(list);
    if ((list != NULL && !json_is_array(list)) || count > ENGINE_PARAMS_MAX) {
        return wrong(r, "parameters", "a list of at most 32");
    }
    out->params[0] = (sb_param){"seconds", SB_REAL, 0,    "10", 0.0,
                                1e6,       SB_OPEN, NULL, "s",  "within which the program answers to a message"};
    for (size_t i = 0; i < count; i++) {
        SB_TRY(parameter(r, json_array_get(list, i), (int)i + 1, out));
    }
    out->stepper.entry.params = out->params;
    out->stepper.entry.config_size = ENGINE_SLOT * (count + 1);
    return SB_OK;
}

int sb_engine_read_hello(sb_arena *arena, sb_dialogue *program, const json_t *hello, engine *out) {
    const reader r = {arena, program, hello};
    sb_stepper *stepper = &out->stepper;
    SB_TRY(text(&r, hello, "name", NULL, &stepper->entry.name));
    SB_TRY(text(&r, hello, "version", NULL, &out->version));
    SB_TRY(text(&r, hello, "brief", out->version, &stepper->entry.brief));
    SB_TRY(text(&r, hello, "reference", "", &stepper->entry.ref));
    SB_TRY(claims(&r, stepper));
    SB_TRY(boolean(&r, "multipliers", &out->multipliers));
    SB_TRY(state(&r, out));
    SB_TRY(parameters(&r, out));
    return steps(&r, out);
}
