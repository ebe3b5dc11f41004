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

/* Offsets that the assembly below contains as numbers. */
_Static_assert(offsetof(struct reap__ring, running) == 0, "the ring's running fiber");
_Static_assert(offsetof(struct reap__ring, last) == 8, "the ring's last fiber");
_Static_assert(offsetof(struct reap__ring, site) == 16, "where the round waits");
_Static_assert(offsetof(struct reap__ring, group) == 24, "the ring's group");
_Static_assert(offsetof(struct reap__fiber, stack_pointer) == 0, "a fiber's stack pointer");
_Static_assert(offsetof(struct reap__fiber, value) == 8, "a fiber's value");
_Static_assert(sizeof(struct reap__fiber) == 16, "the next fiber");

enum { FRAME_BYTES = 160, X19 = 0, X30 = 88 };

#define FUNCTION(name)                                                                             \
    ".p2align 4\n"                                                                                 \
    ".hidden " name "\n"                                                                           \
    ".globl " name "\n"                                                                            \
    ".type " name ", %function\n" name ":\n"                                                       \
    ".cfi_startproc\n"                                                                             \
    "    hint #34\n" /* bti c */
#define END(name)                                                                                  \
    ".cfi_endproc\n"                                                                               \
    ".size " name ", . - " name "\n"

#define SAVE(first, second, at)                                                                    \
    "    stp " first ", " second ", [sp, #" at "]\n"                                               \
    "    .cfi_rel_offset " first ", " at "\n"                                                      \
    "    .cfi_rel_offset " second ", " at " + 8\n"
#define RESTORE(first, second, at)                                                                 \
    "    ldp " first ", " second ", [sp, #" at "]\n"                                               \
    "    .cfi_restore " first "\n"                                                                 \
    "    .cfi_restore " second "\n"
#define EACH_PAIR(m)                                                                               \
    m("x19", "x20", "0") m("x21", "x22", "16") m("x23", "x24", "32") m("x25", "x26", "48")         \
        m("x27", "x28", "64") m("x29", "x30", "80") m("d8", "d9", "96") m("d10", "d11", "112")     \
            m("d12", "d13", "128") m("d14", "d15", "144")
#define SAVE_ALL                                                                                   \
    "    sub sp, sp, #160\n"                                                                       \
    "    .cfi_adjust_cfa_offset 160\n" EACH_PAIR(SAVE)
#define GO_ON                                                                                      \
    EACH_PAIR(RESTORE)                                                                             \
    "    add sp, sp, #160\n"                                                                       \
    "    .cfi_adjust_cfa_offset -160\n"                                                            \
    "    ret\n"

#define FIND_RING /* x12 */                                                                        \
    "    mrs x12, tpidr_el0\n"                                                                     \
    "    adrp x13, :gottprel:reap__ring\n"                                                         \
    "    ldr x13, [x13, :gottprel_lo12:reap__ring]\n"                                              \
    "    add x12, x12, x13\n"

__asm__(".text\n" FUNCTION("reap__fiber_enter") SAVE_ALL /* x0 from, x1 to */
        "    mov x9, sp\n"
        "    str x9, [x0]\n"
        "    ldr x9, [x1]\n"
        "    mov sp, x9\n" GO_ON END("reap__fiber_enter"));

/* x1 call site, x2 value. Continues the next fiber of the array, unless reap__group_next_fiber must
 * decide. */
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
        "    .cfi_remember_state\n"
        "    ldr x11, [x9]\n"
        "    mov sp, x11\n" GO_ON "1:\n"
        "    .cfi_restore_state\n"
        "    mov x0, x1\n"
        "    bl reap__group_next_fiber\n"
        "    mov x9, x0\n"
        "    b 0b\n" END("reap__fiber_wait"));

/* Where a fiber begins. x19 has the function that it runs, which does not return. */
__asm__(".text\n" FUNCTION("reap__fiber_base") "    .cfi_undefined x30\n"
                                               "    blr x19\n" END("reap__fiber_base"));
extern const char reap__fiber_base[] __attribute__((__visibility__("hidden")));

/* The function that every fiber runs. */
static void run_for_ever(void)
{
    for (;;) {
        struct reap__ring *ring = reap__ring_here();
        do {
            (ring->run)(ring->group);
            ring->finished++;
        } while (ring->site == NULL && ring->is_starting);
        reap__fiber_wait(ring->group, ring->end, NULL);
    }
}

void reap__fiber_prepare(struct reap__fiber *fiber, void *bottom, void *top)
{
    unsigned char *at = (unsigned char *)top - (uintptr_t)top % 16 - FRAME_BYTES;
    const uintptr_t runs = (uintptr_t)run_for_ever, begins = (uintptr_t)reap__fiber_base;
    (void)bottom;
    memset(at, 0, FRAME_BYTES);
    memcpy(at + X19, &runs, sizeof runs);
    memcpy(at + X30, &begins, sizeof begins);
    fiber->stack_pointer = at;
}

#else

typedef int reap__fibers_are_written_for_others;

#endif
