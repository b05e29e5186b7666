/* Reads the shapes and contacts of a mechanism from a JSON file. */
#include <stepbench/numerics/norm.h>

#include "problems/shared/mechanism_file.h"
#include "problems/shared/shapes.h"

/* Reads a member between two bounds, inclusive. */
static int read_within(const node *of, const char *key, sb_scalar low, sb_scalar high, sb_scalar initial,
                       sb_scalar *out) {
    const node at = sb_node_member(of, key);
    SB_TRY(sb_node_number(of, key, -INFINITY, initial, out));
    return *out >= low && *out <= high ? SB_OK
           : isinf(high) ? NODE_FAIL(&at, "%g is too small; take a number from %g on", (double)*out, (double)low)
                         : NODE_FAIL(&at, "%g is not between %g and %g", (double)*out, (double)low, (double)high);
}

static int read_plane(const node *at, const mechanism *p, sb_world_shape *out) {
    const node normal = sb_node_member(at, "normal");
    SB_TRY(sb_node_keys(at, "type|body|point|normal"));
    SB_TRY(sb_node_vector(at, "point", false, p->dimension, out->point[0]));
    SB_TRY(sb_node_vector(at, "normal", true, p->dimension, out->normal));
    const sb_scalar square = sb_dot(p->dimension, out->normal, out->normal);
    const sb_scalar length = fabs(square - 1.0) > 8.0 * SB_EPSILON ? sqrt(square) : 1.0; /* 1 as its digits say */
    for (int k = 0; k < p->dimension; k++) {
        out->normal[k] /= length;
    }
    return square > 0.0 ? SB_OK : NODE_FAIL(&normal, "a normal of length 0 has no direction");
}

static int read_box(const node *at, const mechanism *p, sb_world_shape *out) {
    const node size = sb_node_member(at, "size");
    SB_TRY(sb_node_keys(at, "type|body|point|size"));
    SB_TRY(sb_node_vector(at, "point", false, p->dimension, out->point[0]));
    SB_TRY(sb_node_vector(at, "size", true, p->dimension, out->size));
    for (int k = 0; k < p->dimension; k++) {
        if (!(out->size[k] > 0.0)) {
            const node side = sb_node_item(&size, k);
            return NODE_FAIL(&side, "%g is too small; take a number above 0", (double)out->size[k]);
        }
    }
    return SB_OK;
}

static int read_shape(const node *at, const char *name, const mechanism *p, sb_world_shape *out) {
    static const char *const kinds[] = {
        [SB_PLANE] = "plane", [SB_SPHERE] = "sphere", [SB_BOX] = "box", [SB_CAPSULE] = "capsule"};
    const node type = sb_node_member(at, "type"), of = sb_node_member(at, "body");
    const char *word;
    int kind = SB_PLANE;
    if (!json_is_object(at->value)) {
        return NODE_FAIL(at, "an object {...} is needed");
    }
    SB_TRY(sb_node_word(at, "type", &word));
    while (kind <= SB_CAPSULE && strcmp(kinds[kind], word) != 0) {
        kind++;
    }
    *out = (sb_world_shape){.name = name, .kind = (sb_world_shape_kind)kind};
    SB_TRY(sb_mechanism_read_body(&of, p, true, &out->body));
    switch (kind) {
    case SB_PLANE: return read_plane(at, p, out);
    case SB_BOX: return read_box(at, p, out);
    case SB_SPHERE:
        SB_TRY(sb_node_keys(at, "type|body|point|radius"));
        SB_TRY(sb_node_vector(at, "point", false, p->dimension, out->point[0]));
        return read_within(at, "radius", 0.0, INFINITY, NAN, &out->radius);
    case SB_CAPSULE:
        SB_TRY(sb_node_keys(at, "type|body|points|radius"));
        SB_TRY(sb_node_two_vectors(at, "points", p->dimension, out->point));
        return read_within(at, "radius", 0.0, INFINITY, 0.0, &out->radius);
    default: return NODE_FAIL(&type, "%s is no shape: plane, sphere, box, capsule", word);
    }
}

/* Reads the name of a shape. */
static int read_name(const node *at, const shapes *p, int *out) {
    const char *name = json_string_value(at->value);
    for (*out = 0; *out < p->nshapes && name != NULL; (*out)++) {
        if (strcmp(p->shape[*out].name, name) == 0) {
            return SB_OK;
        }
    }
    return name == NULL ? NODE_FAIL(at, "the name of a shape in quotes is needed")
                        : NODE_FAIL(at, "there is no shape %s under \"shapes\"", name);
}

/* Reads a contact; its shapes may stand in either order unless both are boxes. */
static int read_contact(const node *at, shapes *p, sb_world_contact *out) {
    const node names = sb_node_member(at, "shapes");
    SB_TRY(sb_node_keys(at, "shapes|friction|restitution"));
    if (!json_is_array(names.value) || json_array_size(names.value) != 2) {
        return NODE_FAIL(names.value != NULL ? &names : at, "\"shapes\": [first, second] is needed");
    }
    for (int s = 0; s < 2; s++) {
        const node item = sb_node_item(&names, s);
        SB_TRY(read_name(&item, p, &out->shape[s]));
    }
    SB_TRY(read_within(at, "friction", 0.0, INFINITY, 0.0, &out->friction));
    SB_TRY(read_within(at, "restitution", 0.0, 1.0, 0.0, &out->restitution));
    const sb_world_shape *first = &p->shape[out->shape[0]], *second = &p->shape[out->shape[1]];
    if (first->body == second->body) {
        return NODE_FAIL(&names, "the shapes of two different bodies are needed");
    }
    if (sb_shapes_meet(first->kind, second->kind)) {
        return SB_OK;
    }
    out->shape[0] = (int)(second - p->shape);
    out->shape[1] = (int)(first - p->shape);
    return sb_shapes_meet(second->kind, first->kind)
               ? SB_OK
               : NODE_FAIL(&names, "there is no contact of these shapes: spheres, boxes and capsules meet planes and "
                                   "faces of boxes, spheres meet spheres");
}

int sb_mechanism_read_shapes(const node *root, mechanism *p) {
    const node list = sb_node_member(root, "contacts"), at = sb_node_member(root, "shapes");
    sb_arena *arena = root->from->arena;
    const char *name;
    json_t *value;
    shapes *made;
    int count;
    SB_TRY(sb_node_count(&list, &count));
    if (at.value != NULL && !json_is_object(at.value)) {
        return NODE_FAIL(&at, "an object {name: {\"type\": ..., \"body\": ...}} is needed");
    }
    SB_NEW(arena, made, 1);
    SB_NEW(arena, made->shape, json_object_size(at.value));
    SB_NEW(arena, made->contact, count);
    *made = (shapes){.of = p->joints, .tangents = p->dimension - 1, .shape = made->shape, .contact = made->contact};
    json_object_foreach((json_t *)at.value, name, value) {
        const node described = sb_node_member(&at, name);
        SB_TRY(sb_poll(root->from->ctx));
        SB_TRY(read_shape(&described, name, p, &made->shape[made->nshapes++]));
    }
    for (int k = 0; k < count; k++) {
        const node item = sb_node_item(&list, k);
        SB_TRY(sb_poll(root->from->ctx));
        SB_TRY(read_contact(&item, made, &made->contact[made->ncontacts++]));
    }
    p->joints->shapes = made->nshapes > 0 ? made : NULL;
    return SB_OK;
}
