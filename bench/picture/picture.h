/* The picture of a mechanism: points that move with its coordinates, and lines between them. */
#pragma once

#include "core/base/spec.h"
#include "core/output/table.h"

/* A product: a number times coordinates or outputs of the system, their sines and their cosines. */
enum { SB_PICTURE_FACTORS = 3, SB_PICTURE_TERMS = 4 };
typedef struct sb_picture_product {
    double number;
    struct {
        enum { SB_FACTOR_NONE, SB_FACTOR_VALUE, SB_FACTOR_SIN, SB_FACTOR_COS } kind;
        bool output; /* `at` is the number of an output, otherwise of a coordinate */
        int at;
    } factor[SB_PICTURE_FACTORS];
} sb_picture_product;

/* The rotation of the vector of a point: none, by the angle q[at] (+ q[plus] unless plus is -1), by the unit quaternion
 * q[at], ..., q[at + 3], or by the Euler angles z-x-z q[at], q[at + 1], q[at + 2]. */
typedef enum sb_turn { SB_TURN_NONE, SB_TURN_ANGLE, SB_TURN_QUATERNION, SB_TURN_EULER } sb_turn;

typedef struct sb_picture_point {
    int from; /* the vector begins at this point, which is an earlier one; -1: see `at` */
    int at;   /* at the coordinates q[at], ...; -1: at the origin */
    sb_turn turn;
    int turn_at, turn_plus;
    sb_picture_product x[3][SB_PICTURE_TERMS]; /* sums of products */
} sb_picture_point;

typedef struct sb_picture_line {
    int from, to;
    bool spring;
} sb_picture_line;

typedef struct sb_picture {
    int dimension;     /* 2 or 3 */
    int up;            /* the axis that is drawn upward */
    double gravity[3]; /* its direction; zero: none, or unknown */
    int npoints, nlines;
    sb_picture_point *points;
    sb_picture_line *lines;
} sb_picture;

/* Makes the picture of a problem with the system `sys`: by its member `picture`, that of `mechanism` from its world,
 * other pictures from assets/pictures.csv. Fails with SB_UNSUPPORTED for a problem without a picture, and with
 * SB_BAD_USAGE for one that cannot be read. */
int sb_picture_make(sb_context *ctx, sb_arena *arena, const sb_spec *problem, const sb_system *sys, sb_picture *out);

/* Sets *exists to whether there is a picture of the problem. */
int sb_picture_exists(sb_context *ctx, sb_arena *arena, const sb_entry *problem, bool *exists);

/* Reads the picture of a problem with the system `sys` from its rows, whose columns assets/pictures.csv describes. */
int sb_picture_read(sb_context *ctx, sb_arena *arena, const sb_table *rows, const sb_spec *problem,
                    const sb_system *sys, sb_picture *out);

/* Sets x[dimension] to the position of point k; `outputs` are the outputs of the system. */
void sb_picture_place(const sb_picture *picture, int k, const sb_scalar *q, const sb_scalar *outputs, double x[3]);
/* Returns whether point k never moves. */
bool sb_picture_is_fixed(const sb_picture *picture, int k);

/* Projects a position onto the plane of a drawing; a position in space is seen obliquely from above. */
void sb_picture_project(const sb_picture *picture, const double *x, double out[2]);
