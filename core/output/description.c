/* Reads a JSON description. */
#include "core/output/description.h"

/* Writes the path of a value; one that does not fit is truncated. */
__attribute__((format(printf, 2, 3))) static void write_path(char out[PATH_SIZE], const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(out, PATH_SIZE, format, list);
    va_end(list);
}

/* ---- Lines. jansson has accepted the text. ---- */

typedef struct scanner {
    const char *at, *wanted;
    int line, found; /* found: 0 until the value is met */
} scanner;

static void scan_space(scanner *s) {
    while (*s->at != '\0' && (isspace((unsigned char)*s->at) || *s->at == ',' || *s->at == ':')) {
        s->line += *s->at++ == '\n';
    }
}

/* Skips a string and returns its length without the quotes. */
static int scan_string(scanner *s) {
    const char *start = ++s->at;
    while (*s->at != '"') {
        s->at += *s->at == '\\' ? 2 : 1;
    }
    return (int)(s->at++ - start);
}

/* Skips the value at `path`, and records the line of the requested one. */
static void scan_value(scanner *s, const char *path) {
    char inner[PATH_SIZE];
    scan_space(s);
    if (strcmp(path, s->wanted) == 0) {
        s->found = s->line;
    }
    if (*s->at == '"') {
        scan_string(s);
    } else if (*s->at == '{' || *s->at == '[') {
        const bool object = *s->at++ == '{';
        for (int k = 0; scan_space(s), *s->at != (object ? '}' : ']'); k++) {
            if (object) {
                const char *key = s->at + 1;
                const int length = scan_string(s);
                write_path(inner, "%s%s%.*s", path, path[0] != '\0' ? "." : "", length, key);
            } else {
                write_path(inner, "%s[%d]", path, k);
            }
            scan_value(s, inner);
        }
        s->at++;
    } else {
        s->at += strcspn(s->at, ",]} \t\r\n");
    }
}

/* Returns the number of the line that contains the value at `path`. */
static int description_line(const description *d, const char *path) {
    scanner s = {.at = d->text, .wanted = path, .line = 1};
    scan_value(&s, "");
    return s.found > 0 ? s.found : 1;
}

int sb_node_fail(const node *at, const char *message) {
    const description *d = at->from;
    return message == NULL
               ? SB_NO_MEMORY
               : sb_fail(d->ctx, SB_BAD_USAGE, "%s: %s, line %d, %s: %s", d->what, d->file,
                         description_line(d, at->path), at->path[0] != '\0' ? at->path : "the file", message);
}

/* ---- Values. ---- */

static void description_free(void *root) { json_decref(root); }

int sb_description_open(description *d, node *root) {
    json_error_t error;
    d->root = json_loads(d->text, JSON_REJECT_DUPLICATES, &error);
    if (d->root == NULL && json_error_code(&error) == json_error_out_of_memory) {
        return sb_fail(d->ctx, SB_NO_MEMORY, "%s: out of memory for %s", d->what, d->file);
    }
    if (d->root == NULL) {
        return sb_fail(d->ctx, SB_BAD_USAGE, "%s: %s, line %d, column %d: not valid JSON: %s", d->what, d->file,
                       error.line, error.column, error.text);
    }
    SB_TRY(sb_arena_own(d->arena, d->root, description_free));
    *root = (node){.from = d, .value = d->root};
    return json_is_object(d->root) ? SB_OK : NODE_FAIL(root, "an object {...} is needed");
}

node sb_node_member(const node *of, const char *key) {
    node out = {.from = of->from, .value = json_object_get(of->value, key)};
    write_path(out.path, "%s%s%s", of->path, of->path[0] != '\0' ? "." : "", key);
    return out;
}

node sb_node_item(const node *of, int k) {
    node out = {.from = of->from, .value = json_array_get(of->value, (size_t)k)};
    write_path(out.path, "%s[%d]", of->path, k);
    return out;
}

int sb_node_keys(const node *at, const char *known) {
    const char *key;
    json_t *value;
    if (!json_is_object(at->value)) {
        return NODE_FAIL(at, "an object {...} is needed");
    }
    json_object_foreach((json_t *)at->value, key, value) {
        const char *found = known;
        const size_t length = strlen(key);
        while (found != NULL && !(strncmp(found, key, length) == 0 && strchr("|", found[length]) != NULL)) {
            found = strchr(found, '|');
            found = found != NULL ? found + 1 : NULL;
        }
        if (found == NULL) {
            const node wrong = sb_node_member(at, key);
            return NODE_FAIL(&wrong, "unknown key; known here: %s", known);
        }
    }
    return SB_OK;
}

int sb_node_number(const node *of, const char *key, sb_scalar low, sb_scalar initial, sb_scalar *out) {
    const node at = sb_node_member(of, key);
    *out = initial;
    if (at.value == NULL) {
        return isnan(initial) ? NODE_FAIL(of, "the key %s is missing", key) : SB_OK;
    }
    if (!json_is_number(at.value)) {
        return NODE_FAIL(&at, "a number is needed");
    }
    *out = json_number_value(at.value);
    return *out > low           ? SB_OK
           : low == -SB_EPSILON ? NODE_FAIL(&at, "%g is too small; take a number from 0 on", (double)*out)
                                : NODE_FAIL(&at, "%g is too small; take a number above %g", (double)*out, (double)low);
}

int sb_node_numbers(const node *at, int count, sb_scalar *out) {
    if (!json_is_array(at->value) || (int)json_array_size(at->value) != count) {
        return NODE_FAIL(at, "a list of %d numbers is needed", count);
    }
    for (int k = 0; k < count; k++) {
        const node item = sb_node_item(at, k);
        if (!json_is_number(item.value)) {
            return NODE_FAIL(&item, "a number is needed");
        }
        out[k] = json_number_value(item.value);
    }
    return SB_OK;
}

/* Returns a member of an object, and fails if it is missing. */
static int node_required(const node *of, const char *key, node *out) {
    *out = sb_node_member(of, key);
    return out->value != NULL ? SB_OK : NODE_FAIL(of, "the key %s is missing", key);
}

int sb_node_vector(const node *of, const char *key, bool required, int count, sb_scalar *out) {
    node at;
    if (!required && sb_node_member(of, key).value == NULL) {
        return SB_OK;
    }
    SB_TRY(node_required(of, key, &at));
    return sb_node_numbers(&at, count, out);
}

int sb_node_two_vectors(const node *of, const char *key, int count, sb_scalar out[2][3]) {
    node at;
    SB_TRY(node_required(of, key, &at));
    if (!json_is_array(at.value) || json_array_size(at.value) != 2) {
        return NODE_FAIL(&at, "a list of two vectors is needed, one for each body");
    }
    for (int s = 0; s < 2; s++) {
        const node item = sb_node_item(&at, s);
        SB_TRY(sb_node_numbers(&item, count, out[s]));
    }
    return SB_OK;
}

int sb_node_word(const node *of, const char *key, const char **out) {
    node at;
    SB_TRY(node_required(of, key, &at));
    *out = json_string_value(at.value);
    return *out != NULL ? SB_OK : NODE_FAIL(&at, "a word in quotes is needed");
}

int sb_node_count(const node *at, int *count) {
    *count = (int)json_array_size(at->value);
    return at->value == NULL || json_is_array(at->value) ? SB_OK : NODE_FAIL(at, "a list [...] is needed");
}
