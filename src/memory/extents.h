/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of pieces of memory that do not overlap, ordered by address. Each node lies in what it
 * describes, so that adding and removing allocate nothing and cannot fail. Not thread-safe.
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

/* All zero: it is empty. */
struct reap__extents {
    struct reap__extent_node *root;
};

/* The lowest extent that ends after this address; NULL: none. Takes logarithmic time, as adding and
 * removing do. */
struct reap__extent_node *reap__extents_find(const struct reap__extents *extents,
                                             const void *address);

/* Adds a node whose extent overlaps no other. Removes one that is there. */
void reap__extents_add(struct reap__extents *extents, struct reap__extent_node *node);
void reap__extents_remove(struct reap__extents *extents, struct reap__extent_node *node);

/* What the whole set covers, from the lowest begin to the highest end; two NULLs: it is empty. */
struct reap__extent reap__extents_cover(const struct reap__extents *extents);

#endif
