/* A dialogue in lines with a program on its standard input and output. Every answer has a time limit and a largest
 * length, and a program that dies, hangs or talks out of turn is an error with what it said. */
#pragma once

#include <sys/types.h>

#include <stepbench/context.h>

enum { SB_LAST_WORDS = 2000, SB_QUOTE = 120 };

typedef struct sb_dialogue {
    sb_context *ctx;
    const char *name; /* of the program in messages */
    const char *more; /* how to give it more time, the end of a message; NULL: nothing */
    int failure;      /* the status of its mistakes */
    pid_t pid, group; /* of the program, 0: it has ended; of the process that leads its group */
    pid_t owner;      /* of the process that started it */
    int to, from, errors;
    char *line;                    /* what it has answered so far */
    size_t used, room;             /* bytes */
    size_t read;                   /* bytes of the answer that was taken last */
    char words[SB_LAST_WORDS + 1]; /* the end of what it wrote to its standard error */
} sb_dialogue;

/* Starts the program argv[0], found as in a shell. It ends with this process, and what it has started ends with it,
 * unless it leaves its process group. Fails with SB_IO. `name` outlives the dialogue. The
 * mistakes of the program below have the status `failure`. */
int sb_dialogue_start(sb_context *ctx, char *const *argv, const char *name, int failure, sb_dialogue *out);

/* Sends lines, the last one with its newline, too, within `seconds`. */
int sb_dialogue_send(sb_dialogue *me, const char *line, size_t length, double seconds);

/* Sets *line to the next answer of *size bytes, without its newline, valid until the next call. Fails if none of at
 * most `most` bytes comes within `seconds`; `what` names the message that is answered. */
int sb_dialogue_answer(sb_dialogue *me, const char *what, size_t most, double seconds, char **line, size_t *size);

/* Fails if the program has said something that it was not asked. */
int sb_dialogue_silent(sb_dialogue *me);

/* Writes the beginning of what a program has said as messages may have it. */
void sb_dialogue_quote(const char *bytes, size_t count, char out[SB_QUOTE]);

/* Ends the program: closes its input, kills it if it does not end soon, and waits for it. Another process than the one
 * that started it only closes its ends. */
void sb_dialogue_end(sb_dialogue *me);
