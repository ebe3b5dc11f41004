/* SPDX-License-Identifier: Apache-2.0
 *
 * Which commands use which buffers at the moment, and how: those that read one may overlap, one
 * that writes waits for those before it, and those behind it wait for it, whatever queue or device
 * they are for.
 */
#ifndef REAP_QUEUE_ACCESS_SET_H
#define REAP_QUEUE_ACCESS_SET_H

#include "src/core/checked_launch.h"
#include "src/queue/dependency_graph.h"
#include "src/queue/poison.h"

#include <reap/buffer.h>
#include <stdbool.h>
#include <stddef.h>

/* What one command uses, each buffer once. `list` is the maker's memory, `count` begins at 0, and
 * the rest is access_set.c's. */
struct reap__access_set {
    size_t count;
    struct reap__wait_entry *list; /* room for arrays, variables and locations; the two sides of
                                         a copy; or one buffer */
    struct reap__graph_node order;
};

/* How a command uses one buffer. */
struct reap__buffer_access {
    const char *reader; /* the argument that reads what it holds; NULL: none does */
    bool writes;
    enum reap__need need;
};

/* Adds the buffer or allocation that a pointer lies in, if the library knows it. Takes the
 * registry's lock only where that is possible. */
void reap__access_set_add(struct reap__access_set *accesses, const void *memory,
                          struct reap__buffer_access use);

/* The same of what is known already. */
void reap__access_set_add_buffer(struct reap__access_set *accesses, const reap_buffer *buffer,
                                 struct reap__buffer_access use);

/* Adds what no other command may use meanwhile; does not look at it. */
void reap__access_set_add_exclusive(struct reap__access_set *accesses, const reap_buffer *buffer);

/* Adds what a kernel's arguments and reduction variables lie in. */
void reap__access_set_add_launch(struct reap__access_set *accesses,
                                 const struct reap__launch *command);

/* Blocks until no command that began earlier stands in the way. A thread that holds a queue's order
 * may begin, and takes no lock but a device's, a buffer's and the registry's until it ends. */
void reap__access_set_acquire(struct reap__access_set *accesses);
void reap__access_set_release(struct reap__access_set *accesses);

/* Before the places are taken. */
struct reap__accessed reap__access_set_view(const struct reap__access_set *accesses);

/* For a command in its places, before it runs: the place of a buffer that it reads and to which
 * nothing has been written; NULL: there is none. */
const struct reap__wait_entry *reap__accessed_uninitialised(const struct reap__accessed *accessed);

/* After it has run: the buffers that it writes hold something. */
void reap__accessed_note_written(const struct reap__accessed *accessed);

#endif
