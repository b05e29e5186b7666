/* Reads URDF, the format of ROS: links, and joints between them. */
#include <string.h>

#include <stepbench/numerics/quaternion.h>

#include "bench/import/model.h"

typedef struct urdf {
    model *m;
    const xml_element **joint; /* by which link k hangs; NULL: a root */
    model_names links;         /* in the order of the file */
} urdf;

/* Reads <origin xyz="" rpy="">: a fixed rotation about x, then y, then z. */
static int read_origin(const xml_file *file, const xml_element *of, double x[3], double e[4]) {
    const xml_element *at = sb_xml_child(of, "origin");
    double rpy[3] = {0.0}, turned[4];
    memset(x, 0, 3 * sizeof *x);
    sb_quaternion_unit(0, e);
    if (at == NULL) {
        return SB_OK;
    }
    SB_TRY(sb_xml_numbers(file, at, "xyz", sb_xml_attribute(at, "xyz"), 3, 3, x, NULL));
    SB_TRY(sb_xml_numbers(file, at, "rpy", sb_xml_attribute(at, "rpy"), 3, 3, rpy, NULL));
    for (int k = 2; k >= 0; k--) {
        double about[4] = {cos(0.5 * rpy[k]), 0.0, 0.0, 0.0};
        about[1 + k] = sin(0.5 * rpy[k]);
        sb_quaternion_product(e, about, turned);
        memcpy(e, turned, sizeof turned);
    }
    return SB_OK;
}

static int read_inertial(const xml_file *file, const xml_element *link, model_body *body) {
    static const char *const keys[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    const xml_element *at = sb_xml_child(link, "inertial"), *mass = sb_xml_child(at, "mass"),
                      *inertia = sb_xml_child(at, "inertia");
    double x[3], e[4], m = 0.0, J[6] = {0.0};
    if (at == NULL) {
        return SB_OK;
    }
    SB_TRY(read_origin(file, at, x, e));
    SB_TRY(sb_xml_numbers(file, at, "mass", sb_xml_attribute(mass, "value"), 1, 1, &m, NULL));
    for (int k = 0; k < 6; k++) {
        SB_TRY(sb_xml_numbers(file, at, keys[k], sb_xml_attribute(inertia, keys[k]), 1, 1, &J[k], NULL));
    }
    const double tensor[3][3] = {{J[0], J[1], J[2]}, {J[1], J[3], J[4]}, {J[2], J[4], J[5]}};
    sb_model_add_inertia(body, m, x, e, tensor);
    return SB_OK;
}

/* Reads what acts in a joint; says what does not. */
static int read_dynamics(model *m, const xml_element *at, model_joint *j) {
    const xml_element *dynamics = sb_xml_child(at, "dynamics"), *limit = sb_xml_child(at, "limit"),
                      *mimic = sb_xml_child(at, "mimic");
    const char *of = sb_xml_attribute(mimic, "joint");
    SB_TRY(sb_xml_numbers(m->file, at, "damping", sb_xml_attribute(dynamics, "damping"), 1, 1, &j->damping, NULL));
    SB_TRY(sb_xml_numbers(m->file, at, "friction", sb_xml_attribute(dynamics, "friction"), 1, 1, &j->friction, NULL));
    if (limit != NULL && strcmp(sb_xml_attribute(at, "type"), "continuous") != 0) {
        SB_TRY(sb_xml_numbers(m->file, limit, "lower", sb_xml_attribute(limit, "lower"), 1, 1, &j->limit[0], NULL));
        SB_TRY(sb_xml_numbers(m->file, limit, "upper", sb_xml_attribute(limit, "upper"), 1, 1, &j->limit[1], NULL));
        j->limited = j->limit[0] < j->limit[1];
        j->limit_time = model_limit_time;
        j->limit_ratio = 1.0;
        if (!j->limited) {
            sb_model_leave_out(m, limit, "limits %g to %g of %s, between which nothing moves", j->limit[0], j->limit[1],
                               j->name);
        }
    }
    if (of != NULL) {
        model_tie *t = &m->tie[m->ties++];
        double offset = 0.0;
        *t = (model_tie){.kind = MODEL_COUPLE, .at = mimic, .joint = {j->name, of}, .factor = 1.0};
        SB_TRY(sb_xml_numbers(m->file, mimic, "multiplier", sb_xml_attribute(mimic, "multiplier"), 1, 1, &t->factor,
                              NULL));
        SB_TRY(sb_xml_numbers(m->file, mimic, "offset", sb_xml_attribute(mimic, "offset"), 1, 1, &offset, NULL));
        if (offset != 0.0) {
            sb_model_leave_out(m, mimic, "offset %g of %s; both joints begin at 0", offset, j->name);
        }
    }
    return SB_OK;
}

/* Reads the joint by which a body hangs on its parent, and places the body. */
static int read_joint(model *m, const xml_element *at, model_body *b) {
    const model_body *parent = &m->body[b->parent];
    const char *type = sb_xml_attribute(at, "type"), *name = sb_xml_attribute(at, "name");
    double x[3], e[4], moved[3], axis[3] = {1.0, 0.0, 0.0}, length;
    SB_TRY(read_origin(m->file, at, x, e));
    sb_quaternion_rotate(parent->e, parent->e, x, moved);
    sb_quaternion_compose(parent->e, e, b->e);
    for (int k = 0; k < 3; k++) {
        b->x[k] = parent->x[k] + moved[k];
    }
    type = type != NULL ? type : "";
    if (strcmp(type, "fixed") == 0) {
        return SB_OK;
    }
    const bool hinge = strcmp(type, "revolute") == 0 || strcmp(type, "continuous") == 0,
               slide = strcmp(type, "prismatic") == 0;
    if (!hinge && !slide && strcmp(type, "floating") != 0) {
        return sb_xml_fail(m->file, at, "type=\"%.40s\" is none of revolute, continuous, prismatic, fixed, floating",
                           type);
    }
    model_joint *j = &b->joint[b->joints++];
    *j = (model_joint){.name = name != NULL ? name : b->name,
                       .at = at,
                       .kind = hinge   ? MODEL_HINGE
                               : slide ? MODEL_SLIDE
                                       : MODEL_FREE};
    SB_TRY(sb_xml_numbers(m->file, at, "axis", sb_xml_attribute(sb_xml_child(at, "axis"), "xyz"), 3, 3, axis, NULL));
    length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (!(length > 0.0)) {
        return sb_xml_fail(m->file, at, "an axis of length 0 has no direction");
    }
    sb_quaternion_rotate(b->e, b->e, axis, j->axis);
    for (int k = 0; k < 3; k++) {
        j->axis[k] /= length;
        j->anchor[k] = b->x[k];
    }
    return read_dynamics(m, at, j);
}

/* Finds the joint by which each link hangs. */
static int find_parents(const urdf *u, const xml_element *robot) {
    model *m = u->m;
    for (const xml_element *at = sb_xml_child(robot, "joint"); at != NULL; at = sb_xml_next(at->next, "joint")) {
        const char *names[2] = {sb_xml_attribute(sb_xml_child(at, "parent"), "link"),
                                sb_xml_attribute(sb_xml_child(at, "child"), "link")};
        int of[2];
        SB_TRY(sb_poll(m->file->ctx));
        for (int s = 0; s < 2; s++) {
            of[s] = sb_model_find_name(&u->links, names[s]);
            if (of[s] < 0) {
                return sb_xml_fail(m->file, at, "its %s link %.60s is no link of the file", s == 0 ? "parent" : "child",
                                   names[s] != NULL ? names[s] : "(none)");
            }
        }
        if (u->joint[of[1]] != NULL) {
            return sb_xml_fail(m->file, at, "the link %s hangs on two joints, this one and that of line %d", names[1],
                               u->joint[of[1]]->line);
        }
        u->joint[of[1]] = at;
        m->body[of[1]].parent = of[0];
    }
    return SB_OK;
}

/* Sorts the bodies so that parents come before their children, and reads their joints. A body waits for its parents
 * alone: a chain from its end to its root takes no longer than one from the root. */
static int hang(urdf *u, bool free_root) {
    model *m = u->m;
    model_body *sorted;
    int *to, *waiting, done = 0;
    SB_NEW(m->file->arena, sorted, m->bodies);
    SB_NEW(m->file->arena, to, m->bodies);
    SB_NEW(m->file->arena, waiting, m->bodies);
    const xml_element **joint;
    SB_NEW(m->file->arena, joint, m->bodies);
    for (int b = 0; b < m->bodies; b++) {
        to[b] = -1;
    }
    for (int first = 0; first < m->bodies; first++) {
        int count = 0;
        for (int b = first; b != MODEL_GROUND && to[b] < 0;
             b = u->joint[b] != NULL ? m->body[b].parent : MODEL_GROUND) {
            if (count == m->bodies) {
                return sb_fail(m->file->ctx, SB_BAD_USAGE, "import: %s: the joints of its links form a circle",
                               m->file->path);
            }
            waiting[count++] = b;
        }
        while (count-- > 0) {
            const int b = waiting[count];
            joint[done] = u->joint[b];
            sorted[done] = m->body[b];
            sorted[done].parent = u->joint[b] != NULL ? to[m->body[b].parent] : MODEL_GROUND;
            to[b] = done++;
        }
    }
    m->body = sorted;
    for (int b = 0; b < m->bodies; b++) {
        model_body *body = &m->body[b];
        if (joint[b] != NULL) {
            SB_TRY(read_joint(m, joint[b], body));
        } else if (free_root) {
            body->joint[body->joints++] = (model_joint){.name = body->name, .at = body->at, .kind = MODEL_FREE};
        }
    }
    return SB_OK;
}

int sb_import_urdf(const xml_file *file, bool free_root, model *m) {
    const xml_element *robot = file->root;
    urdf u = {.m = m};
    int joints = 0, collisions = 0;
    *m = (model){.file = file, .gravity = {0.0, 0.0, -9.81}};
    for (const xml_element *e = robot->first; e != NULL; e = e->next) {
        m->bodies += strcmp(e->name, "link") == 0;
        joints += strcmp(e->name, "joint") == 0;
    }
    SB_NEW(file->arena, m->body, m->bodies);
    SB_NEW(file->arena, m->tie, joints);
    SB_NEW(file->arena, u.joint, m->bodies);
    m->bodies = 0;
    for (const xml_element *e = robot->first; e != NULL; e = e->next) {
        SB_TRY(sb_poll(file->ctx));
        if (strcmp(e->name, "link") == 0) {
            model_body *b = &m->body[m->bodies];
            const char *name = sb_xml_attribute(e, "name");
            if (name == NULL || sb_model_find_name(&u.links, name) >= 0) {
                return sb_xml_fail(file, e, "a link needs a name of its own");
            }
            *b = (model_body){.name = name, .at = e, .parent = MODEL_GROUND, .e = {1.0}};
            SB_TRY(sb_model_add_name(file->arena, &u.links, name, m->bodies++));
            SB_TRY(read_inertial(file, e, b));
            collisions += sb_xml_child(e, "collision") != NULL;
        } else if (strcmp(e->name, "joint") != 0 && strcmp(e->name, "material") != 0) {
            sb_model_leave_out(m, e, "it is no link and no joint");
        }
    }
    if (collisions > 0) {
        sb_model_leave_out(
            m, robot, "the contacts of %d links; add \"shapes\" and \"contacts\", as the ground has none", collisions);
    }
    SB_TRY(find_parents(&u, robot));
    return hang(&u, free_root);
}
