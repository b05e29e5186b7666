/* Makes the picture of a mechanism from its description, and computes the positions of the points of pictures. */
#include "bench/picture/picture.h"

#include <string.h>

#include "bench/data/data.h"
#include "core/base/text.h"
#include "core/output/csv.h"

/* Adds a point of the body at the coordinates q[at], ...; of the ground if `at` is negative. */
static int add_point(sb_picture *me, int at, const double local[3]) {
    const sb_turn turn = at < 0 ? SB_TURN_NONE : me->dimension == 2 ? SB_TURN_ANGLE : SB_TURN_QUATERNION;
    sb_picture_point *point = &me->points[me->npoints];
    *point = (sb_picture_point){.from = -1, .at = at, .turn = turn, .turn_at = at + me->dimension, .turn_plus = -1};
    for (int i = 0; i < 3; i++) {
        point->x[i][0].number = local[i];
    }
    return me->npoints++;
}

static void add_line(sb_picture *me, int from, int to, bool spring) {
    me->lines[me->nlines++] = (sb_picture_line){from, to, spring};
}

/* ---- A mechanism. ---- */

/* Adds the point of side `side` of a joint or a spring, and a line to it from the centre of its body. */
static int add_side(sb_picture *me, const sb_world_part *part, int side) {
    const int body = part->body[side];
    const double local[3] = {(double)part->point[side][0], (double)part->point[side][1], (double)part->point[side][2]};
    const int point = add_point(me, body == SB_GROUND ? -1 : (me->dimension == 2 ? 3 : 7) * body, local);
    if (body != SB_GROUND) {
        add_line(me, body, point, false);
    }
    return point;
}

/* ---- Shapes. ---- */

enum { CIRCLE = 24, SHAPE_POINTS = 6 * CIRCLE + 2, SHAPE_LINES = 6 * (CIRCLE + 1) + 1 };

/* Adds a circle of a shape in the axes i and j of its body, and a line to the body's centre: it shows the turning. */
static void add_circle(sb_picture *me, int at, const sb_world_shape *s, const sb_scalar centre[3], int i, int j) {
    const int first = me->npoints;
    for (int k = 0; k < CIRCLE; k++) {
        double x[3] = {(double)centre[0], (double)centre[1], (double)centre[2]};
        x[i] += (double)s->radius * cos(2.0 * M_PI * k / CIRCLE);
        x[j] += (double)s->radius * sin(2.0 * M_PI * k / CIRCLE);
        add_point(me, at, x);
        add_line(me, k > 0 ? first + k - 1 : first + CIRCLE - 1, first + k, false);
    }
    if (s->body != SB_GROUND) {
        add_line(me, s->body, first, false);
    }
}

/* Adds the corners of a parallelepiped, or of a parallelogram if it has two sides, and its edges. */
static void add_block(sb_picture *me, int at, const double centre[3], double side[3][3], int sides) {
    const int first = me->npoints;
    for (int c = 0; c < 1 << sides; c++) {
        double x[3];
        for (int i = 0; i < 3; i++) {
            x[i] = centre[i];
            for (int k = 0; k < sides; k++) {
                x[i] += ((c >> k & 1) != 0 ? 0.5 : -0.5) * side[k][i];
            }
        }
        add_point(me, at, x);
        for (int k = 0; k < sides; k++) {
            if ((c >> k & 1) != 0) {
                add_line(me, first + c - (1 << k), first + c, false);
            }
        }
    }
}

/* Adds a part of a plane as large as `width`: a line, or a square in space. */
static void add_plane(sb_picture *me, int at, const sb_world_shape *s, double width) {
    const double n[3] = {(double)s->normal[0], (double)s->normal[1], (double)s->normal[2]},
                 on[3] = {(double)s->point[0][0], (double)s->point[0][1], (double)s->point[0][2]};
    const int least = fabs(n[0]) <= fabs(n[1]) && fabs(n[0]) <= fabs(n[2]) ? 0 : fabs(n[1]) <= fabs(n[2]) ? 1 : 2;
    double side[3][3] = {{0.0}}, unit[3] = {0.0};
    unit[me->dimension == 2 ? 2 : least] = 1.0;
    for (int k = 0; k < 2; k++) {
        const double *a = k == 0 ? unit : side[0];
        const double across[3] = {a[1] * n[2] - a[2] * n[1], a[2] * n[0] - a[0] * n[2], a[0] * n[1] - a[1] * n[0]},
                     length = sqrt(across[0] * across[0] + across[1] * across[1] + across[2] * across[2]);
        for (int i = 0; i < 3; i++) {
            side[k][i] = width * across[i] / length;
        }
    }
    add_block(me, at, on, side, me->dimension - 1);
}

static void add_shape(sb_picture *me, const sb_world_shape *s, double width) {
    const int at = s->body == SB_GROUND ? -1 : (me->dimension == 2 ? 3 : 7) * s->body;
    double end[2][3], side[3][3] = {{(double)s->size[0]}, {0.0, (double)s->size[1]}, {0.0, 0.0, (double)s->size[2]}};
    for (int i = 0; i < 6; i++) {
        end[i / 3][i % 3] = (double)s->point[i / 3][i % 3];
    }
    if (s->kind == SB_PLANE) {
        add_plane(me, at, s, width);
    } else if (s->kind == SB_BOX) {
        add_block(me, at, end[0], side, me->dimension);
    } else if (s->kind == SB_CAPSULE) {
        const int first = add_point(me, at, end[0]);
        add_line(me, first, add_point(me, at, end[1]), false);
    }
    for (int e = 0; e < (s->kind == SB_SPHERE || s->kind == SB_CAPSULE ? 1 + (s->kind == SB_CAPSULE) : 0); e++) {
        for (int k = 0; k < (me->dimension == 2 ? 1 : 3) && s->radius > 0.0; k++) {
            add_circle(me, at, s, s->point[e], k, (k + 1) % 3);
        }
    }
}

/* Returns ten times the largest side or radius: the width of planes. */
static double plane_width(const sb_world_parts *parts) {
    double largest = 0.0;
    for (const sb_world_shape *s = parts->shape; s < parts->shape + parts->shapes; s++) {
        largest = fmax(largest, fmax((double)s->radius, fmax((double)s->size[0], (double)s->size[1])));
    }
    return largest > 0.0 ? 10.0 * largest : 1.0;
}

/* Draws each body as lines from its centre to the points of its joints and springs, distances and springs as
 * lines, and shapes by their outlines. The coordinates are those of the bodies. */
static int make_mechanism(sb_arena *arena, const sb_world *world, sb_picture *me) {
    static const double centre[3] = {0.0};
    sb_world_parts parts;
    SB_TRY(world->describe(world->self, arena, &parts));
    me->dimension = world->dimension;
    me->up = me->dimension == 2 || fabs(parts.gravity[1]) > fabs(parts.gravity[2]) ? 1 : 2;
    for (int i = 0; i < me->dimension; i++) {
        me->gravity[i] = (double)parts.gravity[i];
    }
    SB_NEW(arena, me->points, parts.bodies + 2 * parts.parts + SHAPE_POINTS * parts.shapes);
    SB_NEW(arena, me->lines, 3 * parts.parts + SHAPE_LINES * parts.shapes);
    for (int k = 0; k < parts.bodies; k++) {
        add_point(me, (me->dimension == 2 ? 3 : 7) * k, centre);
    }
    for (const sb_world_part *part = parts.part; part < parts.part + parts.parts; part++) {
        if (part->kind > SB_SPRING || part->of[0] != NULL) {
            continue;
        }
        const int from = add_side(me, part, 0), to = add_side(me, part, 1);
        if (part->kind == SB_DISTANCE || part->kind == SB_SPRING) {
            add_line(me, from, to, part->kind == SB_SPRING);
        }
    }
    for (int k = 0; k < parts.shapes; k++) {
        add_shape(me, &parts.shape[k], plane_width(&parts));
    }
    return SB_OK;
}

/* ---- Any problem. ---- */

static const char from_world[] = "mechanism"; /* the problem whose picture comes from its world */

static int no_picture(sb_context *ctx, sb_arena *arena, const sb_table *known, const char *name) {
    const char *names = from_world;
    for (int i = 0; i < known->nrows; i++) {
        const char *other = sb_table_text(known, i, "problem");
        if (sb_table_find(known, "problem", other, 0) == i) {
            SB_PRINT(arena, names, "%s, %s", names, other);
        }
    }
    return sb_fail(ctx, SB_UNSUPPORTED,
                   "there is no picture of %s; animate draws %s, and problems with a member "
                   "`picture`",
                   name, names);
}

int sb_picture_exists(sb_context *ctx, sb_arena *arena, const sb_entry *problem, bool *exists) {
    sb_table known;
    SB_TRY(sb_data_table(ctx, arena, "assets/pictures.csv", &known));
    *exists = ((const sb_problem *)problem)->picture != NULL || strcmp(problem->name, from_world) == 0 ||
              sb_table_find(&known, "problem", problem->name, 0) >= 0;
    return SB_OK;
}

/* Reads the picture that a problem brings. */
static int read_own(sb_context *ctx, sb_arena *arena, const sb_spec *problem, const sb_system *sys, sb_picture *out) {
    char *name;
    sb_table rows;
    sb_table_init(&rows, arena);
    SB_PRINT(arena, name, "the picture of %s", problem->entry->name);
    const int status = sb_table_read_text(&rows, ctx, name, ((const sb_problem *)problem->entry)->picture);
    SB_TRY(status == SB_IO ? SB_BAD_USAGE : status);
    return sb_picture_read(ctx, arena, &rows, problem, sys, out);
}

/* Reads a picture from the table `known` of all. */
static int read_known(sb_context *ctx, sb_arena *arena, const sb_table *known, const sb_spec *problem,
                      const sb_system *sys, sb_picture *out) {
    const char *name = problem->entry->name;
    sb_table own;
    sb_table_init(&own, arena);
    SB_TRY(own.sink.begin(&own.sink, known->ncolumns, known->columns));
    for (int row = sb_table_find(known, "problem", name, 0); row >= 0;
         row = sb_table_find(known, "problem", name, row + 1)) {
        SB_TRY(own.sink.row(&own.sink, known->cells + (size_t)row * (size_t)known->ncolumns));
    }
    return own.nrows > 0 ? sb_picture_read(ctx, arena, &own, problem, sys, out) : no_picture(ctx, arena, known, name);
}

int sb_picture_make(sb_context *ctx, sb_arena *arena, const sb_spec *problem, const sb_system *sys, sb_picture *out) {
    const char *name = problem->entry->name;
    sb_table known;
    *out = (sb_picture){.dimension = 0};
    if (((const sb_problem *)problem->entry)->picture != NULL) {
        return read_own(ctx, arena, problem, sys, out);
    }
    if (strcmp(name, from_world) == 0) {
        const sb_world *world = sb_system_constrained(sys)->world;
        return world != NULL ? make_mechanism(arena, world, out)
                             : sb_fail(ctx, SB_UNSUPPORTED,
                                       "the bodies of %s are those which a formulation has "
                                       "replaced; leave out -w",
                                       name);
    }
    SB_TRY(sb_data_table(ctx, arena, "assets/pictures.csv", &known));
    return read_known(ctx, arena, &known, problem, sys, out);
}

/* ---- Positions. ---- */

/* Turns x by the quaternion e, scalar first: x + 2 w (u x x) + 2 u x (u x x), with e = (w, u). hlw06 VII.5. */
static void turn(const sb_scalar e[4], const double x[3], double out[3]) {
    const double w = (double)e[0], u[3] = {(double)e[1], (double)e[2], (double)e[3]};
    const double c[3] = {u[1] * x[2] - u[2] * x[1], u[2] * x[0] - u[0] * x[2], u[0] * x[1] - u[1] * x[0]};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = x[i] + 2.0 * (w * c[i] + u[j] * c[k] - u[k] * c[j]);
    }
}

/* Turns x in the plane of the axes i and i + 1 by an angle. */
static void rotate(double angle, int i, double x[3]) {
    const double c = cos(angle), s = sin(angle), a = x[i], b = x[i + 1];
    x[i] = c * a - s * b;
    x[i + 1] = s * a + c * b;
}

static void turn_vector(const sb_picture_point *point, const sb_scalar *q, double x[3]) {
    const sb_scalar *angle = q + point->turn_at;
    const double local[3] = {x[0], x[1], x[2]};
    switch (point->turn) {
    case SB_TURN_NONE: break;
    case SB_TURN_ANGLE: rotate((double)(angle[0] + (point->turn_plus < 0 ? 0.0 : q[point->turn_plus])), 0, x); break;
    case SB_TURN_QUATERNION: turn(angle, local, x); break;
    case SB_TURN_EULER:
        rotate((double)angle[2], 0, x);
        rotate((double)angle[1], 1, x);
        rotate((double)angle[0], 0, x);
        break;
    }
}

static double product(const sb_picture_product *p, const sb_scalar *q, const sb_scalar *outputs) {
    double x = p->number;
    for (int k = 0; k < SB_PICTURE_FACTORS && p->factor[k].kind != SB_FACTOR_NONE; k++) {
        const double y = (double)(p->factor[k].output ? outputs : q)[p->factor[k].at];
        x *= p->factor[k].kind == SB_FACTOR_VALUE ? y : p->factor[k].kind == SB_FACTOR_SIN ? sin(y) : cos(y);
    }
    return x;
}

void sb_picture_place(const sb_picture *picture, int k, const sb_scalar *q, const sb_scalar *outputs, double x[3]) {
    double base[3] = {0.0}, vector[3] = {0.0};
    const sb_picture_point *point = &picture->points[k];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < SB_PICTURE_TERMS; j++) {
            vector[i] += product(&point->x[i][j], q, outputs);
        }
    }
    turn_vector(point, q, vector);
    if (point->from >= 0) {
        sb_picture_place(picture, point->from, q, outputs, base);
    }
    for (int i = 0; i < picture->dimension; i++) {
        x[i] = base[i] + vector[i] + (point->at >= 0 ? (double)q[point->at + i] : 0.0);
    }
}

bool sb_picture_is_fixed(const sb_picture *picture, int k) {
    const sb_picture_point *point = &picture->points[k];
    bool fixed =
        point->at < 0 && point->turn == SB_TURN_NONE && (point->from < 0 || sb_picture_is_fixed(picture, point->from));
    for (int i = 0; i < 3 * SB_PICTURE_TERMS; i++) {
        fixed = fixed && point->x[i / SB_PICTURE_TERMS][i % SB_PICTURE_TERMS].factor[0].kind == SB_FACTOR_NONE;
    }
    return fixed;
}

void sb_picture_project(const sb_picture *picture, const double *x, double out[2]) {
    if (picture->dimension == 2) {
        memcpy(out, x, 2 * sizeof *out);
        return;
    }
    const double angle = 0.5, tilt = 0.35; /* rad; all three axes are visible */
    const int up = picture->up, depth = up == 1 ? 2 : 1;
    out[0] = cos(angle) * x[0] + sin(angle) * x[depth];
    out[1] = cos(tilt) * x[up] + sin(tilt) * (sin(angle) * x[0] - cos(angle) * x[depth]);
}
