/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of commands: what must have ended before a command may begin. A command takes its place
 * at once behind all that came before it in whatever it uses (a buffer, a queue), which those that
 * read share; and it may wait for events. Since all places are taken at one moment, and everybody
 * waits for earlier ones alone, no two wait for each other, and nobody is overtaken.
 */
#ifndef REAP_CORE_ORDER_H
#define REAP_CORE_ORDER_H

#include <reap/event.h>
#include <stdbool.h>
#include <stddef.h>

struct reap__order;

/* A place among those who use one thing. */
struct reap__place_in_line {
    const void *thing;  /* never looked at */
    bool writes;        /* alone; otherwise beside others who do not write */
    unsigned char need; /* of a buffer: an enum reap__need (origins.h); not looked at here */
    const char *reader; /* of a buffer: the argument that reads what it holds; NULL: none does */

    /* Under the lock of order.c. */
    bool is_free; /* nobody before it stands in the way */
    struct reap__order *of;
    struct reap__place_in_line *before, *behind; /* in its line */
    struct reap__place_in_line *other_line;      /* of a line's last place */
};

/* A command that waits for an event's command to have been run. */
struct reap__follower {
    reap_event *event;
    struct reap__order *of; /* under the lock, as the next */
    struct reap__follower *next;
};

/* One command's: what the first four members list lives until reap__order_leave. */
struct reap__order {
    struct reap__place_in_line *places;
    size_t place_count;
    struct reap__follower *followers;
    size_t follower_count;

    /* Called once nothing stands in the way, under the lock, from any thread; NULL: a thread waits
     * for that. */
    void (*begin)(struct reap__order *order);

    size_t obstacles; /* under the lock */
    unsigned process;
};

/* Takes its places. Each thing may occur once. Whether nothing stands in its way; where `begin` is
 * called then, the order may be gone at the return. */
bool reap__order_join(struct reap__order *order);

/* Blocks until nothing stands in its way. */
void reap__order_wait(struct reap__order *order);

/* Gives its places to those behind it. */
void reap__order_leave(struct reap__order *order);

/* An event's command has been run: who follows it may begin, and who waits for that goes on. */
void reap__order_note_run(reap_event *event);

/* Blocks until it has; false: it will not, since this is a forked child. */
bool reap__order_wait_for_run(const reap_event *event);

#endif
