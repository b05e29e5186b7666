/* The masses of geoms of MJCF. */
#include <math.h>
#include <string.h>

#include <stepbench/numerics/quaternion.h>

#include "bench/import/mjcf.h"

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

int sb_mjcf_add_geom(mjcf *me, const xml_element *at, model_body *b) {
    const char *type = sb_mjcf_attribute(me, at, "type");
    double x[3], e[4], size[3] = {0.0}, J[3], mass, density = 1000.0, ends[6];
    int given, sizes, between, of = 0;
    type = type != NULL ? type : "sphere";
    while (of < SHAPES && strcmp(shapes[of], type) != 0) {
        of++;
    }
    if (of == SHAPES) {
        if (strcmp(type, "plane") != 0 && strcmp(type, "hfield") != 0) {
            sb_model_leave_out(me->m, at, "the mass of a geom of type %.40s; give the body an inertial", type);
        }
        return SB_OK;
    }
    SB_TRY(sb_mjcf_frame(me, at, x, e));
    SB_TRY(sb_mjcf_numbers(me, at, "size", 1, 3, size, &sizes));
    SB_TRY(sb_mjcf_numbers(me, at, "fromto", 6, 6, ends, &between));
    if (between == 6) {
        const int long_axis = of == CAPSULE || of == CYLINDER ? 1 : 2;
        if (long_axis == 2) {
            size[1] = size[0]; /* a box or an ellipsoid of square section */
        }
        place_between(ends, x, e, &size[long_axis]);
    }
    const int needed = of == SPHERE ? 1 : of == CAPSULE || of == CYLINDER ? 2 : 3;
    for (int k = 0; k < needed; k++) {
        if (!(size[k] > 0.0)) {
            return sb_xml_fail(me->m->file, at, "a %s needs %d sizes above 0", type, needed);
        }
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
