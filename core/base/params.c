/* Reads parameters "k=v,k=v" into a configuration struct, with range checks and nearest names, and writes them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/params.h"
#include "core/base/registry.h"
#include "core/base/rounding.h"
#include "core/base/text.h"

enum { NAMES_MAX = 64 };

/* ---- Numbers. ---- */

static const char *skip_blanks(const char *text) { return text + strspn(text, " \t"); }

/* Reads a decimal number, which is infinite where it is too large, or "inf". */
static bool parse_decimal(const char *text, const char **end, sb_scalar *x) {
    char *behind;
    const bool parsed = sb_text_number(skip_blanks(text), &behind, x) || isinf(*x);
    *end = skip_blanks(behind);
    return parsed;
}

bool sb_parse_real(const char *text, sb_scalar *x) {
    const int rounding = sb_rounding_nearest();
    sb_scalar divisor = 1.0;
    bool parsed = parse_decimal(text, &text, x);
    if (parsed && *text == '/') {
        parsed = parse_decimal(text + 1, &text, &divisor);
        *x /= divisor;
    }
    sb_rounding_restore(rounding);
    return parsed && *text == '\0';
}

static bool in_range(const sb_param *p, sb_scalar x) {
    const bool above = (p->ends & SB_OPEN_LO) != 0 ? x > p->lo : x >= p->lo;
    const bool below = (p->ends & SB_OPEN_HI) != 0 ? x < p->hi : x <= p->hi;
    return above && below && (isfinite(x) || (x > 0.0 ? isinf(p->hi) : isinf(p->lo)));
}

/* Writes the choices "a|b|c" as "a, b or c". */
static void choices_in_words(const char *choices, char *out, size_t size) {
    size_t used = 0;
    const char *last = strrchr(choices, '|');
    for (const char *c = choices; *c != '\0' && used + 5 < size; c++) {
        const char character[] = {*c, '\0'};
        used += (size_t)sprintf(out + used, "%s", *c != '|' ? character : c == last ? " or " : ", ");
    }
    out[used] = '\0';
}

/* Closed infinite ends include infinity. */
void sb_param_range(const sb_param *p, char *out, size_t size) {
    char lo[32], hi[32];
    if (p->type == SB_REALS && p->choices != NULL) {
        sb_param numbers = *p;
        numbers.choices = NULL;
        sb_param_range(&numbers, out, size);
        snprintf(out + strlen(out), size - strlen(out), ", or %s", p->choices);
        return;
    }
    switch (p->type) {
    case SB_CHOICE: choices_in_words(p->choices, out, size); return;
    case SB_TEXT: snprintf(out, size, "any word"); return;
    case SB_INT:
    case SB_REAL:
    case SB_REALS: break;
    }
    sb_format_real(p->lo, lo);
    sb_format_real(p->hi, hi);
    const bool open_lo = (p->ends & SB_OPEN_LO) != 0, open_hi = (p->ends & SB_OPEN_HI) != 0;
    const char *each = p->type == SB_REALS ? "each " : "";
    const char *what = p->type == SB_INT ? "an integer " : "";
    if (isinf(p->lo) && isinf(p->hi)) {
        snprintf(out, size, "%sany %snumber", each, p->type == SB_INT ? "whole " : open_lo && open_hi ? "finite " : "");
    } else if (isinf(p->hi)) {
        snprintf(out, size, "%s%s%s %s", each, what, open_lo ? ">" : ">=", lo);
    } else if (isinf(p->lo)) {
        snprintf(out, size, "%s%s%s %s", each, what, open_hi ? "<" : "<=", hi);
    } else {
        snprintf(out, size, "%s%sin %c%s, %s%c", each, what, open_lo ? '(' : '[', lo, hi, open_hi ? ')' : ']');
    }
}

bool sb_param_is_switch(const sb_param *p) { return p->type == SB_CHOICE && strcmp(p->choices, "no|yes") == 0; }

/* ---- One value. ---- */

static int refuse(sb_context *ctx, const sb_entry *entry, const sb_param *p, const char *value, const char *why) {
    char range[SB_RANGE_MAX];
    sb_param_range(p, range, sizeof range);
    return sb_fail(ctx, SB_BAD_USAGE, "%s: %s=%s %s; %s must be %s%s%s", entry->name, p->name, value, why, p->name,
                   range, p->unit != NULL && p->unit[0] != '\0' ? " " : "", p->unit != NULL ? p->unit : "");
}

static int read_number(sb_context *ctx, const sb_entry *entry, const sb_param *p, const char *value, sb_scalar *x) {
    if (!sb_parse_real(value, x) || isnan(*x)) {
        return refuse(ctx, entry, p, value, "is not a number");
    }
    if (!in_range(p, *x)) {
        return refuse(ctx, entry, p, value, "is out of range");
    }
    return SB_OK;
}

static int set_integer(sb_context *ctx, const sb_entry *entry, const sb_param *p, const char *value, long *out) {
    sb_scalar x;
    SB_TRY(read_number(ctx, entry, p, value, &x));
    /* Above 2^53 neighbouring integers are the same double. */
    if (!(fabs(x) <= 9007199254740992.0) || x != floor(x)) {
        return refuse(ctx, entry, p, value, "is not a whole number");
    }
    *out = (long)x;
    return SB_OK;
}

static int set_choice(sb_context *ctx, const sb_entry *entry, const sb_param *p, const char *value, int *out) {
    const size_t length = strlen(value);
    int index = 0;
    for (const char *word = p->choices; word != NULL; index++) {
        const char *bar = strchr(word, '|');
        const size_t size = bar != NULL ? (size_t)(bar - word) : strlen(word);
        if (size == length && memcmp(word, value, size) == 0) {
            *out = index;
            return SB_OK;
        }
        word = bar != NULL ? bar + 1 : NULL;
    }
    return refuse(ctx, entry, p, value, "is none of its choices");
}

static int set_list(sb_context *ctx, sb_arena *arena, const sb_entry *entry, const sb_param *p, const char *value,
                    sb_reals *out) {
    const char *text = skip_blanks(value);
    size_t length = p->choices != NULL && strcmp(text, p->choices) == 0 ? 0 : strlen(text);
    if (length > 0 && text[0] == '[') {
        if (text[length - 1] != ']') {
            return refuse(ctx, entry, p, value, "has a bracket left open");
        }
        text++;
        length -= 2;
    }
    char *copy, *rest;
    SB_PRINT(arena, copy, "%.*s", (int)length, text);
    SB_NEW(arena, out->x, length + 1);
    out->n = 0;
    rest = *skip_blanks(copy) != '\0' ? copy : NULL;
    while (rest != NULL) {
        const char *item = strsep(&rest, ",");
        SB_TRY(read_number(ctx, entry, p, item, &out->x[out->n++]));
    }
    return SB_OK;
}

static int set_value(sb_context *ctx, sb_arena *arena, const sb_entry *entry, const sb_param *p, const char *value,
                     void *config) {
    void *at = (char *)config + p->offset;
    switch (p->type) {
    case SB_REAL: return read_number(ctx, entry, p, value, at);
    case SB_INT: return set_integer(ctx, entry, p, value, at);
    case SB_CHOICE: return set_choice(ctx, entry, p, value, at);
    case SB_REALS: return set_list(ctx, arena, entry, p, value, at);
    case SB_TEXT: {
        if (!sb_utf8_valid(value)) { /* a text is part of the provenance, which is JSON */
            return sb_fail(ctx, SB_BAD_USAGE, "%s: %s=\"%.200s\" is not valid UTF-8", entry->name, p->name, value);
        }
        SB_PRINT(arena, *(const char **)at, "%s", value);
        return SB_OK;
    }
    }
    return sb_fail(ctx, SB_BAD_USAGE, "%s: parameter %s has an unknown type", entry->name, p->name);
}

int sb_param_count(const sb_param *params) {
    int count = 0;
    while (params != NULL && params[count].name != NULL) {
        count++;
    }
    return count;
}

const sb_param *sb_param_find(const sb_entry *entry, const char *name) {
    for (const sb_param *p = entry->params; p != NULL && p->name != NULL; p++) {
        if (strcmp(p->name, name) == 0) {
            return p;
        }
    }
    return NULL;
}

/* Fails: the entry has no parameter of this name. */
static int unknown_param(sb_context *ctx, const sb_entry *entry, const char *name) {
    const char *names[NAMES_MAX];
    char what[200], all[SB_MESSAGE_MAX / 2] = "it has ";
    int count = 0;
    size_t used = strlen(all);
    for (const sb_param *p = entry->params; p != NULL && p->name != NULL && count < NAMES_MAX; p++) {
        names[count++] = p->name;
        if (used < sizeof all) {
            used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", count > 1 ? ", " : "", p->name);
        }
    }
    if (count == 0) {
        return sb_fail(ctx, SB_BAD_USAGE, "%s has no parameter \"%s\": it has none at all", entry->name, name);
    }
    snprintf(what, sizeof what, "%s has no parameter", entry->name);
    return sb_fail_name(ctx, what, name, count, names, all);
}

int sb_config_set(sb_context *ctx, sb_arena *arena, const sb_entry *entry, const char *name, const char *value,
                  void *config) {
    const sb_param *p = sb_param_find(entry, name);
    return p == NULL ? unknown_param(ctx, entry, name) : set_value(ctx, arena, entry, p, value, config);
}

/* ---- "k=v,k=v". ---- */

/* Returns the end of the item at `text`: the next comma outside brackets, or the end of the text. */
static char *item_end(char *text) {
    int depth = 0;
    for (; *text != '\0' && !(*text == ',' && depth <= 0); text++) {
        depth += (*text == '[') - (*text == ']');
    }
    return text;
}

/* Removes "name=value" from the front of *text. A list may continue over commas without brackets until the next
 * "name=". */
static int next_item(sb_context *ctx, const sb_entry *entry, char **text, const sb_param **param, char **value) {
    char *name = *text;
    char *end = item_end(name);
    char *equals = memchr(name, '=', (size_t)(end - name));
    if (equals == NULL) {
        *end = '\0';
        return sb_fail(ctx, SB_BAD_USAGE, "%s: \"%s\" is not of the form name=value", entry->name, name);
    }
    *equals = '\0';
    *value = equals + 1;
    name += strspn(name, " \t");
    *param = sb_param_find(entry, name);
    if (*param == NULL) {
        return unknown_param(ctx, entry, name);
    }
    while ((*param)->type == SB_REALS && *end == ',') {
        char *next = item_end(end + 1);
        if (memchr(end, '=', (size_t)(next - end)) != NULL) {
            break;
        }
        end = next;
    }
    *text = *end == '\0' ? NULL : end + 1;
    *end = '\0';
    return SB_OK;
}

int sb_config_parse(sb_context *ctx, sb_arena *arena, const sb_entry *entry, const char *text, void *config) {
    bool given[NAMES_MAX] = {false};
    for (const sb_param *p = entry->params; p != NULL && p->name != NULL; p++) {
        if (p->initial != NULL) {
            SB_TRY(set_value(ctx, arena, entry, p, p->initial, config));
        }
    }
    char *rest = NULL;
    if (text != NULL && *skip_blanks(text) != '\0') {
        SB_PRINT(arena, rest, "%s", text);
    }
    while (rest != NULL) {
        const sb_param *p = NULL;
        char *value = NULL;
        SB_TRY(next_item(ctx, entry, &rest, &p, &value));
        const size_t index = (size_t)(p - entry->params);
        if (index < NAMES_MAX) {
            if (given[index]) {
                return sb_fail(ctx, SB_BAD_USAGE, "%s: %s is given twice", entry->name, p->name);
            }
            given[index] = true;
        }
        SB_TRY(set_value(ctx, arena, entry, p, value, config));
    }
    for (const sb_param *p = entry->params; p != NULL && p->name != NULL; p++) {
        const size_t index = (size_t)(p - entry->params);
        if (p->initial == NULL && (index >= NAMES_MAX || !given[index])) {
            return sb_fail(ctx, SB_BAD_USAGE, "%s needs %s=... (%s)", entry->name, p->name, p->doc);
        }
    }
    return SB_OK;
}

/* ---- Back to text. ---- */

static char *format_list(sb_arena *arena, const sb_param *p, const sb_reals *list) {
    if (p->choices != NULL && list->n == 0) {
        return sb_strdup(arena, p->choices);
    }
    char *out = sb_alloc(arena, (size_t)list->n * SB_SCALAR_TEXT + 3, 1);
    if (out == NULL) {
        return NULL;
    }
    size_t used = 0;
    out[used++] = '[';
    for (int i = 0; i < list->n; i++) {
        if (i > 0) {
            out[used++] = ',';
        }
        sb_format_scalar(list->x[i], out + used);
        used += strlen(out + used);
    }
    out[used] = ']';
    out[used + 1] = '\0'; /* remains of a longer attempt at the last number */
    return out;
}

static char *format_choice(sb_arena *arena, const char *choices, int index) {
    for (; index > 0 && strchr(choices, '|') != NULL; index--) {
        choices = strchr(choices, '|') + 1;
    }
    return sb_asprintf(arena, "%.*s", (int)strcspn(choices, "|"), choices);
}

char *sb_param_format(sb_arena *arena, const sb_param *p, const void *config) {
    const void *at = (const char *)config + p->offset;
    char text[SB_SCALAR_TEXT];
    switch (p->type) {
    case SB_REAL: sb_format_scalar(*(const sb_scalar *)at, text); return sb_strdup(arena, text);
    case SB_INT: return sb_asprintf(arena, "%ld", *(const long *)at);
    case SB_CHOICE: return format_choice(arena, p->choices, *(const int *)at);
    case SB_REALS: return format_list(arena, p, at);
    case SB_TEXT: break;
    }
    const char *word = *(const char *const *)at;
    return sb_strdup(arena, word != NULL ? word : "");
}

char *sb_config_format(sb_arena *arena, const sb_entry *entry, const void *config) {
    char *out = sb_strdup(arena, "");
    for (const sb_param *p = entry->params; out != NULL && p != NULL && p->name != NULL; p++) {
        const char *value = sb_param_format(arena, p, config);
        out = value == NULL ? NULL : sb_asprintf(arena, "%s%s%s=%s", out, out[0] != '\0' ? "," : "", p->name, value);
    }
    return out;
}
