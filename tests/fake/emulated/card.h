/* SPDX-License-Identifier: Apache-2.0
 *
 * A card of one thread of this machine's: it runs a launch's groups one after the other, and a
 * group's threads as fibers, in an order drawn at random, of which the seed is printed.
 */
#ifndef TESTS_FAKE_EMULATED_CARD_H
#define TESTS_FAKE_EMULATED_CARD_H

#include <stddef.h>
#include <stdint.h>

struct card_launch {
    const char *entry;
    void (*call)(void **parameters);
    void **parameters;
    size_t groups;
    size_t threads;
    size_t dynamic_bytes;
    unsigned char *shared_begin; /* the static local memory, a group's at a time */
    unsigned char *shared_end;
};

/* Ends the process where the launch does what no card forgives. */
void card_run(const struct card_launch *begun);

/* Below the bound; its seed is FAKE_SEED's of the environment, or the clock's. */
uint32_t card_random(uint32_t bound);

#endif
