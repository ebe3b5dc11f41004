/* SPDX-License-Identifier: Apache-2.0
 *
 * The dependency graph: which commands must end before a command may begin. Each resource (a
 * buffer, a queue) has a wait list of the commands that use it, in the order in which they came;
 * neighbours that only read it run side by side. A command may also wait for events. It enters all
 * its wait lists at one moment and waits only for earlier commands, so commands cannot deadlock.
 */
#ifndef REAP_QUEUE_DEPENDENCY_GRAPH_H
#define REAP_QUEUE_DEPENDENCY_GRAPH_H

#include <reap/event.h>
#include <stdbool.h>
#include <stddef.h>

struct reap__graph_node;

/* A command's entry in the wait list of a resource. */
struct reap__wait_entry {
    const void *resource; /* never dereferenced */
    bool writes;          /* runs alone; otherwise beside others that do not write */
    unsigned char need;   /* of a buffer: an enum reap__need (poison.h); not used here */
    const char *reader;   /* of a buffer: the argument that reads its contents; NULL: none does */

    /* Under the lock of dependency_graph.c. */
    bool is_ready; /* no earlier command blocks it */
    struct reap__graph_node *of;
    struct reap__wait_entry *before, *behind; /* in the wait list */
    struct reap__wait_entry *next_bucket;     /* of a wait list's last entry */
};

/* A command that waits for an event's command to have been run. */
struct reap__event_waiter {
    reap_event *event;
    struct reap__graph_node *of; /* under the lock, as the next */
    struct reap__event_waiter *next;
};

/* A command. The arrays of the first four members live until reap__graph_leave. */
struct reap__graph_node {
    struct reap__wait_entry *entries;
    size_t entry_count;
    struct reap__event_waiter *waiters;
    size_t waiter_count;

    /* Called once the command may begin, under the lock, from any thread; NULL: a thread waits in
     * reap__graph_wait. */
    void (*begin)(struct reap__graph_node *order);

    size_t unmet; /* under the lock */
    unsigned process;
};

/* Enters the wait lists of its resources, which must differ. Returns whether the command may begin.
 * If `begin` is called, the node may no longer exist when this returns. */
bool reap__graph_join(struct reap__graph_node *order);

/* Blocks until the command may begin. */
void reap__graph_wait(struct reap__graph_node *order);

/* Leaves the wait lists: the commands that follow may begin. */
void reap__graph_leave(struct reap__graph_node *order);

/* An event's command has been run: commands that wait for it may begin, and threads return from the
 * next function. */
void reap__graph_note_submitted(reap_event *event);

/* Blocks until the event's command has been run. False: it never will, in a forked child. */
bool reap__graph_wait_until_submitted(const reap_event *event);

#endif
