/* SPDX-License-Identifier: Apache-2.0
 *
 * Reports fibers, and memory that is used again, to sanitizers and Valgrind. Whether the program
 * has a sanitizer is known only at run time: the program may be compiled with one and the library
 * without.
 */
#ifndef REAP_PORT_SANITIZER_H
#define REAP_PORT_SANITIZER_H

#include "src/port/compiler.h"

#include <stdbool.h>
#include <stddef.h>

/* ThreadSanitizer: a context is a thread to it. A new context is ordered after what the present one
 * has done; switching does not order. */
bool reap__tsan_is_here(void);
void *reap__tsan_current(void);
void *reap__tsan_create(void);
void reap__tsan_destroy(void *context);
void reap__tsan_switch(void *context);
void reap__tsan_acquire(void *address);
void reap__tsan_release(void *address);

/* Report the ordering of an atomic operation of the library, which the sanitizer sees only if the
 * library is compiled with it: after what acquires, and before what releases. Without the sanitizer
 * they cost a comparison. */
#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define REAP__SEES_ATOMICS 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) || defined(REAP__SEES_ATOMICS)
static inline void reap__tsan_note_acquire(const void *address)
{
    (void)address;
}

static inline void reap__tsan_note_release(const void *address)
{
    (void)address;
}
#else
void __tsan_acquire(const void *address) __attribute__((__weak__));
void __tsan_release(const void *address) __attribute__((__weak__));

static inline void reap__tsan_note_acquire(const void *address)
{
    if (REAP__SELDOM(__tsan_acquire != NULL))
        __tsan_acquire(address);
}

static inline void reap__tsan_note_release(const void *address)
{
    if (REAP__SELDOM(__tsan_release != NULL))
        __tsan_release(address);
}
#endif

/* AddressSanitizer: call `leave` before a switch to another stack, and `arrive` after it, on the
 * new stack. *fake belongs to the stack that is left; `arrive` returns which stack that was. */
bool reap__asan_is_here(void);
void reap__asan_leave(void **fake, const void *bottom, size_t bytes);
void reap__asan_arrive(void *fake, const void **left_bottom, size_t *left_bytes);
void reap__asan_forget(const void *memory, size_t bytes); /* removes its notes of stack frames */

/* AddressSanitizer and Valgrind: accesses to this memory are errors until it is allowed again. */
bool reap__can_forbid(void);
void reap__forbid(const void *memory, size_t bytes);
void reap__allow(const void *memory, size_t bytes);

/* Valgrind: this is a stack; this memory is undefined again. */
void reap__valgrind_stack(const void *bottom, const void *top);
void reap__valgrind_undefined(const void *memory, size_t bytes);

#endif
