/* SPDX-License-Identifier: Apache-2.0
 *
 * System V ABI, AMD64 (1.0), section 3.2.1: rbx, rbp and r12 to r15 belong to the caller, as do the
 * control bits of mxcsr and of the x87, which no kernel changes. A context that does not run has
 * these on its stack, and above them the address where it goes on.
 */
#include "src/port/fiber.h"

#if defined(__x86_64__) && !defined(REAP__FIBERS_ON_UCONTEXT)

#include <stdint.h>

/* What the assembly below has as numbers. */
_Static_assert(offsetof(struct reap__group, ring.running) == 0, "the ring's running fiber");
_Static_assert(offsetof(struct reap__group, ring.last) == 8, "the ring's last fiber");
_Static_assert(offsetof(struct reap__group, ring.place) == 16, "where the round waits");
_Static_assert(offsetof(struct reap__fiber, stack_pointer) == 0, "a fiber's stack pointer");
_Static_assert(offsetof(struct reap__fiber, value) == 8, "a fiber's value");
_Static_assert(sizeof(struct reap__fiber) == 16, "the next fiber");

enum { SAVED_REGISTERS = 6 };

#define FUNCTION(name)                                                                             \
    ".p2align 4\n"                                                                                 \
    ".hidden " name "\n"                                                                           \
    ".globl " name "\n"                                                                            \
    ".type " name ", @function\n" name ":\n"                                                       \
    ".cfi_startproc\n"                                                                             \
    "    endbr64\n"
#define SAVE(name)                                                                                 \
    "    pushq %" name "\n"                                                                        \
    "    .cfi_adjust_cfa_offset 8\n"                                                               \
    "    .cfi_rel_offset " name ", 0\n"
#define RESTORE(name)                                                                              \
    "    popq %" name "\n"                                                                         \
    "    .cfi_adjust_cfa_offset -8\n"                                                              \
    "    .cfi_restore " name "\n"
#define SAVE_ALL SAVE("rbp") SAVE("rbx") SAVE("r12") SAVE("r13") SAVE("r14") SAVE("r15")
#define RESTORE_ALL                                                                                \
    RESTORE("r15") RESTORE("r14") RESTORE("r13") RESTORE("r12") RESTORE("rbx") RESTORE("rbp")

/* rdi is the group, for who waited and for a new fiber's entry. */
#define GO_ON                                                                                      \
    RESTORE_ALL                                                                                    \
    "    movq %rdi, %rax\n"                                                                        \
    "    ret\n"

__asm__(".text\n" FUNCTION("reap__fiber_enter") SAVE_ALL /* rdi group, rsi from, rdx to */
        "    movq %rsp, (%rsi)\n"
        "    movq (%rdx), %rsp\n" GO_ON ".cfi_endproc\n"
        ".size reap__fiber_enter, . - reap__fiber_enter\n");

/* rdi group, rsi place, rdx value; the array's next fiber unless something else is to be done. */
__asm__(".text\n" FUNCTION("reap__fiber_wait") SAVE_ALL
        "    movq (%rdi), %rax\n"
        "    movq %rsp, (%rax)\n"
        "    movq %rdx, 8(%rax)\n"
        "    cmpq %rsi, 16(%rdi)\n"
        "    jne 1f\n"
        "    cmpq %rax, 8(%rdi)\n"
        "    je 1f\n"
        "    addq $16, %rax\n"
        "    movq %rax, (%rdi)\n"
        "0:\n"
        "    .cfi_remember_state\n"
        "    movq (%rax), %rsp\n" GO_ON "1:\n"
        "    .cfi_restore_state\n"
        "    movq %rdi, %rbx\n"
        "    subq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    call reap__group_turn\n"
        "    movq %rbx, %rdi\n"
        "    jmp 0b\n"
        ".cfi_endproc\n"
        ".size reap__fiber_wait, . - reap__fiber_wait\n");

void reap__fiber_prepare(struct reap__fiber *fiber, void *bottom, void *top,
                         void (*entry)(struct reap__group *))
{
    /* At a function's first instruction the stack is 8 off a multiple of 16, with its return
     * address there: none that a debugger would follow. */
    void **at = (void **)((uintptr_t)top & ~(uintptr_t)15);
    (void)bottom;
    *--at = NULL;
    *--at = (void *)(uintptr_t)entry;
    for (int i = 0; i < SAVED_REGISTERS; i++)
        *--at = NULL;
    fiber->stack_pointer = at;
}

#else

typedef int reap__fibers_are_written_for_others;

#endif
