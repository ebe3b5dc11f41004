/* SPDX-License-Identifier: Apache-2.0
 *
 * An AVL tree (Adelson-Velsky and Landis 1962): the heights of a node's two subtrees differ by one
 * at most, so that a tree of a million nodes is at most 28 high.
 */
#include "src/memory/extents.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum side { LOWER, HIGHER };

static unsigned height(const struct reap__extent_node *node)
{
    return node != NULL ? node->height : 0;
}

static void note_height(struct reap__extent_node *node)
{
    const unsigned lower = height(node->beside[LOWER]), higher = height(node->beside[HIGHER]);
    node->height = 1 + (lower > higher ? lower : higher);
}

/* The side of `node` on which `other` is. */
static enum side side_of(const struct reap__extent_node *node,
                         const struct reap__extent_node *other)
{
    return (uintptr_t)other->extent.begin > (uintptr_t)node->extent.begin ? HIGHER : LOWER;
}

/* Rotates: the root of the subtree on that side becomes the root. */
static void raise(struct reap__extent_node **at, enum side side)
{
    struct reap__extent_node *const node = *at, *const raised = node->beside[side];
    node->beside[side] = raised->beside[!side];
    raised->beside[!side] = node;
    note_height(node);
    note_height(raised);
    *at = raised;
}

/* Restores the balance of a node after a subtree has changed in height. Returns whether the node's
 * height has changed; if not, the nodes above are balanced. */
static bool balance(struct reap__extent_node **at)
{
    struct reap__extent_node *const node = *at;
    const unsigned before = node->height;
    note_height(node);
    for (enum side side = LOWER; side <= HIGHER; side++) {
        struct reap__extent_node **high = &node->beside[side];
        if (height(*high) <= height(node->beside[!side]) + 1)
            continue;
        if (height((*high)->beside[!side]) > height((*high)->beside[side]))
            raise(high, !side);
        raise(at, side);
        break;
    }
    return (*at)->height != before;
}

/* The next three functions return whether the tree has changed in height. */
static bool add(struct reap__extent_node **at, struct reap__extent_node *node)
{
    if (*at == NULL) {
        *at = node;
        return true;
    }
    return add(&(*at)->beside[side_of(*at, node)], node) && balance(at);
}

static bool take_lowest(struct reap__extent_node **at, struct reap__extent_node **lowest)
{
    struct reap__extent_node *const node = *at;
    if (node->beside[LOWER] == NULL) {
        *at = node->beside[HIGHER];
        *lowest = node;
        return true;
    }
    return take_lowest(&node->beside[LOWER], lowest) && balance(at);
}

static bool take(struct reap__extent_node **at, struct reap__extent_node *node)
{
    struct reap__extent_node *next;
    if (*at != node)
        return take(&(*at)->beside[side_of(*at, node)], node) && balance(at);
    if (node->beside[HIGHER] == NULL) {
        *at = node->beside[LOWER];
        return true;
    }
    const bool has_changed = take_lowest(&node->beside[HIGHER], &next);
    next->beside[LOWER] = node->beside[LOWER];
    next->beside[HIGHER] = node->beside[HIGHER];
    next->height = node->height;
    *at = next;
    return has_changed && balance(at);
}

/* ---- Public -----------------------------------------------------------------------------------*/

struct reap__extent_node *reap__extents_find(const struct reap__extents *extents,
                                             const void *address)
{
    struct reap__extent_node *found = NULL, *node = extents->root;
    while (node != NULL) {
        const bool ends_after = (uintptr_t)node->extent.end > (uintptr_t)address;
        found = ends_after ? node : found;
        node = node->beside[ends_after ? LOWER : HIGHER];
    }
    return found;
}

void reap__extents_add(struct reap__extents *extents, struct reap__extent_node *node)
{
    node->beside[LOWER] = node->beside[HIGHER] = NULL;
    node->height = 1;
    add(&extents->root, node);
}

void reap__extents_remove(struct reap__extents *extents, struct reap__extent_node *node)
{
    take(&extents->root, node);
}

struct reap__extent reap__extents_cover(const struct reap__extents *extents)
{
    const struct reap__extent_node *first = extents->root, *last = extents->root;
    if (first == NULL)
        return (struct reap__extent){NULL, NULL};
    while (first->beside[LOWER] != NULL)
        first = first->beside[LOWER];
    while (last->beside[HIGHER] != NULL)
        last = last->beside[HIGHER];
    return (struct reap__extent){first->extent.begin, last->extent.end};
}
