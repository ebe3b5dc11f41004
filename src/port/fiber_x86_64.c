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
_Static_assert(offsetof(struct reap__ring, running) == 0, "the ring's running fiber");
_Static_assert(offsetof(struct reap__ring, last) == 8, "the ring's last fiber");
_Static_assert(offsetof(struct reap__ring, place) == 16, "where the round waits");
_Static_assert(offsetof(struct reap__ring, group) == 24, "the ring's group");
_Static_assert(offsetof(struct reap__ring, run) == 32, "what a fiber calls");
_Static_assert(offsetof(struct reap__ring, end) == 40, "where it waits then");
_Static_assert(offsetof(struct reap__ring, is_starting) == 48, "whether there are more to start");
_Static_assert(offsetof(struct reap__ring, finished) == 56, "and how many are done");
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

#define FIND_RING "    movq reap__ring@gottpoff(%rip), %rcx\n"

__asm__(".text\n" FUNCTION("reap__fiber_enter") SAVE_ALL /* rdi from, rsi to */
        "    movq %rsp, (%rdi)\n"
        "    movq (%rsi), %rsp\n" RESTORE_ALL "    ret\n"
        ".cfi_endproc\n"
        ".size reap__fiber_enter, . - reap__fiber_enter\n");

/* rsi place, rdx value; the array's next fiber unless something else is to be done.
 *
 * A processor predicts where a return goes by the calls that it has seen, which here were made on
 * other stacks. So it is a return only where the next fiber waits where this one does, and the last
 * call seen will do; else a jump, which is predicted by what came before. Branch tracking (IBT)
 * must not track that one, since no endbr64 stands where a call returns to. */
__asm__(".text\n" FUNCTION("reap__fiber_wait") SAVE_ALL FIND_RING
        "    movq 48(%rsp), %r8\n"
        "    movq %fs:(%rcx), %rax\n"
        "    movq %rsp, (%rax)\n"
        "    movq %rdx, 8(%rax)\n"
        "    cmpq %fs:16(%rcx), %rsi\n"
        "    jne 2f\n"
        "    cmpq %fs:8(%rcx), %rax\n"
        "    je 2f\n"
        "    addq $16, %rax\n"
        "    movq %rax, %fs:(%rcx)\n"
        "0:\n"
        "    .cfi_remember_state\n"
        "    movq (%rax), %rsp\n"
        "    cmpq 48(%rsp), %r8\n"
        "    jne 1f\n" RESTORE_ALL "    ret\n"
        "1:\n"
        "    .cfi_restore_state\n"
        "    .cfi_remember_state\n" RESTORE_ALL "    popq %rcx\n"
        "    notrack jmp *%rcx\n"
        "2:\n"
        "    .cfi_restore_state\n"
        "    movq %r8, %rbx\n"
        "    movq %rsi, %rdi\n"
        "    subq $8, %rsp\n"
        "    .cfi_adjust_cfa_offset 8\n"
        "    call reap__group_turn\n" FIND_RING "    movq %rbx, %r8\n"
        "    jmp 0b\n"
        ".cfi_endproc\n"
        ".size reap__fiber_wait, . - reap__fiber_wait\n");

/* What every fiber does. Its stack is empty at the begin, and when a work-item is done. From there
 * the next fiber goes on through the call that starts work-items, so that its own item, which is
 * about to be done, returns to where that call says. */
__asm__(".text\n" FUNCTION("reap__fiber_base") "    .cfi_undefined rip\n" FIND_RING
                                               "    movq %fs:24(%rcx), %rdi\n"
                                               "    movq %fs:32(%rcx), %rdx\n"
                                               "0:\n"
                                               "    call *%rdx\n" FIND_RING
                                               "    incq %fs:56(%rcx)\n"
                                               "    movq %fs:16(%rcx), %rdx\n"
                                               "    testq %rdx, %rdx\n"
                                               "    jne 1f\n"
                                               "    cmpq $0, %fs:48(%rcx)\n"
                                               "    jne reap__fiber_base\n"
                                               "1:\n"
                                               "    leaq reap__fiber_base(%rip), %rsi\n"
                                               "    movq %rsi, -8(%rsp)\n"
                                               "    leaq -56(%rsp), %rsi\n"
                                               "    movq %fs:(%rcx), %rax\n"
                                               "    movq %rsi, (%rax)\n"
                                               "    movq %fs:40(%rcx), %rdi\n"
                                               "    cmpq %rdx, %rdi\n"
                                               "    jne 3f\n"
                                               "    cmpq %fs:8(%rcx), %rax\n"
                                               "    je 3f\n"
                                               "    addq $16, %rax\n"
                                               "    movq %rax, %fs:(%rcx)\n"
                                               "    leaq 2f(%rip), %rdx\n"
                                               "    subq $56, %rsp\n"
                                               "    jmp 0b\n"
                                               "2:\n"
                                               "    endbr64\n"
                                               "    movq (%rax), %rsp\n" RESTORE_ALL
                                               "    popq %rcx\n"
                                               "    notrack jmp *%rcx\n"
                                               "3:\n"
                                               "    subq $64, %rsp\n"
                                               "    call reap__group_turn\n"
                                               "    jmp 2b\n"
                                               ".cfi_endproc\n"
                                               ".size reap__fiber_base, . - reap__fiber_base\n");
extern const char reap__fiber_base[] __attribute__((__visibility__("hidden")));

void reap__fiber_prepare(struct reap__fiber *fiber, void *bottom, void *top)
{
    /* An empty stack is a multiple of 16; saved on it is that of a context which goes on there. */
    const void **at = (const void **)((unsigned char *)top - (uintptr_t)top % 16);
    (void)bottom;
    *--at = reap__fiber_base;
    for (int i = 0; i < SAVED_REGISTERS; i++)
        *--at = NULL;
    fiber->stack_pointer = at;
}

#else

typedef int reap__fibers_are_written_for_others;

#endif
