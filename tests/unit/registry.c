/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of buffers: the same answers as a table of bytes gives, at any order of adding and
 * removing; a tree that stays balanced with a million extents; and use after a fork beside
 * threads that have its lock.
 */
#include "tests/support/check_status.h"
#include "tests/unit/sanitizers.h"

#include "src/memory/registry.h"

#include <pthread.h>
#include <reap/reap.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef REAP_TESTS_SMALL
enum { MANY = 100000, MANY_BUFFERS = 2000, STEPS = 20000 };
#else
enum { MANY = 1000000, MANY_BUFFERS = 50000, STEPS = 50000 };
#endif
enum { BYTES = 600, MOST_BYTES = 20, STRIDE = 16, MOST_HEIGHT = 28, CHILDREN = 20 };

static atomic_bool ending;

static void shuffle(size_t *order, size_t count, uint64_t *random)
{
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count; i > 1; i--) {
        const size_t j = check_random(random) % i, last = order[i - 1];
        order[i - 1] = order[j];
        order[j] = last;
    }
}

/* ---- Against a table of bytes -----------------------------------------------------------------*/

static unsigned char bytes[BYTES];
static reap_buffer *owners[BYTES]; /* of each byte */

/* The lowest owner in a range; NULL: none. */
static reap_buffer *owner_in(size_t begin, size_t end)
{
    while (begin < end && owners[begin] == NULL)
        begin++;
    return begin < end ? owners[begin] : NULL;
}

static void check_add(size_t begin, size_t end)
{
    reap_buffer *buffer = NULL;
    const bool is_free = owner_in(begin, end) == NULL;
    const reap_status status = reap_buffer_wrap(bytes + begin, end - begin, &buffer);
    CHECK_EQ(status, (is_free ? REAP_OK : REAP_ERROR_INVALID_ARGUMENT));
    CHECK(is_free || strstr(reap_last_error(), "overlaps") != NULL);
    for (size_t i = begin; i < end && status == REAP_OK; i++)
        owners[i] = buffer;
}

static void check_remove(size_t begin)
{
    reap_buffer *buffer = owners[begin];
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
    for (size_t i = 0; i < BYTES && buffer != NULL; i++)
        if (owners[i] == buffer)
            owners[i] = NULL;
}

static void check_against_table(uint64_t *random)
{
    for (size_t step = 0; step < STEPS; step++) {
        const size_t begin = check_random(random) % BYTES;
        const size_t most = MOST_BYTES < BYTES - begin ? MOST_BYTES : BYTES - begin;
        const size_t end = begin + 1 + check_random(random) % most;
        switch (check_random(random) % 3) {
        case 0:
            check_add(begin, end);
            break;
        case 1:
            check_remove(begin);
            break;
        default:
            CHECK_EQ(reap__registry_find(bytes + begin, end - begin), owner_in(begin, end));
        }
        CHECK_EQ(reap__registry_is_empty(), (owner_in(0, BYTES) == NULL));
    }
    for (size_t i = 0; i < BYTES; i++)
        check_remove(i);
    CHECK(reap__registry_is_empty());
}

/* ---- Many -------------------------------------------------------------------------------------*/

/* Gives a tree's height, and notes where it is not balanced, or not in order. */
static unsigned measure(const struct reap__extent_node *node)
{
    if (node == NULL)
        return 0;
    const struct reap__extent_node *const lower = node->beside[0], *const higher = node->beside[1];
    const unsigned below[2] = {measure(lower), measure(higher)};
    const unsigned most = below[below[1] > below[0]], least = below[below[1] <= below[0]];
    CHECK(most - least <= 1 && node->height == most + 1);
    CHECK(lower == NULL || lower->extent.end <= node->extent.begin);
    CHECK(higher == NULL || higher->extent.begin >= node->extent.end);
    return most + 1;
}

/* Adds in one order and removes in another; NULL: by address. */
static void check_many(struct reap__extent_node *nodes, const size_t *adding,
                       const size_t *removing)
{
    struct reap__extents extents = {NULL};
    for (size_t n = 0; n < MANY; n++) {
        const size_t i = adding != NULL ? adding[n] : n;
        reap__extents_add(&extents, &nodes[i]);
    }
    CHECK_LE(measure(extents.root), MOST_HEIGHT);
    for (size_t n = 0; n < MANY; n++) {
        const size_t i = removing != NULL ? removing[n] : n;
        CHECK(reap__extents_find(&extents, nodes[i].extent.end - 1) == &nodes[i]);
        reap__extents_remove(&extents, &nodes[i]);
        CHECK(reap__extents_find(&extents, nodes[i].extent.begin) != &nodes[i]);
        if (n % (MANY / 4) == 1)
            measure(extents.root);
    }
    CHECK(extents.root == NULL);
}

/* Addresses that are not looked up. */
static void check_many_extents(uint64_t *random)
{
    unsigned char *memory = malloc((size_t)MANY * STRIDE);
    struct reap__extent_node *nodes = malloc(MANY * sizeof *nodes);
    size_t *order = malloc(MANY * sizeof *order), *other = malloc(MANY * sizeof *other);
    if (memory == NULL || nodes == NULL || order == NULL || other == NULL)
        exit(1);
    for (size_t i = 0; i < MANY; i++)
        nodes[i].extent = (struct reap__extent){memory + i * STRIDE, memory + (i + 1) * STRIDE};
    shuffle(order, MANY, random);
    shuffle(other, MANY, random);
    check_many(nodes, NULL, NULL);
    check_many(nodes, order, other);
    free(memory);
    free(nodes);
    free(order);
    free(other);
}

static void check_many_buffers(uint64_t *random)
{
    unsigned char *memory = malloc((size_t)MANY_BUFFERS * STRIDE);
    static reap_buffer *buffers[MANY_BUFFERS], *other;
    static size_t order[MANY_BUFFERS];
    if (memory == NULL)
        exit(1);
    shuffle(order, MANY_BUFFERS, random);
    for (size_t n = 0; n < MANY_BUFFERS; n++) {
        unsigned char *piece = memory + order[n] * STRIDE;
        CHECK_STATUS(reap_buffer_wrap(piece, STRIDE - 1, &buffers[order[n]]), REAP_OK);
        CHECK_STATUS(reap_buffer_wrap(piece + STRIDE - 2, 1, &other), REAP_ERROR_INVALID_ARGUMENT);
    }
    shuffle(order, MANY_BUFFERS, random);
    for (size_t n = 0; n < MANY_BUFFERS; n++) {
        const unsigned char *piece = memory + order[n] * STRIDE;
        CHECK_EQ(reap__registry_find(piece, STRIDE), buffers[order[n]]);
        CHECK_STATUS(reap_buffer_release(buffers[order[n]]), REAP_OK);
        CHECK(reap__registry_find(piece, STRIDE) == NULL);
    }
    free(memory);
}

/* ---- Forked children --------------------------------------------------------------------------*/

/* Holds the lock most of the time. It allocates nothing: AddressSanitizer's allocator may be locked
 * in the child. */
static void *lock_until_ending(void *buffer)
{
    while (!atomic_load(&ending)) {
        reap__registry_begin_access(buffer);
        reap__registry_end_access(buffer);
    }
    return NULL;
}

static int child(void)
{
    reap_buffer *buffer = NULL;
    alarm(20); /* a deadlock is a failure */
    const bool right = reap_buffer_wrap(bytes + 2, 1, &buffer) == REAP_OK &&
                       reap__registry_find(bytes + 2, 1) == buffer &&
                       reap_buffer_release(buffer) == REAP_OK &&
                       reap__registry_find(bytes + 2, 1) == NULL;
    return right ? 0 : 1;
}

static void check_forks(void)
{
    pthread_t threads[2];
    reap_buffer *buffer = NULL;
    if (UNDER_THREAD_SANITIZER) {
        puts("no forks: ThreadSanitizer does not support them beside threads");
        return;
    }
    CHECK_STATUS(reap_buffer_wrap(bytes, 1, &buffer), REAP_OK);
    for (int t = 0; t < 2; t++)
        CHECK_EQ(pthread_create(&threads[t], NULL, lock_until_ending, buffer), 0);
    for (int c = 0; c < CHILDREN; c++) {
        int status = 1;
        fflush(NULL);
        const pid_t process = fork();
        if (process == 0)
            _exit(child());
        CHECK(process > 0 && waitpid(process, &status, 0) == process && status == 0);
    }
    atomic_store(&ending, true);
    for (int t = 0; t < 2; t++)
        pthread_join(threads[t], NULL);
    CHECK_STATUS(reap_buffer_release(buffer), REAP_OK);
}

int main(void)
{
    uint64_t random = check_seed();
    check_against_table(&random);
    check_many_extents(&random);
    check_many_buffers(&random);
    check_forks();
    return check_finish();
}
