/* Reads the picture of a registered problem from assets/pictures.csv, whose head describes the columns. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/picture/picture.h"
#include "core/base/params.h"
#include "core/base/text.h"
#include "core/output/table.h"

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
    return sb_fail(r->ctx, SB_IO, "assets/pictures.csv: the point %s of %s: \"%s\" cannot be read", cell(r, "point"),
                   r->problem->entry->name, text);
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

/* Returns the coordinate qK of the repetition k, or the output of this name; -1 if the text is neither. */
static int variable(const reader *r, const char *text, int k, bool *output) {
    *output = text[0] != 'q' || !isdigit((unsigned char)text[1]);
    if (!*output) {
        return k * r->each + atoi(text + 1);
    }
    for (int i = 0; i < r->sys->outputs.count; i++) {
        if (strcmp(r->sys->outputs.list[i].name, text) == 0) {
            return i;
        }
    }
    return -1;
}

/* Multiplies a product by a factor of the repetition k. */
static int multiply(const reader *r, const char *word, int k, sb_picture_product *out, int *used) {
    const bool sine = strncmp(word, "sin(", 4) == 0, cosine = strncmp(word, "cos(", 4) == 0;
    char name[NAME];
    bool output;
    double x = 1.0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + (sine || cosine ? 4 : 0), ")"),
             word + (sine || cosine ? 4 : 0));
    const int at = variable(r, name, k, &output);
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
        out->at = k * r->each + atoi(from + 1);
    } else if (from[0] != '\0') {
        out->from = find_point(r, from, k);
        if (out->from < 0) {
            return wrong(r, from);
        }
    }
    if (turned[0] != '\0') {
        out->turn = turned[0] == 'a' ? SB_TURN_ANGLE : turned[0] == 'e' ? SB_TURN_QUATERNION : SB_TURN_EULER;
        out->turn_at = k * r->each + atoi(turned + 1);
        out->turn_plus = plus != NULL ? k * r->each + atoi(plus + 1) : -1;
    }
    for (int i = 0; i < 3; i++) {
        SB_TRY(read_sum(r, cell(r, axes[i]), k, out->x[i]));
    }
    return SB_OK;
}

/* Adds the lines of the point of repetition k. */
static int read_lines(const reader *r, int k) {
    const char *text = cell(r, "lines");
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
        if (to < 0 && !(first && before[1] == '\0')) {
            return wrong(r, word);
        }
        if (to >= 0) {
            r->out->lines[r->out->nlines++] = (sb_picture_line){to, r->first + k, spring};
        }
        text += length + (text[length] == ' ');
    }
    return SB_OK;
}

/* Copies the rows of the problem into a table of their own, which begins with its first row. */
static int own_rows(sb_arena *arena, const sb_table *known, const char *problem, sb_table *out) {
    sb_table_init(out, arena);
    SB_TRY(out->sink.begin(&out->sink, known->ncolumns, known->columns));
    for (int row = sb_table_find(known, "problem", problem, 0); row >= 0;
         row = sb_table_find(known, "problem", problem, row + 1)) {
        SB_TRY(out->sink.row(&out->sink, known->cells + (size_t)row * (size_t)known->ncolumns));
    }
    return SB_OK;
}

int sb_picture_read(sb_context *ctx, sb_arena *arena, const sb_table *known, const sb_spec *problem,
                    const sb_system *sys, sb_picture *out) {
    enum { LINES = 2 }; /* of a row, at most */
    sb_table own;
    SB_TRY(own_rows(arena, known, problem->entry->name, &own));
    reader r = {.ctx = ctx, .problem = problem, .sys = sys, .table = &own, .out = out};
    const int n = sys->n;
    const char *dimension = cell(&r, "dimension");
    out->dimension = atoi(dimension);
    out->up = out->dimension == 2 || strchr(dimension, 'y') != NULL ? 1 : 2;
    SB_NEW(arena, out->points, own.nrows * (n + 1));
    SB_NEW(arena, out->lines, LINES * own.nrows * (n + 1));
    for (; r.row < own.nrows; r.row++) {
        r.each = atoi(cell(&r, "each"));
        r.count = r.each > 0 ? n / r.each : r.count;
        r.first = out->npoints;
        for (int k = 0; k < (r.each > 0 ? r.count : 1); k++) {
            SB_TRY(read_point(&r, k, &out->points[out->npoints++]));
            SB_TRY(read_lines(&r, k));
        }
    }
    return SB_OK;
}
