/* SPDX-License-Identifier: Apache-2.0
 *
 * System V ABI, AMD64 (0.99.7), section 3.2.1: rbx, rbp and r12 to r15 belong to the caller, as do
 * the control bits of mxcsr and of the x87, which no kernel changes.
 */
#include "src/port/fiber.h"

#if defined(__x86_64__)

#include <stdint.h>

__asm__(".text\n"
        ".p2align 4\n"
        ".hidden reap__fiber_switch\n"
        ".globl reap__fiber_switch\n"
        ".type reap__fiber_switch, @function\n"
        "reap__fiber_switch:\n"
        "    endbr64\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq (%rsi), %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    popq %rcx\n"
        "    jmp *%rcx\n"
        ".size reap__fiber_switch, . - reap__fiber_switch\n");

void reap__fiber_prepare(struct reap__fiber *fiber, void *top, void (*entry)(void))
{
    /* At a function's first instruction the stack is 8 off a multiple of 16, with its return
     * address there; none that a debugger would follow. */
    void **at = (void **)((uintptr_t)top & ~(uintptr_t)15);
    *--at = NULL;
    *--at = (void *)(uintptr_t)entry;
    for (int i = 0; i < 6; i++)
        *--at = NULL;
    fiber->stack_pointer = at;
}

#else

typedef int reap__fiber_is_written_for_x86_64;

#endif
