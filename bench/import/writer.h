/* The description of a model that is being written. */
#pragma once

#include "bench/import/model.h"

/* The file that is written, and the plane: directions u, v and their normal n, or dimension 3. */
typedef struct model_writer {
    model *m;
    FILE *to;
    int dimension;
    double plane[3][3];
    double *angle; /* of the bodies in the plane */
} model_writer;

/* Round-off of products of three unit vectors and numbers of the file, which have six digits and more. */
static const double model_parallel = 1e-6;

/* Returns the body that a body is fixed to, or itself. */
int sb_model_holder(const model *m, int body);

/* Return whether unit vectors are parallel, or normal to each other. */
bool sb_model_along(const double a[3], const double b[3]);
bool sb_model_across(const double a[3], const double b[3]);

/* Returns the type of the joints of a body together, and sets the axes of both sides. NULL: there is none. */
const char *sb_model_type(const model_writer *w, const model_body *b, double axes[2][3]);

/* Puts bodies without mass between the joints of a body that have no type together. Parents stay before children. */
int sb_model_split(const model_writer *w);

/* Chooses the plane of the first hinge, if all joints are in it. Its directions are axes of space if the normal is. */
void sb_model_choose_plane(model_writer *w);

/* Returns 1 if a hinge turns as the plane does, -1 if the other way round. */
double sb_model_sense(const model_writer *w, const model_joint *j);

/* Sets the angles of the bodies such that their differences are the coordinates of the hinges. */
void sb_model_set_angles(const model_writer *w);

/* Set the components of a direction or a point of space in the frame of a holder: two in the plane. */
void sb_model_direction_in(const model_writer *w, int holder, const double x[3], double out[3]);
void sb_model_point_in(const model_writer *w, int holder, const double x[3], double out[3]);

/* Writes a word in quotes between two texts. */
void sb_model_text(const model_writer *w, const char *before, const char *word, const char *after);

/* Writes `, "key": x` or `, "key": [x, ...]`. */
void sb_model_numbers(const model_writer *w, const char *key, const double *x, int count);

/* Writes a pair of vectors, one in each body: of points or of directions. */
void sb_model_pair(const model_writer *w, const char *key, const int holder[2], const double x[2][3], bool points);

/* Writes shapes and contacts: of spheres, capsules and boxes with planes of the ground. Names what is left out. */
int sb_model_write_shapes(const model_writer *w);
