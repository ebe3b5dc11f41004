/* SPDX-License-Identifier: Apache-2.0
 *
 * The buffers that a command uses, and how. Commands that read a buffer may overlap. A command that
 * writes it waits for the earlier ones, and later ones wait for it, on all queues and devices.
 */
#ifndef REAP_QUEUE_ACCESS_SET_H
#define REAP_QUEUE_ACCESS_SET_H

#include "src/core/checked_launch.h"
#include "src/queue/dependency_graph.h"
#include "src/queue/poison.h"

#include <reap/buffer.h>
#include <stdbool.h>
#include <stddef.h>

/* The buffers of one command, each once. The caller provides `list` and sets `count` to 0; the
 * other members belong to access_set.c. */
struct reap__access_set {
    size_t count;
    struct reap__wait_entry *list; /* memory for an entry for each array, variable and location, or
                                      for the two sides of a copy */
    struct reap__graph_node order;
};

/* How a command uses one buffer. */
struct reap__buffer_access {
    const char *reader; /* name of the argument that reads its contents; NULL: none does */
    bool writes;
    enum reap__need need;
};

/* Adds the buffer or allocation that a pointer is in, if it is in one. Locks the registry only if
 * that is possible. */
void reap__access_set_add(struct reap__access_set *accesses, const void *memory,
                          struct reap__buffer_access use);

/* Adds this buffer. */
void reap__access_set_add_buffer(struct reap__access_set *accesses, const reap_buffer *buffer,
                                 struct reap__buffer_access use);

/* Adds a buffer that no other command may use at the same time; does not access it. */
void reap__access_set_add_exclusive(struct reap__access_set *accesses, const reap_buffer *buffer);

/* Adds the buffers of a kernel's arguments and reduction variables. */
void reap__access_set_add_launch(struct reap__access_set *accesses,
                                 const struct reap__launch *command);

/* `acquire` enters the wait lists and blocks until no earlier command blocks this one. The calling
 * thread may hold a queue's `order`; until `release` it locks only a device, buffers and the
 * registry. Where no thread can be created, both may run commands that are ready. */
void reap__access_set_acquire(struct reap__access_set *accesses);
void reap__access_set_release(struct reap__access_set *accesses);

/* The buffers as the functions of poison.h need them. Called before reap__access_set_acquire. */
struct reap__accessed reap__access_set_view(const struct reap__access_set *accesses);

/* For a command in its wait lists, before it runs: returns the entry of a buffer that it reads and
 * that has not been written. NULL: there are none. */
const struct reap__wait_entry *reap__accessed_uninitialised(const struct reap__accessed *accessed);

/* After it has run: marks the buffers that it writes as written. */
void reap__accessed_note_written(const struct reap__accessed *accessed);

#endif
