/* Reads the picture of a registered problem from assets/pictures.csv, whose head describes the columns. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/picture/picture.h"
#include "core/base/params.h"
#include "core/base/text.h"

enum { NAME = 32 };

/* A row of the table, and its points. */
typedef struct reader {
    sb_context *ctx;
    const sb_spec *problem;
    const sb_system *sys;
    const sb_table *table;
    int row, first, count, each; /* count: of its repetitions */
    sb_picture *out;
} reader;

static const char *cell(const reader *r, const char *column) { return sb_table_text(r->table, r->row, column); }

static int wrong(const reader *r, const char *text) {
    return sb_fail(r->ctx, SB_BAD_USAGE, "the picture of %s, point %s: \"%s\" cannot be read", r->problem->entry->name,
                   cell(r, "point"), text);
}

/* Reads the digits at the beginning of `digits`, the number of a coordinate, into *at: that of the repetition k. Fails
 * unless it and the `count` - 1 coordinates behind it exist; `text` is named. */
static int coordinate(const reader *r, const char *text, const char *digits, int k, int count, int *at) {
    const long number = isdigit((unsigned char)digits[0]) && strspn(digits, "0123456789") < 9 ? atol(digits) : -1;
    *at = (int)(number + (long)k * r->each);
    return number >= 0 && number + (long)k * r->each + count <= r->sys->n
               ? SB_OK
               : sb_fail(r->ctx, SB_BAD_USAGE, "the picture of %s, point %s: \"%s\" is beyond the %d coordinates",
                         r->problem->entry->name, cell(r, "point"), text, r->sys->n);
}

/* ---- Products. ---- */

/* Returns whether the text is a parameter of the problem that is a number, and sets *x to it. */
static bool parameter(const reader *r, const char *name, double *x) {
    const sb_param *p = sb_param_find(r->problem->entry, name);
    const void *at = p != NULL ? (const char *)r->problem->config + p->offset : NULL;
    if (p == NULL || (p->type != SB_REAL && p->type != SB_INT)) {
        return false;
    }
    *x = p->type == SB_REAL ? (double)*(const sb_scalar *)at : (double)*(const long *)at;
    return true;
}

/* Sets *at to the coordinate qK of the repetition k, or to the output of this name; to -1 if the text is neither. */
static int variable(const reader *r, const char *text, int k, bool *output, int *at) {
    *output = text[0] != 'q' || !isdigit((unsigned char)text[1]);
    *at = -1;
    if (!*output) {
        return text[1 + strspn(text + 1, "0123456789")] == '\0' ? coordinate(r, text, text + 1, k, 1, at)
                                                                : wrong(r, text);
    }
    for (int i = 0; i < r->sys->outputs.count; i++) {
        if (strcmp(r->sys->outputs.list[i].name, text) == 0) {
            *at = i;
        }
    }
    return SB_OK;
}

/* Multiplies a product by a factor of the repetition k. */
static int multiply(const reader *r, const char *word, int k, sb_picture_product *out, int *used) {
    const bool sine = strncmp(word, "sin(", 4) == 0, cosine = strncmp(word, "cos(", 4) == 0;
    char name[NAME];
    bool output;
    int at;
    double x = 1.0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + (sine || cosine ? 4 : 0), ")"),
             word + (sine || cosine ? 4 : 0));
    SB_TRY(variable(r, name, k, &output, &at));
    if (at >= 0) {
        if (*used == SB_PICTURE_FACTORS) {
            return wrong(r, word);
        }
        out->factor[*used].kind = sine ? SB_FACTOR_SIN : cosine ? SB_FACTOR_COS : SB_FACTOR_VALUE;
        out->factor[*used].output = output;
        out->factor[(*used)++].at = at;
    } else if (strcmp(word, "k") == 0) {
        x = k;
    } else if (!parameter(r, word, &x)) {
        sb_scalar number;
        if (!sb_parse_real(word, &number)) {
            return wrong(r, word);
        }
        x = (double)number;
    }
    out->number *= x;
    return SB_OK;
}

static int read_product(const reader *r, const char *text, int k, sb_picture_product *out) {
    int used = 0;
    *out = (sb_picture_product){.number = text[0] == '\0' ? 0.0 : text[0] == '-' ? -1.0 : 1.0};
    for (text += text[0] == '-'; text[0] != '\0'; text += text[0] == '*') {
        char word[NAME];
        const size_t length = strcspn(text, "*");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        SB_TRY(multiply(r, word, k, out, &used));
        text += length;
    }
    return SB_OK;
}

static int read_sum(const reader *r, const char *text, int k, sb_picture_product out[SB_PICTURE_TERMS]) {
    int count = 0;
    while (text[0] != '\0') {
        char term[4 * NAME];
        const size_t length = strcspn(text, "+");
        if (count == SB_PICTURE_TERMS) {
            return wrong(r, text);
        }
        snprintf(term, sizeof term, "%.*s", (int)length, text);
        SB_TRY(read_product(r, term, k, &out[count++]));
        text += length + (text[length] == '+');
    }
    return SB_OK;
}

/* ---- Points and lines. ---- */

/* Returns the point `name` of repetition k among the rows of the problem, up to the current one, for a row without
 * repetitions the point of the last repetition; -1 if there is none. */
static int find_point(const reader *r, const char *name, int k) {
    int at = r->first;
    for (int row = r->row; at >= 0 && row >= 0; row--) {
        const bool repeated = sb_table_text(r->table, row, "each")[0] != '\0';
        if (row < r->row) {
            at -= repeated ? r->count : 1;
        }
        if (sb_table_is(r->table, row, "point", name)) {
            return at + (!repeated ? 0 : cell(r, "each")[0] != '\0' ? k : r->count - 1);
        }
    }
    return -1;
}

static int read_point(const reader *r, int k, sb_picture_point *out) {
    static const char *const axes[] = {"x", "y", "z"};
    const char *from = cell(r, "from"), *turned = cell(r, "turned"), *plus = strchr(turned, '+');
    *out = (sb_picture_point){.from = -1, .at = -1, .turn_plus = -1};
    if (from[0] == 'q' && isdigit((unsigned char)from[1])) {
        SB_TRY(coordinate(r, from, from + 1, k, r->out->dimension, &out->at));
    } else if (from[0] != '\0') {
        out->from = find_point(r, from, k);
        if (out->from < 0) {
            return wrong(r, from);
        }
    }
    if (turned[0] != '\0') {
        static const char kinds[] = "aez"; /* in the order of sb_turn */
        const char *kind = strchr(kinds, turned[0]);
        if (kind == NULL || (plus != NULL && turned[0] != 'a')) {
            return wrong(r, turned);
        }
        out->turn = (sb_turn)(SB_TURN_ANGLE + (kind - kinds));
        SB_TRY(coordinate(r, turned, turned + 1, k, (const int[]){1, 4, 3}[kind - kinds], &out->turn_at));
        SB_TRY(plus != NULL ? coordinate(r, turned, plus + 1, k, 1, &out->turn_plus) : SB_OK);
    }
    for (int i = 0; i < 3; i++) {
        SB_TRY(read_sum(r, cell(r, axes[i]), k, out->x[i]));
    }
    return SB_OK;
}

enum { LINES = 8 }; /* of a row, at most */

/* Adds the lines of the point of repetition k. */
static int read_lines(const reader *r, int k) {
    const char *text = cell(r, "lines");
    const int most = r->out->nlines + LINES;
    while (text[0] != '\0') {
        char word[NAME];
        const size_t length = strcspn(text, " ");
        const bool spring = text[0] == '~';
        snprintf(word, sizeof word, "%.*s", (int)length - spring, text + spring);
        char *before = strchr(word, '<');
        if (before != NULL) {
            *before = '\0';
        }
        const bool first = before != NULL && k == 0;
        const int to = first ? find_point(r, before + 1, 0) : find_point(r, word, before != NULL ? k - 1 : k);
        if ((to < 0 && !(first && before[1] == '\0')) || r->out->nlines == most) {
            return wrong(r, r->out->nlines == most ? text : word);
        }
        if (to >= 0) {
            r->out->lines[r->out->nlines++] = (sb_picture_line){to, r->first + k, spring};
        }
        text += length + (text[length] == ' ');
    }
    return SB_OK;
}

/* Reads the dimension, which is that of the first row: 2 or 3, y where the second axis of space is upward, g where
 * gravity is downward. */
static int read_dimension(const reader *r) {
    static const char *const known[] = {"", "2", "2g", "3", "3g", "3y", "3yg"};
    const char *text = cell(r, "dimension");
    sb_picture *out = r->out;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(text, known[i]) == 0) {
            out->dimension = text[0] == '3' ? 3 : 2;
            out->up = out->dimension == 2 || strchr(text, 'y') != NULL ? 1 : 2;
            out->gravity[out->up] = strchr(text, 'g') != NULL ? -1.0 : 0.0;
            return SB_OK;
        }
    }
    return wrong(r, text);
}

/* Fails for a column that a picture does not have. */
static int check_columns(const reader *r) {
    static const char *const known[] = {"problem", "dimension", "each", "point", "from",
                                        "turned",  "x",         "y",    "z",     "lines"};
    enum { KNOWN = sizeof known / sizeof *known };
    for (int j = 0; j < r->table->ncolumns; j++) {
        int k = 0;
        while (k < KNOWN && strcmp(known[k], r->table->columns[j].name) != 0) {
            k++;
        }
        if (k == KNOWN) {
            char *what;
            SB_PRINT(r->table->arena, what, "the picture of %s: no column is named", r->problem->entry->name);
            return sb_fail_name(r->ctx, what, r->table->columns[j].name, KNOWN - 1, known + 1,
                                "there are dimension, each, point, from, turned, x, y, z, lines");
        }
    }
    return r->table->nrows > 0
               ? SB_OK
               : sb_fail(r->ctx, SB_BAD_USAGE, "the picture of %s has no point", r->problem->entry->name);
}

int sb_picture_read(sb_context *ctx, sb_arena *arena, const sb_table *rows, const sb_spec *problem,
                    const sb_system *sys, sb_picture *out) {
    reader r = {.ctx = ctx, .problem = problem, .sys = sys, .table = rows, .out = out};
    const int n = sys->n;
    SB_TRY(check_columns(&r));
    SB_TRY(read_dimension(&r));
    SB_NEW(arena, out->points, rows->nrows * (n + 1));
    SB_NEW(arena, out->lines, LINES * rows->nrows * (n + 1));
    for (; r.row < rows->nrows; r.row++) {
        const char *each = cell(&r, "each");
        r.each = atoi(each);
        if (each[0] != '\0' && (r.each < 1 || r.each > n || each[strspn(each, "0123456789")] != '\0')) {
            return wrong(&r, each);
        }
        r.count = r.each > 0 ? n / r.each : r.count;
        r.first = out->npoints;
        for (int k = 0; k < (r.each > 0 ? r.count : 1); k++) {
            SB_TRY(read_point(&r, k, &out->points[out->npoints++]));
            SB_TRY(read_lines(&r, k));
        }
    }
    return SB_OK;
}
