/* Reads the specifications of a study: fixed parameters and values to vary. */
#include <string.h>

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
    if (label[0] == '\0' || strpbrk(label, "=;") != NULL) {
        return NODE_FAIL(&place, "\"%s\" is no label: it has a character at least, and neither = nor ;", label);
    }
    SB_PRINT(me->arena, label, "--label=%s=%s", label, all->list[0]);
    return cli_push(me, &e->labels, label);
}

static int read_object(cli *me, const node *at, specs *all, sb_study_experiment *e) {
    const node fixed = sb_node_member(at, "parameters"), varied = sb_node_member(at, "vary");
    const char *key;
    json_t *value;
    SB_TRY(sb_node_keys(at, "name|label|parameters|vary"));
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
