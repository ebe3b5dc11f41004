/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of commands: what must have ended before a command may begin. A command takes its place
 * at once behind all that came before it in whatever it uses (a buffer, a queue), which those that
 * read share; and it may wait for events. Since all places are taken at one moment, and everybody
 * waits for earlier ones alone, no two wait for each other, and nobody is overtaken.
 */
#ifndef REAP_QUEUE_DEPENDENCY_GRAPH_H
#define REAP_QUEUE_DEPENDENCY_GRAPH_H

#include <reap/event.h>
#include <stdbool.h>
#include <stddef.h>

struct reap__graph_node;

/* A place among those who use one thing. */
struct reap__wait_entry {
    const void *resource; /* never looked at */
    bool writes;          /* alone; otherwise beside others who do not write */
    unsigned char need;   /* of a buffer: an enum reap__need (poison.h); not looked at here */
    const char *reader;   /* of a buffer: the argument that reads what it holds; NULL: none does */

    /* Under the lock of dependency_graph.c. */
    bool is_ready; /* nobody before it stands in the way */
    struct reap__graph_node *of;
    struct reap__wait_entry *before, *behind; /* in its line */
    struct reap__wait_entry *next_bucket;     /* of a line's last place */
};

/* A command that waits for an event's command to have been run. */
struct reap__event_waiter {
    reap_event *event;
    struct reap__graph_node *of; /* under the lock, as the next */
    struct reap__event_waiter *next;
};

/* One command's: what the first four members list lives until reap__graph_leave. */
struct reap__graph_node {
    struct reap__wait_entry *entries;
    size_t entry_count;
    struct reap__event_waiter *waiters;
    size_t waiter_count;

    /* Called once nothing stands in the way, under the lock, from any thread; NULL: a thread waits
     * for that. */
    void (*begin)(struct reap__graph_node *order);

    size_t unmet; /* under the lock */
    unsigned process;
};

/* Takes its places. Each thing may occur once. Whether nothing stands in its way; where `begin` is
 * called then, the order may be gone at the return. */
bool reap__graph_join(struct reap__graph_node *order);

/* Blocks until nothing stands in its way. */
void reap__graph_wait(struct reap__graph_node *order);

/* Gives its places to those behind it. */
void reap__graph_leave(struct reap__graph_node *order);

/* An event's command has been run: who follows it may begin, and who waits for that goes on. */
void reap__graph_note_submitted(reap_event *event);

/* Blocks until it has; false: it will not, since this is a forked child. */
bool reap__graph_wait_until_submitted(const reap_event *event);

#endif
