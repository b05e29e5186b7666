/* The masses of geoms of MJCF. */
#include <string.h>

#include <stepbench/numerics/quaternion.h>

#include "bench/import/mjcf.h"
#include "core/base/text.h"

typedef enum shape { SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, SHAPES } shape;

static const char *const shapes[SHAPES] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};

/* Sets the volume and the moments of unit mass of a shape with the half sizes s, about its centre. A capsule consists
 * of a cylinder of length 2 l and two half spheres of radius r, whose centres are at l + 3 r/8. */
static double measure(shape of, const double s[3], double J[3]) {
    const double r = s[0], l = s[1], cylinder = 2.0 * SB_PI * r * r * l, ball = 4.0 / 3.0 * SB_PI * r * r * r;
    switch (of) {
    case SPHERE: J[0] = J[1] = J[2] = 0.4 * r * r; return ball;
    case ELLIPSOID:
    case BOX:
        for (int k = 0; k < 3; k++) {
            const double a = s[(k + 1) % 3], b = s[(k + 2) % 3];
            J[k] = (a * a + b * b) / (of == BOX ? 3.0 : 5.0);
        }
        return (of == BOX ? 8.0 : 4.0 / 3.0 * SB_PI) * s[0] * s[1] * s[2];
    case CYLINDER:
        J[0] = J[1] = (3.0 * r * r + 4.0 * l * l) / 12.0;
        J[2] = 0.5 * r * r;
        return cylinder;
    default: {
        const double part = cylinder / (cylinder + ball), rest = 1.0 - part;
        J[0] = J[1] = part * (3.0 * r * r + 4.0 * l * l) / 12.0 + rest * (0.4 * r * r + l * l + 0.75 * l * r);
        J[2] = part * 0.5 * r * r + rest * 0.4 * r * r;
        return cylinder + ball;
    }
    }
}

/* Places a geom between two points, and sets its half length. */
static void place_between(const double ends[6], double x[3], double e[4], double *half) {
    double along[3], length = 0.0;
    for (int k = 0; k < 3; k++) {
        x[k] = 0.5 * (ends[k] + ends[3 + k]);
        along[k] = ends[k] - ends[3 + k]; /* MuJoCo's z axis points to the first point */
        length += along[k] * along[k];
    }
    length = sqrt(length);
    *half = 0.5 * length;
    /* The rotation from z to the direction. */
    const double z = along[2] / length;
    e[0] = 1.0 + z;
    e[1] = -along[1] / length;
    e[2] = along[0] / length;
    e[3] = 0.0;
    if (e[0] < 1e-12) { /* half a turn, but for round-off of the points */
        e[0] = e[2] = 0.0;
        e[1] = 1.0;
    }
    const double norm = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    for (int k = 0; k < 4; k++) {
        e[k] /= norm;
    }
}

/* Reads the frame and the half sizes of a shape. */
static int read_shape(mjcf *me, const xml_element *at, int of, double x[3], double e[4], double size[3]) {
    double ends[6];
    int sizes, between;
    SB_TRY(sb_mjcf_frame(me, at, x, e));
    SB_TRY(sb_mjcf_numbers(me, at, "size", 1, 3, size, &sizes));
    SB_TRY(sb_mjcf_numbers(me, at, "fromto", 6, 6, ends, &between));
    if (between == 6) {
        const int long_axis = of == CAPSULE || of == CYLINDER ? 1 : 2;
        if (long_axis == 2) {
            size[1] = size[0]; /* a box or an ellipsoid of square section */
        }
        place_between(ends, x, e, &size[long_axis]);
        SB_TRY(sb_mjcf_leave_frames(me, at, x, e));
    }
    const int needed = of == SPHERE ? 1 : of == CAPSULE || of == CYLINDER ? 2 : 3;
    for (int k = 0; k < needed; k++) {
        if (!(size[k] > 0.0)) {
            return sb_xml_fail(me->m->file, at, "a %s needs %d sizes above 0", shapes[of], needed);
        }
    }
    return SB_OK;
}

/* Adds the mass of a shape to a body. */
static int add_mass(mjcf *me, const xml_element *at, int of, const double x[3], const double e[4], const double size[3],
                    model_body *b) {
    double J[3], mass, density = 1000.0;
    int given;
    if (sb_mjcf_is(sb_mjcf_attribute(me, at, "shellinertia"), "true")) {
        sb_model_leave_out(me->m, at, "shellinertia: its mass fills the geom");
    }
    SB_TRY(sb_mjcf_numbers(me, at, "density", 1, 1, &density, NULL));
    const double volume = measure((shape)of, size, J);
    SB_TRY(sb_mjcf_numbers(me, at, "mass", 1, 1, &mass, &given));
    mass = given == 1 ? mass : density * volume;
    for (int k = 0; k < 3; k++) {
        J[k] *= mass;
    }
    sb_model_add_mass(b, mass, x, e, J);
    return SB_OK;
}

/* Adds a shape that touches others, unless its contacts are left out. */
static int add_shape(mjcf *me, const xml_element *at, model_shape_kind kind, int body, const double x[3],
                     const double e[4], const double size[3]) {
    const char *name = sb_xml_attribute(at, "name");
    double bits[2] = {1.0, 1.0}, friction[3] = {1.0}, condim = 3.0;
    SB_TRY(sb_mjcf_numbers(me, at, "contype", 1, 1, &bits[0], NULL));
    SB_TRY(sb_mjcf_numbers(me, at, "conaffinity", 1, 1, &bits[1], NULL));
    SB_TRY(sb_mjcf_numbers(me, at, "friction", 1, 3, friction, NULL));
    SB_TRY(sb_mjcf_numbers(me, at, "condim", 1, 1, &condim, NULL));
    for (int k = 0; k < 2; k++) {
        if (!(bits[k] >= 0.0 && bits[k] <= 4294967295.0)) {
            return sb_xml_fail(me->m->file, at, "contype and conaffinity are words of 32 bits, not %g", bits[k]);
        }
    }
    if (bits[0] == 0.0 && bits[1] == 0.0) {
        return SB_OK;
    }
    model_shape *s = &me->m->shape[me->m->shapes++];
    *s = (model_shape){.at = at,
                       .kind = kind,
                       .body = body,
                       .friction = condim == 1.0 ? 0.0 : friction[0],
                       .type = (unsigned)bits[0],
                       .affinity = (unsigned)bits[1]};
    memcpy(s->x, x, sizeof s->x);
    memcpy(s->e, e, sizeof s->e);
    memcpy(s->size, size, sizeof s->size);
    s->name = name != NULL ? name : sb_asprintf(me->m->file->arena, "geom%d", me->m->shapes);
    return s->name != NULL ? SB_OK : SB_NO_MEMORY;
}

int sb_mjcf_add_geom(mjcf *me, const xml_element *at, int body, bool massive) {
    static const int kinds[SHAPES] = {
        [SPHERE] = MODEL_SPHERE, [CAPSULE] = MODEL_CAPSULE, [ELLIPSOID] = -1, [CYLINDER] = -1, [BOX] = MODEL_BOX};
    const char *type = sb_mjcf_attribute(me, at, "type");
    double x[3], e[4], size[3] = {0.0};
    int of = 0;
    type = type != NULL ? type : "sphere";
    while (of < SHAPES && strcmp(shapes[of], type) != 0) {
        of++;
    }
    if (of < SHAPES) {
        SB_TRY(read_shape(me, at, of, x, e, size));
        SB_TRY(massive ? add_mass(me, at, of, x, e, size, &me->m->body[body]) : SB_OK);
        if (kinds[of] >= 0) {
            return add_shape(me, at, (model_shape_kind)kinds[of], body, x, e, size);
        }
    } else if (strcmp(type, "plane") == 0) {
        SB_TRY(sb_mjcf_frame(me, at, x, e));
        return add_shape(me, at, MODEL_PLANE, body, x, e, size);
    }
    sb_model_leave_out(me->m, at, "%s of a geom of type %.40s",
                       of < SHAPES || !massive ? "the contacts" : "the mass and the contacts", type);
    return SB_OK;
}
