/* What the files that read MJCF share. */
#ifndef STEPBENCH_BENCH_IMPORT_MJCF_H
#define STEPBENCH_BENCH_IMPORT_MJCF_H

#include "bench/import/model.h"

typedef struct mjcf {
    model *m;
    double angle; /* of the file's unit, in rad */
    const char *euler, *inertia_from_geoms;
    bool autolimits;
} mjcf;

/* Returns an attribute of an element or the default of its class; NULL: there is none. */
const char *sb_mjcf_attribute(const mjcf *me, const xml_element *e, const char *key);

/* Reads such an attribute; see sb_xml_numbers. */
int sb_mjcf_numbers(const mjcf *me, const xml_element *e, const char *key, int least, int most, double *out,
                    int *count);

/* Reads the position and the rotation of an element relative to its parent. */
int sb_mjcf_frame(const mjcf *me, const xml_element *e, double x[3], double q[4]);

/* Adds the shape of a geom of a body, or of the ground, and if `massive` its mass. */
int sb_mjcf_add_geom(mjcf *me, const xml_element *at, int body, bool massive);

/* Moves the bodies to the state of a keyframe. */
int sb_mjcf_start(mjcf *me, const xml_element *key);

#endif
