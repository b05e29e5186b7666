/* Lists in an arena that grow. */
#pragma once

#include <stepbench/arena.h>

/* Returns a copy of a list of `count` objects of `size` bytes with room for `room`; NULL when out of memory. */
void *sb_grown(sb_arena *arena, const void *list, size_t count, size_t room, size_t size);

/* Doubles the room of a full list; without memory the calling function returns SB_NO_MEMORY. */
#define SB_GROW(arena, list, count, room)                                                                              \
    do {                                                                                                               \
        if ((count) == (room)) {                                                                                       \
            void *grown =                                                                                              \
                sb_grown((arena), (list), (size_t)(count), (room) > 0 ? 2 * (size_t)(room) : 16, sizeof *(list));      \
            if (grown == NULL) {                                                                                       \
                return SB_NO_MEMORY;                                                                                   \
            }                                                                                                          \
            (list) = grown;                                                                                            \
            (room) = (room) > 0 ? 2 * (room) : 16;                                                                     \
        }                                                                                                              \
    } while (0)
