/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of extents, intervals of addresses, that do not overlap, ordered by address. A node is a
 * member of the object whose extent it has, so adding and removing allocate nothing and cannot
 * fail. All take logarithmic time. Not thread-safe.
 */
#ifndef REAP_MEMORY_EXTENTS_H
#define REAP_MEMORY_EXTENTS_H

struct reap__extent {
    const unsigned char *begin;
    const unsigned char *end;
};

struct reap__extent_node {
    struct reap__extent extent;          /* not empty; constant while the node is in a set */
    struct reap__extent_node *beside[2]; /* subtrees: lower addresses, higher ones */
    unsigned height;                     /* of the tree from here, 1 without subtrees */
};

/* All zero: empty. */
struct reap__extents {
    struct reap__extent_node *root;
};

/* Returns the lowest extent that ends after this address. NULL: there are none. */
struct reap__extent_node *reap__extents_find(const struct reap__extents *extents,
                                             const void *address);

/* `add` takes a node whose extent overlaps no other of the set; `remove` a node of the set. */
void reap__extents_add(struct reap__extents *extents, struct reap__extent_node *node);
void reap__extents_remove(struct reap__extents *extents, struct reap__extent_node *node);

/* Returns the lowest begin and the highest end of the set; two NULLs: it is empty. */
struct reap__extent reap__extents_cover(const struct reap__extents *extents);

#endif
