/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tools that watch a program must be told of fibers and of memory that is used again.
 * Whether a sanitizer is in the program is known only while it runs: the program may be compiled
 * with one and the library without.
 */
#ifndef REAP_PORT_SANITIZER_H
#define REAP_PORT_SANITIZER_H

#include <stdbool.h>
#include <stddef.h>

/* ThreadSanitizer: a context is what it takes for a thread. A new one comes after all that the
 * present one has done; switching orders nothing. */
bool reap__tsan_is_here(void);
void *reap__tsan_current(void);
void *reap__tsan_create(void);
void reap__tsan_destroy(void *context);
void reap__tsan_switch(void *context);
void reap__tsan_acquire(void *address);
void reap__tsan_release(void *address);

/* What an atomic operation of the library orders, which the sanitizer sees for itself only where
 * the library is compiled with it. */
void reap__tsan_note_acquire(void *address);
void reap__tsan_note_release(void *address);

/* AddressSanitizer: said before a switch to another stack, and after it, on the stack that goes on.
 * *fake belongs to the stack that is left; leaving may tell which stack that was. */
bool reap__asan_is_here(void);
void reap__asan_leave(void **fake, const void *bottom, size_t bytes);
void reap__asan_arrive(void *fake, const void **left_bottom, size_t *left_bytes);
void reap__asan_forget(const void *memory, size_t bytes); /* what was said of stack frames there */

/* AddressSanitizer and Valgrind: nobody may touch this memory, until it is allowed again. */
bool reap__can_forbid(void);
void reap__forbid(const void *memory, size_t bytes);
void reap__allow(const void *memory, size_t bytes);

/* Valgrind: this is a stack; what this memory holds is undefined again. */
void reap__valgrind_stack(const void *bottom, const void *top);
void reap__valgrind_undefined(const void *memory, size_t bytes);

#endif
