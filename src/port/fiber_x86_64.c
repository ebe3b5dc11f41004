/* SPDX-License-Identifier: Apache-2.0
 *
 * System V ABI, AMD64 (1.0), section 3.2.1: rbx, rbp and r12 to r15 belong to the caller, as do the
 * control bits of mxcsr and of the x87, which kernels do not change. The 128 bytes below the stack
 * pointer of a work-item that jumps (reap/detail/host/wait.h) belong to it, too.
 */
#include "src/port/fiber.h"

#ifdef REAP__FIBERS_ON_X86_64

#include <stdint.h>

/* Offsets that the assembly below contains as numbers. */
_Static_assert(offsetof(struct reap__ring, running) == 0, "the ring's running fiber");
_Static_assert(offsetof(struct reap__ring, last) == 8, "the ring's last fiber");
_Static_assert(offsetof(struct reap__ring, site) == 16, "where the round waits");
_Static_assert(offsetof(struct reap__ring, group) == 24, "the ring's group");
_Static_assert(offsetof(struct reap__ring, run) == 32, "what a fiber calls");
_Static_assert(offsetof(struct reap__ring, end) == 40, "where it waits then");
_Static_assert(offsetof(struct reap__ring, is_starting) == 48, "whether there are more to start");
_Static_assert(offsetof(struct reap__ring, finished) == 56, "and how many are done");
_Static_assert(offsetof(struct reap__fiber, stack_pointer) == 0, "a fiber's stack pointer");
_Static_assert(offsetof(struct reap__fiber, value) == 8, "a fiber's value");
_Static_assert(offsetof(struct reap__fiber, at) == 16, "where a fiber goes on");
_Static_assert(offsetof(struct reap__fiber, registers) == 24, "a fiber's registers");
_Static_assert(sizeof(struct reap__fiber) == 72, "the next fiber");

#define FUNCTION(name)                                                                             \
    ".p2align 4\n"                                                                                 \
    ".hidden " name "\n"                                                                           \
    ".globl " name "\n"                                                                            \
    ".type " name ", @function\n" name ":\n"                                                       \
    ".cfi_startproc\n"                                                                             \
    "    endbr64\n"
#define END(name)                                                                                  \
    ".cfi_endproc\n"                                                                               \
    ".size " name ", . - " name "\n"

/* Saves the context in a fiber, except its value. */
#define SAVE(fiber, at)                                                                            \
    "    movq %rsp, (" fiber ")\n"                                                                 \
    "    movq " at ", 16(" fiber ")\n"                                                             \
    "    movq %rbx, 24(" fiber ")\n"                                                               \
    "    movq %rbp, 32(" fiber ")\n"                                                               \
    "    movq %r12, 40(" fiber ")\n"                                                               \
    "    movq %r13, 48(" fiber ")\n"                                                               \
    "    movq %r14, 56(" fiber ")\n"                                                               \
    "    movq %r15, 64(" fiber ")\n"

/* Continues a fiber. Branch tracking (IBT) must not track the jump: a return address has no
 * endbr64. */
#define GO_ON(fiber)                                                                               \
    "    movq (" fiber "), %rsp\n"                                                                 \
    "    movq 24(" fiber "), %rbx\n"                                                               \
    "    movq 32(" fiber "), %rbp\n"                                                               \
    "    movq 40(" fiber "), %r12\n"                                                               \
    "    movq 48(" fiber "), %r13\n"                                                               \
    "    movq 56(" fiber "), %r14\n"                                                               \
    "    movq 64(" fiber "), %r15\n"                                                               \
    "    notrack jmp *16(" fiber ")\n"

#define FIND_RING "    movq reap__ring@gottpoff(%rip), %rcx\n"

__asm__(".text\n" FUNCTION("reap__fiber_enter") /* rdi from, rsi to */
        "    popq %r8\n"
        "    .cfi_adjust_cfa_offset -8\n"
        "    .cfi_register rip, r8\n" SAVE("%rdi", "%r8") GO_ON("%rsi") END("reap__fiber_enter"));

/* rsi call site, rdx value. Continues the next fiber of the array, unless reap__group_next_fiber
 * must decide. reap__fiber_leap is the same for a jump; r8 is where the caller continues. */
__asm__(
    ".text\n" FUNCTION("reap__fiber_wait") "    popq %r8\n"
                                           "    .cfi_adjust_cfa_offset -8\n"
                                           "    .cfi_register rip, r8\n"
                                           "    jmp reap__fiber_leap\n" END("reap__fiber_wait"));
__asm__(".text\n" FUNCTION(
    "reap__fiber_leap") "    .cfi_undefined rip\n" FIND_RING
                        "    movq %fs:(%rcx), %rax\n" SAVE(
                            "%rax",
                            "%r8") "    movq %rdx, 8(%rax)\n"
                                   "    cmpq %fs:16(%rcx), %rsi\n"
                                   "    jne 1f\n"
                                   "    cmpq %fs:8(%rcx), %rax\n"
                                   "    je 1f\n"
                                   "    addq $72, %rax\n"
                                   "    movq %rax, %fs:(%rcx)\n" GO_ON(
                                       "%rax") "1:\n"
                                               "    movq %rsi, %rdi\n"
                                               "    subq $128, %rsp\n"
                                               "    andq $-16, %rsp\n"
                                               "    call reap__group_next_fiber\n" GO_ON("%rax")
                                                   END("reap__fiber_leap"));

/* The function that every fiber runs. Its stack is empty when it begins, and when a work-item has
 * ended. From there the next fiber continues through the call that starts work-items: so its own
 * item, which is about to end, returns to the return address of that call. A processor predicts
 * returns by recent calls, and the call that started the item was long ago. */
__asm__(".text\n" FUNCTION(
    "reap__fiber_base") "    .cfi_undefined rip\n" FIND_RING "    movq %fs:24(%rcx), %rdi\n"
                        "    movq %fs:32(%rcx), %rdx\n"
                        "0:\n"
                        "    call *%rdx\n" FIND_RING "    incq %fs:56(%rcx)\n"
                        "    movq %fs:16(%rcx), %rdx\n"
                        "    testq %rdx, %rdx\n"
                        "    jne 1f\n"
                        "    cmpq $0, %fs:48(%rcx)\n"
                        "    jne reap__fiber_base\n"
                        "1:\n"
                        "    movq %fs:(%rcx), %rax\n"
                        "    leaq reap__fiber_base(%rip), %rsi\n"
                        "    movq %rsp, (%rax)\n"
                        "    movq %rsi, 16(%rax)\n"
                        "    movq %fs:40(%rcx), %rdi\n"
                        "    cmpq %rdx, %rdi\n"
                        "    jne 3f\n"
                        "    cmpq %fs:8(%rcx), %rax\n"
                        "    je 3f\n"
                        "    addq $72, %rax\n"
                        "    movq %rax, %fs:(%rcx)\n"
                        "    leaq 2f(%rip), %rdx\n"
                        "    jmp 0b\n"
                        "2:\n"
                        "    endbr64\n" GO_ON("%rax") "3:\n"
                                                      "    call reap__group_next_fiber\n" GO_ON(
                                                          "%rax") END("reap__fiber_base"));
extern const char reap__fiber_base[] __attribute__((__visibility__("hidden")));

void reap__fiber_prepare(struct reap__fiber *fiber, void *bottom, void *top)
{
    /* Within the stack, although it is empty: Valgrind distinguishes stacks by this address. */
    unsigned char *const at = (unsigned char *)top - (uintptr_t)top % 16 - 16;
    (void)bottom;
    *fiber = (struct reap__fiber){.stack_pointer = at, .at = reap__fiber_base};
}

#else

typedef int reap__fibers_are_written_for_others;

#endif
