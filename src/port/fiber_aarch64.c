/* SPDX-License-Identifier: Apache-2.0
 *
 * Procedure Call Standard for the Arm 64-bit Architecture (2023Q3), section 6.1: x19 to x28, the
 * frame pointer x29, the return address x30 and the lower halves of v8 to v15 belong to the caller.
 * A context that does not run has these on its stack.
 */
#include "src/port/fiber.h"

#if defined(__aarch64__) && !defined(REAP__FIBERS_ON_UCONTEXT)

#include <stdint.h>
#include <string.h>

/* What the assembly below has as numbers. */
_Static_assert(offsetof(struct reap__ring, running) == 0, "the ring's running fiber");
_Static_assert(offsetof(struct reap__ring, last) == 8, "the ring's last fiber");
_Static_assert(offsetof(struct reap__ring, place) == 16, "where the round waits");
_Static_assert(offsetof(struct reap__ring, group) == 24, "the ring's group");
_Static_assert(offsetof(struct reap__fiber, stack_pointer) == 0, "a fiber's stack pointer");
_Static_assert(offsetof(struct reap__fiber, value) == 8, "a fiber's value");
_Static_assert(sizeof(struct reap__fiber) == 16, "the next fiber");

enum { FRAME_BYTES = 160, RETURN_ADDRESS = 88 };

#define FUNCTION(name)                                                                             \
    ".p2align 4\n"                                                                                 \
    ".hidden " name "\n"                                                                           \
    ".globl " name "\n"                                                                            \
    ".type " name ", %function\n" name ":\n"                                                       \
    "    hint #34\n" /* bti c */
#define SAVE_ALL                                                                                   \
    "    stp x19, x20, [sp, #-160]!\n"                                                             \
    "    stp x21, x22, [sp, #16]\n"                                                                \
    "    stp x23, x24, [sp, #32]\n"                                                                \
    "    stp x25, x26, [sp, #48]\n"                                                                \
    "    stp x27, x28, [sp, #64]\n"                                                                \
    "    stp x29, x30, [sp, #80]\n"                                                                \
    "    stp d8, d9, [sp, #96]\n"                                                                  \
    "    stp d10, d11, [sp, #112]\n"                                                               \
    "    stp d12, d13, [sp, #128]\n"                                                               \
    "    stp d14, d15, [sp, #144]\n"

#define FIND_RING /* x12 */                                                                        \
    "    mrs x12, tpidr_el0\n"                                                                     \
    "    adrp x13, :gottprel:reap__ring\n"                                                         \
    "    ldr x13, [x13, :gottprel_lo12:reap__ring]\n"                                              \
    "    add x12, x12, x13\n"

#define GO_ON                                                                                      \
    "    ldp x21, x22, [sp, #16]\n"                                                                \
    "    ldp x23, x24, [sp, #32]\n"                                                                \
    "    ldp x25, x26, [sp, #48]\n"                                                                \
    "    ldp x27, x28, [sp, #64]\n"                                                                \
    "    ldp x29, x30, [sp, #80]\n"                                                                \
    "    ldp d8, d9, [sp, #96]\n"                                                                  \
    "    ldp d10, d11, [sp, #112]\n"                                                               \
    "    ldp d12, d13, [sp, #128]\n"                                                               \
    "    ldp d14, d15, [sp, #144]\n"                                                               \
    "    ldp x19, x20, [sp], #160\n"                                                               \
    "    ret\n"

__asm__(".text\n" FUNCTION("reap__fiber_enter") SAVE_ALL /* x0 from, x1 to */
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    ldr x9, [x1]\n"
        "    mov sp, x9\n" GO_ON ".size reap__fiber_enter, . - reap__fiber_enter\n");

/* x1 place, x2 value; the array's next fiber unless something else is to be done. */
__asm__(".text\n" FUNCTION("reap__fiber_wait") SAVE_ALL FIND_RING
        "    ldp x9, x10, [x12]\n"
        "    mov x11, sp\n"
        "    stp x11, x2, [x9]\n"
        "    ldr x11, [x12, #16]\n"
        "    cmp x11, x1\n"
        "    b.ne 1f\n"
        "    cmp x9, x10\n"
        "    b.eq 1f\n"
        "    add x9, x9, #16\n"
        "    str x9, [x12]\n"
        "0:\n"
        "    ldr x11, [x9]\n"
        "    mov sp, x11\n" GO_ON "1:\n"
        "    mov x0, x1\n"
        "    bl reap__group_turn\n"
        "    mov x9, x0\n"
        "    b 0b\n"
        ".size reap__fiber_wait, . - reap__fiber_wait\n");

/* What every fiber does. */
static void run_for_ever(void)
{
    for (;;) {
        struct reap__ring *ring = reap__ring_here();
        do {
            (ring->run)(ring->group);
            ring->finished++;
        } while (ring->place == NULL && ring->is_starting);
        reap__fiber_wait(ring->group, ring->end, NULL);
    }
}

void reap__fiber_prepare(struct reap__fiber *fiber, void *bottom, void *top)
{
    unsigned char *at = (unsigned char *)((uintptr_t)top & ~(uintptr_t)15) - FRAME_BYTES;
    const uintptr_t address = (uintptr_t)run_for_ever;
    (void)bottom;
    memset(at, 0, FRAME_BYTES);
    memcpy(at + RETURN_ADDRESS, &address, sizeof address);
    fiber->stack_pointer = at;
}

#else

typedef int reap__fibers_are_written_for_others;

#endif
