/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomic operations on pointers: work-items take nodes from a pool, and push them onto lists.
 */
#include <reap/kernel.h>

struct node {
    struct node *next;
    long value;
    long unused;
};

/* heads[0]: the next free node of the pool; heads[1]: a list pushed by comparisons; heads[2]: one
 * by exchanges, whose nodes are linked afterwards; heads[3]: the address of a node, by the item
 * whose value is 7. */
REAP_KERNEL(push, in(long, values), inout(struct node *, heads))
{
    const size_t i = reap_global_id(0);
    struct node *mine = reap_atomic_fetch_add(&heads[0], 2);
    struct node *other = mine + 1;
    mine->value = values[i];
    other->value = -values[i];
    mine->next = reap_atomic_load(&heads[1]);
    while (!reap_atomic_compare_exchange_weak(&heads[1], &mine->next, mine, REAP_ORDER_RELEASE,
                                              REAP_ORDER_RELAXED, REAP_SCOPE_DEVICE))
        ;
    other->next = reap_atomic_exchange(&heads[2], other, REAP_ORDER_ACQ_REL);
    if (values[i] == 7)
        reap_atomic_store(&heads[3], mine, REAP_ORDER_RELEASE);
}

/* Each word's result and what it leaves, by one item: ten pointers of each. */
REAP_KERNEL(words, inout(long, pool), inout(long *, cells), out(long *, results),
            out(uint32_t, is_set))
{
    long *expected = &pool[1];
    (void)reap_global_id(0);
    results[0] = reap_atomic_load(&cells[0]);
    reap_atomic_store(&cells[1], &pool[2]);
    results[2] = reap_atomic_exchange(&cells[2], NULL);
    results[3] = reap_atomic_fetch_add(&cells[3], 3, REAP_ORDER_SEQ_CST);
    results[4] = reap_atomic_fetch_sub(&cells[4], 2);
    results[5] = reap_atomic_compare_exchange(&cells[5], &pool[5], &pool[50]);
    results[6] = reap_atomic_compare_exchange(&cells[6], &pool[5], &pool[50]);
    is_set[0] = reap_atomic_compare_exchange_strong(&cells[7], &expected, &pool[70]);
    results[7] = expected;
    expected = &pool[8];
    is_set[1] =
        reap_atomic_compare_exchange_strong(&cells[8], &expected, &pool[80], REAP_ORDER_ACQ_REL);
    results[8] = expected;
    results[9] = reap_atomic_load(&cells[9], REAP_ORDER_ACQUIRE, REAP_SCOPE_WORK_GROUP) + 1;
    results[1] = &pool[reap_atomic_load(&cells[9])[0]];
}

/* A list in local memory for each group, and its length. */
REAP_ND_KERNEL(push_locally, inout(struct node, nodes), out(uint32_t, lengths),
               local(struct node *, head))
{
    struct node *mine = &nodes[reap_global_id(0)];
    uint32_t length = 0;
    if (reap_local_id(0) == 0)
        reap_atomic_store(&head[0], NULL);
    reap_barrier(REAP_LOCAL_SPACE);
    mine->next = reap_atomic_exchange(&head[0], mine, REAP_ORDER_ACQ_REL, REAP_SCOPE_WORK_GROUP);
    reap_barrier(REAP_GLOBAL_SPACE);
    if (reap_local_id(0) != 0)
        return;
    for (struct node *n = reap_atomic_load(&head[0]); n != NULL && length < 1000; n = n->next)
        length++;
    lengths[reap_group_id(0)] = length;
}
