/* What the files that read MJCF share. */
#pragma once

#include <string.h>

#include "bench/import/model.h"

typedef struct mjcf {
    model *m;
    double angle; /* of the file's unit, in rad */
    const char *euler, *inertia_from_geoms;
    bool autolimits;
    model_names bodies, joints; /* joints: the bodies that have them */
} mjcf;

/* Returns whether an attribute has this value; an attribute that is not there has none. */
static inline bool sb_mjcf_is(const char *value, const char *word) { return value != NULL && strcmp(value, word) == 0; }

/* Returns an attribute of an element or the default of its class; NULL: there is none. */
const char *sb_mjcf_attribute(const mjcf *me, const xml_element *e, const char *key);

/* Reads such an attribute; see sb_xml_numbers. */
int sb_mjcf_numbers(const mjcf *me, const xml_element *e, const char *key, int least, int most, double *out,
                    int *count);

/* Reads the position and the rotation of an element relative to the body that contains it. */
int sb_mjcf_frame(const mjcf *me, const xml_element *e, double x[3], double q[4]);

/* Changes a pose relative to the element's parent to one relative to the body, through the frames between. */
int sb_mjcf_leave_frames(const mjcf *me, const xml_element *e, double x[3], double q[4]);

/* Adds the shape of a geom of a body, or of the ground, and if `massive` its mass. */
int sb_mjcf_add_geom(mjcf *me, const xml_element *at, int body, bool massive);

/* Adds an equality: a weld or a connect of two bodies, or the couple of two joints. What has no counterpart is left out
 * with its line. */
int sb_mjcf_add_equality(mjcf *me, const xml_element *at);

/* Adds an actuator to its joint: a servo for the position or the rate, or a force. `control` is the value of the key,
 * or 0. The actuator sees gear y and pushes gear times its force. */
int sb_mjcf_add_actuator(mjcf *me, const xml_element *at, double control);

/* Moves the bodies to the state of a keyframe. */
int sb_mjcf_start(mjcf *me, const xml_element *key);
