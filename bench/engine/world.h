/* Worlds as data: the bodies of a problem in maximal coordinates, their joints, springs, drivers, forces, shapes and
 * contacts, as JSON with every default written out, which the problem `mechanism` reads. */
#pragma once

#include <stdio.h>

#include <stepbench/system.h>

/* The world of a system and the state of its bodies at the start. */
typedef struct sb_world_start {
    sb_context *ctx;
    const sb_world *world;
    sb_world_parts parts;
    sb_scalar t, time_scale, *pose, *twist;
} sb_world_start;

/* Fails with SB_UNSUPPORTED if the system is no mechanism of bodies. */
int sb_world_start_new(sb_context *ctx, sb_arena *arena, const sb_system *sys, sb_world_start *out);

/* Returns whether a motion is not 0 at all times. */
bool sb_world_moves(const sb_world_motion *m);

/* Returns whether a spring, a damper, a force, friction, a limit or an armature acts in a joint; NULL: nothing does. */
bool sb_world_drive_acts(const sb_world_drive *d);

/* Writes the world as JSON: with one line per part, or in one line. */
void sb_world_write_json(const sb_world_start *me, bool lines, FILE *to);

/* Writes the world in MJCF, the format of MuJoCo, with the state at the start in the key `start`. Fails with
 * SB_UNSUPPORTED if it has particles, other parts than revolute and spherical joints, or contacts that MJCF lacks. */
int sb_world_write_mjcf(sb_arena *arena, const sb_world_start *me, FILE *to);

/* Writes `count` numbers as a list, each in the shortest form that reads back as the same number. */
void sb_json_numbers(const sb_scalar *x, int count, FILE *to);
