/* Steps a mechanism by an engine: poses and twists of the bodies go to the program and come back. */
#include "bench/engine/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/engine/wrenches.h"
#include "core/base/format.h"
#include "core/base/params.h"
#include "core/base/text.h"
#include "core/output/json.h"

/* Bytes of an answer beside its numbers, and of a number of 17 digits with its separators. */
enum { ANSWER_BYTES = 4096, NUMBER_BYTES = 40, WORD_DIGITS = 12, WORD_BYTES = 6 };

typedef struct binding {
    sb_dialogue program; /* pid 0: none */
    const engine *type;
    engine_state state;
    const sb_world *world;
    const char *hello_world; /* the message `world` */
    size_t length, most;     /* of that message; of the answer to `step` */
    double seconds;
    const char *more;
    sb_scalar *pose, *twist, *new_pose, *new_twist; /* of all bodies */
    sb_wrenches wrenches;
    sb_scalar serial; /* of the state in the program; ENGINE_NONE */
    char *message;
    size_t room;
} binding;

/* ---- Questions and answers. ---- */

int sb_engine_mistake(sb_dialogue *me, const char *what, const json_t *reply, const char *why) {
    char *text = json_dumps(reply, JSON_COMPACT | JSON_ENCODE_ANY), said[SB_QUOTE];
    sb_dialogue_quote(text != NULL ? text : "", text != NULL ? strlen(text) : 0, said);
    free(text);
    return sb_fail(me->ctx, me->failure, "%s answers to `%s` with %s, %s", me->name, what, said, why);
}

/* Sets *reply to the next answer, an object. */
static int read_reply(sb_dialogue *me, const char *what, size_t most, double seconds, json_t **reply) {
    char *line, said[SB_QUOTE];
    size_t length;
    json_error_t error;
    SB_TRY(sb_dialogue_answer(me, what, most, seconds, &line, &length));
    *reply = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error); /* a NUL byte does not end it */
    if (*reply == NULL && json_error_code(&error) == json_error_numeric_overflow) {
        /* JavaScript writes whole numbers below 1e21 without an exponent */
        *reply = json_loadb(line, length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    }
    if (*reply == NULL) {
        sb_dialogue_quote(line, length, said);
        return sb_fail(me->ctx, me->failure, "%s answers to `%s` with what is no JSON (%.100s): %s", me->name, what,
                       error.text, said);
    }
    if (!json_is_object(*reply)) {
        const int status = sb_engine_mistake(me, what, *reply, "which is no object");
        json_decref(*reply);
        return status;
    }
    return SB_OK;
}

int sb_engine_ask(sb_dialogue *me, const char *what, const char *line, size_t length, size_t most, double seconds,
                  json_t **reply) {
    SB_TRY(sb_dialogue_silent(me));
    SB_TRY(sb_dialogue_send(me, line, length, seconds));
    return read_reply(me, what, most, seconds, reply);
}

/* Returns SB_OK if the answer is {"ok": true, ...}; fails if it has a sentence under `refusal`, with `status`, or is
 * something else. */
static int accept(sb_dialogue *me, const char *what, const json_t *reply, const char *refusal, int status) {
    const char *why = json_string_value(json_object_get(reply, refusal));
    char said[SB_QUOTE + SB_QUOTE];
    if (why != NULL) {
        sb_dialogue_quote(why, strlen(why), said);
        return sb_fail(me->ctx, status, "%s", said);
    }
    return json_is_true(json_object_get(reply, "ok"))
               ? SB_OK
               : sb_engine_mistake(me, what, reply, "which has neither \"ok\": true nor a sentence");
}

/* ---- The program of a pair. ---- */

/* Takes an idle process of the engine, or starts one, and sends the message `world`. */
static int open_program(const sb_method *me, binding *b) {
    const engine *type = b->type;
    json_t *reply;
    int k = 0;
    while (k < ENGINE_IDLE && !(type->idle[k].pid > 0 && type->idle[k].owner == getpid())) {
        k++;
    }
    if (k < ENGINE_IDLE) {
        b->program = type->idle[k];
        b->program.ctx = me->ctx;
        type->idle[k] = (sb_dialogue){.to = -1, .from = -1, .errors = -1};
    } else {
        SB_TRY(sb_dialogue_start(me->ctx, type->argv, type->stepper.entry.name, SB_UNSUPPORTED, &b->program));
        SB_TRY(sb_engine_greet(&b->program, fmax(type->seconds, b->seconds), &reply));
        json_decref(reply);
    }
    b->program.failure = SB_UNSUPPORTED;
    b->program.name = type->stepper.entry.name;
    b->program.more = b->more;
    SB_TRY(sb_engine_ask(&b->program, "world", b->hello_world, b->length, ANSWER_BYTES, b->seconds, &reply));
    const int status = accept(&b->program, "world", reply, "refuse", SB_UNSUPPORTED);
    json_decref(reply);
    return status;
}

/* Ends the program after a mistake, so that the next step or start has a new one. */
static int close_program(binding *b, int status) {
    if (status != SB_OK && status != SB_NOT_CONVERGED) {
        sb_dialogue_end(&b->program);
    }
    return status;
}

/* Makes sure that this process has a program with the world. */
static int need_program(const sb_method *me, binding *b) {
    if (b->program.pid > 0 && b->program.owner == getpid()) {
        return SB_OK;
    }
    sb_dialogue_end(&b->program);
    b->serial = -1.0;
    return close_program(b, open_program(me, b));
}

/* Leaves a program that runs to the next pair of this process. A place that another process has filled, before it
 * made this one, is free here. */
static void release(void *object) {
    binding *b = object;
    sb_dialogue *idle = b->type->idle;
    int k = 0;
    while (k < ENGINE_IDLE && idle[k].pid > 0 && idle[k].owner == getpid()) {
        k++;
    }
    if (k < ENGINE_IDLE && b->program.pid > 0 && b->program.owner == getpid()) {
        sb_dialogue_end(&idle[k]);
        idle[k] = b->program;
    } else {
        sb_dialogue_end(&b->program);
    }
}

/* ---- Messages. ---- */

/* Writes the parameters but the first one, `seconds`, as members of an object. */
static void write_parameters(sb_context *ctx, const engine *type, const void *config, FILE *to) {
    const char *separator = "";
    fputs(", \"parameters\": {", to);
    for (const sb_param *p = type->params + 1; p->name != NULL; p++, separator = ", ") {
        SB_SCRATCH(arena, ctx);
        const void *at = (const char *)config + p->offset;
        const bool text = p->type == SB_CHOICE || p->type == SB_TEXT;
        const char *value = sb_param_format(&arena, p, config);
        fprintf(to, "%s\"%s\": ", separator, p->name);
        if (text) {
            (void)sb_json_write_text(ctx, to, value != NULL ? value : "");
        } else if (p->type == SB_INT) {
            fprintf(to, "%ld", *(const long *)at);
        } else {
            char number[32];
            sb_format_real(*(const sb_scalar *)at, number);
            fputs(number, to);
        }
    }
    fputs("}", to);
}

/* Sets the message `world`, which does not change. */
static int set_world(const sb_method *me, binding *b, sb_world_start *start) {
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    if (to == NULL) {
        return sb_fail(me->ctx, SB_NO_MEMORY, "no memory for a message to %s", b->type->stepper.entry.name);
    }
    fputs("{\"message\": \"world\", \"problem\": ", to);
    int status = sb_json_write_text(me->ctx, to, me->sys->name);
    fprintf(to, ", \"dimension\": %d", b->world->dimension);
    write_parameters(me->ctx, b->type, me->config, to);
    fputs(", \"world\": ", to);
    sb_world_write_json(start, false, to);
    fputs("}\n", to);
    if (ferror(to) != 0 || fclose(to) != 0) {
        status = sb_fail(me->ctx, SB_NO_MEMORY, "no memory for a message to %s", b->type->stepper.entry.name);
    }
    if (status == SB_OK) {
        b->hello_world = sb_strdup(me->arena, text);
        b->length = length;
        status = b->hello_world != NULL ? SB_OK : SB_NO_MEMORY;
    }
    free(text);
    return status;
}

static size_t append(binding *b, size_t used, const char *text) {
    const size_t length = strlen(text);
    memcpy(b->message + used, text, length + 1);
    return used + length;
}

/* Appends "NAME": [[...], ...] with the numbers of all bodies. */
static size_t append_bodies(binding *b, size_t used, const char *name, const sb_scalar *x, int size) {
    char text[40];
    used += (size_t)snprintf(b->message + used, b->room - used, ", \"%s\": [", name);
    for (int i = 0; i < size * b->world->bodies; i++) {
        sb_format_real(x[i] + 0.0, text);
        used = append(b, used, i == 0 ? "[" : i % size == 0 ? "], [" : ", ");
        used = append(b, used, text);
    }
    return append(b, used, "]]");
}

/* The bytes of an engine's own state, in hexadecimal digits, are kept as numbers of six bytes each, the last of which
 * may be shorter. */
static size_t append_opaque(binding *b, size_t used, const sb_scalar *aux) {
    const int digits = 2 * b->type->opaque;
    char word[WORD_DIGITS + 1];
    used = append(b, used, ", \"state\": \"");
    for (int at = 0; at < digits; at += WORD_DIGITS) {
        const int count = digits - at < WORD_DIGITS ? digits - at : WORD_DIGITS;
        snprintf(word, sizeof word, "%0*llx", count, (unsigned long long)aux[at / WORD_DIGITS]);
        used = append(b, used, word);
    }
    return append(b, used, "\"");
}

/* Appends the message `set` for the bodies in b->pose and b->twist. */
static size_t append_set(binding *b, sb_scalar t, const sb_scalar *aux) {
    char time[40];
    sb_format_real(t, time);
    size_t used = append(b, 0, "{\"message\": \"set\", \"time\": ");
    used = append(b, used, time);
    used = append_bodies(b, used, "poses", b->pose, sb_world_pose(b->world));
    used = append_bodies(b, used, "twists", b->twist, sb_world_twist(b->world));
    used = aux != NULL ? append_opaque(b, used, aux) : used;
    return append(b, used, "}\n");
}

/* ---- Answers. ---- */

/* Reads the numbers of all bodies. A number that is null is NaN, as JavaScript writes it. */
static int read_bodies(binding *b, const json_t *reply, const char *name, int size, sb_scalar *x) {
    const json_t *list = json_object_get(reply, name);
    char why[160];
    if (json_array_size(list) != (size_t)b->world->bodies) {
        snprintf(why, sizeof why, "which has no list \"%s\" of %d bodies", name, b->world->bodies);
        return sb_engine_mistake(&b->program, "step", reply, why);
    }
    for (int i = 0; i < size * b->world->bodies; i++) {
        const json_t *body = json_array_get(list, (size_t)(i / size)),
                     *value = json_array_get(body, (size_t)(i % size));
        if (json_array_size(body) != (size_t)size || !(json_is_number(value) || json_is_null(value))) {
            snprintf(why, sizeof why, "in which %s[%d] is no list of %d numbers", name, i / size, size);
            return sb_engine_mistake(&b->program, "step", reply, why);
        }
        x[i] = json_is_null(value) ? (sb_scalar)NAN : json_number_value(value);
    }
    return SB_OK;
}

static int read_opaque(binding *b, const char *what, const json_t *reply, sb_scalar *aux) {
    const int digits = 2 * b->type->opaque;
    const char *text = json_string_value(json_object_get(reply, "state"));
    if (text == NULL || strlen(text) != (size_t)digits || strspn(text, "0123456789abcdef") != (size_t)digits) {
        char why[100];
        snprintf(why, sizeof why, "which has no \"state\" of %d hexadecimal digits", digits);
        return sb_engine_mistake(&b->program, what, reply, why);
    }
    for (int at = 0; at < digits; at += WORD_DIGITS) {
        char word[WORD_DIGITS + 1];
        snprintf(word, sizeof word, "%.*s", WORD_DIGITS, text + at);
        aux[at / WORD_DIGITS] = (sb_scalar)strtoull(word, NULL, 16);
    }
    return SB_OK;
}

/* Makes angles continuous, and unit quaternions near the ones before: an engine may return either of two. */
static void follow(const binding *b) {
    const int size = sb_world_pose(b->world);
    for (int k = 0; k < b->world->bodies; k++) {
        const sb_scalar *old = b->pose + size * k;
        sb_scalar *pose = b->new_pose + size * k, along = 0.0;
        if (size == 3) {
            pose[2] += 2.0 * SB_PI * nearbyint((old[2] - pose[2]) / (2.0 * SB_PI));
            continue;
        }
        for (int i = 3; i < size; i++) {
            along += old[i] * pose[i];
        }
        for (int i = 3; i < size && along < 0.0; i++) {
            pose[i] = -pose[i];
        }
    }
}

static int read_step(binding *b, const json_t *reply, sb_state *out) {
    const json_t *iterations = json_object_get(reply, "iterations");
    const char *why = json_string_value(json_object_get(reply, "fail"));
    if (why != NULL) {
        return accept(&b->program, "step", reply, "fail", SB_NOT_CONVERGED);
    }
    SB_TRY(read_bodies(b, reply, "poses", sb_world_pose(b->world), b->new_pose));
    SB_TRY(read_bodies(b, reply, "twists", sb_world_twist(b->world), b->new_twist));
    if (iterations != NULL && !(json_is_integer(iterations) && json_integer_value(iterations) >= 0)) {
        return sb_engine_mistake(&b->program, "step", reply, "in which iterations is not a number of iterations");
    }
    out->iters = (long)json_integer_value(iterations);
    SB_TRY(b->wrenches.known ? read_bodies(b, reply, "wrenches", sb_world_twist(b->world), b->wrenches.wrench) : SB_OK);
    follow(b);
    return b->state == ENGINE_OPAQUE ? read_opaque(b, "step", reply, out->aux) : SB_OK;
}

/* ---- The stepper. ---- */

/* Sets what a state is, which contacts may change. */
static int set_state(sb_method *me, binding *b) {
    b->state = me->sys->contact.m > 0 ? b->type->touching : b->type->state;
    if (b->state == ENGINE_NONE && !me->type->continues) {
        sb_stepper *here;
        SB_NEW(me->arena, here, 1);
        *here = *me->type;
        here->continues = true;
        me->type = here;
    }
    return SB_OK;
}

static int init(sb_method *me) {
    const engine *type = me->type->data;
    const sb_world *world = me->sys->world;
    const int bodies = world->bodies, numbers = bodies * (sb_world_pose(world) + sb_world_twist(world));
    binding *b;
    sb_world_start start;
    SB_NEW(me->arena, b, 1);
    *b = (binding){.type = type, .world = world, .seconds = *(const sb_scalar *)me->config, .serial = -1.0};
    b->program = (sb_dialogue){.to = -1, .from = -1, .errors = -1};
    b->most =
        ANSWER_BYTES + (size_t)(NUMBER_BYTES * (numbers + bodies * sb_world_twist(world))) + 2 * (size_t)type->opaque;
    b->room = b->most;
    SB_TRY(SB_VECTORS(me->arena, bodies * SB_POSE_MAX, &b->pose, &b->twist, &b->new_pose, &b->new_twist));
    SB_NEW(me->arena, b->message, b->room);
    SB_PRINT(me->arena, b->more, "; -s %s:seconds=%g gives it more time", type->stepper.entry.name, 6.0 * b->seconds);
    SB_TRY(sb_world_start_new(me->ctx, me->arena, me->sys, &start));
    for (int k = 0; k < start.parts.parts; k++) {
        const sb_world_part *part = &start.parts.part[k];
        if (sb_world_drive_acts(part->drive)) {
            return sb_fail(
                me->ctx, SB_UNSUPPORTED,
                "the world of an engine has no springs, torques, friction and armatures in joints; remove those of "
                "the joint %s",
                part->name != NULL ? part->name : "without a name");
        }
    }
    SB_TRY(set_world(me, b, &start));
    me->work = b;
    SB_TRY(set_state(me, b));
    SB_TRY(type->multipliers ? sb_wrenches_init(me, &start, &b->wrenches) : SB_OK);
    me->naux = b->state == ENGINE_PURE ? 0 : b->state == ENGINE_NONE ? 1 : (type->opaque + WORD_BYTES - 1) / WORD_BYTES;
    SB_TRY(sb_arena_own(me->arena, b, release));
    return need_program(me, b);
}

/* Sends `set` for a start, and takes the state that the engine makes of it. */
static int set_start(const sb_method *me, binding *b, sb_scalar t, sb_state *out) {
    json_t *reply;
    const size_t length = append_set(b, t, NULL);
    SB_TRY(sb_engine_ask(&b->program, "set", b->message, length, b->most, b->seconds, &reply));
    int status = accept(&b->program, "set", reply, "fail", SB_NOT_CONVERGED);
    if (status == SB_OK && b->state == ENGINE_OPAQUE) {
        status = read_opaque(b, "set", reply, out->aux);
    } else if (status == SB_OK) {
        out->aux[0] = b->serial += 1.0;
    }
    json_decref(reply);
    return status;
}

/* The state of an engine is more than (q, v): the engine makes it. */
static int start(const sb_method *me, sb_scalar t, const sb_scalar *q, const sb_scalar *v, sb_scalar h, sb_state *out) {
    binding *b = me->work;
    if (b->state == ENGINE_PURE) {
        return SB_OK;
    }
    SB_TRY(need_program(me, b));
    SB_TRY(b->world->place(b->world->self, q, v, b->pose, b->twist));
    return close_program(b, set_start(me, b, t, out));
}

/* Sends `set` and `step` together, and reads both answers. */
static int set_and_step(binding *b, const sb_state *in, sb_scalar h, sb_state *out) {
    char step[80], number[40];
    const bool sets = b->state != ENGINE_NONE;
    json_t *reply;
    sb_format_real(h, number);
    snprintf(step, sizeof step, "{\"message\": \"step\", \"h\": %s}\n", number);
    const size_t length = append(b, sets ? append_set(b, in->t, b->state == ENGINE_OPAQUE ? in->aux : NULL) : 0, step);
    if (!sets) {
        SB_TRY(sb_engine_ask(&b->program, "step", b->message, length, b->most, b->seconds, &reply));
    } else {
        SB_TRY(sb_engine_ask(&b->program, "set", b->message, length, b->most, b->seconds, &reply));
        const int status = accept(&b->program, "set", reply, "fail", SB_NOT_CONVERGED);
        json_decref(reply);
        if (status > 0) { /* the answer to `step` must not be left to the next question */
            sb_dialogue_end(&b->program);
        }
        SB_TRY(status);
        SB_TRY(read_reply(&b->program, "step", b->most, b->seconds, &reply));
    }
    const int status = read_step(b, reply, out);
    json_decref(reply);
    return status;
}

/* Fails unless the engine takes steps of this length. */
static int check_length(const sb_method *me, const engine *type, sb_scalar h) {
    const char *name = me->type->entry.name, *lengths = "";
    if (h <= 0.0 && !type->back) {
        return sb_fail(me->ctx, SB_UNSUPPORTED, "%s takes no steps back", name);
    }
    for (int k = 0; k < type->nsteps; k++) {
        if (fabs(h - type->steps[k]) <= 1e-9 * h) { /* a list may have ten digits */
            return SB_OK;
        }
    }
    if (type->nsteps == 0) {
        return SB_OK;
    }
    SB_SCRATCH(arena, me->ctx);
    for (int k = 0; k < type->nsteps; k++) {
        SB_PRINT(&arena, lengths, "%s%s%.10g", lengths, k > 0 ? ", " : "", (double)type->steps[k]);
    }
    return sb_fail(me->ctx, SB_UNSUPPORTED, "%s takes steps of these lengths only: %s s; not of %.10g s", name, lengths,
                   (double)h);
}

static int step(const sb_method *me, const sb_state *in, sb_scalar h, sb_state *out) {
    binding *b = me->work;
    SB_TRY(check_length(me, b->type, h));
    SB_TRY(need_program(me, b));
    if (b->state == ENGINE_NONE && in->aux[0] != b->serial) {
        return sb_fail(me->ctx, SB_UNSUPPORTED,
                       "%s cannot take a step from a state that it has left: its state cannot be restored",
                       me->type->entry.name);
    }
    SB_TRY(b->world->place(b->world->self, in->q, in->v, b->pose, b->twist));
    SB_TRY(close_program(b, set_and_step(b, in, h, out)));
    if (b->state == ENGINE_NONE) {
        out->aux[0] = b->serial += 1.0;
    }
    SB_TRY(b->world->coordinates(b->world->self, b->new_pose, b->new_twist, out->q, out->v));
    return b->wrenches.known ? sb_wrenches_solve(&b->wrenches, out, out->lambda) : SB_OK;
}

static int report(const sb_method *me, const sb_state *in, const sb_state *next, sb_scalar *v, sb_scalar *lambda) {
    const binding *b = me->work;
    const int count = lambda != NULL ? sb_system_multipliers(me->sys) : 0;
    const bool known = b->wrenches.known && sb_larger(0.0, sb_norm_max(count, in->lambda)) > 0.0; /* 0: at the start */
    for (int i = 0; i < count && !known; i++) {
        lambda[i] = (sb_scalar)NAN;
    }
    return SB_OK;
}

static int order_of(const sb_stepper *me, const void *config, unsigned features, sb_variable variable) {
    const engine *type = me->data;
    for (const sb_param *p = type->params; p->name != NULL; p++) {
        const int *orders = type->orders[p - type->params];
        if (orders != NULL) {
            return orders[*(const int *)(const void *)((const char *)config + p->offset)];
        }
    }
    return me->order;
}

#define FEATURE(name, bit, word, meaning) | (unsigned)(name)

void sb_engine_set_steps(engine *out) {
    sb_stepper *stepper = &out->stepper;
    stepper->data = out;
    stepper->supports |= (0U SB_FEATURE_LIST(FEATURE)) & ~(unsigned)(SB_HAS_CONTACT | SB_HAS_FRICTION);
    stepper->needs = SB_OFFERS_WORLD;
    stepper->uncounted = true;
    stepper->init = init;
    stepper->start = start;
    stepper->step = step;
    stepper->report = report;
    stepper->order_of = order_of;
}
